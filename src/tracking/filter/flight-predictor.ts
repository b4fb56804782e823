import type { Vec3 } from "../../math/vec3.js";
import { type BallBelief, BELIEF_SIZE } from "./ball-belief.js";
import { triangularize } from "./triangularize.js";

/** Columns of the process noise: two for each axis. */
const NOISE_COLUMNS = 6;

/** Least diagonal of a factor [m, m/s, 1/m]: far below what is ever known of a ball, and keeps it invertible. */
export const LEAST_SIGMA = 1e-9;

/**
 * What carries a belief on in time; `out` may be the belief. False, and nothing written, if it has no end that is a number.
 * `kick` is the variance in each axis of what changes the velocity on the way beside the usual noise [m²/s²].
 */
export interface BeliefPredictor {
  predict(belief: BallBelief, time: number, out: BallBelief, kick: number): boolean;
}

/** What is estimated of a flight beside position and velocity. */
export interface FlightUnknowns {
  readonly drag: boolean;
  readonly lift: boolean;
}

/** What bends a flight first, then position: the order in which the factor shows it. */
function bendingFirst({ drag, lift }: FlightUnknowns): number[] {
  return [3, 4, 5, ...(drag ? [6] : []), ...(lift ? [7, 8, 9] : []), 0, 1, 2];
}

/**
 * The prediction step of the unscented filter. Only velocity, drag and lift bend a flight; position just adds to it. So the
 * factor is turned (by an orthogonal matrix, which leaves the covariance as it is) until its first d columns carry all
 * of these, d being 3 to 7, and the last three position alone. Then 2d sigma points x̄ ± √d·s_j of weight
 * 1/2d fly on. With x_j± where they arrive and x̄' their mean, the new covariance is
 *
 *   Σ_j a_j·a_jᵀ + e_j·e_jᵀ/d + (position columns) + Q,   a_j = (x_j+ − x_j−)/2√d,   e_j = (x_j+ + x_j−)/2 − x̄',
 *
 * a sum of squares, so that its factor comes from one orthogonal triangularisation of the columns side by side: nothing
 * is ever subtracted. Q is that of white acceleration of spectral density q² over the time Δ, q²·[Δ³/3, Δ²/2; Δ²/2, Δ].
 */
export class FlightPredictor implements BeliefPredictor {
  /** Numbers that are estimated. */
  readonly dimension: number;
  readonly #gravity: Vec3;
  readonly #noise: number;
  /** d */
  readonly #bending: number;
  readonly #order: readonly number[];
  /** The same in the order of a belief. */
  readonly #entries: readonly number[];
  /** The turned factor, its rows in the order of `#order`. */
  readonly #turned: Float64Array;
  /** x_j+ of all j, then x_j−. */
  readonly #points: Float64Array;
  readonly #centre = new Float64Array(BELIEF_SIZE);
  /** [a | position | e/√d | Q^½] */
  readonly #columns: Float64Array;
  readonly #columnCount: number;

  /** `noise` is q [m/s²/√Hz]. */
  constructor(unknowns: FlightUnknowns, gravity: Vec3, noise: number) {
    this.#order = bendingFirst(unknowns);
    const dimension = this.#order.length;
    this.dimension = dimension;
    this.#gravity = gravity;
    this.#noise = noise;
    this.#bending = dimension - 3;
    this.#entries = [...this.#order].sort((a, b) => a - b);
    this.#turned = new Float64Array(dimension * dimension);
    this.#points = new Float64Array(2 * this.#bending * BELIEF_SIZE);
    this.#columnCount = dimension + this.#bending + NOISE_COLUMNS;
    this.#columns = new Float64Array(dimension * this.#columnCount);
  }

