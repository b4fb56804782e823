import { rowDelay } from "../../camera/rolling-shutter.js";
import type { RobotImu } from "../../robot/robot.js";
import { ArmGeometry, type LoadSource } from "../measurements/arm-geometry.js";
import { ImuModel } from "../measurements/imu-model.js";
import { MarkerModel, type Side } from "../measurements/marker-model.js";
import { createNeckMotion, type NeckMotion } from "../measurements/spatial-motion.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { ParameterSet } from "../parameters/parameter-set.js";
import type { RobotParameters } from "../parameters/robot-parameters.js";
import type { PreparedHold, PreparedRecording } from "../recording/prepared-recording.js";
import type { LeastSquaresProblem } from "./levenberg-marquardt.js";
import { NormalBlock, type NormalEquations } from "./normal-equations.js";

/** Standard deviations of what is fitted. */
export interface MeasurementNoise {
  /** Of a marker, in u and in v [px]. */
  readonly pixel: number;
  /** Of a prepared IMU sample [rad/s], [m/s²]. */
  readonly gyroscope: number;
  readonly accelerometer: number;
}

/** A point that has no image costs as much as one so many standard deviations off: the solver must not flee there. */
const NO_IMAGE = 1e8;

/**
 * The one least-squares problem: all markers in all images, all IMU samples, all priors, over all free parameters.
 * Robust where it must be: on the images. The caller sets `lossScale` and switches false detections off in `isUsed`.
 */
export class CalibrationProblem implements LeastSquaresProblem {
  readonly parameters: RobotParameters;
  readonly variables: ParameterSet;
  readonly recording: PreparedRecording;
  readonly imu: RobotImu;
  readonly columnCount: number;
  /** Where the loss of the images leaves the parabola, in standard deviations; Infinity for plain squares. */
  lossScale = Number.POSITIVE_INFINITY;
  noise: MeasurementNoise;
  /** By hold and marker: 1 where it takes part. */
  readonly isUsed: readonly Uint8Array[];
  /** Whether priors take part; off for what the data alone says. */
  priors: "on" | "off" = "on";

  readonly #arms: readonly ArmGeometry[];
  /** Of the cameras' images [px]. */
  readonly #heights: readonly number[];
  readonly #marker: MarkerModel;
  readonly #imu: ImuModel;
  readonly #markerBlocks: readonly (readonly NormalBlock[])[];
  readonly #imuBlock: NormalBlock;
  readonly #neck: NeckMotion;
  readonly #change: Float64Array;
  readonly #residual = new Float64Array(6);

  constructor(
    rig: CalibrationRig,
    parameters: RobotParameters,
    recording: PreparedRecording,
    noise: MeasurementNoise,
    loads: LoadSource = "model",
  ) {
    this.parameters = parameters;
    this.variables = parameters.set;
    this.recording = recording;
    this.imu = rig.imu;
    this.noise = noise;
    this.columnCount = parameters.set.columnCount;
    this.isUsed = recording.holds.map(({ markers }) => new Uint8Array(markers.count).fill(1));
    const { posture } = recording;
    this.#arms = rig.arms.map((_, arm) => new ArmGeometry(rig, arm, parameters, posture, loads));
    this.#heights = rig.cameras.map(({ height }) => height);
    this.#marker = new MarkerModel(rig, parameters, posture);
    this.#imu = new ImuModel(rig, parameters, posture);
    this.#markerBlocks = this.#marker.columns.map((sides) => sides.map((columns) => new NormalBlock(columns)));
    this.#imuBlock = new NormalBlock(this.#imu.columns);
    this.#neck = createNeckMotion(rig.neck.dofs.length);
    this.#change = new Float64Array(this.columnCount);
  }

