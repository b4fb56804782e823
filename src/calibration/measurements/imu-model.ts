import { STANDARD_GRAVITY } from "../../flight/ball.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { RobotParameters } from "../parameters/robot-parameters.js";
import { HeadMotion } from "./head-motion.js";
import { JacobianColumns } from "./jacobian-columns.js";
import { addCross, addDoubleCross, createNeckMotion, type NeckMotion, rotateBack } from "./spatial-motion.js";

const MOUNTING = 0;
const GYRO_BIAS = 6;
const GYRO_SCALE = 9;
const ACCELEROMETER_BIAS = 12;
const ACCELEROMETER_SCALE = 15;
const GRAVITY = 18;
const DELAY = 20;
const NECK = 21;

/**
 * What the IMU says while the neck moves on a standing body: with ω, α, a the head's motion and (R, p) the IMU's mounting,
 *
 *   gyroscope = scale · Rᵀ·ω + bias,   accelerometer = scale · Rᵀ·(a + α × p + ω × (ω × p)) + bias.
 *
 * Six rows: gyroscope, then accelerometer. Derivatives by, in this order: IMU mounting (6), gyroscope bias and scale,
 * accelerometer bias and scale (3 each), gravity (2), IMU delay (1), neck offsets.
 */
export class ImuModel {
  readonly columns: JacobianColumns;
  readonly width: number;
  /** Angular velocity [rad/s], then specific force [m/s²], in the sensor's frame. */
  readonly prediction = new Float64Array(6);
  /** Row-major 6 × `width`. */
  readonly jacobian: Float64Array;
  readonly #parameters: RobotParameters;
  readonly #head: HeadMotion;
  readonly #neck: NeckMotion;
  readonly #seed: NeckMotion;
  readonly #gravity = new Float64Array(3);
  readonly #gravityChange = new Float64Array(3);
  /** Acceleration felt at the IMU, in the head's axes; angular velocity and that in the IMU's. */
  readonly #felt = new Float64Array(3);
  readonly #turned = new Float64Array(6);
  readonly #change = new Float64Array(6);
  readonly #lever = new Float64Array(3);
  readonly #place = new Float64Array(3);

  constructor(rig: CalibrationRig, parameters: RobotParameters, posture: Float64Array) {
    const { imuMounting, gyroBias, gyroScale, accelerometerBias, accelerometerScale } = parameters;
    const { gravity, imuDelay, neckOffsets } = parameters;
    this.#parameters = parameters;
    this.#head = new HeadMotion(rig, posture);
    this.#neck = createNeckMotion(this.#head.jointCount);
    this.#seed = createNeckMotion(this.#head.jointCount);
    this.columns = new JacobianColumns([
      imuMounting,
      gyroBias,
      gyroScale,
      accelerometerBias,
      accelerometerScale,
      gravity,
      imuDelay,
      neckOffsets,
    ]);
    this.width = this.columns.width;
    this.jacobian = new Float64Array(6 * this.width);
  }

  /** For the measured motion of the neck at the time of the sample. */
  predict(measured: NeckMotion): void {
    const { neckOffsets, gravity, gyroBias, gyroScale, accelerometerBias, accelerometerScale } = this.#parameters;
    const neck = this.#neck;
    for (let i = 0; i < this.#head.jointCount; i++) {
      neck.q[i] = measured.q[i]! + neckOffsets.value[i]!;
      neck.qd[i] = measured.qd[i]!;
      neck.qdd[i] = measured.qdd[i]!;
      neck.qddd[i] = measured.qddd[i]!;
    }
    for (let i = 0; i < 3; i++) this.#gravity[i] = STANDARD_GRAVITY * gravity.value[i]!;
    this.#head.evaluate(neck, this.#gravity);
    this.#feel(this.#head.motion, this.#head.motion, this.#head.motion, this.#turned);
    for (let i = 0; i < 3; i++) {
      this.prediction[i] = gyroScale.value[i]! * this.#turned[i]! + gyroBias.value[i]!;
      this.prediction[3 + i] = accelerometerScale.value[i]! * this.#turned[3 + i]! + accelerometerBias.value[i]!;
    }
  }

  predictWithJacobian(measured: NeckMotion): void {
    this.predict(measured);
    this.jacobian.fill(0);
    this.#writeMounting();
    this.#writeSensor();
    this.#writeGravity();
    this.#writeNeck();
  }

