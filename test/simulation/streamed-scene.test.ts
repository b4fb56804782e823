import { describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import type { TrueWorld } from "../../src/messages/world.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { IMU_DELAY, StreamedScene } from "../../src/simulation/streamed-scene.js";

/** The world at millisecond `k`: all moves evenly. */
function worldAt(k: number, isFlying = true): TrueWorld {
  const [head, imu] = [createRigidMotion(), createRigidMotion()];
  head.worldFromBody[9] = k;
  imu.twist[0] = k - 1e3 * IMU_DELAY;
  const ball = { id: 5, isFlying, position: vec3.create(-6e-3 * k, 0, 1), velocity: vec3.create(-6, 0, 0), hand: null };
  return { time: k / 1e3, head, imu, balls: [ball], joints: new Float64Array(0) };
}

describe("a world that comes over a wire", () => {
  it("is known between two steps, and neither before the first nor after the last", () => {
    const scene = new StreamedScene();
    const motion = createRigidMotion();
    expect([scene.headAt(0, motion), scene.isKnown(0), Number.isNaN(scene.time)]).toEqual([false, false, true]);
    for (let k = 10; k <= 12; k++) scene.add(worldAt(k));
    expect(scene.headAt(0.0105, motion)).toBe(true);
    expect(motion.worldFromBody[9]).toBeCloseTo(10.5, 9);
    expect([scene.headAt(0.0099, motion), scene.headAt(0.0121, motion)]).toEqual([false, false]);
    expect(scene.headAt(0.012, motion)).toBe(true);
  });

  it("has the IMU's motion of the middle of each step", () => {
    const scene = new StreamedScene();
    const motion = createRigidMotion();
    for (let k = 10; k <= 12; k++) scene.add(worldAt(k));
    expect(scene.time).toBeCloseTo(0.012 - IMU_DELAY, 12);
    expect(scene.imuAt(0.0108, motion)).toBe(true);
    expect(motion.twist[0]).toBeCloseTo(10.8, 9);
    expect(scene.imuAt(0.0118, motion)).toBe(false);
  });

  it("lets balls fly on from the step before, and knows none that was touched", () => {
    const scene = new StreamedScene();
    for (let k = 10; k <= 12; k++) scene.add(worldAt(k, k < 12));
    const [ball] = scene.ballsAt(0.0115);
    expect(ball?.id).toBe(5);
    expect(ball?.position[0]).toBeCloseTo(-6 * 0.0115, 12);
    scene.add(worldAt(13, false));
    expect(scene.ballsAt(0.0125)).toEqual([]);
  });

  it("keeps the last quarter of a second", () => {
    const scene = new StreamedScene();
    for (let k = 0; k < 1000; k++) scene.add(worldAt(k));
    expect([scene.isKnown(0.75), scene.isKnown(0.74)]).toEqual([true, false]);
  });
});
