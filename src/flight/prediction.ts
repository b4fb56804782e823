import type { Mat3 } from "../math/mat3.js";
import * as matrix from "../math/matrix.js";
import * as vec3 from "../math/vec3.js";
import { type BallState, type FlightPath, FlightStatus } from "./ball.js";
import { Flight } from "./flight.js";
import { createPlaneCrossing, crossPlane, type Plane, type PlaneCrossing } from "./plane-crossing.js";
import { FlightSensitivity, type SensitivityOptions, STATE_SIZE } from "./sensitivity.js";

/** Numbers of the lift, and of a state with it. */
const LIFT = 3;
const FULL_SIZE = STATE_SIZE + LIFT;

/** Where and when a flight crosses a plane, and how surely. */
export interface UncertainCrossing extends PlaneCrossing {
  /** Covariance of the point of crossing [m²], 3 × 3; it has no extent along the plane's normal. */
  readonly covariance: Float64Array;
  /** Standard deviation of the time of crossing [s]. */
  timeSigma: number;
}

export function createUncertainCrossing(): UncertainCrossing {
  return { ...createPlaneCrossing(), covariance: new Float64Array(9), timeSigma: Number.NaN };
}

/**
 * A flight with its uncertainty, carried to any time. The covariance P₀ of the state at its reference time becomes Φ·P₀·Φᵀ
 * at time t, Φ(t) being the state transition matrix along the flight: the exact first-order propagation, without process
 * noise.
 */
export abstract class UncertainFlight implements FlightPath {
  protected readonly flight: Flight;
  readonly #sensitivity: FlightSensitivity;
  /** P₀, 7 × 7. */
  readonly #covariance = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #transition = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #product = new Float64Array(STATE_SIZE * STATE_SIZE);

  /** P₀ of the lift beside it, 3 × 10: with position, velocity, drag and itself. */
  readonly #liftCovariance = new Float64Array(LIFT * FULL_SIZE);
  readonly #liftJacobian = new Float64Array(6 * LIFT);
  #hasLift = false;

  constructor(options: SensitivityOptions = {}) {
    this.flight = new Flight(options);
    this.#sensitivity = new FlightSensitivity(options);
  }

