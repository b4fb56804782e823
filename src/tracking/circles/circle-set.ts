import { maxCircles } from "../../messages/parts.js";

/** Numbers of a circle: u, v, r. */
export const CIRCLE_SIZE = 3;

/** Where a circle is [px]. */
export interface Circle {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** Circles found in one image, best first, in preallocated arrays. Pixel centres lie at whole numbers. */
export class CircleSet {
  readonly capacity: number;
  /** Circles in use. */
  count = 0;
  /** Centre, to the right and downwards [px]. [capacity] */
  readonly u: Float64Array;
  readonly v: Float64Array;
  /** Mean radius of the outline [px]. [capacity] */
  readonly r: Float64Array;
  /** Of (u, v, r), 3 × 3 row-major [px²]. [capacity × 9] */
  readonly covariance: Float64Array;
  /** How surely it is a ball, 0 to 1: purity of its outline less what speaks against one. [capacity] */
  readonly score: Float64Array;

  constructor(capacity = maxCircles) {
    this.capacity = capacity;
    this.u = new Float64Array(capacity);
    this.v = new Float64Array(capacity);
    this.r = new Float64Array(capacity);
    this.covariance = new Float64Array(capacity * CIRCLE_SIZE * CIRCLE_SIZE);
    this.score = new Float64Array(capacity);
  }
}

/** Circles of an image while it is searched. */
export class FoundCircles extends CircleSet {
  /** How much speaks for each against another circle about the same place; it grows with the outline. [capacity] */
  readonly evidence = new Float64Array(this.capacity);

  /** The best of them, as far as there is room. */
  copyTo(out: CircleSet): void {
    out.count = Math.min(this.count, out.capacity);
    for (let n = 0; n < out.count; n++) copyCircle(this, n, out, n);
  }
}

/** Two circles whose centres are nearer than this part of the larger radius are one. */
const SAME_CENTRE = 0.5;

/** Whether a set has a circle at about the same place, and not one that is smaller by the factor `larger` or more. */
export function isDuplicate(set: CircleSet, u: number, v: number, r: number, larger: number): boolean {
  for (let n = 0; n < set.count; n++) if (r < larger * set.r[n]! && overlaps(set, n, u, v, r)) return true;
  return false;
}

/** Whether more speaks for a circle of the set about the same place. */
export function isOutdone(set: FoundCircles, u: number, v: number, r: number, evidence: number): boolean {
  for (let n = 0; n < set.count; n++) if (set.evidence[n]! >= evidence && overlaps(set, n, u, v, r)) return true;
  return false;
}

/**
 * Puts a circle into a set that is ordered by falling score: of circles at about the same place only the one for which most
 * speaks stays, and of too many the one of the least score goes.
 */
export function insertCircle(
  set: FoundCircles,
  u: number,
  v: number,
  r: number,
  score: number,
  evidence: number,
  covariance: Float64Array,
): void {
  if (isOutdone(set, u, v, r, evidence)) return;
  let kept = 0;
  for (let n = 0; n < set.count; n++) {
    if (overlaps(set, n, u, v, r)) continue;
    if (kept !== n) moveCircle(set, n, kept);
    kept++;
  }
  set.count = kept;
  if (set.count === set.capacity) {
    if (!(score > set.score[set.count - 1]!)) return;
    set.count--;
  }
  let at = set.count++;
  for (; at > 0 && set.score[at - 1]! < score; at--) moveCircle(set, at - 1, at);
  set.u[at] = u;
  set.v[at] = v;
  set.r[at] = r;
  set.score[at] = score;
  set.evidence[at] = evidence;
  for (let i = 0; i < CIRCLE_SIZE * CIRCLE_SIZE; i++) set.covariance[at * 9 + i] = covariance[i]!;
}

function overlaps(set: CircleSet, n: number, u: number, v: number, r: number): boolean {
  const du = set.u[n]! - u;
  const dv = set.v[n]! - v;
  const reach = SAME_CENTRE * Math.max(set.r[n]!, r);
  return du * du + dv * dv < reach * reach;
}

function moveCircle(set: FoundCircles, from: number, to: number): void {
  copyCircle(set, from, set, to);
  set.evidence[to] = set.evidence[from]!;
}

function copyCircle(set: CircleSet, from: number, out: CircleSet, to: number): void {
  out.u[to] = set.u[from]!;
  out.v[to] = set.v[from]!;
  out.r[to] = set.r[from]!;
  out.score[to] = set.score[from]!;
  for (let i = 0; i < CIRCLE_SIZE ** 2; i++) out.covariance[to * 9 + i] = set.covariance[from * 9 + i]!;
}

/** u, v and r of circle `i` less `expected`, to the three numbers of `out` from `at` on. */
export function compareCircle(
  circles: CircleSet,
  i: number,
  expected: Float64Array,
  out: Float64Array,
  at: number,
): void {
  out[at] = circles.u[i]! - expected[0]!;
  out[at + 1] = circles.v[i]! - expected[1]!;
  out[at + 2] = circles.r[i]! - expected[2]!;
}

/** Adds the covariance of circle `i` to the block of the size × size matrix `out` that begins at (at, at). */
export function addCircleNoise(circles: CircleSet, i: number, size: number, at: number, out: Float64Array): void {
  let from = i * CIRCLE_SIZE * CIRCLE_SIZE;
  for (let r = 0; r < CIRCLE_SIZE; r++) {
    for (let c = 0; c < CIRCLE_SIZE; c++) {
      const o = (at + r) * size + at + c;
      out[o] = out[o]! + circles.covariance[from++]!;
    }
  }
}
