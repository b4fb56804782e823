import { reducePoints } from "./reduce-points.js";
import type { SweptHull } from "./swept-hull.js";

/** How a joint moves a body within an interval about the pose in which its axis is given. Memory for `sweepRevolute` too. */
export class JointSweep {
  /** A point of the axis [m] and its unit vector. */
  readonly origin = new Float64Array(3);
  readonly axis = new Float64Array(3);
  /** Terms in use: the joint moves by Σ λₖ·amount[k], |λₖ| ≤ 1, the dof of term k having the span in slot[k]. */
  termCount = 0;
  readonly slot: Int32Array;
  /** [rad or m] */
  readonly amount: Float64Array;
  /**
   * Into how many pieces of equal width a turn is cut, if the hull has room for their points; one for a joint with several
   * terms. Where there is no room for two, points are merged.
   */
  pieces = 1;

  constructor(maxTerms: number) {
    this.slot = new Int32Array(maxTerms);
    this.amount = new Float64Array(maxTerms);
  }

  /** Half width of the whole motion and of a piece [rad or m]; `measure`. In an array, since V8 boxes arguments. */
  readonly halfWidth = new Float64Array(2);

  /** Computes `halfWidth`; the whole turn has no more than a half turn to either side if it is cut. */
  measure(pieces: number): void {
    let sum = 0;
    for (let k = 0; k < this.termCount; k++) sum += Math.abs(this.amount[k]!);
    this.halfWidth[WHOLE] = pieces > 1 && sum > Math.PI ? Math.PI : sum;
    this.halfWidth[PIECE] = this.halfWidth[WHOLE]! / pieces;
  }
}

const WHOLE = 0;
const PIECE = 1;

/** Beyond it a piece of a turn is enclosed as a full turn [rad]. */
const WIDEST_PIECE = Math.PI / 2;

/**
 * Share of h − sin h that bounds |sin δ − δ·sin h/h| for |δ| ≤ h ≤ π/2: the difference is h³/6·x(1 − x²), x = δ/h, to
 * leading order, at most 0.385 of h³/6, and the share falls with h.
 */
const SINE_SHARE = 0.4;

/**
 * The hull `source` swept along a line: every point gains the span amount·axis. Exact. `out` may be `source`.
 * `spanCount` is how many spans `out` then has. If both have as many slots and the joint's dofs are new to the body, `out`
 * shares the spans of `source`, which needs no copying.
 */
export function sweepPrismatic(source: SweptHull, joint: JointSweep, spanCount: number, out: SweptHull): void {
  const { axis } = joint;
  joint.halfWidth.fill(0);
  prepare(source, joint, spanCount, 1, out);
  const { spans, slots } = out;
  for (let k = 0; k < joint.termCount; k++) {
    const amount = joint.amount[k]!;
    for (let i = 0; i < out.count; i++) {
      const at = 3 * (i * slots + joint.slot[k]!);
      spans[at] = spans[at]! + amount * axis[0]!;
      spans[at + 1] = spans[at + 1]! + amount * axis[1]!;
      spans[at + 2] = spans[at + 2]! + amount * axis[2]!;
    }
  }
}

/**
 * The hull `source` swept about an axis by every angle |δ| ≤ h, the joint's half width. `out` may be `source`.
 *
 * A point p = a + w, a on the axis and w across it, goes to a + cos δ·w + sin δ·(z × w). With κ = (1 + cos h)/2 and
 * s = sin h/h that is
 *
 *   a + κ·w + s·δ·(z × w)   and a rest:   (cos δ − κ)·w + (sin δ − s·δ)·(z × w).
 *
 * The first is the new point with its span; the rest is no longer than |w|·((1 − cos h)/2 + 0.4·(h − sin h)) and goes to
 * the radius: half of what the arc rises above its chord, and next to nothing. A span u that the point had turns too, and
 * strays from where it was by no more than 2·sin(h/2) times its part across the axis, which also goes to the radius. Both
 * are of second order in the angles. Cutting the turn into n pieces, each about its own middle, divides the first by n²
 * and the second by n, for n times the points. A turn wider than π/2 to either side and not cut is enclosed by a ball
 * about the axis, so full turns are right as well.
 */
export function sweepRevolute(source: SweptHull, joint: JointSweep, spanCount: number, out: SweptHull): void {
  const room = Math.max(2, Math.floor(out.capacity / source.count));
  const pieces = joint.pieces < room ? joint.pieces : room;
  joint.measure(pieces);
  prepare(source, joint, spanCount, pieces, out);
  if (pieces > 1) cut(out, joint, pieces);
  widen(out, joint);
}

/** Replaces a hull by copies of it, turned to the middle of each piece. */
function cut(hull: SweptHull, joint: JointSweep, pieces: number): void {
  reducePoints(hull, Math.floor(hull.capacity / pieces));
  const count = hull.count;
  for (let piece = pieces - 1; piece >= 0; piece--) placeTurned(hull, count, joint, piece, pieces);
  hull.count = count * pieces;
}

/** Makes `out` the same as `source`, with room for the joint's spans; shares them if the sweep only adds to them. */
function prepare(source: SweptHull, joint: JointSweep, spanCount: number, pieces: number, out: SweptHull): void {
  const addsOnly = pieces === 1 && joint.halfWidth[PIECE]! <= WIDEST_PIECE;
  let mayShare = addsOnly && source.slots === out.slots && source !== out;
  for (let k = 0; k < joint.termCount; k++) if (joint.slot[k]! < source.spanCount) mayShare = false;
  if (mayShare) out.extend(source, spanCount);
  else out.copy(source, spanCount);
}

