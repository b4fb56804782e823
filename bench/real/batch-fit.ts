import * as cholesky from "../../src/math/cholesky.js";
import type { Samples } from "./samples.js";

/** Position, velocity, drag k, lift w, gravity g: a = g − k·|v|·v + w × v. */
const SIZE = 13;
const DRAG = 6;
const LIFT = 7;
const GRAVITY = 10;

/** Longest step of the integration [s]: its error at 10 m/s is below a micrometre. */
const LONGEST_STEP = 0.02;
const GREATEST_ITERATIONS = 12;
/** Settled when a step is this small against the standard deviation, squared. */
const SETTLED = 1e-6;

/** What is known of the model beforehand; a sigma of 0 keeps a number fixed, Infinity leaves it to the samples. */
export interface FlightPrior {
  /** [1/m] */
  readonly drag: number;
  readonly dragSigma: number;
  /** Of each component of w, about zero [1/s]. */
  readonly liftSigma: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  readonly gravitySigma: number;
}

/**
 * Least squares of one flight over all samples at once, in the world's axes, with fixed-step Runge–Kutta and differences
 * as Jacobian. It shares no code with the tracker's filter or with `src/flight`: it is the peer.
 */
export class BatchFit {
  /** The parameters at the first sample's time. */
  readonly parameters = new Float64Array(SIZE);
  /** [13 × 13]; zero in rows and columns of what is fixed. */
  readonly covariance = new Float64Array(SIZE * SIZE);
  /** Root mean square of the residuals, over all coordinates [m]. */
  rms = 0;
  /** Of all residuals, in units of sigma². */
  chiSquare = 0;
  #time = 0;
  #prior: FlightPrior | null = null;
  readonly #free: number[] = [];
  readonly #steps = new Float64Array(SIZE);
  readonly #state = new Float64Array(6);
  readonly #trial = new Float64Array(SIZE);

  get drag(): number {
    return this.parameters[DRAG]!;
  }

  get gravity(): Float64Array {
    return this.parameters.subarray(GRAVITY);
  }

  get lift(): Float64Array {
    return this.parameters.subarray(LIFT, GRAVITY);
  }

  /** Fits; `sigma` is that of each coordinate [m]. False if the samples do not determine the flight. */
  solve(samples: Samples, sigma: number, prior: FlightPrior): boolean {
    if (samples.time.length < 3) return false;
    this.#begin(samples, prior);
    const n = this.#free.length;
    const normal = new Float64Array(n * n);
    const right = new Float64Array(n);
    for (let iteration = 0; iteration < GREATEST_ITERATIONS; iteration++) {
      this.#accumulate(samples, sigma, normal, right);
      const information = Float64Array.from(normal);
      if (cholesky.factor(normal, n, normal) !== cholesky.MatrixStatus.ok) return false;
      cholesky.solve(normal, right, n, right);
      for (const [k, at] of this.#free.entries()) this.parameters[at] = this.parameters[at]! + right[k]!;
      if (stepSize(information, right, n) < SETTLED) break;
    }
    cholesky.invert(normal, n, normal);
    this.covariance.fill(0);
    for (const [r, row] of this.#free.entries()) {
      for (const [c, column] of this.#free.entries()) this.covariance[row * SIZE + column] = normal[r * n + c]!;
    }
    return Number.isFinite(this.rms);
  }

  /** The position at `time` [s]. */
  position(time: number, out: Float64Array): Float64Array {
    this.#trial.set(this.parameters);
    return this.#fly(this.#trial, time, out);
  }

  /** Covariance of that position [m²], 3 × 3, by differences. */
  positionCovariance(time: number, out: Float64Array): Float64Array {
    const jacobian = this.#free.map((at) => this.#derivative(at, time));
    out.fill(0);
    for (const [i, left] of jacobian.entries()) {
      for (const [j, right] of jacobian.entries()) {
        const variance = this.covariance[this.#free[i]! * SIZE + this.#free[j]!]!;
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) out[3 * r + c] = out[3 * r + c]! + left[r]! * variance * right[c]!;
        }
      }
    }
    return out;
  }

  #derivative(at: number, time: number): Float64Array {
    const step = this.#steps[at]!;
    this.#trial.set(this.parameters);
    this.#trial[at] = this.parameters[at]! + step;
    const above = Float64Array.from(this.#fly(this.#trial, time, new Float64Array(3)));
    this.#trial[at] = this.parameters[at]! - step;
    const below = this.#fly(this.#trial, time, new Float64Array(3));
    return above.map((value, n) => (value - below[n]!) / (2 * step));
  }

  #begin(samples: Samples, prior: FlightPrior): void {
    const { parameters } = this;
    this.#time = samples.time[0]!;
    this.#prior = prior;
    this.#free.length = 0;
    const sigmas = [prior.dragSigma, prior.liftSigma, prior.liftSigma, prior.liftSigma];
    for (let n = 0; n < 3; n++) sigmas.push(prior.gravitySigma);
    for (let n = 0; n < SIZE; n++) if (n < DRAG || sigmas[n - DRAG]! > 0) this.#free.push(n);
    startingLine(samples, prior.gravity, parameters);
    parameters[DRAG] = prior.drag;
    parameters.fill(0, LIFT, GRAVITY);
    for (let n = 0; n < 3; n++) parameters[GRAVITY + n] = prior.gravity[n]!;
    this.#steps.fill(1e-4);
  }

