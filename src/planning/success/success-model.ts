import type { FlightPrediction } from "../../flight/prediction.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";
import * as cholesky from "../../math/cholesky.js";
import * as vec3 from "../../math/vec3.js";
import type { RobotHand } from "../../robot/robot.js";
import { SuccessCurve } from "../problem/success-curve.js";
import { probabilityInCylinder } from "./cylinder-probability.js";
import type { Perception } from "./perception.js";

/**
 * What a first prediction is worth, where the request does not say [m, m/s]: about that of a tracker after three images
 * of a ball 5 m away. Assumed in mode `sure` alone.
 */
const ASSUMED_POSITION_SIGMA = 0.03;
const ASSUMED_VELOCITY_SIGMA = 0.3;

export function assumedCovariance(): Float64Array {
  const covariance = new Float64Array(36);
  for (let k = 0; k < 6; k++) covariance[7 * k] = (k < 3 ? ASSUMED_POSITION_SIGMA : ASSUMED_VELOCITY_SIGMA) ** 2;
  return covariance;
}

export interface SuccessInput {
  /** The flight with its state transitions, from the time the covariance belongs to. */
  readonly prediction: FlightPrediction;
  /** Of position and velocity, 6 × 6. */
  readonly covariance: Float64Array;
  /** When the ball was seen last [s]; images follow at the camera's rate. */
  readonly lastSeen: number;
  /** Latest time that will be asked for [s]. */
  readonly until: number;
  readonly perception: Perception;
  readonly hand: Pick<RobotHand, "positionTolerance" | "timeTolerance">;
}

/** Nearer than this a ball is not measured any better [m]. */
const NEAREST_VIEW = 0.3;
/** Knots of the curve are at most and at least this far apart [s]. */
const WIDEST_STEP = 0.04;
const NARROWEST_STEP = 0.02;
/** Keeps the logarithm finite. */
const LEAST_PROBABILITY = 1e-300;
/** Most images that are counted one by one; there are more only at absurd rates. */
const MOST_IMAGES = 20_000;

/**
 * How probably a catch at time t succeeds, with all that will be known of the ball by then and not only what is known now.
 *
 * Without process noise every measurement says something of the one state x₀ at the reference time: an image at τ with the
 * information B(τ) about the ball's position adds J(τ)ᵀ·B(τ)·J(τ) to that about x₀, with J = ∂p(τ)/∂x₀. At t the arm has
 * used the images up to t − latency; the ball's position then has the covariance J(t)·Λ⁻¹·J(t)ᵀ, and the hand adds its own.
 * So that the sum has no steps, an image counts from nothing to fully over one period after it takes effect.
 *
 * The catch succeeds if the ball is within the hand's tolerance across its path, and within the hand's tolerance of time,
 * times its speed, along it. The two errors go together (depth is seen worst, and balls fall into the hand at a slant), so
 * it is their joint probability: that of a cylinder about the path.
 */
export class SuccessModel {
  readonly #input: SuccessInput;
  /** Information about x₀ after k images, as far as it was asked for. [36·(images + 1)] */
  readonly #information: Float64Array;
  /** Images that are in it. */
  #counted = 0;
  readonly #images: number;
  readonly #jacobian = new Float64Array(STATE_SIZE * STATE_SIZE);
  readonly #sum = new Float64Array(36);
  readonly #column = new Float64Array(6);
  readonly #position = vec3.create();
  readonly #direction = vec3.create();
  readonly #across = vec3.create();
  readonly #aside = vec3.create();
  readonly #turned = new Float64Array(9);
  /** Covariance of the ball against the hand at the time asked for last [m²], 3 × 3. */
  readonly spread = new Float64Array(9);

