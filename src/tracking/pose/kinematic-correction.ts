import * as lie from "../../math/lie.js";
import type { Mat3 } from "../../math/mat3.js";
import * as mat3 from "../../math/mat3.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { correct, ERROR_SIZE, Part, type ScalarMeasurement } from "./error-state.js";
import { type HeadPoseOptions, rotationVariance, translationVariance } from "./head-pose-options.js";
import { type InertialState, inject } from "./inertial-state.js";
import { WorldGauge } from "./world-gauge.js";

/** Below this activity the robot rests. */
const AT_REST = 0.1;
const IDENTITY: Mat3 = mat3.create();

/** The filter's update: holds a state to where the joints say that the IMU is. */
export class KinematicCorrection {
  readonly gauge: WorldGauge;
  readonly #options: HeadPoseOptions;
  readonly #error = new Float64Array(ERROR_SIZE);
  readonly #measurement: ScalarMeasurement = { value: 0, variance: 0, distance: 0 };
  readonly #difference = vec3.create();
  readonly #rotation = mat3.create();

  constructor(options: HeadPoseOptions) {
    this.#options = options;
    this.gauge = new WorldGauge(options.gravity);
  }

  /**
   * Kalman update by the kinematic pose at the state's time; at rest the world is held, too. Returns the squared
   * innovation by its covariance: 6 on average.
   */
  apply(state: InertialState, worldFromImu: Pose, activity: number): number {
    const { structure, correctionPeriod } = this.#options;
    const P = state.covariance;
    const T = state.worldFromImu;
    const measurement = this.#measurement;
    this.#error.fill(0);
    this.#orientationDifference(worldFromImu, T);
    measurement.distance = 0;
    measurement.variance = translationVariance(structure, activity);
    for (let i = 0; i < 3; i++) {
      measurement.value = worldFromImu[9 + i]! + state.offsetPosition[i]! - T[9 + i]!;
      correct(P, IDENTITY, 3 * i, Part.position, Part.offsetPosition + i, measurement, this.#error);
    }
    measurement.variance = rotationVariance(structure, activity);
    for (let i = 0; i < 3; i++) {
      measurement.value = this.#difference[i]! + state.offsetOrientation[i]!;
      correct(P, T, 3 * i, Part.orientation, Part.offsetOrientation + i, measurement, this.#error);
    }
    inject(state, this.#error);
    if (activity < AT_REST) {
      this.gauge.fixWorld(state);
      this.gauge.drawWorld(state, correctionPeriod / structure.worldTime);
    }
    return measurement.distance;
  }

  /** A kinematic pose with the offset that `state` knows put on it. `out` may not be the input. */
  addOffset(worldFromImu: Pose, state: InertialState, out: Pose): void {
    lie.so3Exp(state.offsetOrientation, this.#rotation);
    mat3.multiply(this.#rotation, worldFromImu as Float64Array as Mat3, out as Float64Array as Mat3);
    for (let i = 0; i < 3; i++) out[9 + i] = worldFromImu[9 + i]! + state.offsetPosition[i]!;
  }

  /** log(R_kinematic·Rᵀ), in world axes. */
  #orientationDifference(kinematic: Pose, estimated: Pose): void {
    mat3.transpose(estimated as Float64Array as Mat3, this.#rotation);
    mat3.multiply(kinematic as Float64Array as Mat3, this.#rotation, this.#rotation);
    lie.so3Log(this.#rotation, this.#difference);
  }
}
