import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { UrdfGeometry } from "../../../src/robot/urdf/urdf-document.js";
import { deep } from "../../support/deep.js";
import { randomQuaternion, unitVector } from "../../support/random-draws.js";
import { fromQuatTranslation } from "../../support/rotations.js";
import { bruteForceDistance, pointsOf } from "../brute-force-distance.js";
import { createHullPair, randomHullPair } from "../random-hulls.js";
import { hullShape, type PlacedShape, supportOf, urdfShape } from "./convex-shape.js";
import { distanceInterval } from "./min-norm-point.js";

function placed(geometry: UrdfGeometry, worldFromShape: pose.Pose): PlacedShape {
  return { shape: urdfShape(geometry), worldFromShape };
}

function randomPose(random: Random, spread: number): pose.Pose {
  const at = vec3.scale(unitVector(random, vec3.create()), spread * random.uniform(), vec3.create());
  return fromQuatTranslation(randomQuaternion(random, quat.create()), at, pose.create());
}

function at(x: number, y: number, z: number): pose.Pose {
  return pose.setTranslation(pose.identity(pose.create()), vec3.create(x, y, z), pose.create());
}

describe("the reference distance", () => {
  it("of polytopes is that of all pairs of their features", () => {
    const random = new Random("reference");
    const pair = createHullPair();
    const world = pose.identity(pose.create());
    let loose = 0;
    const cases = deep(2000, 50_000);
    for (let i = 0; i < cases; i++) {
      randomHullPair(random, pair);
      const [a, b] = [pair.a.slice(0, 3 * pair.countA), pair.b.slice(0, 3 * pair.countB)];
      const { lower, upper } = distanceInterval(
        { shape: hullShape(a, 0), worldFromShape: world },
        { shape: hullShape(b, 0), worldFromShape: world },
      );
      const truth = bruteForceDistance(pointsOf(a, pair.countA), pointsOf(b, pair.countB));
      expect(lower).toBeLessThanOrEqual(truth + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(truth - 1e-12);
      if (!(upper - lower <= 1e-9)) loose++;
    }
    expect(loose / cases).toBeLessThan(0.002);
  });

  it("of round shapes is what elementary geometry says", () => {
    const cylinder: UrdfGeometry = { type: "cylinder", radius: 0.2, length: 1 };
    const ball: UrdfGeometry = { type: "sphere", radius: 0.1 };
    const upright = placed(cylinder, at(0, 0, 0));
    const cases: [PlacedShape, PlacedShape, number][] = [
      [upright, placed(ball, at(1, 0, 0)), 0.7],
      [upright, placed(ball, at(0.1, 0, 1)), 0.4],
      [upright, placed(ball, at(0.5, 0, 0.9)), Math.hypot(0.3, 0.4) - 0.1],
      [upright, placed(cylinder, at(0.6, 0.8, 0.3)), 0.6],
      [upright, placed({ type: "box", size: [0.2, 0.2, 0.2] }, at(1, 1, 1)), Math.hypot(0.9 * Math.SQRT2 - 0.2, 0.4)],
      [placed({ type: "capsule", radius: 0.1, length: 1 }, at(0, 0, 0)), placed(ball, at(0, 0, 1)), 0.3],
    ];
    for (const [a, b, expected] of cases) {
      const { lower, upper } = distanceInterval(a, b, { tolerance: 1e-9 });
      expect(lower).toBeLessThanOrEqual(expected + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(expected - 1e-12);
      expect(upper - lower).toBeLessThan(1e-7);
    }
  });

  it("of a cylinder lies between those of the prisms inside and around it", () => {
    const random = new Random("prisms");
    const sides = 64;
    const prism = (radius: number, half: number): Float64Array =>
      Float64Array.from({ length: 6 * sides }, (_, k) => {
        const angle = (2 * Math.PI * Math.floor(k / 6)) / sides;
        return [Math.cos(angle) * radius, Math.sin(angle) * radius, k % 6 < 3 ? half : -half][k % 3]!;
      });
    for (let i = 0; i < deep(300, 20_000); i++) {
      const [radius, half] = [random.uniformIn(0.02, 0.2), random.uniformIn(0.02, 0.3)];
      const other = placed({ type: "box", size: [0.1, 0.2, 0.3] }, randomPose(random, 0.8));
      const worldFromShape = randomPose(random, 0.2);
      const cylinder = placed({ type: "cylinder", radius, length: 2 * half }, worldFromShape);
      const truth = distanceInterval(cylinder, other, { tolerance: 1e-8 });
      const inside = distanceInterval({ shape: hullShape(prism(radius, half), 0), worldFromShape }, other);
      const around = prism(radius / Math.cos(Math.PI / sides), half);
      const outside = distanceInterval({ shape: hullShape(around, 0), worldFromShape }, other);
      expect(truth.upper - truth.lower).toBeLessThan(1e-6);
      expect(truth.lower).toBeLessThanOrEqual(inside.upper + 1e-9);
      expect(truth.upper).toBeGreaterThanOrEqual(outside.lower - 1e-9);
    }
  });

  it("knows support points: none of a shape lies farther along the direction", () => {
    const random = new Random("support");
    const shape = placed({ type: "cylinder", radius: 0.1, length: 0.4 }, randomPose(random, 1));
    const direction = vec3.create();
    for (let i = 0; i < 1000; i++) {
      unitVector(random, direction);
      const farthest = vec3.dot(direction, supportOf(shape, direction, vec3.create()));
      const angle = random.uniformIn(0, 2 * Math.PI);
      const reach = 0.1 * Math.sqrt(random.uniform());
      const inside = vec3.create(reach * Math.cos(angle), reach * Math.sin(angle), random.uniformIn(-0.2, 0.2));
      const along = vec3.dot(direction, pose.transformPoint(shape.worldFromShape, inside, inside));
      expect(along).toBeLessThanOrEqual(farthest + 1e-12);
    }
  });
});
