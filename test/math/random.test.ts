import { describe, expect, it } from "vitest";
import * as quat from "../../src/math/quat.js";
import { Random, xoshiro128StarStar } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { randomQuaternion, shuffle, unitVector } from "../support/random-draws.js";
import { angleBetween, rotate } from "../support/rotations.js";
import { RunningStatistics } from "../support/running-statistics.js";

const COUNT = deep(50_000, 2_000_000);
/** Deviations of this many sigma happen once in 16,000 tests; the seeds are fixed, so these never do. */
const SIGMAS = 4;

/** Greatest distance between the empirical distribution of the numbers and `cdf`, in units of its usual size. */
function kolmogorov(values: Float64Array, cdf: (x: number) => number): number {
  const sorted = values.slice().sort();
  const n = sorted.length;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    const p = cdf(sorted[i]!);
    distance = Math.max(distance, p - i / n, (i + 1) / n - p);
  }
  return distance * Math.sqrt(n);
}
/** 99.99 % of Kolmogorov's distribution. */
const KOLMOGOROV_LIMIT = 2.23;

/** (χ² − degrees) / √(2·degrees), about standard normal. */
function chiSquareScore(counts: ArrayLike<number>, total: number): number {
  const expected = total / counts.length;
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += (counts[i]! - expected) ** 2 / expected;
  const degrees = counts.length - 1;
  return (sum - degrees) / Math.sqrt(2 * degrees);
}

function histogram(cells: number, total: number, draw: () => number): Float64Array {
  const counts = new Float64Array(cells);
  for (let i = 0; i < total; i++) {
    const cell = draw();
    counts[cell] = counts[cell]! + 1;
  }
  return counts;
}

function draws(count: number, draw: () => number): Float64Array {
  return new Float64Array(count).map(draw);
}

/** Standard normal distribution function, by its Taylor series; good to 1e-12 for |x| < 6. */
function normalCdf(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 1; k < 100; k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

describe("the bits", () => {
  it("are those of the authors' xoshiro128starstar.c from the state 1, 2, 3, 4", () => {
    const state = Int32Array.of(1, 2, 3, 4);
    const expected = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597];
    expect(expected.map(() => xoshiro128StarStar(state) >>> 0)).toEqual(expected);
  });

  it("never change for a given seed", () => {
    const random = new Random(1);
    expect([random.bits(), random.bits(), random.bits()].map((x) => x >>> 0)).toEqual([
      480024028, 987689209, 2752378167,
    ]);
    expect([random.uniform(), random.uniform()]).toEqual([0.36250181193160014, 0.8439901541241823]);
    expect(random.uniform()).toBe(0.6265831302953611);
    expect([random.normal(), random.normal()]).toEqual([1.2402889178880956, -0.7835825655674284]);
    expect(random.normal()).toBe(0.693543611224822);
    expect([...unitVector(random, vec3.create())]).toEqual([
      -0.095266419305711, 0.9907281633989268, -0.09686080528705943,
    ]);
    expect([...randomQuaternion(random, quat.create())]).toEqual([
      0.05280174045918806, 0.2788585167284481, 0.610186015957875, 0.7396775850206267,
    ]);
    expect(random.integer(1000)).toBe(760);
    expect(shuffle(random, [1, 2, 3, 4, 5, 6])).toEqual([4, 5, 1, 6, 3, 2]);
    expect(random.fork("a").uniform()).toBe(0.8637713903046862);
    expect(new Random("flycatcher").bits() >>> 0).toBe(4202579343);
    expect(new Random("").bits() >>> 0).toBe(1081411051);
  });

  it("never change over a long run", () => {
    const random = new Random("long run");
    let digest = 0;
    for (let i = 0; i < 10_000; i++) digest = (Math.imul(digest, 31) + Math.floor(random.normal() * 1e9)) | 0;
    expect(digest).toBe(-205726843);
  });

  it("refuse a seed that is not finite", () => {
    for (const seed of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => new Random(seed)).toThrow(RangeError);
  });
});

describe("seeds and forks", () => {
  it("give streams that start apart: the first draws of neighbouring seeds and labels are uniform", () => {
    const parent = new Random("parent");
    const seeds = histogram(
      64,
      20_000,
      nextOf((i) => new Random(i)),
    );
    const forks = histogram(
      64,
      20_000,
      nextOf((i) => parent.fork(`throw ${i}`)),
    );
    expect(Math.abs(chiSquareScore(seeds, 20_000))).toBeLessThan(SIGMAS);
    expect(Math.abs(chiSquareScore(forks, 20_000))).toBeLessThan(SIGMAS);
  });

  function nextOf(stream: (i: number) => Random): () => number {
    let i = 0;
    return () => stream(i++).integer(64);
  }

  it("give streams without correlation", () => {
    const parent = new Random("correlation");
    const pairs = [
      [parent, parent.fork("a")],
      [parent.fork("a"), parent.fork("b")],
      [new Random(0), new Random(1)],
      [parent.fork("a"), parent.fork("a").fork("a")],
    ] as const;
    for (const [a, b] of pairs) {
      let sum = 0;
      for (let i = 0; i < COUNT; i++) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
      expect(Math.abs(sum) * 12).toBeLessThan(SIGMAS * Math.sqrt(COUNT));
    }
  });

  it("fork by label alone, whatever was drawn before", () => {
    const random = new Random(7);
    const before = random.fork("camera").uniform();
    random.normal();
    expect(random.fork("camera").uniform()).toBe(before);
    expect(random.fork("imu").uniform()).not.toBe(before);
    expect(random.fork("a").fork("b").uniform()).not.toBe(random.fork("ab").uniform());
    expect(new Random(8).fork("camera").uniform()).not.toBe(before);
  });
});

