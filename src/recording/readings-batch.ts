import type { Vec3 } from "../math/vec3.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import type { ReadingsItem, RecordingHeader } from "./recorded-messages.js";

/** Gathers what encoders and IMU say, so that a thousand readings a second are a handful of items. */
export class ReadingsBatch {
  readonly #dofs: NonNullable<RecordingHeader["readings"]>;
  #item = emptyReadings();

  constructor(dofs: NonNullable<RecordingHeader["readings"]>) {
    this.#dofs = dofs;
  }

  addJoints({ time, q, qd, commanded }: JointReading, nowNs: number): void {
    const { joints } = this.#item;
    joints.time.push(time);
    joints.arrivalNs.push(nowNs);
    for (const dof of this.#dofs.q) joints.q.push(q[dof]! + 0);
    for (const dof of this.#dofs.qd) joints.qd.push(qd[dof]! + 0);
    for (const dof of this.#dofs.commanded) joints.commanded.push(commanded[dof]! + 0);
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3, nowNs: number): void {
    const { imu } = this.#item;
    imu.time.push(time);
    imu.arrivalNs.push(nowNs);
    for (let k = 0; k < 3; k++) imu.angularVelocity.push(angularVelocity[k]! + 0);
    for (let k = 0; k < 3; k++) imu.specificForce.push(specificForce[k]! + 0);
  }

  /** What has been gathered since the last call, as one item; null if nothing was. */
  take(timeNs: number): ReadingsItem | null {
    const { joints, imu } = this.#item;
    if (joints.time.length === 0 && imu.time.length === 0) return null;
    this.#item = emptyReadings();
    return { topic: "sensors/readings", timeNs, joints, imu };
  }
}

function emptyReadings() {
  return {
    joints: {
      time: [] as number[],
      arrivalNs: [] as number[],
      q: [] as number[],
      qd: [] as number[],
      commanded: [] as number[],
    },
    imu: {
      time: [] as number[],
      arrivalNs: [] as number[],
      angularVelocity: [] as number[],
      specificForce: [] as number[],
    },
  };
}
