import * as cholesky from "../../math/cholesky.js";
import { type BallBelief, BELIEF_SIZE, FilterStatus } from "./ball-belief.js";
import { LEAST_SIGMA } from "./flight-predictor.js";
import { triangularize } from "./triangularize.js";

/** Most numbers in one measurement: a circle in each of two cameras. */
const MOST_ROWS = 6;

export const LOG_TWO_PI = Math.log(2 * Math.PI);

/**
 * The update of a belief with a measurement that depends on position alone. With x = x̄ + S·ξ, S lower triangular, only
 * the first three of the standard normal ξ move the position; the others stay as they are. So the update happens in
 * three dimensions: the measurement is z = ẑ + H·ξ + (noise), and the array
 *
 *   [ N^½  H ]        [ Z  0 ]
 *   [ 0    I ]  · Θ = [ K  T ],   Θ orthogonal,
 *
 * gives the factor Z of the innovation's covariance, ξ's mean K·Z⁻¹·(z − ẑ) and factor T (Kailath, Sayed & Hassibi,
 * "Linear Estimation", 2000, §12.3). The first three columns of S become S·T. Nothing is subtracted.
 */
export class PositionUpdate {
  /** Numbers of the measurement. */
  rows = 0;
  /** z − ẑ. [rows] */
  readonly innovation = new Float64Array(MOST_ROWS);
  /** H. [rows × 3] */
  readonly slope = new Float64Array(MOST_ROWS * 3);
  /** Covariance of the noise, all that is not the ball's position. [rows × rows] */
  readonly noise = new Float64Array(MOST_ROWS * MOST_ROWS);
  /** Squared Mahalanobis distance of the innovation. */
  squaredDistance = Number.NaN;
  /** ln of the innovation's density [rows × ln(1/px) or ln(1/m)]. */
  logLikelihood = Number.NaN;
  /** Mean of ξ afterwards, and its factor, 3 × 3 lower triangular. */
  readonly shift = new Float64Array(3);
  readonly shrink = new Float64Array(9);
  readonly #noiseFactor = new Float64Array(MOST_ROWS * MOST_ROWS);
  readonly #array = new Float64Array((MOST_ROWS + 3) * (MOST_ROWS + 3));
  readonly #whitened = new Float64Array(MOST_ROWS);

  /** Solves for ξ; `shift`, `shrink`, `squaredDistance` and `logLikelihood` hold the answer. */
  solve(): FilterStatus {
    const m = this.rows;
    if (cholesky.factor(this.noise, m, this.#noiseFactor) !== cholesky.MatrixStatus.ok) return FilterStatus.invalid;
    this.#fill();
    triangularize(this.#array, m + 3, m + 3);
    this.#whiten();
    this.#read();
    return Number.isFinite(this.squaredDistance) ? FilterStatus.ok : FilterStatus.invalid;
  }

  #fill(): void {
    const m = this.rows;
    const size = m + 3;
    const array = this.#array;
    array.fill(0, 0, size * size);
    for (let r = 0; r < m; r++) {
      for (let c = 0; c <= r; c++) array[size * r + c] = this.#noiseFactor[m * r + c]!;
      for (let j = 0; j < 3; j++) array[size * r + m + j] = this.slope[3 * r + j]!;
    }
    for (let j = 0; j < 3; j++) array[size * (m + j) + m + j] = 1;
  }

  /** Z⁻¹·innovation, and what it says of how likely the measurement was. */
  #whiten(): void {
    const m = this.rows;
    const size = m + 3;
    const array = this.#array;
    const whitened = this.#whitened;
    let squares = 0;
    let logs = 0;
    for (let r = 0; r < m; r++) {
      let sum = this.innovation[r]!;
      for (let c = 0; c < r; c++) sum -= array[size * r + c]! * whitened[c]!;
      const diagonal = array[size * r + r]!;
      whitened[r] = sum / diagonal;
      squares += whitened[r]! * whitened[r]!;
      logs += Math.log(diagonal);
    }
    this.squaredDistance = squares;
    this.logLikelihood = -0.5 * (squares + m * LOG_TWO_PI) - logs;
  }

  #read(): void {
    const m = this.rows;
    const size = m + 3;
    for (let j = 0; j < 3; j++) {
      const row = size * (m + j);
      let sum = 0;
      for (let c = 0; c < m; c++) sum += this.#array[row + c]! * this.#whitened[c]!;
      this.shift[j] = sum;
      for (let c = 0; c < 3; c++) this.shrink[3 * j + c] = c <= j ? this.#array[row + m + c]! : 0;
    }
  }

  /** x̄ + S·shift and S·shrink of `belief`, all of it, to `out`, which may be `belief`. */
  apply(belief: BallBelief, out: BallBelief): void {
    const { shift, shrink } = this;
    out.time = belief.time;
    for (let r = 0; r < BELIEF_SIZE; r++) {
      const row = r * BELIEF_SIZE;
      const a = belief.factor[row]!;
      const b = belief.factor[row + 1]!;
      const c = belief.factor[row + 2]!;
      out.mean[r] = belief.mean[r]! + a * shift[0]! + b * shift[1]! + c * shift[2]!;
      out.factor[row] = a * shrink[0]! + b * shrink[3]! + c * shrink[6]!;
      out.factor[row + 1] = b * shrink[4]! + c * shrink[7]!;
      out.factor[row + 2] = c * shrink[8]!;
      for (let k = 3; k < BELIEF_SIZE; k++) out.factor[row + k] = belief.factor[row + k]!;
    }
    for (let o = 0; o < 3 * BELIEF_SIZE; o += BELIEF_SIZE + 1) {
      if (out.factor[o]! < LEAST_SIGMA) out.factor[o] = LEAST_SIGMA;
    }
  }
}
