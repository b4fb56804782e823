const TWO_PI = 2 * Math.PI;

/** How far beyond a limit a solution may lie to be set onto it [rad]: the rounding of inverse kinematics. */
const LIMIT_TOLERANCE = 1e-10;

/** Limits of the angles of an inverse kinematics, which are defined up to whole turns. */
export class JointRange {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Middle of the range; where one side is open, half a turn from the other; 0 where both are. */
  readonly #middle: Float64Array;

  constructor(lower: ArrayLike<number>, upper: ArrayLike<number>) {
    this.lower = Float64Array.from(lower);
    this.upper = Float64Array.from(upper);
    this.#middle = this.lower.map((low, i) => {
      const high = this.upper[i]!;
      if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
      if (Number.isFinite(low)) return low + Math.PI;
      return Number.isFinite(high) ? high - Math.PI : 0;
    });
  }

  /**
   * Turns `angles[at]` by whole turns to where it is nearest to the middle of joint `joint`'s range. False if it is
   * outside even there, or NaN.
   */
  fit(joint: number, angles: Float64Array, at: number): boolean {
    const middle = this.#middle[joint]!;
    const low = this.lower[joint]!;
    const high = this.upper[joint]!;
    const angle = angles[at]!;
    const fitted = angle - TWO_PI * Math.round((angle - middle) / TWO_PI);
    angles[at] = fitted < low ? low : fitted > high ? high : fitted;
    return fitted >= low - LIMIT_TOLERANCE && fitted <= high + LIMIT_TOLERANCE;
  }
}
