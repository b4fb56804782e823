import type { BallState } from "../../flight/ball.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";
import * as matrix from "../../math/matrix.js";

export { STATE_SIZE };

const FACTOR_SIZE = STATE_SIZE * STATE_SIZE;

/**
 * What is believed of a ball at one time: a normal distribution over position [m] (0–2), velocity [m/s] (3–5), both in
 * the world, and drag k [1/m] (6). The covariance is factor·factorᵀ with a lower triangular factor, 7 × 7 row-major:
 * such a product cannot lose its positive definiteness. Where the drag counts as known, the factor's last row is zero.
 */
export class BallBelief {
  /** [s] */
  time = 0;
  /** [7] */
  readonly mean = new Float64Array(STATE_SIZE);
  /** [7 × 7] */
  readonly factor = new Float64Array(FACTOR_SIZE);
}

export function copyBelief(belief: BallBelief, out: BallBelief): BallBelief {
  if (out === belief) return out;
  out.time = belief.time;
  for (let n = 0; n < STATE_SIZE; n++) out.mean[n] = belief.mean[n]!;
  for (let n = 0; n < FACTOR_SIZE; n++) out.factor[n] = belief.factor[n]!;
  return out;
}

/** Covariance of the state, 7 × 7. */
export function beliefCovariance(belief: BallBelief, out: Float64Array): Float64Array {
  return matrix.multiplyTransposeRight(belief.factor, belief.factor, STATE_SIZE, STATE_SIZE, STATE_SIZE, out);
}

/** The mean as the state of a flight. */
export function beliefState(belief: BallBelief, out: BallState): BallState {
  const { mean } = belief;
  out.time = belief.time;
  for (let n = 0; n < 3; n++) {
    out.position[n as 0 | 1 | 2] = mean[n]!;
    out.velocity[n as 0 | 1 | 2] = mean[3 + n]!;
  }
  out.drag = mean[6]!;
  return out;
}

/** Outcome of a step of the filter. Only `ok` has written to `out`. */
export const FilterStatus = {
  ok: 0,
  /** A number is NaN or infinite, or a covariance is not positive definite. */
  invalid: 1,
  /** The ball cannot be seen from there: it is behind the camera or around it. */
  outOfView: 2,
  /** Prediction goes forwards only: the time asked for is before the belief's. */
  backwards: 3,
  /** Belief and view are of different times: predict first. */
  misaligned: 4,
  /** Older than the history reaches. */
  tooLate: 5,
  /** The ball would be so fast that its flight cannot be computed: a belief that nonsense has led astray. */
  diverged: 6,
} as const;
export type FilterStatus = (typeof FilterStatus)[keyof typeof FilterStatus];
