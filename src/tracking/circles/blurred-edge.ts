/**
 * An edge blurred by lens, pixel and motion, across it, at x half-widths from its middle: −1 is where it begins inside, 1
 * where it ends outside. Between a box, which motion makes, and a Gauss curve, which the lens makes, its slope is taken as
 * ¾ (1 − x²); that has the variance 1/5. All that matters for finding an edge is that it is alike to both sides.
 */
export const EDGE_VARIANCE = 0.2;
const EDGE_FOURTH_MOMENT = 3 / 35;

/** Share of the outside, from 0 at −1 to 1 at 1. */
export function riseAt(x: number): number {
  if (x <= -1) return 0;
  return x >= 1 ? 1 : 0.5 + 0.75 * (x - (x * x * x) / 3);
}

/** Derivative of the rise. */
export function slopeAt(x: number): number {
  return x > -1 && x < 1 ? 0.75 * (1 - x * x) : 0;
}

/**
 * √(−x) inside and 0 outside, blurred in the same way: a sphere lit from the front darkens towards its outline like this, and
 * infinitely steeply at the outline itself.
 */
export function rootAt(x: number): number {
  if (x >= 1) return 0;
  if (x <= -1) {
    const square = 1 / (x * x);
    return Math.sqrt(-x) * (1 - square * (EDGE_VARIANCE / 8 + square * ((5 * EDGE_FOURTH_MOMENT) / 128)));
  }
  const at = (x + 1) * (TABLE_STEPS / 2);
  const n = Math.floor(at);
  return rootTable[n]! + (at - n) * (rootTable[n + 1]! - rootTable[n]!);
}

const TABLE_STEPS = 64;
const INTEGRATION_STEPS = 512;

/** By the midpoint rule, from −1 to 1. */
const rootTable = Float64Array.from({ length: TABLE_STEPS + 1 }, (_, i) => {
  const x = (2 * i) / TABLE_STEPS - 1;
  let sum = 0;
  for (let n = 0; n < INTEGRATION_STEPS; n++) {
    const y = (2 * (n + 0.5)) / INTEGRATION_STEPS - 1;
    if (y > x) sum += slopeAt(y) * Math.sqrt(y - x);
  }
  return (2 * sum) / INTEGRATION_STEPS;
});
