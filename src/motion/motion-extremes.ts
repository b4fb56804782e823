import { evaluatePolynomial, rootsWithin } from "../math/polynomial.js";
import type { JerkLimits } from "./jerk-limited-motion.js";
import type { MotionLimits } from "./motion-limiter.js";
import { COEFFICIENTS, PIECE, type PiecewiseMotion } from "./piecewise-motion.js";

/** What has a limit, by the order of its derivative. */
export const motionKinds = ["position", "velocity", "acceleration", "jerk"] as const;
export type MotionKind = (typeof motionKinds)[number];

/** Least and greatest value that a joint has in a motion, with the first time of each [s]. */
export interface MotionExtremes {
  readonly least: number;
  readonly leastAt: number;
  readonly greatest: number;
  readonly greatestAt: number;
}

/** A limit that a motion does not keep: the worst value of one kind that a joint has beyond it. */
export interface MotionViolation {
  readonly joint: number;
  readonly kind: MotionKind;
  /** When [s]. */
  readonly time: number;
  readonly value: number;
  readonly limit: number;
}

/** Limits that a motion is checked against; those that are missing are not checked. */
export type CheckedLimits = Partial<MotionLimits> & Partial<JerkLimits>;

/** Relative excess that counts as rounding. */
const TOLERANCE = 1e-9;
const derivative = new Float64Array(COEFFICIENTS);
const slope = new Float64Array(COEFFICIENTS);
const roots = new Float64Array(COEFFICIENTS + 2);

/** Exact: the ends of all pieces, and where the next derivative vanishes. */
export function motionExtremes(motion: PiecewiseMotion, joint: number, kind: MotionKind): MotionExtremes {
  const order = motionKinds.indexOf(kind);
  const out = { least: Infinity, leastAt: Number.NaN, greatest: -Infinity, greatestAt: Number.NaN };
  for (let k = 0; k < motion.counts[joint]!; k++) {
    const at = (joint * motion.capacity + k) * PIECE;
    const start = motion.pieces[at]!;
    const length = motion.pieceEnd(joint, k) - start;
    const count = COEFFICIENTS - order;
    for (let j = 0; j < count; j++)
      derivative[j] = motion.pieces[at + 1 + j + order]! * factors[order * COEFFICIENTS + j]!;
    for (let j = 0; j + 1 < count; j++) slope[j] = derivative[j + 1]! * (j + 1);
    let candidates = rootsWithin(slope, 0, count - 1, 0, length, roots);
    roots[candidates++] = 0;
    roots[candidates++] = length;
    for (let j = 0; j < candidates; j++) {
      const value = evaluatePolynomial(derivative, 0, count, roots[j]!);
      // NaN is an extreme as well: it has to fail every limit.
      if (Number.isNaN(value) || value < out.least) [out.least, out.leastAt] = [value, start + roots[j]!];
      if (Number.isNaN(value) || value > out.greatest) [out.greatest, out.greatestAt] = [value, start + roots[j]!];
    }
  }
  return out;
}

/** The greatest absolute value of one kind; NaN if there is one. */
export function peakOf(motion: PiecewiseMotion, joint: number, kind: MotionKind): number {
  const { least, greatest } = motionExtremes(motion, joint, kind);
  return Math.max(Math.abs(least), Math.abs(greatest));
}

/** (j + order)! / j!, row by order. */
const factors = Float64Array.from({ length: motionKinds.length * COEFFICIENTS }, (_, index) => {
  const [order, j] = [Math.floor(index / COEFFICIENTS), index % COEFFICIENTS];
  let factor = 1;
  for (let k = 1; k <= order; k++) factor *= j + k;
  return factor;
});

/**
 * All limits that `motion` does not keep over its whole duration, by its exact extremes. NaN keeps none.
 *
 * @example
 * checkMotion(motion, { maxJerk: Float64Array.of(100) }); // [{ joint: 0, kind: "jerk", time: 0.2, value: 120, limit: 100 }]
 */
export function checkMotion(motion: PiecewiseMotion, limits: CheckedLimits): MotionViolation[] {
  const greatest = [limits.upper, limits.maxVelocity, limits.maxAcceleration, limits.maxJerk];
  const violations: MotionViolation[] = [];
  for (let joint = 0; joint < motion.joints; joint++) {
    for (const [order, kind] of motionKinds.entries()) {
      const most = greatest[order]?.[joint] ?? Infinity;
      const least = order > 0 ? -most : (limits.lower?.[joint] ?? -Infinity);
      if (most === Infinity && least === -Infinity) continue;
      const found = motionExtremes(motion, joint, kind);
      const slack = TOLERANCE * Math.max(1e-3, Math.min(Math.abs(most), Math.abs(least)));
      if (!(found.greatest <= most + slack)) {
        violations.push({ joint, kind, time: found.greatestAt, value: found.greatest, limit: most });
      }
      if (!(found.least >= least - slack)) {
        violations.push({ joint, kind, time: found.leastAt, value: found.least, limit: least });
      }
    }
  }
  return violations;
}
