import * as cholesky from "../../math/cholesky.js";
import { DRAG, LIFT, liftedPath, OWN, PARAMETERS } from "./lifted-path.js";

/** A flight as it was measured: positions over time. */
export interface MeasuredFlight {
  /** Rising [s]. */
  readonly time: Float64Array;
  /** [m]. [count × 3] */
  readonly position: Float64Array;
  /** Variance of each coordinate as stated [m²]. [count × 3] */
  readonly variance: Float64Array;
}

/** What is assumed of the numbers that all flights share: mean and standard deviation. */
export interface SharedPrior {
  /** [1/m] */
  readonly drag: number;
  readonly dragSigma: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  readonly gravitySigma: number;
}

/** Drag and gravity. */
const SHARED = PARAMETERS - OWN;
const GREATEST_ITERATIONS = 15;
/** Settled when a step is this small against the standard deviation, squared. */
const SETTLED = 1e-8;
/** Of the differences in place of derivatives, in the unit of each parameter. */
const STEP = 1e-4;

/** A flight, its parameters and what its samples say of them. */
class FlightBlock {
  readonly flight: MeasuredFlight;
  readonly parameters = new Float64Array(PARAMETERS);
  /** Measured minus modelled [m]. [count × 3] */
  readonly residual: Float64Array;
  readonly information = new Float64Array(PARAMETERS * PARAMETERS);
  readonly gradient = new Float64Array(PARAMETERS);
  /** Inverse of the own part of the information. */
  readonly ownCovariance = new Float64Array(OWN * OWN);
  readonly #base: Float64Array;
  readonly #columns: readonly Float64Array[];
  readonly #trial = new Float64Array(PARAMETERS);

  constructor(flight: MeasuredFlight) {
    const size = flight.position.length;
    this.flight = flight;
    this.residual = new Float64Array(size);
    this.#base = new Float64Array(size);
    this.#columns = Array.from({ length: PARAMETERS }, () => new Float64Array(size));
  }

