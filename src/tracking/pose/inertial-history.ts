import type { Vec3 } from "../../math/vec3.js";
import { addStepNoise, ErrorTransition, StepNoise, transportCovariance } from "./error-state.js";
import { type HeadPoseOptions, offsetRotationRate, offsetTranslationRate } from "./head-pose-options.js";
import { advance, InertialState, linearize } from "./inertial-state.js";
import { SampleStatus, TimeRing } from "./time-ring.js";

/** How the state at a sample came about. */
export const StepKind = {
  /** By the IMU from the sample before. */
  carried: 0,
  /** Anew from the kinematics: the first, or after a gap. */
  started: 1,
} as const;

/** Whether a state has been held to the kinematics. */
export const Correction = {
  /** It was not this one's turn. */
  none: 0,
  /** It is to be, and the joints have not told yet where they were. */
  due: 1,
  done: 2,
} as const;
export type Correction = (typeof Correction)[keyof typeof Correction];

/** The last IMU samples, sorted, each with the filter's state at its time. */
export class InertialHistory {
  readonly ring: TimeRing;
  /** Three numbers a slot, scale and calibrated bias taken out. [rad/s], [m/s²] */
  readonly angular: Float64Array;
  readonly force: Float64Array;
  readonly states: readonly InertialState[];
  /** `StepKind` of each slot. */
  readonly kind: Uint8Array;
  /** `Correction` of each slot, and how many wait for theirs: with every reading of the joints somebody asks for the first. */
  readonly #correction: Uint8Array;
  #dueCount = 0;

  constructor(capacity: number) {
    this.ring = new TimeRing(capacity);
    this.angular = new Float64Array(3 * capacity);
    this.force = new Float64Array(3 * capacity);
    this.states = Array.from({ length: capacity }, () => new InertialState());
    this.kind = new Uint8Array(capacity);
    this.#correction = new Uint8Array(capacity);
  }

  add(time: number, angular: Vec3, force: Vec3): SampleStatus {
    const status = this.ring.insert(time);
    if (status !== SampleStatus.accepted && status !== SampleStatus.late) return status;
    const slot = this.ring.slot(this.ring.position);
    // What it says is of the sample that left.
    this.setCorrection(slot, Correction.none);
    for (let i = 0; i < 3; i++) {
      this.angular[3 * slot + i] = angular[i]!;
      this.force[3 * slot + i] = force[i]!;
    }
    return status;
  }

  setCorrection(slot: number, correction: Correction): void {
    if (this.#correction[slot] === Correction.due) this.#dueCount--;
    if (correction === Correction.due) this.#dueCount++;
    this.#correction[slot] = correction;
  }

  /** Place of the first state that waits for the kinematics; −1 if none does. */
  firstDue(): number {
    const { ring } = this;
    if (this.#dueCount === 0) return -1;
    for (let i = 0; i < ring.count; i++) if (this.#correction[ring.slot(i)] === Correction.due) return i;
    return -1;
  }

  /** The newest state; only with samples. */
  get newest(): InertialState {
    return this.states[this.ring.slot(this.ring.count - 1)]!;
  }
}

/** The filter's prediction: carries a state and its covariance from one IMU sample to the next. */
export class InertialCarrier {
  readonly #options: HeadPoseOptions;
  readonly #transition = new ErrorTransition();
  /** The step to carry over [s], and how much the robot moves meanwhile, 0 to 1; to be set before `carry`. */
  readonly interval = { step: 0, activity: 0 };
  readonly #noise = new StepNoise();

  constructor(options: HeadPoseOptions) {
    this.#options = options;
  }

  /** Over `interval`; samples as in `advance`. */
  carry(state: InertialState, angular: Float64Array, force: Float64Array, before: number, after: number): void {
    advance(state, angular, force, before, after, this.interval, this.#options.gravity);
    linearize(state, this.interval, this.#transition);
    transportCovariance(this.#transition, state.covariance);
    this.#setNoise();
    addStepNoise(this.#noise, state.covariance);
  }

  #setNoise(): void {
    const { imu, structure } = this.#options;
    const { step, activity } = this.interval;
    const noise = this.#noise;
    const lost = this.#interpolationError();
    noise.step = step;
    const lostTurn = structure.vibrationRotation * lost;
    const lostSpeed = structure.vibrationTranslation * structure.vibrationFrequency * lost;
    noise.orientation = imu.gyroNoiseDensity * imu.gyroNoiseDensity * step + lostTurn * lostTurn;
    noise.velocity = imu.accelerometerNoiseDensity * imu.accelerometerNoiseDensity * step + lostSpeed * lostSpeed;
    noise.gyroBias = imu.gyroBiasWalk * imu.gyroBiasWalk * step;
    noise.accelerometerBias = imu.accelerometerBiasWalk * imu.accelerometerBiasWalk * step;
    noise.offsetPosition = step * offsetTranslationRate(structure, activity);
    noise.offsetOrientation = step * offsetRotationRate(structure, activity);
  }

  /**
   * What the trapezoidal rule loses of a vibration of size 1 where samples are missing: (ω·Δ)³/12, as its error is
   * Δ³/12 times the second derivative of the rate. At the regular step the errors of neighbouring steps cancel.
   */
  #interpolationError(): number {
    const { step, activity } = this.interval;
    if (step < 1.5 / this.#options.imu.rateHz) return 0;
    const angle = this.#options.structure.vibrationFrequency * step;
    return (activity * angle * angle * angle) / 12;
  }
}