  /**
   * The prediction from `state` with `covariance`, row-major: 7 × 7 over position, velocity and drag, 6 × 6 if the
   * drag counts as known, or 10 × 10 with the lift, where the options said so. Otherwise as `Flight.reset`.
   */
  protected restart(
    state: BallState,
    covariance: Float64Array,
    gravity: vec3.Vec3,
    begin: number,
    end: number,
  ): FlightStatus {
    this.#hasLift = covariance.length === FULL_SIZE * FULL_SIZE;
    const width = Math.sqrt(covariance.length);
    const size = Math.min(width, STATE_SIZE);
    let sum = 0;
    for (const entry of covariance) sum += Math.abs(entry);
    this.#covariance.fill(0);
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) this.#covariance[r * STATE_SIZE + c] = covariance[r * width + c]!;
    }
    if (this.#hasLift) this.#liftCovariance.set(covariance.subarray(STATE_SIZE * FULL_SIZE));
    if (!Number.isFinite(sum)) return FlightStatus.invalid;
    const status = this.flight.reset(state, gravity, begin, end);
    return status === FlightStatus.ok ? this.#sensitivity.reset(state, gravity, begin, end) : status;
  }

  get begin(): number {
    return this.flight.begin;
  }

  get end(): number {
    return this.flight.end;
  }

  position(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.flight.position(t, out);
  }

  velocity(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.flight.velocity(t, out);
  }

  acceleration(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.flight.acceleration(t, out);
  }

  evaluate(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void {
    this.flight.evaluate(t, position, velocity, acceleration);
  }

  /** State transition matrix from the reference time to `t`, 7 × 7. */
  transition(t: number, out: Float64Array): Float64Array {
    return this.#sensitivity.transition(t, out);
  }

  /** Covariance of the state at `t`, 7 × 7: position, velocity, drag. */
  covariance(t: number, out: Float64Array): Float64Array {
    const n = STATE_SIZE;
    this.#sensitivity.transition(t, this.#transition);
    matrix.multiply(this.#transition, this.#covariance, n, n, n, this.#product);
    matrix.multiplyTransposeRight(this.#product, this.#transition, n, n, n, out);
    if (this.#hasLift) this.#addLift(t, 6, n, out);
    return matrix.symmetrize(out, n, out);
  }

  /**
   * What the lift adds to the covariance of the first `rows` numbers of a state, in `out` of that `width`: with Φ and Γ the derivatives
   * by state and lift, Γ·P_wx·Φᵀ, its transpose, and Γ·P_ww·Γᵀ.
   */
  #addLift(t: number, rows: number, width: number, out: Float64Array): void {
    const byLift = this.#sensitivity.liftJacobian(t, this.#liftJacobian);
    const byState = this.#transition;
    const P = this.#liftCovariance;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) {
        let sum = 0;
        for (let w = 0; w < LIFT; w++) {
          const [a, b] = [byLift[LIFT * r + w]!, c < 6 ? byLift[LIFT * c + w]! : 0];
          for (let n = 0; n < STATE_SIZE; n++) {
            const both = P[w * FULL_SIZE + n]!;
            sum += a * both * byState[c * STATE_SIZE + n]! + b * both * byState[r * STATE_SIZE + n]!;
          }
          for (let v = 0; v < LIFT && c < 6; v++) sum += a * P[w * FULL_SIZE + STATE_SIZE + v]! * byLift[LIFT * c + v]!;
        }
        out[r * width + c] = out[r * width + c]! + sum;
        // The drag does not depend on the lift, but they may be known together.
        if (c === 6) out[c * width + r] = out[r * width + c]!;
      }
    }
  }

  /** Covariance of the position at `t` [m²], 3 × 3. */
  positionCovariance(t: number, out: Mat3): Mat3 {
    const n = STATE_SIZE;
    this.#sensitivity.positionJacobian(t, this.#transition);
    matrix.multiply(this.#transition, this.#covariance, 3, n, n, this.#product);
    matrix.multiplyTransposeRight(this.#product, this.#transition, 3, n, 3, out);
    if (this.#hasLift) this.#addLift(t, 3, 3, out);
    matrix.symmetrize(out, 3, out);
    return out;
  }
}

/** A predicted flight: what a tracker says of a ball. */
export class FlightPrediction extends UncertainFlight {
  readonly #positionCovariance = new Float64Array(9) as Mat3;
  readonly #projector = new Float64Array(9);
  readonly #scratch = new Float64Array(9);

  /** As `restart`. */
  reset(state: BallState, covariance: Float64Array, gravity: vec3.Vec3, begin: number, end: number): FlightStatus {
    return this.restart(state, covariance, gravity, begin, end);
  }

  /**
   * First crossing of `plane` in [from, to]; false if there is none. To first order the point of crossing moves by
   * (I − v·nᵀ/(n·v))·δp, and its time by −n·δp/(n·v).
   */
  crossPlane(plane: Plane, from: number, to: number, out: UncertainCrossing): boolean {
    if (!crossPlane(this.flight, plane, from, to, out)) return false;
    const { normal } = plane;
    const approach = vec3.dot(normal, out.velocity);
    const P = this.positionCovariance(out.time, this.#positionCovariance);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        this.#projector[3 * r + c] = (r === c ? 1 : 0) - (out.velocity[r]! * normal[c]!) / approach;
      }
    }
    matrix.multiplyVector(P, normal, 3, 3, this.#scratch);
    let variance = 0;
    for (let n = 0; n < 3; n++) variance += normal[n]! * this.#scratch[n]!;
    out.timeSigma = Math.sqrt(Math.max(0, variance)) / Math.abs(approach);
    matrix.multiply(this.#projector, P, 3, 3, 3, this.#scratch);
    matrix.multiplyTransposeRight(this.#scratch, this.#projector, 3, 3, 3, out.covariance);
    return true;
  }
}
