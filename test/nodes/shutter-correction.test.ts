import { describe, expect, it } from "vitest";
import { CameraModel } from "../../src/camera/camera-model.js";
import { ShutterOutline } from "../../src/camera/rolling-shutter.js";
import type * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { ShutterCorrection } from "../../src/nodes/shutter-correction.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";

const camera = new CameraModel({
  ...{ width: 800, height: 600, fx: 693, fy: 693, cx: 399.5, cy: 299.5 },
  distortion: { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 },
});
const RADIUS = 0.0425;
const worldFromCamera = Float64Array.of(0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, 1.6) as pose.Pose;
const view = { worldFromCamera, twist: Float64Array.of(0, 0.1, 0, 0, 0.3, 0.5) };

function circlesOf(circle: Float64Array): CircleSet {
  const circles = new CircleSet(1);
  circles.count = 1;
  circles.u[0] = circle[0]!;
  circles.v[0] = circle[1]!;
  circles.r[0] = circle[2]!;
  circles.covariance.set([0.04, 0, 0, 0, 0.04, 0, 0, 0, 0.02]);
  return circles;
}

describe("the correction of a rolling shutter", () => {
  const rolling = new ShutterOutline(camera, RADIUS, 30e-6);
  const correction = new ShutterCorrection(camera, RADIUS, 30e-6);
  const random = new Random("correction");
  const balls = Array.from({ length: 50 }, () => ({
    position: vec3.create(random.uniformIn(2, 5), random.uniformIn(-0.6, 0.6), random.uniformIn(1, 2.2)),
    velocity: vec3.create(random.uniformIn(-8, -4), random.uniformIn(-1, 1), random.uniformIn(-4, 4)),
  }));

  it("moves the circle of a known ball to where a global shutter sees it", () => {
    const [seen, meant] = [new Float64Array(3), new Float64Array(3)];
    for (const ball of balls) {
      rolling.measure(view, ball, seen);
      rolling.measureAtOnce(view, ball, meant);
      // What is known of the ball is off by two centimetres and half a metre per second.
      const position = vec3.add(ball.position, vec3.create(0.02, 0.02, -0.02), vec3.create());
      const velocity = vec3.add(ball.velocity, vec3.create(0.5, -0.3, 0.3), vec3.create());
      const circles = circlesOf(seen);
      const corrected = correction.apply(circles, view, [{ position, velocity }]);
      expect(Math.hypot(corrected.u[0]! - meant[0]!, corrected.v[0]! - meant[1]!)).toBeLessThan(0.8);
      expect(corrected.covariance).toEqual(circles.covariance);
      expect(circles.u[0]).toBe(seen[0]);
    }
  });

  it("leaves others where they are, and says how far they may be off", () => {
    const [seen, meant] = [new Float64Array(3), new Float64Array(3)];
    const squares: number[] = [];
    for (const ball of balls) {
      rolling.measure(view, ball, seen);
      rolling.measureAtOnce(view, ball, meant);
      const corrected = correction.apply(circlesOf(seen), view, []);
      expect([corrected.u[0], corrected.v[0], corrected.r[0]]).toEqual(Array.from(seen));
      const sigma = Math.sqrt(corrected.covariance[0]!);
      squares.push(((meant[0]! - seen[0]!) / sigma) ** 2, ((meant[1]! - seen[1]!) / sigma) ** 2);
    }
    const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
    expect(mean).toBeLessThan(2);
  });

  it("gives the same circles back for a global shutter", () => {
    const circles = circlesOf(Float64Array.of(400, 100, 8));
    expect(new ShutterCorrection(camera, RADIUS, 0).apply(circles, view, [])).toBe(circles);
  });
});