  /** Residuals, information and gradient about the parameters; the lift about zero with this sigma [1/s]. */
  linearize(liftSigma: number): void {
    const { flight, parameters, information, gradient } = this;
    const begin = flight.time[0]!;
    liftedPath(begin, flight.time, parameters, this.#base);
    for (let k = 0; k < this.#base.length; k++) this.residual[k] = flight.position[k]! - this.#base[k]!;
    for (let n = 0; n < PARAMETERS; n++) this.#differentiate(n, begin);
    for (let r = 0; r < PARAMETERS; r++) {
      gradient[r] = weightedDot(this.#columns[r]!, this.residual, flight.variance);
      for (let c = 0; c <= r; c++) {
        const value = weightedDot(this.#columns[r]!, this.#columns[c]!, flight.variance);
        information[r * PARAMETERS + c] = value;
        information[c * PARAMETERS + r] = value;
      }
    }
    // A lift that is no part of the model is held at zero.
    const weight = 1 / Math.max(liftSigma, 1e-9) ** 2;
    for (let n = LIFT; n < LIFT + 3; n++) {
      information[n * (PARAMETERS + 1)] = information[n * (PARAMETERS + 1)]! + weight;
      gradient[n] = gradient[n]! - weight * parameters[n]!;
    }
    this.#invertOwn();
  }

  #differentiate(n: number, begin: number): void {
    const column = this.#columns[n]!;
    this.#trial.set(this.parameters);
    this.#trial[n] = this.parameters[n]! + STEP;
    liftedPath(begin, this.flight.time, this.#trial, column);
    for (let k = 0; k < column.length; k++) column[k] = (column[k]! - this.#base[k]!) / STEP;
  }

  #invertOwn(): void {
    const own = this.ownCovariance;
    for (let r = 0; r < OWN; r++) {
      for (let c = 0; c < OWN; c++) own[r * OWN + c] = this.information[r * PARAMETERS + c]!;
    }
    if (cholesky.factor(own, OWN, own) !== cholesky.MatrixStatus.ok) own.fill(Number.NaN);
    else cholesky.invert(own, OWN, own);
  }

  /** What is left for the shared numbers once the own ones have followed them: added to `information` and `gradient`. */
  reduceInto(information: Float64Array, gradient: Float64Array): void {
    for (let r = 0; r < SHARED; r++) {
      for (let i = 0; i < OWN; i++) {
        let gain = 0;
        for (let j = 0; j < OWN; j++) gain += this.#cross(r, j) * this.ownCovariance[j * OWN + i]!;
        gradient[r] = gradient[r]! - gain * this.gradient[i]!;
        for (let c = 0; c < SHARED; c++) {
          information[r * SHARED + c] = information[r * SHARED + c]! - gain * this.#cross(c, i);
        }
      }
      gradient[r] = gradient[r]! + this.gradient[OWN + r]!;
      for (let c = 0; c < SHARED; c++) {
        const own = this.information[(OWN + r) * PARAMETERS + OWN + c]!;
        information[r * SHARED + c] = information[r * SHARED + c]! + own;
      }
    }
  }

  #cross(shared: number, own: number): number {
    return this.information[(OWN + shared) * PARAMETERS + own]!;
  }

  /** Takes a step of the shared numbers, and the own step that belongs to it. */
  step(shared: Float64Array): void {
    const right = new Float64Array(OWN);
    for (let i = 0; i < OWN; i++) {
      right[i] = this.gradient[i]!;
      for (let r = 0; r < SHARED; r++) right[i] = right[i]! - this.#cross(r, i) * shared[r]!;
    }
    for (let i = 0; i < OWN; i++) {
      for (let j = 0; j < OWN; j++) {
        this.parameters[i] = this.parameters[i]! + this.ownCovariance[i * OWN + j]! * right[j]!;
      }
    }
    for (let r = 0; r < SHARED; r++) this.parameters[OWN + r] = this.parameters[OWN + r]! + shared[r]!;
  }
}

/**
 * Many flights at once: each has its own position, velocity and lift; drag and gravity are those of all. Least squares by
 * Gauss–Newton; the own numbers of each flight are eliminated, so that its cost grows with the number of flights alone.
 */
export class JointFlights {
  readonly blocks: readonly FlightBlock[];
  /** Drag [1/m] and gravity [m/s²]. [4] */
  readonly shared = new Float64Array(SHARED);
  /** Of them: by the stated variances, and by how the flights scatter. [4 × 4] */
  readonly covariance = new Float64Array(SHARED * SHARED);
  readonly scatterCovariance = new Float64Array(SHARED * SHARED);
  readonly #prior: SharedPrior;

  constructor(flights: readonly MeasuredFlight[], prior: SharedPrior) {
    this.#prior = prior;
    this.blocks = flights.map((flight) => new FlightBlock(flight));
    this.shared.set([prior.drag, ...Array.from(prior.gravity)]);
    for (const { flight, parameters } of this.blocks) {
      startingLine(flight, prior.gravity, parameters);
      parameters.set(this.shared, DRAG);
    }
  }

  /** Fits with lifts of this sigma [1/s]; 0 leaves lift out. False if the samples do not determine the flights. */
  solve(liftSigma: number): boolean {
    const information = new Float64Array(SHARED * SHARED);
    const gradient = new Float64Array(SHARED);
    for (let iteration = 0; iteration < GREATEST_ITERATIONS; iteration++) {
      this.#reduce(liftSigma, information, gradient);
      const factor = Float64Array.from(information);
      if (cholesky.factor(factor, SHARED, factor) !== cholesky.MatrixStatus.ok) return false;
      const step = cholesky.solve(factor, gradient, SHARED, new Float64Array(SHARED));
      const size = step.reduce((sum, value, n) => sum + value * gradient[n]!, 0);
      for (const block of this.blocks) block.step(step);
      for (let n = 0; n < SHARED; n++) this.shared[n] = this.shared[n]! + step[n]!;
      cholesky.invert(factor, SHARED, this.covariance);
      if (size < SETTLED) break;
    }
    this.#reduce(liftSigma, information, gradient);
    this.#scatter();
    return this.shared.every(Number.isFinite);
  }

  #reduce(liftSigma: number, information: Float64Array, gradient: Float64Array): void {
    information.fill(0);
    gradient.fill(0);
    for (const block of this.blocks) {
      block.linearize(liftSigma);
      block.reduceInto(information, gradient);
    }
    for (let n = 0; n < SHARED; n++) {
      const { mean, sigma } = this.#priorOf(n);
      information[n * (SHARED + 1)] = information[n * (SHARED + 1)]! + 1 / sigma ** 2;
      gradient[n] = gradient[n]! + (mean - this.shared[n]!) / sigma ** 2;
    }
  }

  #priorOf(n: number): { readonly mean: number; readonly sigma: number } {
    const { drag, dragSigma, gravity, gravitySigma } = this.#prior;
    return n === 0 ? { mean: drag, sigma: dragSigma } : { mean: gravity[n - 1]!, sigma: gravitySigma };
  }

  /**
   * Covariance by the scatter of the flights' reduced gradients (the sandwich estimator of White, 1982, with a flight as the
   * cluster): it holds where errors within a flight are alike, which the stated variances do not know.
   */
  #scatter(): void {
    const middle = new Float64Array(SHARED * SHARED);
    const count = this.blocks.length;
    for (const block of this.blocks) {
      const own = new Float64Array(SHARED);
      block.reduceInto(new Float64Array(SHARED * SHARED), own);
      for (let k = 0; k < middle.length; k++) {
        middle[k] = middle[k]! + own[Math.floor(k / SHARED)]! * own[k % SHARED]! * (count / Math.max(1, count - 1));
      }
    }
    const P = this.covariance;
    for (let r = 0; r < SHARED; r++) {
      for (let c = 0; c < SHARED; c++) {
        let sum = 0;
        for (let i = 0; i < SHARED; i++) {
          for (let j = 0; j < SHARED; j++) sum += P[r * SHARED + i]! * middle[i * SHARED + j]! * P[j * SHARED + c]!;
        }
        this.scatterCovariance[r * SHARED + c] = sum;
      }
    }
  }
}

function weightedDot(a: Float64Array, b: Float64Array, variance: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k]! * b[k]!) / variance[k]!;
  return sum;
}

/** Position and velocity at the first sample, by a straight line through the samples without their fall. */
function startingLine({ time, position }: MeasuredFlight, gravity: ArrayLike<number>, out: Float64Array): void {
  const count = time.length;
  for (let n = 0; n < 3; n++) {
    let [st, stt, sx, stx] = [0, 0, 0, 0];
    for (let k = 0; k < count; k++) {
      const t = time[k]! - time[0]!;
      const x = position[3 * k + n]! - 0.5 * gravity[n]! * t * t;
      st += t;
      stt += t * t;
      sx += x;
      stx += t * x;
    }
    const velocity = (count * stx - st * sx) / (count * stt - st * st);
    out[n] = (sx - velocity * st) / count;
    out[3 + n] = velocity;
  }
}
