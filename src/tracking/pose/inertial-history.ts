import type { Vec3 } from "../../math/vec3.js";
import { addStepNoise, ErrorTransition, StepNoise, transportCovariance } from "./error-state.js";
import { type HeadPoseOptions, offsetRotationRate, offsetTranslationRate } from "./head-pose-options.js";
import { advance, InertialState, type Interval, linearize } from "./inertial-state.js";
import { SampleStatus, TimeRing } from "./time-ring.js";

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
  /** 1 where the state of a slot began from the kinematics, the first or after a gap; 0 where the IMU carried it there. */
  readonly isStarted: Uint8Array;
  /** `Correction` of each slot, and how many wait for theirs: with every reading of the joints somebody asks for the first. */
  readonly #correction: Uint8Array;
  #dueCount = 0;

  constructor(capacity: number) {
    this.ring = new TimeRing(capacity);
    this.angular = new Float64Array(3 * capacity);
    this.force = new Float64Array(3 * capacity);
    this.states = Array.from({ length: capacity }, () => new InertialState());
    this.isStarted = new Uint8Array(capacity);
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

/** Scratch of `carry`. */
const transition = new ErrorTransition();
const noise = new StepNoise();

/** A step from one IMU sample to the next, and how much the robot moves meanwhile, 0 to 1. */
interface ActiveInterval extends Interval {
  activity: number;
}

/** The filter's prediction: carries a state and its covariance over `interval`; samples as in `advance`. */
export function carry(
  state: InertialState,
  angular: Float64Array,
  force: Float64Array,
  before: number,
  after: number,
  interval: ActiveInterval,
  options: HeadPoseOptions,
): void {
  advance(state, angular, force, before, after, interval, options.gravity);
  linearize(state, interval, transition);
  transportCovariance(transition, state.covariance);
  setNoise(interval, options);
  addStepNoise(noise, state.covariance);
}

function setNoise(interval: ActiveInterval, options: HeadPoseOptions): void {
  const { imu, structure } = options;
  const { step, activity } = interval;
  const lost = interpolationError(interval, options);
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
function interpolationError({ step, activity }: ActiveInterval, { imu, structure }: HeadPoseOptions): number {
  if (step < 1.5 / imu.rateHz) return 0;
  const angle = structure.vibrationFrequency * step;
  return (activity * angle * angle * angle) / 12;
}
