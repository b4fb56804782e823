import { addStepNoise, createErrorTransition, type StepNoise, transportCovariance } from "./error-state.js";
import { type HeadPoseOptions, offsetRotationRate, offsetTranslationRate } from "./head-pose-options.js";
import { advance, type InertialState, linearize } from "./inertial-state.js";

/** The filter's prediction: carries a state and its covariance from one IMU sample to the next. */
export class InertialCarrier {
  readonly #options: HeadPoseOptions;
  readonly #transition = createErrorTransition();
  /** The step to carry over [s], and how much the robot moves meanwhile, 0 to 1; to be set before `carry`. */
  readonly interval = { step: 0, activity: 0 };
  readonly #noise: StepNoise = {
    step: 0,
    velocity: 0,
    orientation: 0,
    gyroBias: 0,
    accelerometerBias: 0,
    offsetPosition: 0,
    offsetOrientation: 0,
  };

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
