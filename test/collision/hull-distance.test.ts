import { describe, expect, it } from "vitest";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { unitVector } from "../support/random-draws.js";
import { bruteForceDistance, pointsOf } from "./brute-force-distance.js";
import { createHullPair, type HullPair, MAX_POINTS, randomHullPair } from "./random-hulls.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 900_000);

/** What two ways of computing a distance may differ by [m]. */
const roundOff = 1e-12;

const hulls = new HullDistance();
const memory = new Int32Array(MEMORY_SIZE);

/** A measurement from scratch. */
function measure({ a, b, countA, countB }: HullPair): DistanceStatus {
  memory.fill(0);
  return hulls.measure(a, countA, b, countB, memory, 0);
}

function trueDistance({ a, b, countA, countB }: HullPair): number {
  return bruteForceDistance(pointsOf(a, countA), pointsOf(b, countB));
}

function set(...points: readonly (readonly [number, number, number])[]): Float64Array {
  return Float64Array.from(points.flat());
}

describe("the distance of two hulls", () => {
  it(
    "is that of trying all vertices, edges and triangles, and never below the certified bound",
    () => {
      const random = new Random("hull distance");
      const pair = createHullPair();
      const seen = new Map<DistanceStatus, number>();
      for (let i = 0; i < deep(8_000, 100_000); i++) {
        const status = measure(randomHullPair(random, pair));
        const distance = trueDistance(pair);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (!(hulls.lowerBound <= distance))
          throw new Error(`bound ${hulls.lowerBound} above ${distance} in pair ${i}`);
        if (!(Math.abs(hulls.distance - distance) <= roundOff)) {
          throw new Error(`${hulls.distance} instead of ${distance} in pair ${i}`);
        }
        if (!(hulls.lowerBound >= distance - 1e-9)) throw new Error(`loose bound in pair ${i}: ${hulls.lowerBound}`);
      }
      expect([...seen.keys()].sort()).toEqual([DistanceStatus.separated, DistanceStatus.overlapping]);
      expect(seen.get(DistanceStatus.overlapping)).toBeGreaterThan(deep(400, 1000));
    },
    patience,
  );

  it(
    "comes with points of the hulls that are so far apart, and planes across the gap",
    () => {
      const random = new Random("nearest points");
      const pair = createHullPair();
      for (let i = 0; i < deep(3000, 30_000); i++) {
        const status = measure(randomHullPair(random, pair));
        hulls.findNearestPoints(pair.a, pair.b);
        const { nearestA, nearestB, normal } = hulls;
        const inA = bruteForceDistance([[...nearestA] as [number, number, number]], pointsOf(pair.a, pair.countA));
        const inB = bruteForceDistance([[...nearestB] as [number, number, number]], pointsOf(pair.b, pair.countB));
        expect(Math.max(inA, inB)).toBeLessThan(roundOff);
        expect(Math.abs(vec3.distance(nearestA, nearestB) - hulls.distance)).toBeLessThan(roundOff);
        if (status === DistanceStatus.overlapping || hulls.lowerBound === 0) continue;
        const along = (points: Float64Array, count: number) =>
          pointsOf(points, count).map(([x, y, z]) => x * normal[0] + y * normal[1] + z * normal[2]);
        const gap = Math.min(...along(pair.a, pair.countA)) - Math.max(...along(pair.b, pair.countB));
        expect(gap).toBeGreaterThanOrEqual(hulls.lowerBound);
        expect(Math.abs(vec3.norm(normal) - 1)).toBeLessThan(1e-14);
      }
    },
    patience,
  );

  it("does not depend on which set comes first, nor on repeated and inner points", () => {
    const random = new Random("symmetry");
    const pair = createHullPair();
    for (let i = 0; i < 2000; i++) {
      measure(randomHullPair(random, pair));
      const { distance } = hulls;
      measure({ a: pair.b, countA: pair.countB, b: pair.a, countB: pair.countA });
      expect(Math.abs(hulls.distance - distance)).toBeLessThan(roundOff);
      const more = new Float64Array(3 * (pair.countA + 2));
      more.set(pair.a.subarray(0, 3 * pair.countA));
      for (let k = 0; k < 3; k++) {
        more[3 * pair.countA + k] = (pair.a[k]! + pair.a[3 * (pair.countA - 1) + k]!) / 2;
        more[3 * pair.countA + 3 + k] = pair.a[k]!;
      }
      measure({ a: more, countA: pair.countA + 2, b: pair.b, countB: pair.countB });
      expect(Math.abs(hulls.distance - distance)).toBeLessThan(roundOff);
    }
  });

  it.each([
    ["two points", set([0, 0, 0]), set([0, 3, 4]), 5],
    ["the same point", set([1, 2, 3]), set([1, 2, 3]), 0],
    ["crossing segments", set([-1, 0, 0], [1, 0, 0]), set([0, -1, 0.25], [0, 1, 0.25]), 0.25],
    ["parallel segments", set([0, 0, 0], [1, 0, 0]), set([0.25, 0.5, 0], [2, 0.5, 0]), 0.5],
    ["segments on one line", set([0, 0, 0], [1, 0, 0]), set([3, 0, 0], [5, 0, 0]), 2],
    ["a segment of no length", set([1, 1, 1], [1, 1, 1]), set([1, 1, 2], [1, 1, 2]), 1],
    ["faces that touch", set([0, 0, 0], [1, 0, 0], [0, 1, 0]), set([0.2, 0.2, 0], [0.2, 0.2, 1]), 0],
    ["one inside the other", set([-1, -1, -1], [3, 0, 0], [0, 3, 0], [0, 0, 3]), set([0, 0, 0], [0.1, 0, 0]), 0],
    ["flat sets in one plane", set([0, 0, 1], [1, 0, 1], [0, 1, 1]), set([2, 0, 1], [3, 0, 1], [2, 1, 1]), 1],
    ["points in one place", set([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]), set([0, 2, 0], [0, 2, 0], [0, 2, 0]), 2],
  ])("is right for %s", (_, a, b, expected) => {
    measure({ a, b, countA: a.length / 3, countB: b.length / 3 });
    expect(hulls.distance).toBeCloseTo(expected, 14);
    expect(hulls.lowerBound).toBeLessThanOrEqual(expected);
    expect(hulls.lowerBound).toBeGreaterThan(expected - 1e-13);
  });

  it("is proven to a picometre where faces nearly touch", () => {
    const corners = [-0.1, 0.1].flatMap((x) => [-0.1, 0.1].flatMap((y) => [-0.1, 0.1].map((z) => [x, y, z] as const)));
    for (const gap of [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]) {
      const a = set(...corners);
      const b = set(...corners.map(([x, y, z]) => [x + 0.03, y - 0.01, z + 0.2 + gap] as const));
      measure({ a, b, countA: 8, countB: 8 });
      expect(hulls.lowerBound).toBeLessThanOrEqual(gap + 1e-16);
      expect(hulls.lowerBound).toBeGreaterThan(gap - 1e-12);
    }
  });
});

