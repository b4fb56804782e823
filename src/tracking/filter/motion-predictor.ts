import type { Vec3 } from "../../math/vec3.js";
import { type BallBelief, STATE_SIZE } from "./ball-belief.js";
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

/** Longest step of the integration [s]: for a thrown ball its error is then some 1e-7 m a second. */
const GREATEST_STEP = 0.05;

/**
 * Carries states (position, velocity, drag; 7 numbers each, one after the other) over `duration` [s] under gravity and
 * quadratic drag, v̇ = g − k·|v|·v, in place: the classical Runge–Kutta method of order 4, in equal steps. A filter wants
 * no path between its measurements; where one is wanted there is `Flight`. All states in one call, written out in plain
 * numbers: so none of them is boxed.
 */
export function moveBalls(states: Float64Array, gravity: Vec3, duration: number): void {
  const steps = Math.max(1, Math.ceil(duration / GREATEST_STEP));
  const h = duration / steps;
  const half = 0.5 * h;
  const sixth = h / 6;
  const gx = gravity[0];
  const gy = gravity[1];
  const gz = gravity[2];
  for (let o = 0; o < states.length; o += STATE_SIZE) {
    const k = states[o + 6]!;
    for (let n = 0; n < steps; n++) {
      const x1 = states[o + 3]!;
      const y1 = states[o + 4]!;
      const z1 = states[o + 5]!;
      const r1 = k * Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
      const x2 = x1 + half * (gx - r1 * x1);
      const y2 = y1 + half * (gy - r1 * y1);
      const z2 = z1 + half * (gz - r1 * z1);
      const r2 = k * Math.sqrt(x2 * x2 + y2 * y2 + z2 * z2);
      const x3 = x1 + half * (gx - r2 * x2);
      const y3 = y1 + half * (gy - r2 * y2);
      const z3 = z1 + half * (gz - r2 * z2);
      const r3 = k * Math.sqrt(x3 * x3 + y3 * y3 + z3 * z3);
      const x4 = x1 + h * (gx - r3 * x3);
      const y4 = y1 + h * (gy - r3 * y3);
      const z4 = z1 + h * (gz - r3 * z3);
      const r4 = k * Math.sqrt(x4 * x4 + y4 * y4 + z4 * z4);
      states[o] = states[o]! + sixth * (x1 + 2 * (x2 + x3) + x4);
      states[o + 1] = states[o + 1]! + sixth * (y1 + 2 * (y2 + y3) + y4);
      states[o + 2] = states[o + 2]! + sixth * (z1 + 2 * (z2 + z3) + z4);
      states[o + 3] = x1 + h * gx - sixth * (r1 * x1 + 2 * (r2 * x2 + r3 * x3) + r4 * x4);
      states[o + 4] = y1 + h * gy - sixth * (r1 * y1 + 2 * (r2 * y2 + r3 * y3) + r4 * y4);
      states[o + 5] = z1 + h * gz - sixth * (r1 * z1 + 2 * (r2 * z2 + r3 * z3) + r4 * z4);
    }
  }
}
