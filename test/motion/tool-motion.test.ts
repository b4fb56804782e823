import { describe, expect, it } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import * as quat from "../../src/math/quat.js";
import * as vec3 from "../../src/math/vec3.js";
import { checkMotion } from "../../src/motion/motion-extremes.js";
import { ToolMotion, ToolState } from "../../src/motion/tool-motion.js";
import { ToolPath, ToolPathState } from "../../src/motion/tool-path.js";
import { errorCode } from "../support/error-code.js";

const begin = pose.fromRpyTranslation(0.2, -0.3, 0.5, 1, 0, 0.5, pose.create());
const target = pose.fromRpyTranslation(1.1, 0.4, -0.7, 1, 0.4, 0.5, pose.create());
const up = vec3.create(0, 0, 1);
const limits = { speed: 0.5, acceleration: 2, jerk: 20 };

/** A line, a quarter of a circle that goes on where it ends, and a corner. */
function path(): ToolPath {
  return new ToolPath(begin)
    .lineTo(target)
    .arc(vec3.create(0.8, 0.4, 0.5), up, Math.PI / 2, target)
    .lineTo(pose.fromRpyTranslation(0, 0, 0, 0.2, 0.6, 0.5, pose.create()));
}

describe("a tool path", () => {
  const state = new ToolPathState();

  it("goes along lines and circles, and turns as quaternions are interpolated", () => {
    const way = new ToolPath(begin).lineTo(target);
    const [q0, q1, q] = [begin, target, begin].map((p) => quat.fromMat3(p, quat.create()));
    const dot = q0!.reduce((sum, value, k) => sum + value * q1![k]!, 0);
    const angle = Math.acos(Math.abs(dot));
    for (const share of [0, 0.1, 0.5, 0.9, 1]) {
      way.evaluate(share * way.length, state);
      quat.fromMat3(state.pose, q!);
      for (let k = 0; k < 4; k++) {
        const slerp =
          (Math.sin((1 - share) * angle) * q0![k]! + Math.sign(dot) * Math.sin(share * angle) * q1![k]!) /
          Math.sin(angle);
        expect(Math.abs(Math.abs(q![k]!) - Math.abs(slerp))).toBeLessThan(1e-12);
      }
      const expected = vec3.lerp(
        pose.getTranslation(begin, vec3.create()),
        pose.getTranslation(target, vec3.create()),
        share,
        vec3.create(),
      );
      expect(vec3.distance(pose.getTranslation(state.pose, vec3.create()), expected)).toBeLessThan(1e-12);
    }
    const circle = new ToolPath(begin).arc(vec3.create(0.8, 0, 0.5), up, 3 * Math.PI);
    expect(circle.length).toBeCloseTo(0.2 * 3 * Math.PI, 12);
    for (const share of [0, 0.2, 0.7, 1]) {
      circle.evaluate(share * circle.length, state);
      const angle = share * 3 * Math.PI;
      expect(state.pose[9]).toBeCloseTo(0.8 + 0.2 * Math.cos(angle), 12);
      expect(state.pose[10]).toBeCloseTo(0.2 * Math.sin(angle), 12);
      const turned = mat3.multiply(mat3.fromAxisAngle(up, angle, mat3.create()), begin, mat3.create());
      for (let k = 0; k < 9; k++) expect(state.pose[k]).toBeCloseTo(turned[k]!, 12);
    }
  });

  it("has derivatives that are those of its poses", () => {
    const way = path();
    const near = new ToolPathState();
    for (let s = 0.01; s < way.length; s += 0.037) {
      way.evaluate(s, state);
      way.evaluate(s + 1e-6, near);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs((near.pose[9 + k]! - state.pose[9 + k]!) / 1e-6 - state.direction[k]!)).toBeLessThan(1e-4);
      }
      const rate = mat3.multiply(mat3.skew(state.turning, mat3.create()), state.pose, mat3.create());
      for (let k = 0; k < 9; k++)
        expect(Math.abs((near.pose[k]! - state.pose[k]!) / 1e-6 - rate[k]!)).toBeLessThan(1e-4);
    }
  });
});

describe("a motion along a tool path", () => {
  it("keeps speed and acceleration, is at rest at corners and ends, and has true derivatives", () => {
    const motion = new ToolMotion(path(), limits);
    const [state, near] = [new ToolState(), new ToolState()];
    expect(checkMotion(motion.law, { maxVelocity: Float64Array.of(0.5), maxJerk: Float64Array.of(20) })).toEqual([]);
    for (let t = 0.001; t < motion.duration; t += 0.0107) {
      motion.evaluate(t, state);
      motion.evaluate(t + 1e-6, near);
      expect(vec3.norm(state.velocity)).toBeLessThan(0.5 + 1e-9);
      expect(vec3.norm(state.acceleration)).toBeLessThan(Math.SQRT2 * 2 + 1e-9);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs((near.pose[9 + k]! - state.pose[9 + k]!) / 1e-6 - state.velocity[k]!)).toBeLessThan(1e-4);
        expect(Math.abs((near.velocity[k]! - state.velocity[k]!) / 1e-6 - state.acceleration[k]!)).toBeLessThan(2e-3);
      }
    }
    for (const corner of [0, ...motion.path.corners, motion.path.length]) {
      const at = motion.law.duration;
      expect(corner).toBeLessThanOrEqual(motion.path.length);
      motion.evaluate(corner === 0 ? 0 : at, state);
      expect(vec3.norm(state.velocity)).toBeLessThan(1e-9);
    }
    expect(motion.path.corners.length).toBeGreaterThan(0);
  });

  it("stands still on a path without length, and refuses limits that are none", () => {
    const still = new ToolMotion(new ToolPath(begin).lineTo(begin), limits);
    const state = new ToolState();
    still.evaluate(0, state);
    expect(still.duration).toBe(0);
    expect(Array.from(state.pose)).toEqual(Array.from(begin));
    for (const speed of [0, -1, Number.NaN]) {
      expect(errorCode(() => new ToolMotion(path(), { ...limits, speed }))).toBe("FLY_MOTION_INVALID");
    }
    const bad = vec3.create(Number.NaN, 0, 0);
    expect(errorCode(() => new ToolPath(begin).arc(bad, up, 1))).toBe("FLY_MOTION_INVALID");
  });
});