describe("uniform", () => {
  it("is uniform in [0, 1)", () => {
    const random = new Random("uniform");
    const values = draws(COUNT, () => random.uniform());
    expect(values.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(kolmogorov(values, (x) => x)).toBeLessThan(KOLMOGOROV_LIMIT);
    // The low bits are as good as the high ones.
    expect(
      kolmogorov(
        values.map((x) => (x * 2 ** 30) % 1),
        (x) => x,
      ),
    ).toBeLessThan(KOLMOGOROV_LIMIT);
  });

  it("fills the square of successive pairs", () => {
    const random = new Random("pairs");
    const counts = histogram(400, COUNT, () => 20 * random.integer(20) + random.integer(20));
    expect(Math.abs(chiSquareScore(counts, COUNT))).toBeLessThan(SIGMAS);
  });

  it("stretches to any interval", () => {
    const random = new Random("interval");
    const values = draws(COUNT, () => random.uniformIn(-3, 5));
    expect(kolmogorov(values, (x) => (x + 3) / 8)).toBeLessThan(KOLMOGOROV_LIMIT);
  });

  it("gives integers 0 … n − 1 alike", () => {
    const random = new Random("integer");
    for (const n of [1, 2, 7, 100]) {
      const counts = histogram(n, COUNT, () => random.integer(n));
      expect(counts.length).toBe(n);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
      if (n > 1) expect(Math.abs(chiSquareScore(counts, COUNT))).toBeLessThan(SIGMAS);
    }
  });
});

describe("normal", () => {
  it("has the distribution and the first four moments of the standard normal", () => {
    const random = new Random("normal");
    const values = draws(COUNT, () => random.normal());
    expect(kolmogorov(values, normalCdf)).toBeLessThan(KOLMOGOROV_LIMIT);
    const moment = (power: number): number => values.reduce((sum, x) => sum + x ** power, 0) / COUNT;
    // The variances of x, x², x³ and x⁴ are 1, 2, 15 and 96.
    expect(Math.abs(moment(1))).toBeLessThan(SIGMAS * Math.sqrt(1 / COUNT));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(SIGMAS * Math.sqrt(2 / COUNT));
    expect(Math.abs(moment(3))).toBeLessThan(SIGMAS * Math.sqrt(15 / COUNT));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(SIGMAS * Math.sqrt(96 / COUNT));
  });

  it("shifts and stretches", () => {
    const random = new Random("shift");
    const statistics = new RunningStatistics();
    for (let i = 0; i < COUNT; i++) statistics.add(random.normalIn(3, 0.5));
    expect(Math.abs(statistics.mean - 3)).toBeLessThan((SIGMAS * 0.5) / Math.sqrt(COUNT));
    expect(Math.abs(statistics.standardDeviation - 0.5)).toBeLessThan((SIGMAS * 0.5) / Math.sqrt(2 * COUNT));
  });
});

describe("unitVector", () => {
  it("is uniform on the sphere: each coordinate, and the longitude, are uniform", () => {
    const random = new Random("sphere");
    const vectors = Array.from({ length: COUNT }, () => unitVector(random, vec3.create()));
    expect(vectors.every((v) => Math.abs(vec3.norm(v) - 1) < 1e-15)).toBe(true);
    for (let axis = 0; axis < 3; axis++) {
      const coordinate = Float64Array.from(vectors, (v) => v[axis]!);
      expect(kolmogorov(coordinate, (x) => (x + 1) / 2)).toBeLessThan(KOLMOGOROV_LIMIT);
    }
    const longitude = Float64Array.from(vectors, (v) => Math.atan2(v[1], v[0]));
    expect(kolmogorov(longitude, (x) => (x + Math.PI) / (2 * Math.PI))).toBeLessThan(KOLMOGOROV_LIMIT);
  });
});

describe("rotation", () => {
  it("is uniform over rotations: any turned vector on the sphere, the angle with density (1 − cos θ)/π", () => {
    const random = new Random("rotation");
    const rotations = Array.from({ length: COUNT }, () => randomQuaternion(random, quat.create()));
    const v = unitVector(random, vec3.create());
    const turned = rotations.map((q) => rotate(q, v, vec3.create()));
    expect(turned.every((u) => Math.abs(vec3.norm(u) - 1) < 3e-15)).toBe(true);
    for (let axis = 0; axis < 3; axis++) {
      const coordinate = Float64Array.from(turned, (u) => u[axis]!);
      expect(kolmogorov(coordinate, (x) => (x + 1) / 2)).toBeLessThan(KOLMOGOROV_LIMIT);
    }
    const angle = Float64Array.from(rotations, (q) => angleBetween(quat.create(), q));
    expect(kolmogorov(angle, (x) => (x - Math.sin(x)) / Math.PI)).toBeLessThan(KOLMOGOROV_LIMIT);
  });
});

describe("shuffle", () => {
  it("makes every order of the same items alike", () => {
    const random = new Random("shuffle");
    const orders = new Map<string, number>();
    const total = deep(12_000, 120_000);
    for (let i = 0; i < total; i++) {
      const order = shuffle(random, [1, 2, 3, 4]).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(24);
    expect(Math.abs(chiSquareScore([...orders.values()], total))).toBeLessThan(SIGMAS);
  });
});
