import type { BallState } from "../../flight/ball.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";

export { STATE_SIZE };

/** Numbers of a belief: those of a flight's state, and three more. */
export const BELIEF_SIZE = 10;

/** Where the numbers of a belief begin. */
export const Entry = { position: 0, velocity: 3, drag: 6, lift: 7, acceleration: 7 } as const;

const FACTOR_SIZE = BELIEF_SIZE * BELIEF_SIZE;

/**
 * What is believed of a ball at one time: a normal distribution over position [m] (0–2), velocity [m/s] (3–5), both in
 * the world, drag k [1/m] (6), and three more numbers. For a ball in flight they are the lift w [1/s], by which spin
 * bends the flight with w × v; for one that is carried, its acceleration [m/s²]. The covariance is factor·factorᵀ with a
 * lower triangular factor, 10 × 10 row-major: such a product cannot lose its positive definiteness. Where a number counts as
 * known, its row is zero.
 */
export class BallBelief {
  /** [s] */
  time = 0;
  /** [10] */
  readonly mean = new Float64Array(BELIEF_SIZE);
  /** [10 × 10] */
  readonly factor = new Float64Array(FACTOR_SIZE);
}

export function copyBelief(belief: BallBelief, out: BallBelief): BallBelief {
  if (out === belief) return out;
  out.time = belief.time;
  for (let n = 0; n < BELIEF_SIZE; n++) out.mean[n] = belief.mean[n]!;
  for (let n = 0; n < FACTOR_SIZE; n++) out.factor[n] = belief.factor[n]!;
  return out;
}

/** Covariance of position, velocity and drag, 7 × 7, or of all numbers, 10 × 10, by the size of `out`. */
export function beliefCovariance({ factor }: BallBelief, out: Float64Array): Float64Array {
  const size = out.length === FACTOR_SIZE ? BELIEF_SIZE : STATE_SIZE;
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = 0;
      for (let n = 0; n <= c; n++) sum += factor[r * BELIEF_SIZE + n]! * factor[c * BELIEF_SIZE + n]!;
      out[r * size + c] = sum;
      out[c * size + r] = sum;
    }
  }
  return out;
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
  if (out.lift !== undefined) for (let n = 0; n < 3; n++) out.lift[n as 0 | 1 | 2] = mean[Entry.lift + n]!;
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
