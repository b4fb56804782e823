/** Most balls that can appear in one scan; of more pairs of circles that fit the most likely ones are kept. */
export const MAX_BIRTHS = 16;

/** Not given an identity yet. */
export const NO_IDENTITY = 0;

/**
 * The balls that may have appeared in a scan, from pairs of circles or from points alone: whatever tracks there are. So
 * they are found once, and a ball keeps its identity when the scan is gone through again.
 */
export class BirthCandidates {
  count = 0;
  /** Circle in the left and in the right image; for a point its number, twice. */
  readonly left = new Int32Array(MAX_BIRTHS);
  readonly right = new Int32Array(MAX_BIRTHS);
  /** Log-likelihood ratio of a new ball against two false circles, or a false point. */
  readonly logRatio = new Float64Array(MAX_BIRTHS);
  /** Identity of the ball, once it is born in some hypothesis. */
  readonly identity = new Int32Array(MAX_BIRTHS);
  /** Position in the world [m] and lower factor of its covariance. [3] and [3 × 3] of each */
  readonly position = new Float64Array(3 * MAX_BIRTHS);
  readonly factor = new Float64Array(9 * MAX_BIRTHS);

  /** Room for a candidate of this likelihood, in place of the least likely one if need be; −1 if there is none. */
  place(logRatio: number): number {
    if (this.count < MAX_BIRTHS) return this.count++;
    let least = 0;
    for (let k = 1; k < MAX_BIRTHS; k++) if (this.logRatio[k]! < this.logRatio[least]!) least = k;
    return logRatio > this.logRatio[least]! ? least : -1;
  }
}
