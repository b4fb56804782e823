import type { BallState, FlightStatus } from "../../flight/ball.js";
import { UncertainFlight } from "../../flight/prediction.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";
import type { FlightOptions } from "../../flight/variational-flight.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { type BallBelief, BELIEF_SIZE, beliefCovariance, beliefState } from "../filter/ball-belief.js";
import { intoFrame, type MovingFrame } from "./moving-frame.js";
import type { Surface } from "./surface.js";

/** How the ball moves: as the filter or the tracker that made the belief has it. */
export interface ForecastMotion {
  /** [m/s²], in the world. */
  readonly gravity: vec3.Vec3;
  /** Root of the spectral density of the white acceleration [m/s²/√Hz]. */
  readonly accelerationNoise: number;
  /** What is not known of the lift [1/s]; 0, the default, is a ball without. */
  readonly liftSigma?: number;
}

/** Where and when the ball passes a surface, in the surface's frame, and how surely. */
export class SurfaceCrossing {
  /** [s] */
  time = Number.NaN;
  /** [m] */
  readonly position = vec3.create();
  /** Of the ball against the frame [m/s]. */
  readonly velocity = vec3.create();
  /** Covariance of the place of passing [m²], 3 × 3; it has no extent across the surface. */
  readonly covariance = mat3.create();
  /** Standard deviation of the time of passing [s]; Infinity where the ball only touches. */
  timeSigma = Number.NaN;
  /** Covariance of place and time [m·s]. */
  readonly placeTime = vec3.create();
}

export function createSurfaceCrossing(): SurfaceCrossing {
  return new SurfaceCrossing();
}

/** The flight is looked at this often [s]: at 8 m/s a dip of 2 cm each way, less than a millimetre deep into a sphere. */
const SCAN_STEP = 0.005;

/** Newton's steps, halving the bracket when one leaves it. More than enough for 1e-15 s. */
const GREATEST_ITERATIONS = 60;

/**
 * What a belief says of the rest of a ball's flight: mean and covariance at any time, and where and when it passes a
 * surface, in any frame. The mean flies on from the belief's mean, the covariance along the derivatives of that flight
 * (to first order, exact in time), and the filter's white acceleration adds what it would add. Made once, `reset` for
 * each belief; nothing but the constructor allocates.
 *
 * @example
 * const forecast = new BallForecast(tracker.settings);
 * forecast.reset(track.belief, track.belief.time + 1);
 * const crossing = createSurfaceCrossing();
 * if (forecast.cross(new PlaneSurface(vec3.create(1, 0, 0), 0.5), worldFrame, forecast.begin, forecast.end, crossing)) {
 *   console.log(`passes at ${crossing.time} s ± ${crossing.timeSigma} s`);
 * }
 */
export class BallForecast extends UncertainFlight {
  readonly #motion: ForecastMotion;
  readonly #state: BallState;
  readonly #covariance: Float64Array;
  readonly #worldFromFrame = pose.create();
  readonly #twist = new Float64Array(6);
  readonly #gradient = vec3.create();
  readonly #scratch: mat3.Mat3 = mat3.create();
  readonly #projector: mat3.Mat3 = mat3.create();
  readonly #spread = vec3.create();

  constructor(motion: ForecastMotion, options: FlightOptions = {}) {
    const hasLift = (motion.liftSigma ?? 0) > 0;
    super({ ...options, hasLift });
    this.#motion = motion;
    const size = hasLift ? BELIEF_SIZE : STATE_SIZE;
    this.#covariance = new Float64Array(size * size);
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    this.#state = hasLift ? { ...state, lift: vec3.create() } : state;
  }

