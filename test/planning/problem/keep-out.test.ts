import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import { Random } from "../../../src/math/random.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import * as vec3 from "../../../src/math/vec3.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import type { KeepOutGeometry } from "../../../src/robot/robot.js";
import { randomQuaternion, unitVector } from "../../support/random-draws.js";
import { fromQuatTranslation } from "../../support/rotations.js";

const linkFromBox = pose.fromRpyTranslation(0.3, -0.5, 1, 0.1, -0.1, 0, pose.create());
const wall = vec3.normalize(vec3.create(1, 2, -2), vec3.create());
const geometries: KeepOutGeometry[] = [
  { type: "sphere", center: vec3.create(0.1, 0.2, -0.1), radius: 0.3 },
  { type: "capsule", from: vec3.create(0, 0, -0.4), to: vec3.create(0.2, 0.1, 0.5), radius: 0.2 },
  { type: "cylinder", from: vec3.create(0.1, 0, -0.5), to: vec3.create(0, 0.2, 0.3), radius: 0.25 },
  { type: "box", linkFromBox, halfSize: vec3.create(0.2, 0.3, 0.4) },
  { type: "half-space", normal: wall, offset: -0.3 },
];
const shapes = geometries.map((geometry) => ({ name: geometry.type, link: 0, geometry }));

/** Whether a point of the link's frame lies inside, by each shape's definition: the independent reference. */
function isInside(shape: KeepOutGeometry, p: Vec3): boolean {
  switch (shape.type) {
    case "sphere":
      return vec3.distance(p, shape.center) < shape.radius;
    case "half-space":
      return vec3.dot(shape.normal, p) < shape.offset;
    case "box": {
      const local = pose.transformPointInverse(shape.linkFromBox, p, vec3.create());
      return shape.halfSize.every((half, i) => Math.abs(local[i]!) < half);
    }
    default: {
      const axis = vec3.subtract(shape.to, shape.from, vec3.create());
      const s = vec3.dot(vec3.subtract(p, shape.from, vec3.create()), axis) / vec3.squaredNorm(axis);
      const nearest = shape.type === "capsule" ? Math.min(1, Math.max(0, s)) : s;
      const isBetweenEnds = shape.type === "capsule" || (s > 0 && s < 1);
      return isBetweenEnds && vec3.distance(p, vec3.addScaled(shape.from, axis, nearest, vec3.create())) < shape.radius;
    }
  }
}

const random = new Random(7);
const frameFromLink = fromQuatTranslation(quat.create(), vec3.create(0.3, -0.2, 0.5), pose.create());
fromQuatTranslation(randomQuaternion(random, quat.create()), vec3.create(0.3, -0.2, 0.5), frameFromLink);
const set = new KeepOutSet(shapes, () => frameFromLink);

/** Distance of a point to one shape; its gradient to `gradient`. */
function distanceTo(index: number, point: Vec3, gradient: Vec3): number {
  const distances = new Float64Array(set.count);
  const gradients = new Float64Array(3 * set.count);
  set.evaluate(point, distances, 0, gradients);
  gradient.set(gradients.subarray(3 * index, 3 * index + 3));
  return distances[index]!;
}

function randomPoint(): Vec3 {
  return vec3.create(random.uniformIn(-1, 1), random.uniformIn(-1, 1), random.uniformIn(-1, 1));
}

describe.each(geometries.map((shape, index) => ({ shape, index, kind: shape.type })))("$kind", ({ shape, index }) => {
  it("is negative exactly inside", () => {
    const gradient = vec3.create();
    for (let i = 0; i < 5000; i++) {
      const inLink = randomPoint();
      const inFrame = pose.transformPoint(frameFromLink, inLink, vec3.create());
      expect(distanceTo(index, inFrame, gradient) < 0).toBe(isInside(shape, inLink));
    }
  });

  it("is a distance: the surface lies that far along the gradient, and nowhere nearer", () => {
    const gradient = vec3.create();
    const there = vec3.create();
    const unused = vec3.create();
    for (let i = 0; i < 2000; i++) {
      const p = randomPoint();
      const d = distanceTo(index, p, gradient);
      if (d <= 0) continue;
      vec3.addScaled(p, gradient, -d, there);
      expect(Math.abs(distanceTo(index, there, unused))).toBeLessThan(1e-9);
      const other = unitVector(random, vec3.create());
      vec3.addScaled(p, other, d * 0.999, there);
      expect(distanceTo(index, there, unused)).toBeGreaterThan(0);
    }
  });

  it("has the gradient of finite differences", () => {
    const gradient = vec3.create();
    const unused = vec3.create();
    const h = 1e-6;
    for (let i = 0; i < 1000; i++) {
      const p = randomPoint();
      const d = distanceTo(index, p, gradient);
      if (d < 0) continue;
      for (let k = 0; k < 3; k++) {
        const shifted = vec3.copy(p, vec3.create());
        shifted[k] = p[k]! + h;
        const plus = distanceTo(index, shifted, unused);
        shifted[k] = p[k]! - h;
        expect((plus - distanceTo(index, shifted, unused)) / (2 * h)).toBeCloseTo(gradient[k]!, 4);
      }
    }
  });
});

describe("KeepOutSet", () => {
  it("gives the least distance as clearance", () => {
    const p = randomPoint();
    const distances = shapes.map((_, index) => distanceTo(index, p, vec3.create()));
    expect(set.clearance(p)).toBe(Math.min(...distances));
    expect(new KeepOutSet([], () => frameFromLink).clearance(p)).toBe(Number.POSITIVE_INFINITY);
  });

  it("stays finite at the centre of every shape", () => {
    const gradient = vec3.create();
    const centre = pose.transformPoint(frameFromLink, vec3.create(0.1, 0.2, -0.1), vec3.create());
    for (let index = 0; index < set.count; index++) {
      expect(Number.isFinite(distanceTo(index, centre, gradient))).toBe(true);
      expect(vec3.norm(gradient)).toBeCloseTo(1, 9);
    }
  });
});
