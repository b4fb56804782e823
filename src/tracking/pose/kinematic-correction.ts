import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { correct, ERROR_SIZE, Part, type ScalarMeasurement } from "./error-state.js";
import {
  type HeadPoseOptions,
  rotationVariance,
  type StructureNoise,
  translationVariance,
} from "./head-pose-options.js";
import { type InertialState, inject } from "./inertial-state.js";

/** Below this activity the robot rests. */
const AT_REST = 0.1;
const IDENTITY: mat3.Mat3 = mat3.create();

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
    // log(R_kinematic·Rᵀ), in world axes.
    mat3.multiply(worldFromImu, mat3.transpose(T, this.#rotation), this.#rotation);
    lie.so3Log(this.#rotation, this.#difference);
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
    mat3.multiply(this.#rotation, worldFromImu, out);
    for (let i = 0; i < 3; i++) out[9 + i] = worldFromImu[9 + i]! + state.offsetPosition[i]!;
  }
}

/** Nothing is known but how large the biases of an IMU can be. */
export function forget(state: InertialState, structure: StructureNoise): void {
  state.numbers.fill(0);
  for (let i = 0; i < 3; i++) {
    isolate(state.covariance, Part.gyroBias + i, structure.turnOnGyroBias ** 2);
    isolate(state.covariance, Part.accelerometerBias + i, structure.turnOnAccelerometerBias ** 2);
  }
}

/**
 * The covariance of a pose just taken from the kinematics: its error is that of the offset plus vibration, so pose and
 * offset are correlated. The biases keep what is known of them.
 */
export function doubtPose(state: InertialState, structure: StructureNoise): void {
  const P = state.covariance;
  for (let i = 0; i < 3; i++) {
    isolate(P, Part.velocity + i, (structure.vibrationTranslation * structure.vibrationFrequency) ** 2);
    isolate(P, Part.offsetPosition + i, structure.offsetTranslation ** 2);
    isolate(P, Part.offsetOrientation + i, structure.offsetRotation ** 2);
    isolate(P, Part.position + i, structure.offsetTranslation ** 2 + structure.vibrationTranslation ** 2);
    isolate(P, Part.orientation + i, structure.offsetRotation ** 2 + structure.vibrationRotation ** 2);
  }
  const R = state.worldFromImu;
  for (let i = 0; i < 3; i++) {
    couple(P, Part.position + i, Part.offsetPosition + i, structure.offsetTranslation ** 2);
    for (let j = 0; j < 3; j++) {
      // The offset lies in world axes, the error in the IMU's: it is Rᵀ·offset.
      couple(P, Part.orientation + j, Part.offsetOrientation + i, R[3 * i + j]! * structure.offsetRotation ** 2);
    }
  }
}

/** Gives an error this variance and takes away all it has in common with others. */
function isolate(P: Float64Array, at: number, variance: number): void {
  for (let i = 0; i < ERROR_SIZE; i++) {
    P[at * ERROR_SIZE + i] = 0;
    P[i * ERROR_SIZE + at] = 0;
  }
  P[at * (ERROR_SIZE + 1)] = variance;
}

function couple(P: Float64Array, a: number, b: number, covariance: number): void {
  P[a * ERROR_SIZE + b] = covariance;
  P[b * ERROR_SIZE + a] = covariance;
}

/**
 * Where the world is and which way it faces is ours to say: neither IMU nor joints know, and a ball seen and a hand
 * moved in the same world meet wherever that world lies. Which way is up is not: gravity says. So, while the robot rests,
 * two things may be done to the estimate that leave every measurement as it was.
 *
 * `fixWorld` declares the present place and heading of the head exact, and books what was uncertain about them with the
 * offset of the kinematics. From then on the covariance is that of the way since, which is what matters in a catch;
 * else the filter would shift its whole world in mid-flight for the sake of a better guess at a number of no use.
 *
 * `drawWorld` moves the world a little to where the kinematics has it: so it stays there in the long run.
 */
export class WorldGauge {
  /** Unit vector against gravity, in the world. */
  readonly #up: vec3.Vec3;
  readonly #upInImu = vec3.create();
  readonly #turn = vec3.create();
  readonly #rotation = mat3.create();

  constructor(gravity: vec3.Vec3) {
    this.#up = vec3.normalize(vec3.negate(gravity, vec3.create()), vec3.create());
  }

  fixWorld(state: InertialState): void {
    mat3.transformTransposed(state.worldFromImu, this.#up, this.#upInImu);
    this.#removeCommon(state.covariance, ERROR_SIZE, 1);
    this.#removeCommon(state.covariance, 1, ERROR_SIZE);
  }

  /** @param share of the offset that is taken away, 0 to 1 */
  drawWorld(state: InertialState, share: number): void {
    const T = state.worldFromImu;
    const up = this.#up;
    const { offsetPosition, offsetOrientation } = state;
    const heading = share * vec3.dot(up, offsetOrientation);
    vec3.scale(up, -heading, this.#turn);
    mat3.multiply(lie.so3Exp(this.#turn, this.#rotation), T, T);
    vec3.addScaled(offsetOrientation, up, -heading, offsetOrientation);
    for (let i = 0; i < 3; i++) {
      const shift = share * offsetPosition[i]!;
      T[9 + i] = T[9 + i]! - shift;
      offsetPosition[i] = offsetPosition[i]! - shift;
    }
  }

  /** The rows or the columns of G·P·Gᵀ, strides as in `transportCovariance`. */
  #removeCommon(P: Float64Array, along: number, across: number): void {
    const u = this.#upInImu;
    const up = this.#up;
    for (let line = 0; line < ERROR_SIZE; line++) {
      const o = line * across;
      const turn = o + Part.orientation * along;
      const heading = u[0] * P[turn]! + u[1] * P[turn + along]! + u[2] * P[turn + 2 * along]!;
      for (let i = 0; i < 3; i++) {
        const place = o + i * along;
        const offsetPlace = place + Part.offsetPosition * along;
        const offsetTurn = place + Part.offsetOrientation * along;
        P[offsetPlace] = P[offsetPlace]! - P[place]!;
        P[place] = 0;
        P[offsetTurn] = P[offsetTurn]! - up[i]! * heading;
        P[turn + i * along] = P[turn + i * along]! - u[i]! * heading;
      }
    }
  }
}
