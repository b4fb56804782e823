import { type BallBelief, BELIEF_SIZE } from "./ball-belief.js";
import { type BeliefPredictor, LEAST_SIGMA } from "./flight-predictor.js";
import { triangularize } from "./triangularize.js";

/** How a hand moves: as a random process of acceleration. */
export interface HandProcess {
  /** Standard deviation of its acceleration in each axis [m/s²]. */
  readonly acceleration: number;
  /** Time after which the acceleration has changed to a third, on average [s]. */
  readonly correlationTime: number;
}

/** Numbers of one axis: position, velocity, acceleration; and where each begins in a belief. */
const AXIS = 3;
const SIZE = 3 * AXIS;
const entries = [0, 1, 2, 3, 4, 5, 7, 8, 9] as const;

/** Below this share of the correlation time the covariance of the noise comes from a series: the exact one cancels. */
const SHORT = 0.02;

/**
 * The prediction step of something that a hand carries or swings: its acceleration wanders about zero, correlated over a
 * time (Singer, "Estimating optimal tracking filter performance for manned maneuvering targets", 1970). It is linear; the
 * factor is that of [F·S | Q^½].
 */
export class HandPredictor implements BeliefPredictor {
  readonly #hand: HandProcess;
  readonly #columns = new Float64Array(SIZE * 2 * SIZE);
  /** Of one axis: the transition's entries beside ones and zeros, and the lower factor of the noise's covariance. */
  #positionByVelocity = 0;
  #positionByAcceleration = 0;
  #velocityByAcceleration = 0;
  #decay = 0;
  readonly #noise = new Float64Array(AXIS * AXIS);
  #duration = Number.NaN;

  constructor(hand: HandProcess) {
    this.#hand = hand;
  }

  predict(belief: BallBelief, time: number, out: BallBelief): boolean {
    this.#prepare(time - belief.time);
    this.#collect(belief);
    triangularize(this.#columns, SIZE, 2 * SIZE);
    return this.#write(belief, time, out);
  }

  /** Transition and noise over `duration`; scans are mostly equally far apart. */
  #prepare(duration: number): void {
    if (duration === this.#duration) return;
    this.#duration = duration;
    const { acceleration, correlationTime: tau } = this.#hand;
    const x = duration / tau;
    const decay = Math.exp(-x);
    this.#decay = decay;
    this.#positionByVelocity = duration;
    this.#velocityByAcceleration = -tau * Math.expm1(-x);
    this.#positionByAcceleration = tau * (duration - this.#velocityByAcceleration);
    factorNoise(x, tau, acceleration, this.#noise);
  }

  #collect({ factor }: BallBelief): void {
    const columns = this.#columns.fill(0);
    for (let axis = 0; axis < 3; axis++) {
      const [p, v, a] = [axis, axis + 3, axis + 6];
      const [position, velocity, acceleration] = [
        axis * BELIEF_SIZE,
        (axis + 3) * BELIEF_SIZE,
        (axis + 7) * BELIEF_SIZE,
      ];
      for (let c = 0; c < SIZE; c++) {
        const column = entries[c]!;
        const byVelocity = factor[velocity + column]!;
        const byAcceleration = factor[acceleration + column]!;
        columns[2 * SIZE * p + c] =
          factor[position + column]! +
          this.#positionByVelocity * byVelocity +
          this.#positionByAcceleration * byAcceleration;
        columns[2 * SIZE * v + c] = byVelocity + this.#velocityByAcceleration * byAcceleration;
        columns[2 * SIZE * a + c] = this.#decay * byAcceleration;
      }
      for (let r = 0; r < AXIS; r++) {
        const row = 2 * SIZE * (axis + 3 * r) + SIZE + AXIS * axis;
        for (let c = 0; c <= r; c++) columns[row + c] = this.#noise[AXIS * r + c]!;
      }
    }
  }

  #write({ mean }: BallBelief, time: number, out: BallBelief): boolean {
    let sum = 0;
    for (let n = 0; n < this.#columns.length; n++) sum += Math.abs(this.#columns[n]!);
    for (let n = 0; n < BELIEF_SIZE; n++) sum += Math.abs(mean[n]!);
    if (!(sum < Number.POSITIVE_INFINITY)) return false;
    out.time = time;
    for (let axis = 0; axis < 3; axis++) {
      const [v, a] = [mean[3 + axis]!, mean[7 + axis]!];
      out.mean[axis] = mean[axis]! + this.#positionByVelocity * v + this.#positionByAcceleration * a;
      out.mean[3 + axis] = v + this.#velocityByAcceleration * a;
      out.mean[7 + axis] = this.#decay * a;
    }
    out.mean[6] = 0;
    out.factor.fill(0);
    for (let r = 0; r < SIZE; r++) {
      const row = entries[r]! * BELIEF_SIZE;
      for (let c = 0; c <= r; c++) out.factor[row + entries[c]!] = this.#columns[2 * SIZE * r + c]!;
      if (out.factor[row + entries[r]!]! < LEAST_SIGMA) out.factor[row + entries[r]!] = LEAST_SIGMA;
    }
    return true;
  }
}

/** Lower factor of the covariance that the process adds to position, velocity and acceleration of one axis; x = duration/τ. */
function factorNoise(x: number, tau: number, acceleration: number, out: Float64Array): void {
  const e = Math.exp(-x);
  const ee = e * e;
  const isShort = x < SHORT;
  // In units of τ and of the acceleration; each is an integral over the response to white jerk of density 2.
  const pp = isShort ? x ** 5 / 10 - x ** 6 / 18 : 1 - ee + 2 * x + (2 / 3) * x ** 3 - 2 * x ** 2 - 4 * x * e;
  const pv = isShort ? x ** 4 / 4 - x ** 5 / 6 : ee + 1 - 2 * e + 2 * x * e - 2 * x + x ** 2;
  const pa = isShort ? x ** 3 / 3 - x ** 4 / 3 : 1 - ee - 2 * x * e;
  const vv = isShort ? (2 / 3) * x ** 3 - x ** 4 / 2 : 4 * e - 3 - ee + 2 * x;
  const va = (1 - e) ** 2;
  const aa = -Math.expm1(-2 * x);
  const unit = acceleration;
  const l00 = Math.sqrt(Math.max(pp, 0));
  const l10 = l00 > 0 ? pv / l00 : 0;
  const l20 = l00 > 0 ? pa / l00 : 0;
  const l11 = Math.sqrt(Math.max(vv - l10 * l10, 0));
  const l21 = l11 > 0 ? (va - l20 * l10) / l11 : 0;
  const l22 = Math.sqrt(Math.max(aa - l20 * l20 - l21 * l21, 0));
  out[0] = unit * tau * tau * l00;
  out[3] = unit * tau * l10;
  out[4] = unit * tau * l11;
  out[6] = unit * l20;
  out[7] = unit * l21;
  out[8] = unit * l22;
}
