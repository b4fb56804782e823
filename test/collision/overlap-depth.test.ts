import { describe, expect, it } from "vitest";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { OverlapDepth } from "../../src/collision/overlap-depth.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { createHullPair, type HullPair, randomHullPair } from "./random-hulls.js";

const hulls = new HullDistance();
const overlap = new OverlapDepth();

function overlapsAfterMoving(pair: HullPair, share: number): boolean {
  const a = pair.a.map((value, i) => value + share * overlap.depth * overlap.normal[i % 3]!);
  const status = hulls.measure(a, pair.countA, pair.b, pair.countB, new Int32Array(MEMORY_SIZE), 0);
  return status === DistanceStatus.overlapping;
}

describe("the depth of an overlap", () => {
  it("is a way out: moved so far along the direction given, the hulls no longer overlap", () => {
    const random = new Random("depth");
    const pair = createHullPair();
    let overlaps = 0;
    for (let i = 0; i < 4000; i++) {
      randomHullPair(random, pair);
      const status = hulls.measure(pair.a, pair.countA, pair.b, pair.countB, new Int32Array(MEMORY_SIZE), 0);
      if (status !== DistanceStatus.overlapping) continue;
      overlaps++;
      overlap.measure(pair.a, pair.countA, pair.b, pair.countB);
      expect(overlap.depth).toBeGreaterThanOrEqual(-1e-15);
      expect(vec3.norm(overlap.normal)).toBeCloseTo(1, 14);
      expect(overlapsAfterMoving(pair, 1 + 1e-9) && overlap.depth > 1e-6).toBe(false);
      const between = vec3.subtract(overlap.deepestB, overlap.deepestA, vec3.create());
      expect(vec3.dot(between, overlap.normal)).toBeCloseTo(overlap.depth, 14);
    }
    expect(overlaps).toBeGreaterThan(300);
  });

  it("is exact for boxes along the axes", () => {
    const box = (x: number, y: number, z: number) =>
      Float64Array.from([-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].flatMap((k) => [x + i, y + j, z + k]))));
    overlap.measure(box(0, 0, 0), 8, box(0.3, -1.6, 0.2), 8);
    expect(overlap.depth).toBeCloseTo(0.4, 14);
    expect([...overlap.normal].map(Math.round)).toEqual([0, 1, 0].map((x) => x));
    const direction = Math.sign(overlap.normal[1]);
    expect(direction).toBe(1);
  });

  it("allocates nothing", () => {
    const random = new Random("heap");
    const pairs = Array.from({ length: 50 }, () => randomHullPair(random, createHullPair()));
    const bytes = heapBytesPerCall((i) => {
      const { a, b, countA, countB } = pairs[i % pairs.length]!;
      overlap.measure(a, countA, b, countB);
    });
    expect(bytes).toBeLessThan(boxedNumbers);
  });
});
