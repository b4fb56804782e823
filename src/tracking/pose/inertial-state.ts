import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { ERROR_SIZE, type ErrorTransition, Part } from "./error-state.js";

/** Numbers before the covariance: pose, velocity, two biases, kinematic offset, time of the start. */
const NOMINAL_SIZE = 28;

/** What the filter believes at one time: the IMU's motion, its biases, the kinematics' offset, and how surely. */
export class InertialState {
  /** Everything below in one array, so that a state is copied at once. */
  readonly numbers = new Float64Array(NOMINAL_SIZE + ERROR_SIZE * ERROR_SIZE);
  readonly worldFromImu: pose.Pose = pose.identity(pose.view(this.numbers, 0));
  /** Of the IMU, in world axes [m/s]. */
  readonly velocity: vec3.Vec3 = vec3.view(this.numbers, 12);
  /** [rad/s] */
  readonly gyroBias: vec3.Vec3 = vec3.view(this.numbers, 15);
  /** [m/s²] */
  readonly accelerometerBias: vec3.Vec3 = vec3.view(this.numbers, 18);
  /** Of the kinematic position, in world axes [m]. */
  readonly offsetPosition: vec3.Vec3 = vec3.view(this.numbers, 21);
  /** Of the kinematic orientation, in world axes [rad]. */
  readonly offsetOrientation: vec3.Vec3 = vec3.view(this.numbers, 24);
  /** Of the errors of `error-state`. [21 × 21] */
  readonly covariance = this.numbers.subarray(NOMINAL_SIZE);

  /** When the pose was taken from the kinematics [s]; since then the IMU has carried it. */
  get startedAt(): number {
    return this.numbers[27]!;
  }

  set startedAt(time: number) {
    this.numbers[27] = time;
  }

  copyFrom(other: InertialState): void {
    this.numbers.set(other.numbers);
  }
}

/** The time from one sample to the next; an object, because V8 boxes numbers handed to functions that it does not inline. */
export interface Interval {
  /** [s] */
  step: number;
}

const rateBefore = vec3.create();
const rateAfter = vec3.create();
const turn = vec3.create();
const cross = vec3.create();
const pushBefore = vec3.create();
const pushAfter = vec3.create();
const turned: mat3.Mat3 = mat3.create();

/**
 * Strapdown integration over an interval between two IMU samples (of which `angular…` and `force…` are three numbers from
 * `before` and `after` on), both taken to go linearly in between: orientation with the coning term of second order,
 * velocity and position by the integral of the linear acceleration. `gravity` is in the world.
 */
export function advance(
  state: InertialState,
  angular: Float64Array,
  force: Float64Array,
  before: number,
  after: number,
  interval: Interval,
  gravity: vec3.Vec3,
): void {
  const { step } = interval;
  const T = state.worldFromImu;
  for (let i = 0; i < 3; i++) {
    rateBefore[i] = angular[before + i]! - state.gyroBias[i]!;
    rateAfter[i] = angular[after + i]! - state.gyroBias[i]!;
    pushBefore[i] = force[before + i]! - state.accelerometerBias[i]!;
    pushAfter[i] = force[after + i]! - state.accelerometerBias[i]!;
  }
  vec3.cross(rateBefore, rateAfter, cross);
  for (let i = 0; i < 3; i++) turn[i] = 0.5 * step * (rateBefore[i]! + rateAfter[i]!) + (step * step * cross[i]!) / 12;
  pose.rotateVector(T, pushBefore, pushBefore);
  lie.so3Exp(turn, turned);
  mat3.multiply(T, turned, T);
  pose.rotateVector(T, pushAfter, pushAfter);
  for (let i = 0; i < 3; i++) {
    const a = pushBefore[i]! + gravity[i]!;
    const b = pushAfter[i]! + gravity[i]!;
    T[9 + i] = T[9 + i]! + step * (state.velocity[i]! + (step * (2 * a + b)) / 6);
    state.velocity[i] = state.velocity[i]! + 0.5 * step * (a + b);
  }
}

/**
 * The transition of the errors over the step that `advance` did last, from what it left: `state` is after the step, and
 * the acceleration felt is the mean of both ends.
 */
export function linearize(state: InertialState, { step }: Interval, out: ErrorTransition): void {
  const R = state.worldFromImu;
  const V = out.velocityByOrientation;
  out.step = step;
  mat3.transpose(turned, out.orientation as mat3.Mat3);
  // Specific force in the world; −[f]×·R is −R·[f]× of the force in the IMU's axes.
  const x = 0.5 * step * (pushBefore[0] + pushAfter[0]);
  const y = 0.5 * step * (pushBefore[1] + pushAfter[1]);
  const z = 0.5 * step * (pushBefore[2] + pushAfter[2]);
  for (let j = 0; j < 3; j++) {
    const r0 = R[j]!;
    const r1 = R[3 + j]!;
    const r2 = R[6 + j]!;
    V[j] = z * r1 - y * r2;
    V[3 + j] = x * r2 - z * r0;
    V[6 + j] = y * r0 - x * r1;
    out.velocityByBias[j] = -step * r0;
    out.velocityByBias[3 + j] = -step * r1;
    out.velocityByBias[6 + j] = -step * r2;
  }
}

/** Takes the estimated errors out of the state. */
export function inject(state: InertialState, error: Float64Array): void {
  const T = state.worldFromImu;
  for (let i = 0; i < 3; i++) {
    T[9 + i] = T[9 + i]! + error[Part.position + i]!;
    state.velocity[i] = state.velocity[i]! + error[Part.velocity + i]!;
    turn[i] = error[Part.orientation + i]!;
    state.gyroBias[i] = state.gyroBias[i]! + error[Part.gyroBias + i]!;
    state.accelerometerBias[i] = state.accelerometerBias[i]! + error[Part.accelerometerBias + i]!;
    state.offsetPosition[i] = state.offsetPosition[i]! + error[Part.offsetPosition + i]!;
    state.offsetOrientation[i] = state.offsetOrientation[i]! + error[Part.offsetOrientation + i]!;
  }
  mat3.multiply(T, lie.so3Exp(turn, turned), T);
  orthonormalize(T);
}

/** One Newton step towards the nearest rotation, R·(3 − RᵀR)/2: rounding never builds up. */
function orthonormalize(R: mat3.Mat3): void {
  mat3.multiplyTransposed(R, R, turned);
  for (let i = 0; i < 9; i++) turned[i] = -0.5 * turned[i]!;
  for (let i = 0; i < 9; i += 4) turned[i] = turned[i]! + 1.5;
  mat3.multiply(R, turned, R);
}