  /**
   * Angular velocity and felt acceleration in the IMU's frame: of the motion itself, or its change, the products of angular
   * velocities being first × (second × p), and in the other order where the two differ.
   */
  #feel(motion: Float64Array, first: Float64Array, second: Float64Array, out: Float64Array): void {
    const mounting = this.#parameters.imuMounting.value;
    const felt = this.#felt;
    for (let i = 0; i < 3; i++) felt[i] = motion[6 + i]!;
    addCross(motion, 3, mounting, 9, felt);
    addDoubleCross(first, second, mounting, 9, felt);
    if (first !== second) addDoubleCross(second, first, mounting, 9, felt);
    rotateBack(mounting, motion, 0, out, 0);
    rotateBack(mounting, felt, 0, out, 3);
  }

  /** Moves the IMU by ρ and turns it by φ, both in its own axes: a reading u becomes u + u × φ, p becomes p + R·ρ. */
  #writeMounting(): void {
    const { gyroScale, accelerometerScale, imuMounting } = this.#parameters;
    const { motion } = this.#head;
    const u = this.#turned;
    for (let k = 0; k < 6; k += 3) {
      const scale = k === 0 ? gyroScale.value : accelerometerScale.value;
      const at = k * this.width + MOUNTING + 3;
      this.jacobian[at + 1] = -scale[0]! * u[k + 2]!;
      this.jacobian[at + 2] = scale[0]! * u[k + 1]!;
      this.jacobian[at + this.width] = scale[1]! * u[k + 2]!;
      this.jacobian[at + this.width + 2] = -scale[1]! * u[k]!;
      this.jacobian[at + 2 * this.width] = -scale[2]! * u[k + 1]!;
      this.jacobian[at + 2 * this.width + 1] = scale[2]! * u[k]!;
    }
    for (let column = 0; column < 3; column++) {
      const r = imuMounting.value;
      const lever = this.#lever.fill(0);
      for (let i = 0; i < 3; i++) this.#place[i] = r[3 * i + column]!;
      addCross(motion, 3, this.#place, 0, lever);
      addDoubleCross(motion, motion, this.#place, 0, lever);
      rotateBack(r, lever, 0, lever, 0);
      for (let i = 0; i < 3; i++) {
        this.jacobian[(3 + i) * this.width + MOUNTING + column] = accelerometerScale.value[i]! * lever[i]!;
      }
    }
  }

  #writeSensor(): void {
    for (let i = 0; i < 3; i++) {
      this.jacobian[i * this.width + GYRO_BIAS + i] = 1;
      this.jacobian[i * this.width + GYRO_SCALE + i] = this.#turned[i]!;
      this.jacobian[(3 + i) * this.width + ACCELEROMETER_BIAS + i] = 1;
      this.jacobian[(3 + i) * this.width + ACCELEROMETER_SCALE + i] = this.#turned[3 + i]!;
    }
  }

  #writeGravity(): void {
    const { gravity, imuMounting, accelerometerScale } = this.#parameters;
    const g = this.#gravity;
    const d = this.#gravityChange;
    for (let turn = 0; turn < 2; turn++) {
      const x = gravity.turnAxes[3 * turn]!;
      const y = gravity.turnAxes[3 * turn + 1]!;
      const z = gravity.turnAxes[3 * turn + 2]!;
      d[0] = -(y * g[2]! - z * g[1]!);
      d[1] = -(z * g[0]! - x * g[2]!);
      d[2] = -(x * g[1]! - y * g[0]!);
      this.#head.toHeadAxes(d, d);
      rotateBack(imuMounting.value, d, 0, d, 0);
      for (let i = 0; i < 3; i++) {
        this.jacobian[(3 + i) * this.width + GRAVITY + turn] = accelerometerScale.value[i]! * d[i]!;
      }
    }
  }

  /** Offsets shift the joints, the delay moves them back along their own motion. */
  #writeNeck(): void {
    const seed = this.#seed;
    seed.qd.fill(0);
    seed.qdd.fill(0);
    for (let j = 0; j < this.#head.jointCount; j++) {
      seed.q.fill(0);
      seed.q[j] = 1;
      this.#head.differentiate(seed);
      this.#writeChange(NECK + j, 1);
    }
    seed.q.set(this.#neck.qd);
    seed.qd.set(this.#neck.qdd);
    seed.qdd.set(this.#neck.qddd);
    this.#head.differentiate(seed);
    this.#writeChange(DELAY, -1);
  }

  #writeChange(column: number, sign: 1 | -1): void {
    const { gyroScale, accelerometerScale } = this.#parameters;
    this.#feel(this.#head.change, this.#head.change, this.#head.motion, this.#change);
    for (let i = 0; i < 3; i++) {
      this.jacobian[i * this.width + column] = sign * gyroScale.value[i]! * this.#change[i]!;
      this.jacobian[(3 + i) * this.width + column] = sign * accelerometerScale.value[i]! * this.#change[3 + i]!;
    }
  }
}