  cost(): number {
    this.#marker.update();
    let cost = this.#priorCost();
    for (const [k, hold] of this.recording.holds.entries()) {
      this.#arms[hold.arm]!.evaluate(hold.posture);
      for (let i = 0; i < hold.markers.count; i++) {
        if (this.isUsed[k]![i] === 1) cost += 0.5 * lossOf(this.lossScale, this.#markerSquares(hold, i));
      }
      for (let i = 0; i < hold.imu.count; i++) cost += 0.5 * this.#imuSquares(hold, i);
    }
    return cost;
  }

  linearize(normal: NormalEquations): number {
    this.#marker.update();
    normal.clear();
    for (const block of this.#markerBlocks.flat()) block.clear();
    this.#imuBlock.clear();
    let cost = this.#priorCost();
    for (const [k, hold] of this.recording.holds.entries()) {
      this.#arms[hold.arm]!.evaluate(hold.posture);
      for (let i = 0; i < hold.markers.count; i++) {
        if (this.isUsed[k]![i] === 1) cost += this.#addMarker(hold, i);
      }
      for (let i = 0; i < hold.imu.count; i++) cost += this.#addImu(hold, i);
    }
    for (const block of this.#markerBlocks.flat()) block.scatterInto(normal);
    this.#imuBlock.scatterInto(normal);
    if (this.priors === "on") this.#addPriors(normal);
    normal.finish();
    return cost;
  }

  /** u, v measured less predicted of every marker of a hold [px]; NaN where it has no image. */
  markerResiduals(hold: number): Float64Array {
    const { markers, arm, posture } = this.recording.holds[hold]!;
    const out = new Float64Array(2 * markers.count).fill(Number.NaN);
    this.#marker.update();
    this.#arms[arm]!.evaluate(posture);
    for (let i = 0; i < markers.count; i++) {
      if (!this.#predictMarker(this.recording.holds[hold]!, i)) continue;
      out[2 * i] = markers.pixels[2 * i]! - this.#marker.pixel[0]!;
      out[2 * i + 1] = markers.pixels[2 * i + 1]! - this.#marker.pixel[1]!;
    }
    return out;
  }

  /** Measured less predicted of every IMU sample of a hold, six of each [rad/s], [m/s²]. */
  imuResiduals(hold: number): Float64Array {
    const { imu } = this.recording.holds[hold]!;
    const out = new Float64Array(6 * imu.count);
    for (let i = 0; i < imu.count; i++) {
      this.#predictImu(this.recording.holds[hold]!, i);
      for (let k = 0; k < 6; k++) out[6 * i + k] = imu.values[6 * i + k]! - this.#imu.prediction[k]!;
    }
    return out;
  }

  #predictMarker(hold: PreparedHold, i: number): boolean {
    const { markers } = hold;
    hold.neck.evaluate(this.#exposure(hold, i), this.#neck);
    return this.#marker.predict(markers.side[i] as Side, this.#arms[hold.arm]!.point, this.#neck.q);
  }

  /** The row in which a marker was seen, from the middle one. */
  #rowOf({ markers }: PreparedHold, i: number): number {
    return rowDelay(markers.pixels[2 * i + 1]!, this.#heights[markers.side[i]!]!, 1);
  }

  /** When that row was exposed, on the clock of the neck's joints [s]. */
  #exposure(hold: PreparedHold, i: number): number {
    const { cameraDelay, rowTimes } = this.parameters;
    const rowTime = rowTimes[hold.markers.side[i] as Side].value[0]!;
    return hold.markers.stamp[i]! - cameraDelay.value[0]! + rowTime * this.#rowOf(hold, i);
  }

  #markerSquares(hold: PreparedHold, i: number): number {
    return this.#predictMarker(hold, i) ? this.#pixelSquares(hold, i) : NO_IMAGE;
  }

  #pixelSquares({ markers }: PreparedHold, i: number): number {
    const { pixel } = this.#marker;
    const du = (markers.pixels[2 * i]! - pixel[0]!) / this.noise.pixel;
    const dv = (markers.pixels[2 * i + 1]! - pixel[1]!) / this.noise.pixel;
    return du * du + dv * dv;
  }

  #predictImu({ imu, neck }: PreparedHold, i: number): void {
    neck.evaluate(imu.stamp[i]! - this.parameters.imuDelay.value[0]!, this.#neck);
    this.#imu.predict(this.#neck);
  }

  #imuSquares(hold: PreparedHold, i: number): number {
    this.#predictImu(hold, i);
    let sum = 0;
    for (let k = 0; k < 6; k++) {
      const sigma = k < 3 ? this.noise.gyroscope : this.noise.accelerometer;
      const r = (hold.imu.values[6 * i + k]! - this.#imu.prediction[k]!) / sigma;
      sum += r * r;
    }
    return sum;
  }

  /** Here residuals are predicted less measured: their derivatives are then those of the prediction. */
  #addMarker(hold: PreparedHold, i: number): number {
    const { markers } = hold;
    const side = markers.side[i] as Side;
    hold.neck.evaluate(this.#exposure(hold, i), this.#neck);
    const model = this.#marker;
    const row = this.#rowOf(hold, i);
    const isSeen = model.predictWithJacobian(side, this.#arms[hold.arm]!, this.#neck.q, this.#neck.qd, row);
    if (!isSeen) return 0.5 * lossOf(this.lossScale, NO_IMAGE);
    const s = this.#pixelSquares(hold, i);
    const weight = weightOf(this.lossScale, s) / this.noise.pixel ** 2;
    const block = this.#markerBlocks[hold.arm]![side]!;
    const du = model.pixel[0]! - markers.pixels[2 * i]!;
    const dv = model.pixel[1]! - markers.pixels[2 * i + 1]!;
    block.add(model.jacobian, 0, model.width, du, dv, weight);
    return 0.5 * lossOf(this.lossScale, s);
  }

  #addImu(hold: PreparedHold, i: number): number {
    const model = this.#imu;
    hold.neck.evaluate(hold.imu.stamp[i]! - this.parameters.imuDelay.value[0]!, this.#neck);
    model.predictWithJacobian(this.#neck);
    const { prediction, width } = model;
    const { values } = hold.imu;
    let sum = 0;
    for (let row = 0; row < 6; row++) {
      const sigma = row < 3 ? this.noise.gyroscope : this.noise.accelerometer;
      this.#residual[row] = prediction[row]! - values[6 * i + row]!;
      sum += (this.#residual[row]! / sigma) ** 2;
    }
    const r = this.#residual;
    const gyroWeight = 1 / this.noise.gyroscope ** 2;
    const forceWeight = 1 / this.noise.accelerometer ** 2;
    this.#imuBlock.add(model.jacobian, 0, width, r[0]!, r[1]!, gyroWeight);
    // The third axes go singly: with themselves, at half the weight.
    this.#imuBlock.add(model.jacobian, 2 * width, 2 * width, r[2]!, r[2]!, gyroWeight / 2);
    this.#imuBlock.add(model.jacobian, 3 * width, 4 * width, r[3]!, r[4]!, forceWeight);
    this.#imuBlock.add(model.jacobian, 5 * width, 5 * width, r[5]!, r[5]!, forceWeight / 2);
    return 0.5 * sum;
  }

  #priorCost(): number {
    if (this.priors === "off") return 0;
    const { set } = this.parameters;
    set.change(this.#change);
    let sum = 0;
    for (let i = 0; i < this.columnCount; i++) sum += (this.#change[i]! * set.priorWeights[i]!) ** 2;
    return 0.5 * sum;
  }

  #addPriors(normal: NormalEquations): void {
    const { priorWeights } = this.parameters.set;
    for (let i = 0; i < this.columnCount; i++) {
      const weight = priorWeights[i]! ** 2;
      normal.matrix[i * this.columnCount + i] = normal.matrix[i * this.columnCount + i]! + weight;
      normal.gradient[i] = normal.gradient[i]! + weight * this.#change[i]!;
    }
  }
}

/** Loss of a squared whitened residual s: s itself, or Cauchy's, which hardly grows beyond `scale` standard deviations. */
export function lossOf(scale: number, s: number): number {
  const limit = scale * scale;
  return limit < Number.POSITIVE_INFINITY ? limit * Math.log1p(s / limit) : s;
}

/** Derivative of the loss by s: the weight of the residual in reweighted least squares. */
export function weightOf(scale: number, s: number): number {
  const limit = scale * scale;
  return limit < Number.POSITIVE_INFINITY ? limit / (limit + s) : 1;
}
