import { expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { HeadPoseEstimate } from "../../../src/tracking/pose/head-pose-estimate.js";
import { HeadPoseFilter } from "../../../src/tracking/pose/head-pose-filter.js";
import {
  headPoseOptionsOf,
  offsetTranslationRate,
  translationVariance,
} from "../../../src/tracking/pose/head-pose-options.js";
import { robot } from "./shaken-run.js";

const ACTIVITY = 0.5;

/** The textbook's linear Kalman filter of height, speed, accelerometer bias and kinematic offset. */
class VerticalFilter {
  readonly x = [0, 0, 0, 0];
  P: number[][];

  constructor(variances: readonly number[]) {
    this.P = variances.map((variance, i) => variances.map((_, j) => (i === j ? variance : 0)));
  }

  predict(step: number, before: number, after: number, noise: readonly number[], walk: readonly number[]): void {
    const [z, v, bias, offset] = this.x as [number, number, number, number];
    const [a, b] = [before - bias - 9.81, after - bias - 9.81];
    this.x.splice(0, 4, z + step * v + (step * step * (2 * a + b)) / 6, v + 0.5 * step * (a + b), bias, offset);
    const F = [
      [1, step, -0.5 * step * step, 0],
      [0, 1, -step, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ];
    const [q] = noise as [number];
    const Q = [
      [(q * step * step) / 3, (q * step) / 2, 0, 0],
      [(q * step) / 2, q, 0, 0],
      [0, 0, walk[0]!, 0],
      [0, 0, 0, walk[1]!],
    ];
    const product = (A: number[][], B: number[][]): number[][] =>
      A.map((row) => B[0]!.map((_, j) => row.reduce((sum, entry, k) => sum + entry * B[k]![j]!, 0)));
    const transposed = F[0]!.map((_, j) => F.map((row) => row[j]!));
    this.P = product(product(F, this.P), transposed).map((row, i) => row.map((entry, j) => entry + Q[i]![j]!));
  }

  /** Kinematics says z − offset. */
  correct(measured: number, variance: number): void {
    const h = [1, 0, 0, -1];
    const g = this.P.map((row) => row.reduce((sum, entry, j) => sum + entry * h[j]!, 0));
    const s = g[0]! - g[3]! + variance;
    const innovation = measured - (this.x[0]! - this.x[3]!);
    for (let i = 0; i < 4; i++) this.x[i] = this.x[i]! + (g[i]! / s) * innovation;
    this.P = this.P.map((row, i) => row.map((entry, j) => entry - (g[i]! * g[j]!) / s));
  }
}

it("is a linear Kalman filter where the motion is vertical", () => {
  const options = headPoseOptionsOf(robot);
  const { imu, structure, headFromImu, correctionPeriod } = options;
  const filter = new HeadPoseFilter(options);
  const random = new Random("vertical");
  const reference = new VerticalFilter([
    0,
    (structure.vibrationTranslation * structure.vibrationFrequency) ** 2,
    structure.turnOnAccelerometerBias ** 2,
    // What the first pose did not tell of the offset, once that pose is where the world is: its vibration.
    structure.vibrationTranslation ** 2,
  ]);
  const worldFromHead = pose.create();
  const estimate = new HeadPoseEstimate();
  const [rate, force] = [vec3.create(), vec3.create()];
  const step = 1 / 512;
  let before = 0;
  for (let k = 0; k < 400; k++) {
    const time = k * step;
    const after = 9.81 + 0.5 * Math.sin(40 * time) + 0.03 * random.normal();
    const height = 0.01 * Math.sin(3 * time) + 0.001 * random.normal();
    worldFromHead[11] = height;
    force[2] = after;
    filter.addKinematics(time, worldFromHead, ACTIVITY);
    filter.addImu(time, rate, force);
    if (k === 0) reference.x[0] = height + headFromImu[11];
    else {
      const noise = imu.accelerometerNoiseDensity ** 2 * step;
      const walks = [imu.accelerometerBiasWalk ** 2 * step, offsetTranslationRate(structure, ACTIVITY) * step];
      reference.predict(step, before, after, [noise], walks);
      const isDue = Math.floor(time / correctionPeriod) !== Math.floor(((k - 1) * step) / correctionPeriod);
      if (isDue) reference.correct(height + headFromImu[11], translationVariance(structure, ACTIVITY));
    }
    before = after;
    filter.estimate(time, estimate);
    expect(estimate.worldFromHead[11]).toBeCloseTo(reference.x[0]! - headFromImu[11], 6);
    expect(estimate.twist[2]).toBeCloseTo(reference.x[1]!, 5);
  }
  const [, accelerometer] = [vec3.create(), vec3.create()];
  filter.biases(rate, accelerometer);
  expect(accelerometer[2]).toBeCloseTo(reference.x[2]!, 5);
  // The covariance handed out: drift over the horizon, from speed and bias as they are known now.
  const h = options.horizon;
  const [, velocity, bias] = reference.P as [number[], number[], number[], number[]];
  const drift = h * h * velocity[1]! + h ** 3 * velocity[2]! + 0.25 * h ** 4 * bias[2]!;
  expect(estimate.covariance[14]).toBeCloseTo(drift + (imu.accelerometerNoiseDensity ** 2 * h ** 3) / 3, 8);
});
