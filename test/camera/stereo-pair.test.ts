import { describe, expect, it } from "vitest";
import { StereoPair } from "../../src/camera/stereo-pair.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { unitVector } from "../support/random-draws.js";
import { greatestDifference, lenses, makeCamera } from "./cameras.js";

const left = makeCamera(lenses.barrel!);
const right = makeCamera(lenses.mild!);
const leftFromRight = pose.fromRpyTranslation(0.01, -0.02, 0.015, 0.2, 0.003, -0.002, pose.create());
const pair = new StereoPair(left, right, leftFromRight);
const [a, b] = [new Float64Array(2), new Float64Array(2)];
const [point, found] = [vec3.create(), vec3.create()];
const covariance = new Float64Array(9);

/** A point both cameras see, and its pixels to `a` and `b`. */
function see(random: Random): void {
  for (;;) {
    const z = random.uniformIn(0.7, 7);
    vec3.set(random.uniformIn(-0.6, 0.6) * z, random.uniformIn(-0.4, 0.4) * z, z, point);
    if (project(point)) return;
  }
}

function project(p: vec3.Vec3): boolean {
  const inRight = pose.transformPointInverse(leftFromRight, p, vec3.create());
  const isSeen = left.project(p, a) && right.project(inRight, b);
  return isSeen && left.isInside(a[0]!, a[1]!, 0) && right.isInside(b[0]!, b[1]!, 0);
}

describe("a stereo pair", () => {
  it("finds the point of exact pixels", () => {
    const random = new Random("exact");
    for (let i = 0; i < deep(200, 20_000); i++) {
      see(random);
      expect(pair.midpoint(a, b, found)).toBe(true);
      expect(vec3.distance(found, point)).toBeLessThan(1e-9);
      expect(pair.triangulate(a, b, found, covariance)).toBe(true);
      expect(vec3.distance(found, point)).toBeLessThan(1e-9);
      expect(pair.epipolarDistance(a, b)).toBeLessThan(1e-9);
    }
  });

  it("finds the least sum of squared pixel errors", () => {
    const random = new Random("least squares");
    const [measuredA, measuredB] = [new Float64Array(2), new Float64Array(2)];
    const cost = (p: vec3.Vec3): number => {
      project(p);
      return (
        (a[0]! - measuredA[0]!) ** 2 +
        (a[1]! - measuredA[1]!) ** 2 +
        (b[0]! - measuredB[0]!) ** 2 +
        (b[1]! - measuredB[1]!) ** 2
      );
    };
    for (let i = 0; i < 50; i++) {
      see(random);
      addNoise(a, random, 1, measuredA);
      addNoise(b, random, 1, measuredB);
      if (!pair.triangulate(measuredA, measuredB, found, covariance)) continue;
      const least = cost(found);
      for (let k = 0; k < 20; k++) {
        const near = unitVector(random, vec3.create());
        vec3.addScaled(found, near, 1e-4 * vec3.norm(found), near);
        expect(cost(near)).toBeGreaterThanOrEqual(least);
      }
      // The epipolar distance is, to first order, the length of the least correction.
      expect(Math.abs(pair.epipolarDistance(measuredA, measuredB) - Math.sqrt(least))).toBeLessThan(0.01);
    }
  });

  it("has the covariance of its errors", () => {
    const random = new Random("covariance");
    const sigma = 0.2;
    const [measuredA, measuredB] = [new Float64Array(2), new Float64Array(2)];
    for (let place = 0; place < 3; place++) {
      see(random);
      const truth = vec3.copy(point, vec3.create());
      const [trueA, trueB] = [a.slice(), b.slice()];
      const sample = new Float64Array(9);
      const expected = new Float64Array(9);
      const runs = deep(3000, 50_000);
      pair.triangulate(trueA, trueB, found, expected);
      for (let i = 0; i < runs; i++) {
        addNoise(trueA, random, sigma, measuredA);
        addNoise(trueB, random, sigma, measuredB);
        expect(pair.triangulate(measuredA, measuredB, found, covariance)).toBe(true);
        vec3.subtract(found, truth, found);
        for (let k = 0; k < 9; k++) {
          sample[k] = sample[k]! + (found[Math.floor(k / 3)]! * found[k % 3]!) / runs / sigma ** 2;
        }
      }
      const scale = Math.max(...expected.map(Math.abs));
      expect(greatestDifference(sample, expected) / scale).toBeLessThan(0.12);
    }
  });

  it("has epipolar distances of the pixels' own spread", () => {
    const random = new Random("epipolar");
    const [measuredA, measuredB] = [new Float64Array(2), new Float64Array(2)];
    let sum = 0;
    const runs = 3000;
    for (let i = 0; i < runs; i++) {
      see(random);
      addNoise(a, random, 0.5, measuredA);
      addNoise(b, random, 0.5, measuredB);
      sum += pair.epipolarDistance(measuredA, measuredB) ** 2;
    }
    expect(Math.sqrt(sum / runs)).toBeGreaterThan(0.46);
    expect(Math.sqrt(sum / runs)).toBeLessThan(0.54);
  });

  it("finds nothing for rays that part, are parallel, or are not", () => {
    const straight = new StereoPair(
      makeCamera(lenses.none!),
      makeCamera(lenses.none!),
      pose.fromRpyTranslation(0, 0, 0, 0.2, 0, 0, pose.create()),
    );
    const at = (u: number): Float64Array => Float64Array.of(u, 300);
    expect(straight.triangulate(at(400), at(390), found, covariance)).toBe(true);
    expect(straight.triangulate(at(400), at(400), found, covariance)).toBe(false);
    expect(straight.triangulate(at(400), at(420), found, covariance)).toBe(false);
    expect(straight.triangulate(at(400), at(Number.NaN), found, covariance)).toBe(false);
    expect(straight.epipolarDistance(at(400), at(Number.NaN))).toBe(Number.POSITIVE_INFINITY);
  });
});

function addNoise(pixel: Float64Array, random: Random, sigma: number, out: Float64Array): void {
  out[0] = pixel[0]! + random.normalIn(0, sigma);
  out[1] = pixel[1]! + random.normalIn(0, sigma);
}
