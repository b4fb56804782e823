import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { unitVector } from "../support/random-draws.js";

/** A pair of random point sets; up to `MAX_POINTS` each. */
export interface HullPair {
  readonly a: Float64Array;
  readonly b: Float64Array;
  countA: number;
  countB: number;
}

export const MAX_POINTS = 8;

export function createHullPair(): HullPair {
  return { a: new Float64Array(3 * MAX_POINTS), b: new Float64Array(3 * MAX_POINTS), countA: 0, countB: 0 };
}

/** Every kind of set GJK may stumble over, at gaps from far through touching to deep overlap. */
export function randomHullPair(random: Random, out: HullPair): HullPair {
  const size = random.uniformIn(0.02, 0.4);
  out.countA = fillSet(random, size, out.a);
  out.countB = fillSet(random, random.uniform() < 0.8 ? size : 0.01 * size, out.b);
  const gap = [0, 0.3 * size, size, 2 * size, 4 * size][random.integer(5)]!;
  const direction = unitVector(random, vec3.create());
  if (random.uniform() < 0.3) direction.set([0, 0, 1]);
  for (let i = 0; i < 3 * out.countB; i++) out.b[i] = out.b[i]! + gap * direction[i % 3]!;
  return out;
}

const kinds = ["cloud", "cloud", "box", "flat", "segment", "point", "repeated", "line", "grid"] as const;

function fillSet(random: Random, size: number, out: Float64Array): number {
  const kind = kinds[random.integer(kinds.length)]!;
  let count = 1 + random.integer(MAX_POINTS);
  if (kind === "box") count = 8;
  if (kind === "point") count = 1;
  if (kind === "segment") count = 2;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) out[3 * i + k] = coordinate(random, kind, i, k) * size;
  }
  if (kind === "line") for (let i = 3; i < 3 * count; i++) out[i] = out[i % 3]! * (1 + Math.floor(i / 3));
  if (kind === "repeated") for (let i = 3; i < 3 * count; i++) if (random.uniform() < 0.5) out[i] = out[i - 3]!;
  return count;
}

function coordinate(random: Random, kind: (typeof kinds)[number], point: number, axis: number): number {
  if (kind === "box") return ((point >> axis) & 1) - 0.5;
  if (kind === "flat" && axis === 2) return 0.25;
  if (kind === "grid") return random.integer(3) - 1;
  return random.uniformIn(-1, 1);
}