describe("a warm start", () => {
  it(
    "gives the same distance in fewer steps, from whatever the memory holds",
    () => {
      const random = new Random("warm start");
      const pair = createHullPair();
      const shift = vec3.create();
      let [cold, warm] = [0, 0];
      for (let i = 0; i < deep(3000, 30_000); i++) {
        randomHullPair(random, pair);
        memory.fill(0);
        hulls.measure(pair.a, pair.countA, pair.b, pair.countB, memory, 0);
        unitVector(random, shift);
        for (let k = 0; k < 3 * pair.countA; k++) pair.a[k] = pair.a[k]! + 0.002 * shift[k % 3]!;
        if (i % 5 === 0) for (let k = 0; k < MEMORY_SIZE; k++) memory[k] = random.integer(13) - 4;
        hulls.measure(pair.a, pair.countA, pair.b, pair.countB, memory, 0);
        const { distance, lowerBound, iterations } = hulls;
        measure(pair);
        if (i % 5 !== 0) {
          warm += iterations;
          cold += hulls.iterations;
        }
        expect(Math.abs(distance - hulls.distance)).toBeLessThan(roundOff);
        expect(lowerBound).toBeLessThanOrEqual(hulls.distance);
      }
      expect(warm).toBeLessThan(0.75 * cold);
    },
    patience,
  );
});

