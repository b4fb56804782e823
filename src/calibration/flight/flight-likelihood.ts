import type { MeasuredFlight } from "./joint-flights.js";
import { DRAG, LIFT, liftedPath } from "./lifted-path.js";

/** Deviations of position, velocity and lift from a fitted flight. */
const STATES = 9;
/** What is not known of position and velocity at first, squared [m², m²/s²]: more than residuals can be. */
const DIFFUSE = 1;
/** Samples that only find position and velocity. */
const SPENT = 2;

/** A fitted flight: its parameters at the first sample, and measured minus modelled positions [m]. */
export interface FittedFlight {
  readonly flight: MeasuredFlight;
  readonly parameters: Float64Array;
  readonly residual: Float64Array;
}

/** Noise that is tried. */
export interface TriedNoise {
  /** By which stated standard deviations are multiplied. */
  readonly scale: number;
  /** White acceleration [m/s²/√Hz]. */
  readonly acceleration: number;
  /** Spread of the lift's components [1/s]; 0: the flights have none. */
  readonly lift: number;
}

/** Sums over innovations, each by its own variance. */
export interface InnovationSums {
  squares: number;
  logs: number;
  count: number;
}

/**
 * How probable a flight's samples are: a Kalman filter of the deviations from the fitted flight, which is where they are
 * linear. White acceleration pushes the ball; the lift is constant and was drawn about zero.
 */
export class FlightLikelihood {
  readonly #fitted: FittedFlight;
  /** Of each interval: derivatives of the change of velocity by velocity and by lift. [count × 18] */
  readonly #slopes: Float64Array;
  readonly #mean = new Float64Array(STATES);
  readonly #covariance = new Float64Array(STATES * STATES);
  readonly #transition = new Float64Array(STATES * STATES);
  readonly #product = new Float64Array(STATES * STATES);
  readonly #gain = new Float64Array(STATES);

  constructor(fitted: FittedFlight) {
    this.#fitted = fitted;
    this.#slopes = slopesAlong(fitted);
  }

  /** Adds what the flight's innovations come to with this noise. */
  add(noise: TriedNoise, sums: InnovationSums): void {
    const { flight, residual } = this.#fitted;
    this.#begin(noise);
    for (let k = 0; k < flight.time.length; k++) {
      if (k > 0) this.#predict(k, noise);
      for (let axis = 0; axis < 3; axis++) {
        const at = 3 * k + axis;
        this.#update(axis, residual[at]!, flight.variance[at]! * noise.scale ** 2, k < SPENT ? null : sums);
      }
    }
  }

  /** The fitted flight has the lift w: the prior, which is about zero, is about −w for its deviation. */
  #begin({ lift }: TriedNoise): void {
    this.#mean.fill(0);
    this.#covariance.fill(0);
    for (let n = 0; n < STATES; n++) {
      if (n >= 6) this.#mean[n] = lift > 0 ? -this.#fitted.parameters[LIFT + n - 6]! : 0;
      this.#covariance[n * (STATES + 1)] = n < 6 ? DIFFUSE : lift ** 2;
    }
  }

  #predict(k: number, { acceleration }: TriedNoise): void {
    const { time } = this.#fitted.flight;
    const dt = time[k]! - time[k - 1]!;
    this.#fillTransition(k, dt);
    const [A, P, AP] = [this.#transition, this.#covariance, this.#product];
    multiply(A, P, AP);
    multiplyTransposed(AP, A, P);
    const mean = Float64Array.from(this.#mean);
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      for (let c = 0; c < STATES; c++) sum += A[r * STATES + c]! * mean[c]!;
      this.#mean[r] = sum;
    }
    const density = acceleration ** 2;
    for (let n = 0; n < 3; n++) {
      const [p, v] = [n * (STATES + 1), (n + 3) * (STATES + 1)];
      const cross = (density * dt ** 2) / 2;
      P[p] = P[p]! + (density * dt ** 3) / 3;
      P[v] = P[v]! + density * dt;
      P[n * STATES + n + 3] = P[n * STATES + n + 3]! + cross;
      P[(n + 3) * STATES + n] = P[(n + 3) * STATES + n]! + cross;
    }
  }

  #fillTransition(k: number, dt: number): void {
    const A = this.#transition.fill(0);
    for (let n = 0; n < STATES; n++) A[n * (STATES + 1)] = 1;
    for (let r = 0; r < 3; r++) {
      A[r * STATES + 3 + r] = dt;
      for (let c = 0; c < 6; c++) {
        const slope = this.#slopes[18 * k + 6 * r + c]!;
        A[(3 + r) * STATES + 3 + c] = A[(3 + r) * STATES + 3 + c]! + dt * slope;
        A[r * STATES + 3 + c] = A[r * STATES + 3 + c]! + 0.5 * dt ** 2 * slope;
      }
    }
  }

  #update(axis: number, measured: number, variance: number, sums: InnovationSums | null): void {
    const [mean, P, gain] = [this.#mean, this.#covariance, this.#gain];
    const spread = P[axis * (STATES + 1)]! + variance;
    const innovation = measured - mean[axis]!;
    if (sums !== null) {
      sums.squares += innovation ** 2 / spread;
      sums.logs += Math.log(spread);
      sums.count++;
    }
    for (let n = 0; n < STATES; n++) gain[n] = P[n * STATES + axis]! / spread;
    for (let r = 0; r < STATES; r++) {
      mean[r] = mean[r]! + gain[r]! * innovation;
      for (let c = 0; c < STATES; c++) P[r * STATES + c] = P[r * STATES + c]! - gain[r]! * spread * gain[c]!;
    }
  }
}

/** With the velocity in the middle of each interval: drag brakes, and w × v turns. */
function slopesAlong({ flight, parameters }: FittedFlight): Float64Array {
  const { time } = flight;
  const places = new Float64Array(3 * time.length);
  liftedPath(time[0]!, time, parameters, places);
  const slopes = new Float64Array(18 * time.length);
  for (let k = 1; k < time.length; k++) {
    const dt = time[k]! - time[k - 1]!;
    const v = [0, 1, 2].map((n) => (places[3 * k + n]! - places[3 * k - 3 + n]!) / dt);
    const speed = Math.hypot(...v) || 1;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        slopes[18 * k + 6 * r + c] = -parameters[DRAG]! * ((r === c ? speed : 0) + (v[r]! * v[c]!) / speed);
        slopes[18 * k + 6 * r + 3 + c] = crossSlope(v, r, c);
      }
    }
  }
  return slopes;
}

/** Derivative of (w × v)_r by w_c. */
function crossSlope(v: readonly number[], r: number, c: number): number {
  if (r === c) return 0;
  return (c === (r + 1) % 3 ? 1 : -1) * v[3 - r - c]!;
}

/** a·b; lift does not change, so the last rows of `a` are those of the identity. */
function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < STATES; r++) {
    for (let c = 0; c < STATES; c++) {
      let sum = r >= 6 ? b[r * STATES + c]! : 0;
      if (r < 6) for (let k = 0; k < STATES; k++) sum += a[r * STATES + k]! * b[k * STATES + c]!;
      out[r * STATES + c] = sum;
    }
  }
}

/** a·bᵀ, of the same b. */
function multiplyTransposed(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < STATES; r++) {
    for (let c = 0; c < STATES; c++) {
      let sum = c >= 6 ? a[r * STATES + c]! : 0;
      if (c < 6) for (let k = 0; k < STATES; k++) sum += a[r * STATES + k]! * b[c * STATES + k]!;
      out[r * STATES + c] = sum;
    }
  }
}
