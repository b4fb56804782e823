import type { Vec3 } from "../../math/vec3.js";
import { type BallBelief, STATE_SIZE } from "./ball-belief.js";
import { moveBalls } from "./ball-motion.js";
import { triangularize } from "./triangularize.js";

/** Columns of the process noise: two for each axis. */
const NOISE_COLUMNS = 6;

/** Least diagonal of a factor [m, m/s, 1/m]: far below what is ever known of a ball, and keeps it invertible. */
export const LEAST_SIGMA = 1e-9;

/** Velocity and drag first, then position: the order in which the factor shows what bends a flight. */
const BENDING_FIRST = [3, 4, 5, 6, 0, 1, 2] as const;
const BENDING_FIRST_WITHOUT_DRAG = [3, 4, 5, 0, 1, 2] as const;

/**
 * The prediction step of the unscented filter. Only velocity and drag bend a flight; position just adds to it. So the
 * factor is turned (by an orthogonal matrix, which leaves the covariance as it is) until its first d columns carry all
 * of velocity and drag, d being 3 or 4, and the last three position alone. Then 2d sigma points x̄ ± √d·s_j of weight
 * 1/2d fly on. With x_j± where they arrive and x̄' their mean, the new covariance is
 *
 *   Σ_j a_j·a_jᵀ + e_j·e_jᵀ/d + (position columns) + Q,   a_j = (x_j+ − x_j−)/2√d,   e_j = (x_j+ + x_j−)/2 − x̄',
 *
 * a sum of squares, so that its factor comes from one orthogonal triangularisation of the columns side by side: nothing
 * is ever subtracted. Q is that of white acceleration of spectral density q² over the time Δ, q²·[Δ³/3, Δ²/2; Δ²/2, Δ].
 */
export class MotionPredictor {
  readonly dimension: 6 | 7;
  readonly #gravity: Vec3;
  readonly #noise: number;
  /** d */
  readonly #bending: number;
  readonly #order: readonly number[];
  /** The turned factor, its rows in the order of `#order`. */
  readonly #turned: Float64Array;
  /** x_j+ of all j, then x_j−. */
  readonly #points: Float64Array;
  readonly #centre = new Float64Array(STATE_SIZE);
  /** [a | position | e/√d | Q^½] */
  readonly #columns: Float64Array;
  readonly #columnCount: number;

  /** `noise` is q [m/s²/√Hz]. */
  constructor(dimension: 6 | 7, gravity: Vec3, noise: number) {
    this.dimension = dimension;
    this.#gravity = gravity;
    this.#noise = noise;
    this.#bending = dimension - 3;
    this.#order = dimension === 7 ? BENDING_FIRST : BENDING_FIRST_WITHOUT_DRAG;
    this.#turned = new Float64Array(dimension * dimension);
    this.#points = new Float64Array(2 * this.#bending * STATE_SIZE);
    this.#columnCount = dimension + this.#bending + NOISE_COLUMNS;
    this.#columns = new Float64Array(dimension * this.#columnCount);
  }

  /** Carries `belief` to `time` [s]; `out` may be `belief`. False, and nothing written, if a flight diverges. */
  predict(belief: BallBelief, time: number, out: BallBelief): boolean {
    const duration = time - belief.time;
    this.#turn(belief);
    this.#scatter(belief);
    moveBalls(this.#points, this.#gravity, duration);
    this.#average();
    this.#columns.fill(0);
    this.#collectPoints();
    this.#collectNoise(duration);
    triangularize(this.#columns, this.dimension, this.#columnCount);
    if (!this.#isFinite()) return false;
    out.time = time;
    this.#write(belief, out);
    return true;
  }

  #isFinite(): boolean {
    let sum = 0;
    for (let n = 0; n < this.#columns.length; n++) sum += Math.abs(this.#columns[n]!);
    for (let n = 0; n < STATE_SIZE; n++) sum += Math.abs(this.#centre[n]!);
    return sum < Number.POSITIVE_INFINITY;
  }

  #turn(belief: BallBelief): void {
    const n = this.dimension;
    for (let r = 0; r < n; r++) {
      const row = this.#order[r]! * STATE_SIZE;
      for (let c = 0; c < n; c++) this.#turned[r * n + c] = belief.factor[row + c]!;
    }
    triangularize(this.#turned, n, n);
  }

  #scatter({ mean }: BallBelief): void {
    const n = this.dimension;
    const d = this.#bending;
    const spread = Math.sqrt(d);
    for (let j = 0; j < d; j++) {
      const plus = j * STATE_SIZE;
      const minus = (d + j) * STATE_SIZE;
      this.#points[plus + 6] = mean[6]!;
      this.#points[minus + 6] = mean[6]!;
      for (let r = 0; r < n; r++) {
        const entry = this.#order[r]!;
        const offset = spread * this.#turned[r * n + j]!;
        this.#points[plus + entry] = mean[entry]! + offset;
        this.#points[minus + entry] = mean[entry]! - offset;
      }
    }
  }

  #average(): void {
    const count = 2 * this.#bending;
    for (let r = 0; r < STATE_SIZE; r++) {
      let sum = 0;
      for (let j = 0; j < count; j++) sum += this.#points[j * STATE_SIZE + r]!;
      this.#centre[r] = sum / count;
    }
  }

  #collectPoints(): void {
    const n = this.dimension;
    const d = this.#bending;
    const scale = 1 / Math.sqrt(d);
    for (let r = 0; r < n; r++) {
      const row = r * this.#columnCount;
      for (let j = 0; j < d; j++) {
        const plus = this.#points[j * STATE_SIZE + r]!;
        const minus = this.#points[(d + j) * STATE_SIZE + r]!;
        this.#columns[row + j] = 0.5 * scale * (plus - minus);
        this.#columns[row + n + j] = scale * (0.5 * (plus + minus) - this.#centre[r]!);
      }
    }
    for (let r = 0; r < 3; r++) {
      const row = r * this.#columnCount + d;
      for (let c = 0; c < 3; c++) this.#columns[row + c] = this.#turned[(d + r) * n + d + c]!;
    }
  }

  #collectNoise(duration: number): void {
    const columns = this.#columns;
    const root = this.#noise * Math.sqrt(duration);
    for (let axis = 0; axis < 3; axis++) {
      const first = this.dimension + this.#bending + 2 * axis;
      columns[axis * this.#columnCount + first] = (root * duration) / Math.sqrt(3);
      columns[(3 + axis) * this.#columnCount + first] = (root * Math.sqrt(3)) / 2;
      columns[(3 + axis) * this.#columnCount + first + 1] = root / 2;
    }
  }

  #write(belief: BallBelief, out: BallBelief): void {
    const n = this.dimension;
    // A known drag stays what it was, to the last bit.
    out.mean[6] = n === STATE_SIZE ? this.#centre[6]! : belief.mean[6]!;
    out.factor.fill(0);
    for (let r = 0; r < n; r++) {
      if (r < 6) out.mean[r] = this.#centre[r]!;
      const row = r * STATE_SIZE;
      for (let c = 0; c <= r; c++) out.factor[row + c] = this.#columns[r * this.#columnCount + c]!;
      if (out.factor[row + r]! < LEAST_SIGMA) out.factor[row + r] = LEAST_SIGMA;
    }
  }
}
