import * as cholesky from "../../src/math/cholesky.js";
import * as lie from "../../src/math/lie.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { PoseSource } from "../../src/tracking/pose/head-pose-estimate.js";
import type { ShakenHead } from "./shaken-head.js";

/** Raster on which head poses are compared [s]. */
export const POSE_RASTER = 0.01;

/** Sums of squares, for a root mean square. */
export class Squares {
  sum = 0;
  count = 0;

  add(value: number): void {
    this.sum += value;
    this.count++;
  }

  get rms(): number {
    return Math.sqrt(this.sum / this.count);
  }
}

/** With the IMU and without. */
export interface BothSides<T> {
  readonly on: T;
  readonly off: T;
}

interface PoseError {
  /** Of true · estimate⁻¹, in the world. */
  readonly twist: Float64Array;
  /** Where the head truly was. */
  readonly head: pose.Pose;
}

/** Pose errors over one throw. */
export class PoseRecord {
  readonly #errors: BothSides<PoseError[]> = { on: [], off: [] };
  readonly #samples: { truth: pose.Pose; estimate: pose.Pose; covariance: Float64Array }[] = [];
  #lag = 0;

  add(head: ShakenHead, time: number, horizon: number): void {
    const truth = head.truth(time);
    this.#lag = Math.round(horizon / POSE_RASTER);
    for (const side of ["on", "off"] as const) {
      const { worldFromHead, covariance, source } = head.estimate(side, time);
      if (source === PoseSource.none) throw new Error(`no head pose at ${time} s`);
      const error = pose.compose(truth, pose.invert(worldFromHead, pose.create()), pose.create());
      this.#errors[side].push({ twist: lie.se3Log(error, new Float64Array(6)), head: truth });
      if (side === "on") {
        const estimate = pose.copy(worldFromHead, pose.create());
        this.#samples.push({ truth, estimate, covariance: covariance.slice() });
      }
    }
  }

  summarize(rotation: BothSides<Squares>, translation: BothSides<Squares>, nees: Squares): void {
    for (const side of ["on", "off"] as const)
      this.#addResiduals(this.#errors[side], rotation[side], translation[side]);
    for (let i = this.#lag; i < this.#samples.length; i += this.#lag) nees.add(this.#consistency(i));
  }

  /** What is left of the errors without their mean over the throw, which is but a shift of the world, at the head. */
  #addResiduals(errors: readonly PoseError[], rotation: Squares, translation: Squares): void {
    const mean = new Float64Array(6).map(
      (_, i) => errors.reduce((sum, { twist }) => sum + twist[i]!, 0) / errors.length,
    );
    for (const { twist, head } of errors) {
      const linear = vec3.create(twist[0]! - mean[0]!, twist[1]! - mean[1]!, twist[2]! - mean[2]!);
      const angular = vec3.create(twist[3]! - mean[3]!, twist[4]! - mean[4]!, twist[5]! - mean[5]!);
      rotation.add(vec3.squaredNorm(angular));
      const place = pose.getTranslation(head, vec3.create());
      translation.add(vec3.squaredNorm(vec3.add(linear, vec3.cross(angular, place, place), linear)));
    }
  }

  /** Squared error gained over the horizon by its covariance; 6 on average if that is right. */
  #consistency(i: number): number {
    const now = this.#samples[i]!;
    const before = this.#samples[i - this.#lag]!;
    const moved = pose.composeInverse(before.truth, now.truth, pose.create());
    const believed = pose.composeInverse(before.estimate, now.estimate, pose.create());
    const error = lie.se3Log(pose.composeInverse(believed, moved, pose.create()), new Float64Array(6));
    const factor = new Float64Array(36);
    if (cholesky.factor(now.covariance, 6, factor) !== cholesky.MatrixStatus.ok) throw new Error("no covariance");
    return cholesky.solveLower(factor, error, 6, error).reduce((sum, x) => sum + x * x, 0);
  }
}
