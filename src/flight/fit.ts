import * as cholesky from "../math/cholesky.js";
import type { Mat3 } from "../math/mat3.js";
import * as vec3 from "../math/vec3.js";
import { type BallState, FlightStatus } from "./ball.js";
import { FlightSensitivity, STATE_SIZE } from "./sensitivity.js";
import type { FlightOptions } from "./variational-flight.js";

/** Outcome of a fit. */
export const FitStatus = {
  ok: 0,
  /** The samples do not determine the flight: too few, or all at one time. */
  underdetermined: 1,
  /** The samples span more time than there is memory for, or the flight through them would diverge. */
  unflyable: 2,
  /** The iteration did not settle. */
  notConverged: 3,
  /** Time, drag or gravity is NaN or infinite. */
  invalid: 4,
} as const;
export type FitStatus = (typeof FitStatus)[keyof typeof FitStatus];

export interface FitSettings {
  /** [m/s²] */
  readonly gravity: vec3.Vec3;
  /** Time at which the state is wanted [s]. */
  readonly time: number;
  /** The drag k [1/m], or where it is estimated what is known of it beforehand. */
  readonly drag: number;
  /** Standard deviation of `drag` [1/m]: 0 keeps it fixed, Infinity leaves it to the samples alone. */
  readonly dragSigma: number;
}

/** Settled when a step is this small against the state's standard deviation, squared. */
const SETTLED = 1e-16;
const GREATEST_ITERATIONS = 20;

/** Least share of an unknown's information that the unknowns before it must leave over; rounding makes some 1e-15. */
const LEAST_INDEPENDENCE = 1e-13;

/** Time, position, and the lower triangle of W with WᵀW = covariance⁻¹. */
const SAMPLE_SIZE = 10;

/**
 * Least-squares fit of a flight to positions measured over time: Gauss–Newton through the equations of flight, with
 * their sensitivities as Jacobian. Each sample weighs by its standard deviation or covariance, so that `covariance`
 * comes out in true units and `chiSquare` is about `degreesOfFreedom` if the stated errors are honest.
 *
 * @example
 * fit.clear();
 * for (const { t, position } of seen) fit.add(t, position, 0.01);
 * if (fit.solve({ gravity, time: 0, drag: 0.032, dragSigma: 0 }) === FitStatus.ok) flight.reset(fit.state, gravity, 0, 1.8);
 */
export class FlightFit {
  /** The fitted state. */
  readonly state: BallState = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
  /** Its covariance, 7 × 7: position, velocity, drag. Row and column of a fixed drag are zero. */
  readonly covariance = new Float64Array(STATE_SIZE * STATE_SIZE);
  /** Weighted sum of squared residuals, the prior of the drag included. */
  chiSquare = 0;
  degreesOfFreedom = 0;
  iterations = 0;
  /** Number of samples. */
  count = 0;

  readonly #capacity: number;
  readonly #samples: Float64Array;
  readonly #sensitivity: FlightSensitivity;
  readonly #jacobian = new Float64Array(3 * STATE_SIZE);
  readonly #weighted = new Float64Array(3 * STATE_SIZE);
  readonly #residual = new Float64Array(3);
  readonly #position = vec3.create();
  /** JᵀJ, its factor, Jᵀr and the step, of the 6 or 7 unknowns. */
  readonly #normal = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #factor = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #gradient = new Float64Array(STATE_SIZE);
  readonly #step = new Float64Array(STATE_SIZE);