  /** Carries `belief` to `time` [s]; `out` may be `belief`. False, and nothing written, if a flight diverges. */
  predict(belief: BallBelief, time: number, out: BallBelief, kick: number): boolean {
    const duration = time - belief.time;
    this.#turn(belief);
    this.#scatter(belief);
    moveBalls(this.#points, this.#gravity, duration);
    this.#average();
    this.#columns.fill(0);
    this.#collectPoints();
    this.#collectNoise(duration, kick);
    triangularize(this.#columns, this.dimension, this.#columnCount);
    if (!this.#isFinite()) return false;
    out.time = time;
    this.#write(belief, out);
    return true;
  }

  #isFinite(): boolean {
    let sum = 0;
    for (let n = 0; n < this.#columns.length; n++) sum += Math.abs(this.#columns[n]!);
    for (let n = 0; n < BELIEF_SIZE; n++) sum += Math.abs(this.#centre[n]!);
    return sum < Number.POSITIVE_INFINITY;
  }

  #turn(belief: BallBelief): void {
    const n = this.dimension;
    for (let r = 0; r < n; r++) {
      const row = this.#order[r]! * BELIEF_SIZE;
      for (let c = 0; c < n; c++) this.#turned[r * n + c] = belief.factor[row + this.#entries[c]!]!;
    }
    triangularize(this.#turned, n, n);
  }

  #scatter({ mean }: BallBelief): void {
    const n = this.dimension;
    const d = this.#bending;
    const spread = Math.sqrt(d);
    for (let j = 0; j < d; j++) {
      const plus = j * BELIEF_SIZE;
      const minus = (d + j) * BELIEF_SIZE;
      for (let entry = 6; entry < BELIEF_SIZE; entry++) {
        this.#points[plus + entry] = mean[entry]!;
        this.#points[minus + entry] = mean[entry]!;
      }
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
    for (let r = 0; r < BELIEF_SIZE; r++) {
      let sum = 0;
      for (let j = 0; j < count; j++) sum += this.#points[j * BELIEF_SIZE + r]!;
      this.#centre[r] = sum / count;
    }
  }

  #collectPoints(): void {
    const n = this.dimension;
    const d = this.#bending;
    const scale = 1 / Math.sqrt(d);
    for (let r = 0; r < n; r++) {
      const row = r * this.#columnCount;
      const entry = this.#entries[r]!;
      for (let j = 0; j < d; j++) {
        const plus = this.#points[j * BELIEF_SIZE + entry]!;
        const minus = this.#points[(d + j) * BELIEF_SIZE + entry]!;
        this.#columns[row + j] = 0.5 * scale * (plus - minus);
        this.#columns[row + n + j] = scale * (0.5 * (plus + minus) - this.#centre[entry]!);
      }
    }
    for (let r = 0; r < 3; r++) {
      const row = r * this.#columnCount + d;
      for (let c = 0; c < 3; c++) this.#columns[row + c] = this.#turned[(d + r) * n + d + c]!;
    }
  }

  #collectNoise(duration: number, kick: number): void {
    const columns = this.#columns;
    const root = Math.sqrt(this.#noise * this.#noise * duration + kick);
    for (let axis = 0; axis < 3; axis++) {
      const first = this.dimension + this.#bending + 2 * axis;
      columns[axis * this.#columnCount + first] = (root * duration) / Math.sqrt(3);
      columns[(3 + axis) * this.#columnCount + first] = (root * Math.sqrt(3)) / 2;
      columns[(3 + axis) * this.#columnCount + first + 1] = root / 2;
    }
  }

  #write(belief: BallBelief, out: BallBelief): void {
    const n = this.dimension;
    // What is known stays what it was, to the last bit.
    for (let entry = 6; entry < BELIEF_SIZE; entry++) out.mean[entry] = belief.mean[entry]!;
    out.factor.fill(0);
    for (let r = 0; r < n; r++) {
      const entry = this.#entries[r]!;
      if (entry < 6) out.mean[entry] = this.#centre[entry]!;
      const row = entry * BELIEF_SIZE;
      for (let c = 0; c <= r; c++) out.factor[row + this.#entries[c]!] = this.#columns[r * this.#columnCount + c]!;
      if (out.factor[row + entry]! < LEAST_SIGMA) out.factor[row + entry] = LEAST_SIGMA;
    }
  }
}

/** Longest step of the integration [s]: for a thrown ball its error is then some 1e-7 m a second. */
const GREATEST_STEP = 0.05;

/**
 * Carries states (the ten numbers of a belief, one after the other) over `duration` [s] under gravity, quadratic drag and
 * lift, v̇ = g − k·|v|·v + w × v, in place: the classical Runge–Kutta method of order 4, in equal steps. A filter wants no path
 * between its measurements; where one is wanted there is `Flight`. All states in one call, written out in plain numbers:
 * so none of them is boxed.
 */
export function moveBalls(states: Float64Array, gravity: Vec3, duration: number): void {
  const steps = Math.max(1, Math.ceil(duration / GREATEST_STEP));
  const h = duration / steps;
  const half = 0.5 * h;
  const sixth = h / 6;
  const gx = gravity[0];
  const gy = gravity[1];
  const gz = gravity[2];
  for (let o = 0; o < states.length; o += BELIEF_SIZE) {
    const k = states[o + 6]!;
    const a = states[o + 7]!;
    const b = states[o + 8]!;
    const c = states[o + 9]!;
    for (let n = 0; n < steps; n++) {
      const x1 = states[o + 3]!;
      const y1 = states[o + 4]!;
      const z1 = states[o + 5]!;
      const r1 = k * Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
      const ax1 = gx - r1 * x1 + b * z1 - c * y1;
      const ay1 = gy - r1 * y1 + c * x1 - a * z1;
      const az1 = gz - r1 * z1 + a * y1 - b * x1;
      const x2 = x1 + half * ax1;
      const y2 = y1 + half * ay1;
      const z2 = z1 + half * az1;
      const r2 = k * Math.sqrt(x2 * x2 + y2 * y2 + z2 * z2);
      const ax2 = gx - r2 * x2 + b * z2 - c * y2;
      const ay2 = gy - r2 * y2 + c * x2 - a * z2;
      const az2 = gz - r2 * z2 + a * y2 - b * x2;
      const x3 = x1 + half * ax2;
      const y3 = y1 + half * ay2;
      const z3 = z1 + half * az2;
      const r3 = k * Math.sqrt(x3 * x3 + y3 * y3 + z3 * z3);
      const ax3 = gx - r3 * x3 + b * z3 - c * y3;
      const ay3 = gy - r3 * y3 + c * x3 - a * z3;
      const az3 = gz - r3 * z3 + a * y3 - b * x3;
      const x4 = x1 + h * ax3;
      const y4 = y1 + h * ay3;
      const z4 = z1 + h * az3;
      const r4 = k * Math.sqrt(x4 * x4 + y4 * y4 + z4 * z4);
      const ax4 = gx - r4 * x4 + b * z4 - c * y4;
      const ay4 = gy - r4 * y4 + c * x4 - a * z4;
      const az4 = gz - r4 * z4 + a * y4 - b * x4;
      states[o] = states[o]! + sixth * (x1 + 2 * (x2 + x3) + x4);
      states[o + 1] = states[o + 1]! + sixth * (y1 + 2 * (y2 + y3) + y4);
      states[o + 2] = states[o + 2]! + sixth * (z1 + 2 * (z2 + z3) + z4);
      states[o + 3] = x1 + sixth * (ax1 + 2 * (ax2 + ax3) + ax4);
      states[o + 4] = y1 + sixth * (ay1 + 2 * (ay2 + ay3) + ay4);
      states[o + 5] = z1 + sixth * (az1 + 2 * (az2 + az3) + az4);
    }
  }
}