describe("a measurement that may stop early", () => {
  it("stops with a proof that the distance is sufficient, and else finds it", () => {
    const random = new Random("sufficient");
    const pair = createHullPair();
    const early = new HullDistance();
    const seen = { far: 0, near: 0 };
    for (let i = 0; i < 5000; i++) {
      randomHullPair(random, pair);
      measure(pair);
      early.sufficient = random.uniformIn(0, 1);
      memory.fill(0);
      const status = early.measure(pair.a, pair.countA, pair.b, pair.countB, memory, 0);
      if (status === DistanceStatus.far) {
        seen.far++;
        expect(early.lowerBound).toBeGreaterThanOrEqual(early.sufficient);
        expect(hulls.distance).toBeGreaterThanOrEqual(early.sufficient);
        expect(early.distance).toBeGreaterThanOrEqual(hulls.distance - roundOff);
      } else {
        seen.near++;
        expect(early.distance).toBe(hulls.distance);
      }
    }
    expect(Math.min(seen.far, seen.near)).toBeGreaterThan(500);
  });
});

describe("a measurement of nonsense", () => {
  it("is refused without points, and with a coordinate that is not finite or absurd", () => {
    const good = set([0, 0, 0], [1, 0, 0], [0, 1, 0]);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e200]) {
      for (let k = 0; k < 9; k++) {
        const a = good.slice();
        a[k] = bad;
        for (const [first, second] of [[a, good] as const, [good, a] as const]) {
          expect(measure({ a: first, b: second, countA: 3, countB: 3 })).toBe(DistanceStatus.invalid);
          expect(hulls.distance).toBeNaN();
          expect(hulls.lowerBound).toBe(Number.NEGATIVE_INFINITY);
        }
      }
    }
    expect(measure({ a: good, b: good, countA: 0, countB: 3 })).toBe(DistanceStatus.invalid);
    expect(measure({ a: good, b: good, countA: 3, countB: 0 })).toBe(DistanceStatus.invalid);
  });

  it(
    "never throws, loops or proves too much, whatever the bytes",
    () => {
      const random = new Random("bytes");
      const pair = createHullPair();
      const bytesA = new Uint32Array(pair.a.buffer);
      const bytesB = new Uint32Array(pair.b.buffer);
      for (let i = 0; i < deep(20_000, 500_000); i++) {
        for (let k = 0; k < bytesA.length; k++) {
          bytesA[k] = random.integer(2 ** 32);
          bytesB[k] = random.integer(2 ** 32);
        }
        pair.countA = 1 + random.integer(MAX_POINTS);
        pair.countB = 1 + random.integer(MAX_POINTS);
        // Half of them with exponents near 1, so that they are not refused at the door.
        if (i % 2 === 0) for (let k = 1; k < bytesA.length; k += 2) bytesA[k] = (bytesA[k]! & 0x803fffff) | 0x3fc00000;
        if (i % 2 === 0) for (let k = 1; k < bytesB.length; k += 2) bytesB[k] = (bytesB[k]! & 0x803fffff) | 0x3fc00000;
        const status = measure(pair);
        expect(status).not.toBe(DistanceStatus.unsettled);
        if (status === DistanceStatus.invalid) continue;
        expect(hulls.lowerBound).toBeLessThanOrEqual(hulls.distance);
      }
    },
    patience,
  );
});

describe("measuring", () => {
  it("allocates nothing", () => {
    const random = new Random("heap");
    const pairs = Array.from({ length: 200 }, () => randomHullPair(random, createHullPair()));
    let far = 0;
    const bytes = heapBytesPerCall((i) => {
      const { a, b, countA, countB } = pairs[i % pairs.length]!;
      memory[0] = 0;
      hulls.measure(a, countA, b, countB, memory, 0);
      hulls.findNearestPoints(a, b);
      if (hulls.distance > 1 && hulls.lowerBound > 1) far++;
    });
    // Two algorithms, of which Node 22 boxes five numbers; still less than the smallest typed array.
    expect(bytes).toBeLessThan(1.5 * boxedNumbers);
    expect(far).toBeGreaterThan(0);
  });
});