  /** `capacity` is the greatest number of samples. */
  constructor(capacity: number, options: FlightOptions = {}) {
    this.#capacity = capacity;
    this.#samples = new Float64Array(SAMPLE_SIZE * capacity);
    this.#sensitivity = new FlightSensitivity(options);
  }

  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a position [m] at `time` [s] with standard deviation `sigma` [m] in all directions. False, and nothing added, if
   * there is no room or a number is unusable.
   */
  add(time: number, position: vec3.Vec3, sigma: number): boolean {
    const isUsable = sigma > 0 && sigma < Infinity && Number.isFinite(time) && vec3.isFinite(position);
    if (!isUsable || this.count >= this.#capacity) return false;
    const o = this.count++ * SAMPLE_SIZE;
    this.#samples.fill(0, o, o + SAMPLE_SIZE);
    this.#samples[o] = time;
    this.#samples.set(position, o + 1);
    this.#samples[o + 4] = 1 / sigma;
    this.#samples[o + 6] = 1 / sigma;
    this.#samples[o + 9] = 1 / sigma;
    return true;
  }

  /** The same with a covariance [m²], which has to be positive definite. */
  addWithCovariance(time: number, position: vec3.Vec3, covariance: Mat3): boolean {
    const inverse = this.#factor;
    if (cholesky.factor(covariance, 3, inverse) !== cholesky.MatrixStatus.ok) return false;
    if (!this.add(time, position, 1)) return false;
    cholesky.invertLower(inverse, 3, inverse);
    let o = (this.count - 1) * SAMPLE_SIZE + 4;
    for (let r = 0; r < 3; r++) for (let c = 0; c <= r; c++) this.#samples[o++] = inverse[3 * r + c]!;
    return true;
  }

  /** Fits; on `ok` state, covariance, chiSquare and degreesOfFreedom hold the answer. */
  solve(settings: FitSettings): FitStatus {
    const { state } = this;
    state.time = settings.time;
    // Without drag the problem is linear: the first step, from anywhere, gives the best parabola.
    state.position.fill(0);
    state.velocity.fill(0);
    state.drag = 0;
    let status = this.#iterate(settings, 6);
    state.drag = settings.drag;
    const unknowns = settings.dragSigma > 0 ? 7 : 6;
    for (this.iterations = 1; status === FitStatus.ok; this.iterations++) {
      if (this.iterations > GREATEST_ITERATIONS) return FitStatus.notConverged;
      status = this.#iterate(settings, unknowns);
      if (this.#decrement(unknowns) < SETTLED) break;
    }
    if (status !== FitStatus.ok) return status;
    this.degreesOfFreedom = 3 * this.count - 6 - (settings.dragSigma === Infinity ? 1 : 0);
    this.#finish(unknowns);
    return Number.isFinite(this.chiSquare) ? FitStatus.ok : FitStatus.invalid;
  }

  /** One Gauss–Newton step of the first `unknowns` numbers of the state. */
  #iterate(settings: FitSettings, unknowns: 6 | 7): FitStatus {
    const status = this.#linearize(settings, unknowns);
    if (status !== FitStatus.ok) return status;
    if (!this.#isDetermined(unknowns)) return FitStatus.underdetermined;
    cholesky.solve(this.#factor, this.#gradient, unknowns, this.#step);
    for (let n = 0; n < 3; n++) {
      this.state.position[n as 0 | 1 | 2] += this.#step[n]!;
      this.state.velocity[n as 0 | 1 | 2] += this.#step[3 + n]!;
    }
    if (unknowns === 7) this.state.drag += this.#step[6]!;
    return FitStatus.ok;
  }

  /** Factors the normal equations; false if some unknown is all but a combination of others. */
  #isDetermined(unknowns: 6 | 7): boolean {
    if (cholesky.factor(this.#normal, unknowns, this.#factor) !== cholesky.MatrixStatus.ok) return false;
    for (let o = 0; o < unknowns * unknowns; o += unknowns + 1) {
      if (!(this.#factor[o]! ** 2 > LEAST_INDEPENDENCE * this.#normal[o]!)) return false;
    }
    return true;
  }

  /** Squared length of the last step, in standard deviations: stepᵀ·normal·step = gradient·step. */
  #decrement(unknowns: number): number {
    let sum = 0;
    for (let n = 0; n < unknowns; n++) sum += this.#step[n]! * this.#gradient[n]!;
    return sum;
  }

  /** Normal equations and chi-square at the present state. */
  #linearize(settings: FitSettings, unknowns: 6 | 7): FitStatus {
    const status = this.#fly(settings);
    if (status !== FitStatus.ok) return status;
    this.#normal.fill(0);
    this.#gradient.fill(0);
    this.chiSquare = 0;
    for (let i = 0; i < this.count; i++) {
      this.#weigh(i * SAMPLE_SIZE);
      this.#accumulate(unknowns);
    }
    if (unknowns === 7) {
      const weight = 1 / settings.dragSigma ** 2;
      const deviation = settings.drag - this.state.drag;
      this.#normal[48] = this.#normal[48]! + weight;
      this.#gradient[6] = this.#gradient[6]! + weight * deviation;
      this.chiSquare += weight * deviation * deviation;
    }
    return FitStatus.ok;
  }

  /** The flight from the present state over all samples. */
  #fly(settings: FitSettings): FitStatus {
    let begin = settings.time;
    let end = settings.time;
    for (let i = 0; i < this.count; i++) {
      begin = Math.min(begin, this.#samples[i * SAMPLE_SIZE]!);
      end = Math.max(end, this.#samples[i * SAMPLE_SIZE]!);
    }
    const status = this.#sensitivity.reset(this.state, settings.gravity, begin, end);
    if (status === FlightStatus.ok) return FitStatus.ok;
    return status === FlightStatus.invalid ? FitStatus.invalid : FitStatus.unflyable;
  }

  /** Residual and Jacobian of the sample at `o`, multiplied by its W. */
  #weigh(o: number): void {
    const samples = this.#samples;
    const t = samples[o]!;
    this.#sensitivity.position(t, this.#position);
    this.#sensitivity.positionJacobian(t, this.#jacobian);
    for (let r = 0, w = o + 4; r < 3; r++, w += r) {
      let residual = 0;
      for (let c = 0; c <= r; c++) residual += samples[w + c]! * (samples[o + 1 + c]! - this.#position[c]!);
      this.#residual[r] = residual;
      for (let n = 0; n < STATE_SIZE; n++) {
        let sum = 0;
        for (let c = 0; c <= r; c++) sum += samples[w + c]! * this.#jacobian[c * STATE_SIZE + n]!;
        this.#weighted[r * STATE_SIZE + n] = sum;
      }
    }
  }

  /** Adds the weighted sample to the normal equations. */
  #accumulate(unknowns: 6 | 7): void {
    for (let r = 0; r < 3; r++) {
      const row = r * STATE_SIZE;
      const residual = this.#residual[r]!;
      this.chiSquare += residual * residual;
      for (let n = 0; n < unknowns; n++) {
        const entry = this.#weighted[row + n]!;
        this.#gradient[n] = this.#gradient[n]! + entry * residual;
        for (let m = 0; m <= n; m++) {
          const o = n * unknowns + m;
          this.#normal[o] = this.#normal[o]! + entry * this.#weighted[row + m]!;
        }
      }
    }
  }

  /** Covariance from the last factor. */
  #finish(unknowns: 6 | 7): void {
    const inverse = cholesky.invert(this.#factor, unknowns, this.#factor);
    this.covariance.fill(0);
    for (let r = 0; r < unknowns; r++) {
      for (let c = 0; c < unknowns; c++) this.covariance[r * STATE_SIZE + c] = inverse[r * unknowns + c]!;
    }
  }
}