  /** Normal matrix and right side about the parameters, priors included. */
  #accumulate(samples: Samples, sigma: number, normal: Float64Array, right: Float64Array): void {
    const free = this.#free;
    const n = free.length;
    const base = this.#path(samples, this.parameters);
    const columns = free.map((at) => {
      this.#trial.set(this.parameters);
      this.#trial[at] = this.parameters[at]! + this.#steps[at]!;
      const path = this.#path(samples, this.#trial);
      for (let k = 0; k < path.length; k++) path[k] = (path[k]! - base[k]!) / this.#steps[at]!;
      return path;
    });
    let sum = 0;
    for (let k = 0; k < base.length; k++) {
      base[k] = samples.position[k]! - base[k]!;
      sum += base[k]! ** 2;
    }
    this.rms = Math.sqrt(sum / base.length);
    this.chiSquare = sum / sigma ** 2;
    for (let r = 0; r < n; r++) {
      right[r] = dot(columns[r]!, base) / sigma ** 2;
      for (let c = 0; c <= r; c++) {
        normal[r * n + c] = dot(columns[r]!, columns[c]!) / sigma ** 2;
        normal[c * n + r] = normal[r * n + c]!;
      }
    }
    this.#addPriors(normal, right);
  }

  #addPriors(normal: Float64Array, right: Float64Array): void {
    const { drag, dragSigma, liftSigma, gravity, gravitySigma } = this.#prior!;
    for (const [k, at] of this.#free.entries()) {
      if (at < DRAG) continue;
      const mean = at === DRAG ? drag : at < GRAVITY ? 0 : gravity[at - GRAVITY]!;
      const sigma = at === DRAG ? dragSigma : at < GRAVITY ? liftSigma : gravitySigma;
      normal[k * this.#free.length + k] = normal[k * this.#free.length + k]! + 1 / sigma ** 2;
      right[k] = right[k]! + (mean - this.parameters[at]!) / sigma ** 2;
    }
  }

  /** Positions at the times of all samples. */
  #path(samples: Samples, parameters: Float64Array): Float64Array {
    const out = new Float64Array(samples.position.length);
    const state = this.#state;
    for (let n = 0; n < 6; n++) state[n] = parameters[n]!;
    let time = this.#time;
    for (let k = 0; k < samples.time.length; k++) {
      advance(state, parameters, samples.time[k]! - time);
      time = samples.time[k]!;
      for (let n = 0; n < 3; n++) out[3 * k + n] = state[n]!;
    }
    return out;
  }

  #fly(parameters: Float64Array, time: number, out: Float64Array): Float64Array {
    const state = this.#state;
    for (let n = 0; n < 6; n++) state[n] = parameters[n]!;
    advance(state, parameters, time - this.#time);
    for (let n = 0; n < 3; n++) out[n] = state[n]!;
    return out;
  }
}

const slopes = Array.from({ length: 4 }, () => new Float64Array(6));
const middle = new Float64Array(6);

/** The state `duration` [s] later, by the classic Runge–Kutta method. */
function advance(state: Float64Array, parameters: Float64Array, duration: number): void {
  const steps = Math.ceil(Math.abs(duration) / LONGEST_STEP);
  const h = duration / steps;
  const [a, b, c, d] = slopes as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let step = 0; step < steps; step++) {
    slope(state, parameters, a);
    slope(moved(state, a, h / 2), parameters, b);
    slope(moved(state, b, h / 2), parameters, c);
    slope(moved(state, c, h), parameters, d);
    for (let n = 0; n < 6; n++) state[n] = state[n]! + (h / 6) * (a[n]! + 2 * b[n]! + 2 * c[n]! + d[n]!);
  }
}

function moved(state: Float64Array, by: Float64Array, h: number): Float64Array {
  for (let n = 0; n < 6; n++) middle[n] = state[n]! + h * by[n]!;
  return middle;
}

function slope(state: Float64Array, parameters: Float64Array, out: Float64Array): void {
  const vx = state[3]!;
  const vy = state[4]!;
  const vz = state[5]!;
  const wx = parameters[LIFT]!;
  const wy = parameters[LIFT + 1]!;
  const wz = parameters[LIFT + 2]!;
  const brake = parameters[DRAG]! * Math.sqrt(vx * vx + vy * vy + vz * vz);
  out[0] = vx;
  out[1] = vy;
  out[2] = vz;
  out[3] = parameters[GRAVITY]! - brake * vx + wy * vz - wz * vy;
  out[4] = parameters[GRAVITY + 1]! - brake * vy + wz * vx - wx * vz;
  out[5] = parameters[GRAVITY + 2]! - brake * vz + wx * vy - wy * vx;
}

/** Position and velocity at the first sample, by a straight line through the samples without their fall. */
function startingLine({ time, position }: Samples, gravity: ArrayLike<number>, out: Float64Array): void {
  const count = time.length;
  let [st, stt] = [0, 0];
  for (let k = 0; k < count; k++) {
    st += time[k]! - time[0]!;
    stt += (time[k]! - time[0]!) ** 2;
  }
  for (let n = 0; n < 3; n++) {
    let [sx, stx] = [0, 0];
    for (let k = 0; k < count; k++) {
      const t = time[k]! - time[0]!;
      const x = position[3 * k + n]! - 0.5 * gravity[n]! * t * t;
      sx += x;
      stx += t * x;
    }
    const velocity = (count * stx - st * sx) / (count * stt - st * st);
    out[n] = (sx - velocity * st) / count;
    out[3 + n] = velocity;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

/** stepᵀ·information·step. */
function stepSize(information: Float64Array, step: Float64Array, n: number): number {
  let sum = 0;
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) sum += step[r]! * information[r * n + c]! * step[c]!;
  return sum;
}