  constructor(input: SuccessInput) {
    this.#input = input;
    const { perception, lastSeen, until } = input;
    const counted = Math.ceil((until - perception.latency - lastSeen) * perception.rateHz) + 1;
    this.#images = Math.min(Math.max(0, counted), MOST_IMAGES);
    this.#information = new Float64Array(36 * (this.#images + 1));
    cholesky.factor(input.covariance, 6, this.#sum);
    this.#information.set(cholesky.invert(this.#sum, 6, this.#sum));
  }

  /** Probability that a catch at `t` succeeds. */
  probability(t: number): number {
    const { hand, prediction } = this.#input;
    this.#spreadAt(t);
    const along = prediction.velocity(t, this.#direction);
    const speed = vec3.norm(along);
    vec3.scale(along, 1 / speed, along);
    this.#turnSpread(along);
    return probabilityInCylinder(hand.positionTolerance, hand.timeTolerance * speed, this.#turned);
  }

  /** Its logarithm over [from, to], for the solver's `SuccessCurve`. */
  curve(from: number, to: number): SuccessCurve {
    const wanted = Math.min(Math.max(1 / this.#input.perception.rateHz, NARROWEST_STEP), WIDEST_STEP);
    const count = Math.max(2, Math.ceil((to - from) / wanted) + 1);
    const step = Math.max(to - from, wanted) / (count - 1);
    const values = new Float64Array(count);
    for (let k = 0; k < count; k++)
      values[k] = Math.log(Math.max(this.probability(from + k * step), LEAST_PROBABILITY));
    return new SuccessCurve(from, step, values);
  }

  /** Image number k, the first after the last that was seen being 1. */
  #addImage(k: number): void {
    const { prediction, perception, lastSeen } = this.#input;
    const before = 36 * (k - 1);
    const time = lastSeen + k / perception.rateHz;
    prediction.position(time, this.#position);
    prediction.transition(time, this.#jacobian);
    this.#information.copyWithin(before + 36, before, before + 36);
    for (const { position, angleSigma } of perception.cameras) {
      const ray = vec3.subtract(this.#position, position, this.#direction);
      const distance = Math.max(vec3.norm(ray), NEAREST_VIEW);
      vec3.normalize(ray, ray);
      this.#addDirection(before + 36, ray, 1 / (distance * angleSigma) ** 2);
    }
  }

  /** Adds Jᵀ·weight·(I − r·rᵀ)·J: what a direction r tells of the position that lies in it. */
  #addDirection(offset: number, r: vec3.Vec3, weight: number): void {
    const J = this.#jacobian;
    const information = this.#information;
    for (let m = 0; m < 6; m++) {
      const along = r[0] * J[m]! + r[1] * J[STATE_SIZE + m]! + r[2] * J[2 * STATE_SIZE + m]!;
      for (let n = 0; n < 6; n++) {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += (J[i * STATE_SIZE + m]! - along * r[i]!) * J[i * STATE_SIZE + n]!;
        information[offset + 6 * m + n]! += weight * sum;
      }
    }
  }

  /** Covariance of the ball's position against the hand, at a catch at `t`. */
  #spreadAt(t: number): void {
    const { prediction, perception } = this.#input;
    this.#informationAt(t);
    cholesky.factor(this.#sum, 6, this.#sum);
    const J = prediction.transition(t, this.#jacobian);
    for (let c = 0; c < 3; c++) {
      for (let n = 0; n < 6; n++) this.#column[n] = J[c * STATE_SIZE + n]!;
      cholesky.solve(this.#sum, this.#column, 6, this.#column);
      for (let r = 0; r < 3; r++) {
        let entry = r === c ? perception.servoSigma ** 2 : 0;
        for (let n = 0; n < 6; n++) entry += J[r * STATE_SIZE + n]! * this.#column[n]!;
        this.spread[3 * r + c] = entry;
      }
    }
  }

  /** Information about x₀ that the arm has used at `t`. */
  #informationAt(t: number): void {
    const { perception, lastSeen } = this.#input;
    const passed = Math.max(0, (t - perception.latency - lastSeen) * perception.rateHz - 1);
    const whole = Math.min(Math.floor(passed), this.#images);
    const next = Math.min(whole + 1, this.#images);
    const share = passed - whole;
    while (this.#counted < next) this.#addImage(++this.#counted);
    for (let n = 0; n < 36; n++) {
      const now = this.#information[36 * whole + n]!;
      this.#sum[n] = now + Math.min(1, share) * (this.#information[36 * next + n]! - now);
    }
  }

  /** The spread in axes of which the third is `along`. */
  #turnSpread(along: vec3.Vec3): void {
    const [across, aside] = [this.#across, this.#aside];
    vec3.set(0, 0, 0, across);
    across[leastComponent(along)] = 1;
    vec3.normalize(vec3.cross(along, across, across), across);
    vec3.cross(along, across, aside);
    const axes = [across, aside, along];
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) this.#turned[3 * r + c] = bilinearForm(this.spread, axes[r]!, axes[c]!);
  }
}

/** aᵀ·M·b */
function bilinearForm(m: Float64Array, a: vec3.Vec3, b: vec3.Vec3): number {
  let sum = 0;
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) sum += a[r]! * m[3 * r + c]! * b[c]!;
  return sum;
}

function leastComponent(v: vec3.Vec3): 0 | 1 | 2 {
  const [x, y, z] = [Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2])];
  if (x <= y && x <= z) return 0;
  return y <= z ? 1 : 2;
}
