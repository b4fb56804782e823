import * as lie from "../../math/lie.js";
import * as matrix from "../../math/matrix.js";
import type { Pose } from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import { ERROR_SIZE, Part } from "./error-state.js";
import type { HeadPoseOptions } from "./head-pose-options.js";
import type { InertialState } from "./inertial-state.js";

/**
 * The covariance of what the error of the head's pose gained over a horizon h, from that of the filter's errors. An error e(t) came from e(t − h) by the filter's own dynamics, so with the errors of velocity, orientation
 * and biases at t
 *
 * e_p(t) − e_p(t − h) = h·e_v − ½h²·e_a,  e_a = −f × (R·e_θ) − R·e_ba,  e_θ(t) − e_θ(t − h) = −h·e_bg,
 *
 * f being the specific force that holds against gravity, plus the IMU's white noise integrated over h.
 */
export class PoseCovariance {
  readonly #headFromImu: Float64Array;
  readonly #force: Vec3;
  readonly #options: HeadPoseOptions;
  /** Rows of the selecting matrix: pose error in the IMU's axes by all errors. [6 × 21] */
  readonly #select = new Float64Array(6 * ERROR_SIZE);
  readonly #product = new Float64Array(6 * ERROR_SIZE);
  readonly #poseCovariance = new Float64Array(36);
  readonly #half = new Float64Array(36);

  constructor(options: HeadPoseOptions) {
    this.#headFromImu = lie.adjoint(options.headFromImu, new Float64Array(36));
    this.#force = options.gravity.map((g) => -g) as Vec3;
    this.#options = options;
  }

  /** Of what the error gained over the horizon, in the head's axes. [6 × 6] */
  relative(state: InertialState, out: Float64Array): Float64Array {
    const { horizon: h, imu } = this.#options;
    this.#selectGain(state.worldFromImu);
    // S·P·Sᵀ
    matrix.multiply(this.#select, state.covariance, 6, ERROR_SIZE, ERROR_SIZE, this.#product);
    matrix.multiplyTransposeRight(this.#product, this.#select, 6, ERROR_SIZE, 6, this.#poseCovariance);
    const { gyroNoiseDensity: gyro, accelerometerNoiseDensity: accelerometer } = imu;
    for (let i = 0; i < 3; i++) {
      this.#poseCovariance[7 * i] = this.#poseCovariance[7 * i]! + (accelerometer * accelerometer * h * h * h) / 3;
      this.#poseCovariance[7 * i + 21] = this.#poseCovariance[7 * i + 21]! + gyro * gyro * h;
    }
    return this.#toHead(out);
  }

  /** Independent errors of position [m²] and orientation [rad²], alike in all directions, at the IMU. */
  isotropic(position: number, orientation: number, out: Float64Array): Float64Array {
    this.#poseCovariance.fill(0);
    for (let i = 0; i < 3; i++) {
      this.#poseCovariance[7 * i] = position;
      this.#poseCovariance[7 * i + 21] = orientation;
    }
    return this.#toHead(out);
  }

  /** In the IMU's axes: Rᵀ(h·e_v + ½h²·f × R·e_θ) + ½h²·e_ba, and −h·e_bg. */
  #selectGain(R: Pose): void {
    const S = this.#select.fill(0);
    const h = this.#options.horizon;
    const q = 0.5 * h * h;
    const f = this.#force;
    for (let i = 0; i < 3; i++) {
      const row = i * ERROR_SIZE;
      // Row i of Rᵀ, and of Rᵀ·[f]×: (column i of R) × f.
      const x = R[i]!;
      const y = R[3 + i]!;
      const z = R[6 + i]!;
      S[row + Part.velocity] = h * x;
      S[row + Part.velocity + 1] = h * y;
      S[row + Part.velocity + 2] = h * z;
      const cx = q * (y * f[2] - z * f[1]);
      const cy = q * (z * f[0] - x * f[2]);
      const cz = q * (x * f[1] - y * f[0]);
      for (let j = 0; j < 3; j++) S[row + Part.orientation + j] = cx * R[j]! + cy * R[3 + j]! + cz * R[6 + j]!;
      S[row + Part.accelerometerBias + i] = q;
      S[(3 + i) * ERROR_SIZE + Part.gyroBias + i] = -h;
    }
  }

  #toHead(out: Float64Array): Float64Array {
    matrix.multiply(this.#headFromImu, this.#poseCovariance, 6, 6, 6, this.#half);
    matrix.multiplyTransposeRight(this.#half, this.#headFromImu, 6, 6, 6, out);
    return matrix.symmetrize(out, 6, out);
  }
}
