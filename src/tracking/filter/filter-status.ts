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