  /** The forecast from `belief` until `until` [s]. Only an `ok` one may be asked for anything. */
  reset(belief: BallBelief, until: number): FlightStatus {
    beliefState(belief, this.#state);
    beliefCovariance(belief, this.#covariance);
    const end = Math.max(belief.time, until);
    return this.restart(this.#state, this.#covariance, this.#motion.gravity, belief.time, end);
  }

  /** Covariance of the state at `t`, 7 × 7: position, velocity, drag. */
  override covariance(t: number, out: Float64Array): Float64Array {
    super.covariance(t, out);
    const duration = Math.max(0, t - this.#state.time);
    const density = this.#motion.accelerationNoise ** 2;
    for (let n = 0; n < 3; n++) {
      const corner = n * (STATE_SIZE + 1);
      const middle = (3 + n) * (STATE_SIZE + 1);
      const cross = (density * duration ** 2) / 2;
      out[corner] = out[corner]! + (density * duration ** 3) / 3;
      out[middle] = out[middle]! + density * duration;
      out[corner + 3] = out[corner + 3]! + cross;
      out[middle - 3] = out[middle - 3]! + cross;
    }
    return out;
  }

  /** Covariance of the position at `t` [m²], 3 × 3. */
  override positionCovariance(t: number, out: mat3.Mat3): mat3.Mat3 {
    super.positionCovariance(t, out);
    const duration = Math.max(0, t - this.#state.time);
    const variance = (this.#motion.accelerationNoise ** 2 * duration ** 3) / 3;
    out[0] += variance;
    out[4] += variance;
    out[8] += variance;
    return out;
  }

  /** Position and velocity at `t` as `frame` sees them. */
  inFrame(t: number, frame: MovingFrame, position: vec3.Vec3, velocity: vec3.Vec3): void {
    this.position(t, position);
    this.velocity(t, velocity);
    frame.evaluate(t, this.#worldFromFrame, this.#twist);
    intoFrame(this.#worldFromFrame, this.#twist, position, velocity, position, velocity);
  }

  /** First passing of `surface`, which is given in `frame`, in [from, to]; false, with `out` unspecified, if there is none. */
  cross(surface: Surface, frame: MovingFrame, from: number, to: number, out: SurfaceCrossing): boolean {
    let before = from;
    let sideBefore = this.#distance(surface, frame, from, out);
    const steps = Math.max(1, Math.ceil((to - from) / SCAN_STEP));
    for (let k = 1; k <= steps; k++) {
      const t = k === steps ? to : from + k * SCAN_STEP;
      const side = this.#distance(surface, frame, t, out);
      if (sideBefore * side <= 0) {
        this.#refine(surface, frame, before, t, sideBefore, out);
        this.#spreadAcross(surface, out);
        return true;
      }
      before = t;
      sideBefore = side;
    }
    return false;
  }

  #distance(surface: Surface, frame: MovingFrame, t: number, out: SurfaceCrossing): number {
    this.inFrame(t, frame, out.position, out.velocity);
    return surface.distance(out.position);
  }

  /** Newton's method on the distance, kept within the bracket [low, high]. */
  #refine(
    surface: Surface,
    frame: MovingFrame,
    low: number,
    high: number,
    sideLow: number,
    out: SurfaceCrossing,
  ): void {
    let t = 0.5 * (low + high);
    for (let k = 0; k < GREATEST_ITERATIONS; k++) {
      const side = this.#distance(surface, frame, t, out);
      if (side * sideLow > 0) low = t;
      else high = t;
      const newton = t - side / vec3.dot(surface.gradient(out.position, this.#gradient), out.velocity);
      const next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
      if (Math.abs(next - t) <= 1e-15 * (1 + Math.abs(t))) break;
      t = next;
    }
    out.time = t;
    this.inFrame(t, frame, out.position, out.velocity);
  }

  /**
   * To first order a ball displaced by δ passes −n·δ/(n·v) later, at δ − v·n·δ/(n·v) from where it was expected, n being
   * the gradient and v the velocity against the frame.
   */
  #spreadAcross(surface: Surface, out: SurfaceCrossing): void {
    const P = this.#frameCovariance(out.time);
    const n = surface.gradient(out.position, this.#gradient);
    const v = out.velocity;
    const approach = vec3.dot(n, v);
    const spread = mat3.transform(P, n, this.#spread);
    out.timeSigma = Math.sqrt(Math.max(0, vec3.dot(n, spread))) / Math.abs(approach);
    const A = this.#projector;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) A[3 * r + c] = (r === c ? 1 : 0) - (v[r]! * n[c]!) / approach;
    }
    vec3.scale(mat3.transform(A, spread, out.placeTime), -1 / approach, out.placeTime);
    mat3.multiply(A, P, P);
    mat3.multiply(P, mat3.transpose(A, A), out.covariance);
  }

  /** Covariance of the position at `t` in the frame evaluated last. */
  #frameCovariance(t: number): mat3.Mat3 {
    const P = this.positionCovariance(t, this.#scratch);
    mat3.multiply(P, this.#worldFromFrame, P);
    return mat3.multiplyTransposed(this.#worldFromFrame, P, P);
  }
}
