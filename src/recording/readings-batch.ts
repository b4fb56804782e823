import type { Vec3 } from "../math/vec3.js";
import { MAX_READINGS, type Readings } from "../messages/recording.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import type { RecordingHeader } from "./recording.js";

/** Puts readings of encoders and IMU together, so that a thousand readings a second are a handful of messages. */
export class ReadingsBatch {
  readonly #dofs: NonNullable<RecordingHeader["readings"]>;
  #joints = emptyJoints();
  #imu = emptyImu();

  constructor(dofs: NonNullable<RecordingHeader["readings"]>) {
    this.#dofs = dofs;
  }

  /** Whether half of the room in a message is used up: it should be taken. */
  get isFull(): boolean {
    return Math.max(this.#joints.time.length, this.#imu.time.length) >= MAX_READINGS / 2;
  }

  addJoints({ time, q, qd, commanded }: JointReading, nowNs: number): void {
    const joints = this.#joints;
    joints.time.push(time);
    joints.arrivalNs.push(nowNs);
    for (const dof of this.#dofs.q) joints.q.push(q[dof]!);
    for (const dof of this.#dofs.qd) joints.qd.push(qd[dof]!);
    for (const dof of this.#dofs.commanded) joints.commanded.push(commanded[dof]!);
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3, nowNs: number): void {
    const imu = this.#imu;
    imu.time.push(time);
    imu.arrivalNs.push(nowNs);
    for (let k = 0; k < 3; k++) imu.angularVelocity.push(angularVelocity[k]!);
    for (let k = 0; k < 3; k++) imu.specificForce.push(specificForce[k]!);
  }

  /** What has been gathered since the last call; null if nothing was. */
  take(): Readings | null {
    const [joints, imu] = [this.#joints, this.#imu];
    if (joints.time.length === 0 && imu.time.length === 0) return null;
    this.#joints = emptyJoints();
    this.#imu = emptyImu();
    return { joints: columnsOf(joints), imu: columnsOf(imu) };
  }
}

function emptyJoints(): Record<keyof Readings["joints"], number[]> {
  return { time: [], arrivalNs: [], q: [], qd: [], commanded: [] };
}

function emptyImu(): Record<keyof Readings["imu"], number[]> {
  return { time: [], arrivalNs: [], angularVelocity: [], specificForce: [] };
}

function columnsOf<K extends string>(lists: Readonly<Record<K, readonly number[]>>): Record<K, Float64Array> {
  const entries = Object.entries<readonly number[]>(lists).map(([name, values]) => [name, Float64Array.from(values)]);
  return Object.fromEntries(entries) as Record<K, Float64Array>;
}
