import { describe, expect, it } from "vitest";
import { DistanceStatus } from "../../../src/collision/hull-distance.js";
import { DIRECTION_SIZE, SweptDistance, TOLERANCE } from "../../../src/collision/sweep/swept-distance.js";
import type { SweptHull } from "../../../src/collision/sweep/swept-hull.js";
import { Random } from "../../../src/math/random.js";
import { deep } from "../../support/deep.js";
import { allocationFree, heapBytesPerCall } from "../../support/heap.js";
import { bruteForceDistance } from "../brute-force-distance.js";
import { cornersOf, randomSweptHull } from "./random-sweeps.js";

function shift(hull: SweptHull, x: number): SweptHull {
  for (let i = 0; i < hull.count; i++) hull.points[3 * i] = hull.points[3 * i]! + x;
  hull.measure();
  return hull;
}

function randomPair(random: Random): [SweptHull, SweptHull] {
  const options = { points: 3, spans: 2 };
  return [shift(randomSweptHull(random, options), random.uniformIn(0, 0.8)), randomSweptHull(random, options)];
}

describe("the distance of swept hulls", () => {
  it("is that of all their corners, by brute force", () => {
    const random = new Random("corners");
    const measure = new SweptDistance();
    const statuses = new Map<DistanceStatus, number>();
    for (let round = 0; round < deep(150, 5000); round++) {
      const [a, b] = randomPair(random);
      const truth = bruteForceDistance(cornersOf(a), cornersOf(b));
      const memory = new Float64Array(DIRECTION_SIZE);
      const status = measure.measure(a, b, memory, 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(measure.lowerBound).toBeLessThanOrEqual(truth + 1e-12);
      expect(measure.distance).toBeGreaterThanOrEqual(truth - 1e-9);
      expect(measure.distance - measure.lowerBound).toBeLessThanOrEqual(TOLERANCE + 1e-9);
      measure.findNearestPoints();
      const { nearestA, nearestB } = measure;
      const between = Math.hypot(nearestA[0] - nearestB[0], nearestA[1] - nearestB[1], nearestA[2] - nearestB[2]);
      expect(between).toBeCloseTo(measure.distance, 6);
    }
    expect([...statuses.keys()].sort()).toEqual([DistanceStatus.separated, DistanceStatus.overlapping]);
    expect(Math.min(...statuses.values())).toBeGreaterThan(10);
  });

  it("is bounded whatever the remembered direction", () => {
    const random = new Random("memory");
    const measure = new SweptDistance();
    let [cold, warm] = [0, 0];
    for (let round = 0; round < 2000; round++) {
      const [a, b] = randomPair(random);
      measure.measure(a, b, new Float64Array(3), 0);
      const fresh = measure.lowerBound;
      const memory = Float64Array.from({ length: 3 }, () => random.uniformIn(-1, 1) * 10 ** random.uniformIn(-5, 5));
      measure.measure(a, b, memory, 0);
      expect(Math.abs(measure.lowerBound - fresh)).toBeLessThan(TOLERANCE + 1e-9);
      cold += measure.iterations;
      measure.measure(a, b, memory, 0);
      warm += measure.iterations;
    }
    expect(warm).toBeLessThan(cold);
  });

  it("ends early once enough is proven", () => {
    const [a, b] = [randomSweptHull(new Random("a")), shift(randomSweptHull(new Random("b")), 5)];
    const measure = new SweptDistance();
    measure.sufficient = 0.5;
    expect(measure.measure(a, b, new Float64Array(3), 0)).toBe(DistanceStatus.far);
    expect(measure.iterations).toBe(1);
    expect(measure.lowerBound).toBeGreaterThan(0.5);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e80])("refuses a coordinate of %s", (value) => {
    const [a, b] = randomPair(new Random("refuse"));
    a.points[1] = value;
    a.measure();
    const measure = new SweptDistance();
    expect(measure.measure(a, b, new Float64Array(3), 0)).toBe(DistanceStatus.invalid);
    expect(measure.lowerBound).toBe(Number.NEGATIVE_INFINITY);
  });

  it("refuses an empty hull, and bears a direction that is not a number", () => {
    const [a, b] = randomPair(new Random("empty"));
    const measure = new SweptDistance();
    expect(measure.measure(a, b, Float64Array.of(Number.NaN, 1, 0), 0)).not.toBe(DistanceStatus.invalid);
    a.count = 0;
    a.measure();
    expect(measure.measure(a, b, new Float64Array(3), 0)).toBe(DistanceStatus.invalid);
  });

  it("allocates nothing", () => {
    const random = new Random("heap");
    const pairs = Array.from({ length: 50 }, () => randomPair(random));
    const measure = new SweptDistance();
    const memory = new Float64Array(3);
    const bytes = heapBytesPerCall((i) => {
      const [a, b] = pairs[i % pairs.length]!;
      measure.measure(a, b, memory, 0);
    });
    expect(bytes).toBeLessThan(allocationFree);
  });
});