/** Adds the turn by a piece's half width to a hull that is in the middle of it. */
function widen(hull: SweptHull, joint: JointSweep): void {
  const h = joint.halfWidth[PIECE]!;
  if (h === 0) return;
  if (!(h <= WIDEST_PIECE)) {
    encloseFullTurn(hull, joint);
    return;
  }
  const { points, spans, slots, spanCount, count } = hull;
  const sine = Math.sin(h);
  const half = Math.sin(0.5 * h);
  const sagitta = half * half;
  const slope = sine / h;
  const rest = sagitta + SINE_SHARE * (h - sine);
  // The piece's share of the terms' amounts: with one term the whole turn, with several there is one piece.
  const share = joint.termCount === 1 ? (h * slope) / Math.abs(joint.amount[0]!) : slope;
  const ox = joint.origin[0]!;
  const oy = joint.origin[1]!;
  const oz = joint.origin[2]!;
  const zx = joint.axis[0]!;
  const zy = joint.axis[1]!;
  const zz = joint.axis[2]!;
  let growth = 0;
  for (let i = 0; i < count; i++) {
    const rx = points[3 * i]! - ox;
    const ry = points[3 * i + 1]! - oy;
    const rz = points[3 * i + 2]! - oz;
    const tx = zy * rz - zz * ry;
    const ty = zz * rx - zx * rz;
    const tz = zx * ry - zy * rx;
    let across = 0;
    const first = 3 * i * slots;
    for (let at = first; at < first + 3 * spanCount; at += 3) {
      const sx = spans[at]!;
      const sy = spans[at + 1]!;
      const sz = spans[at + 2]!;
      const ux = zy * sz - zz * sy;
      const uy = zz * sx - zx * sz;
      const uz = zx * sy - zy * sx;
      across += Math.sqrt(ux * ux + uy * uy + uz * uz);
    }
    const grown = rest * Math.sqrt(tx * tx + ty * ty + tz * tz) + 2 * half * across;
    if (grown > growth) growth = grown;
    // w = −z × t; κ·w = w − sagitta·w.
    points[3 * i] = points[3 * i]! + sagitta * (zy * tz - zz * ty);
    points[3 * i + 1] = points[3 * i + 1]! + sagitta * (zz * tx - zx * tz);
    points[3 * i + 2] = points[3 * i + 2]! + sagitta * (zx * ty - zy * tx);
    for (let k = 0; k < joint.termCount; k++) {
      const at = first + 3 * joint.slot[k]!;
      const length = share * joint.amount[k]!;
      spans[at] = spans[at]! + length * tx;
      spans[at + 1] = spans[at + 1]! + length * ty;
      spans[at + 2] = spans[at + 2]! + length * tz;
    }
  }
  hull.radius = hull.radius + growth;
}

/** Whatever the angle, a point stays within its distance from the axis around its foot there, and so does a span. */
function encloseFullTurn(hull: SweptHull, joint: JointSweep): void {
  const { points, spans, slots, spanCount } = hull;
  const [ox, oy, oz] = [joint.origin[0]!, joint.origin[1]!, joint.origin[2]!];
  const [zx, zy, zz] = [joint.axis[0]!, joint.axis[1]!, joint.axis[2]!];
  let growth = 0;
  for (let i = 0; i < hull.count; i++) {
    let across = 0;
    for (let k = -1; k < spanCount; k++) {
      const vectors = k < 0 ? points : spans;
      const at = k < 0 ? 3 * i : 3 * (i * slots + k);
      const x = vectors[at]! - (k < 0 ? ox : 0);
      const y = vectors[at + 1]! - (k < 0 ? oy : 0);
      const z = vectors[at + 2]! - (k < 0 ? oz : 0);
      const along = zx * x + zy * y + zz * z;
      across += Math.hypot(x - along * zx, y - along * zy, z - along * zz);
      vectors[at] = along * zx + (k < 0 ? ox : 0);
      vectors[at + 1] = along * zy + (k < 0 ? oy : 0);
      vectors[at + 2] = along * zz + (k < 0 ? oz : 0);
    }
    if (across > growth) growth = across;
  }
  hull.radius = hull.radius + growth;
}

/** Writes the first `count` points with their spans, turned to the middle of a piece, to the places from piece·count on. */
function placeTurned(hull: SweptHull, count: number, joint: JointSweep, piece: number, pieces: number): void {
  const angle = (2 * piece + 1 - pieces) * joint.halfWidth[PIECE]!;
  const { points, spans, slots, spanCount } = hull;
  const { origin, axis } = joint;
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  for (let i = 0; i < count; i++) {
    const target = piece * count + i;
    for (let k = 0; k < 3; k++) points[3 * target + k] = points[3 * i + k]! - origin[k]!;
    turn(points, 3 * target, axis, cosine, sine);
    for (let k = 0; k < 3; k++) points[3 * target + k] = points[3 * target + k]! + origin[k]!;
    const from = 3 * i * slots;
    const to = 3 * target * slots;
    for (let k = 0; k < 3 * spanCount; k++) spans[to + k] = spans[from + k]!;
    for (let k = 0; k < 3 * spanCount; k += 3) turn(spans, to + k, axis, cosine, sine);
  }
}

/** Rodrigues' formula. */
function turn(vectors: Float64Array, at: number, axis: Float64Array, cosine: number, sine: number): void {
  const [x, y, z] = [vectors[at]!, vectors[at + 1]!, vectors[at + 2]!];
  const [ax, ay, az] = [axis[0]!, axis[1]!, axis[2]!];
  const along = (1 - cosine) * (ax * x + ay * y + az * z);
  vectors[at] = cosine * x + sine * (ay * z - az * y) + along * ax;
  vectors[at + 1] = cosine * y + sine * (az * x - ax * z) + along * ay;
  vectors[at + 2] = cosine * z + sine * (ax * y - ay * x) + along * az;
}
