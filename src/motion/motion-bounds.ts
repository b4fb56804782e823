import { COEFFICIENTS, PIECE, type PiecewiseMotion } from "./piecewise-motion.js";

/** Binomials of 5 over those of the degree: what turns coefficients into those of Bernstein's polynomials. */
const DEGREE = COEFFICIENTS - 1;
const SHARE = bernsteinShares();

/**
 * Bounds of where a motion's joints are between two times: each piece's part of them is bounded by its Bernstein
 * coefficients, which contain it, and the more closely the shorter it is.
 *
 * @example
 * new MotionCheck(robot, dofs).isFree(new MotionBounds(motion), posture);
 */
export class MotionBounds {
  readonly count: number;
  readonly #motion: PiecewiseMotion;
  readonly #shifted = new Float64Array(COEFFICIENTS);

  constructor(motion: PiecewiseMotion) {
    this.count = motion.joints;
    this.#motion = motion;
  }

  get duration(): number {
    return this.#motion.duration;
  }

  positions(t: number, out: Float64Array): Float64Array {
    return this.#motion.positions(t, out);
  }

  extremesBetween(from: number, to: number, outMin: Float64Array, outMax: Float64Array): void {
    const { pieces, capacity } = this.#motion;
    for (let i = 0; i < this.count; i++) {
      outMin[i] = Number.POSITIVE_INFINITY;
      outMax[i] = Number.NEGATIVE_INFINITY;
      const first = i * capacity * PIECE;
      const last = first + (this.#motion.counts[i]! - 1) * PIECE;
      for (let at = this.#motion.pieceAt(i, from); at <= last && (pieces[at]! <= to || at === first); at += PIECE) {
        const end = at < last ? pieces[at + PIECE]! : this.duration;
        const begin = Math.max(from, pieces[at]!) - pieces[at]!;
        const length = Math.max(0, Math.min(to, end) - pieces[at]! - begin);
        this.#bound(at, begin, length, i, outMin, outMax);
      }
    }
  }

  /** Widens the bounds of joint `i` by those of a piece from `begin` on, over `length`, both counted from its start. */
  #bound(at: number, begin: number, length: number, i: number, outMin: Float64Array, outMax: Float64Array): void {
    const { pieces } = this.#motion;
    const c = this.#shifted;
    for (let k = 0; k < COEFFICIENTS; k++) c[k] = pieces[at + 1 + k]!;
    // Taylor's shift to `begin`, by Horner's rule again and again.
    for (let k = 0; k < DEGREE; k++) for (let m = DEGREE - 1; m >= k; m--) c[m] = c[m]! + begin * c[m + 1]!;
    for (let k = 1, power = length; k < COEFFICIENTS; k++, power *= length) c[k] = c[k]! * power;
    for (let m = 0; m <= DEGREE; m++) {
      let sum = 0;
      for (let k = 0; k <= m; k++) sum += SHARE[m * COEFFICIENTS + k]! * c[k]!;
      if (!(sum >= outMin[i]!)) outMin[i] = sum;
      if (!(sum <= outMax[i]!)) outMax[i] = sum;
    }
  }
}

/** C(m, k) / C(5, k). */
function bernsteinShares(): Float64Array {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  const shares = new Float64Array(COEFFICIENTS * COEFFICIENTS);
  for (let m = 0; m <= DEGREE; m++)
    for (let k = 0; k <= m; k++) shares[m * COEFFICIENTS + k] = choose(m, k) / choose(DEGREE, k);
  return shares;
}
