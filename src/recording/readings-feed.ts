import * as vec3 from "../math/vec3.js";
import type { Readings } from "../messages/recording.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import type { ItemOf, RecordingHeader } from "./recording.js";

/** What takes the readings, each at the tick at which it was known. */
export interface ReadingsTaker {
  addJoints(reading: JointReading): void;
  addImu(time: number, angularVelocity: vec3.Vec3, specificForce: vec3.Vec3): void;
}

/** No sample waits longer than this for the item it is in to be written [ns]. */
const LONGEST_BATCH_NS = 100_000_000;

/** Tells the sense of the head what encoders and IMU had said, each sample at the tick at which it was known. */
export class ReadingsFeed {
  readonly #dofs: NonNullable<RecordingHeader["readings"]>;
  readonly #batches: { readonly item: ItemOf<"sensors/readings">; joints: number; imu: number }[] = [];
  /** Memory of the reading being told: joints that were not recorded stay at zero. */
  readonly #reading: { time: number } & Record<"q" | "qd" | "commanded", Float64Array>;
  readonly #angularVelocity = vec3.create();
  readonly #specificForce = vec3.create();

  /** `count` is the number of the robot's joints. */
  constructor(dofs: NonNullable<RecordingHeader["readings"]>, count: number) {
    this.#dofs = dofs;
    const [q, qd, commanded] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    this.#reading = { time: Number.NaN, q, qd, commanded };
  }

  add(item: ItemOf<"sensors/readings">): void {
    this.#batches.push({ item, joints: 0, imu: 0 });
  }

  /** All that was known by `nowNs` and has not been told: of each tick joints first, then the IMU. */
  deliver(nowNs: number, to: ReadingsTaker): void {
    const batches = this.#batches;
    for (let n = 0; n < batches.length && batches[n]!.item.timeNs <= nowNs + LONGEST_BATCH_NS; n++) {
      const batch = batches[n]!;
      const { joints } = batch.item;
      while (joints.arrivalNs[batch.joints]! <= nowNs) this.#tellJoints(joints, batch.joints++, to);
    }
    for (let n = 0; n < batches.length && batches[n]!.item.timeNs <= nowNs + LONGEST_BATCH_NS; n++) {
      const batch = batches[n]!;
      const { imu } = batch.item;
      while (imu.arrivalNs[batch.imu]! <= nowNs) this.#tellImu(imu, batch.imu++, to);
    }
    const [first] = this.#batches;
    if (first === undefined) return;
    const { joints, imu } = first.item;
    if (first.joints >= joints.time.length && first.imu >= imu.time.length) this.#batches.shift();
  }

  #tellJoints({ time, q, qd, commanded }: Readings["joints"], k: number, to: ReadingsTaker): void {
    const reading = this.#reading;
    reading.time = time[k]!;
    spread(q, k, this.#dofs.q, reading.q);
    spread(qd, k, this.#dofs.qd, reading.qd);
    spread(commanded, k, this.#dofs.commanded, reading.commanded);
    to.addJoints(reading);
  }

  #tellImu({ time, angularVelocity, specificForce }: Readings["imu"], k: number, to: ReadingsTaker): void {
    pick(angularVelocity, k, this.#angularVelocity);
    pick(specificForce, k, this.#specificForce);
    to.addImu(time[k]!, this.#angularVelocity, this.#specificForce);
  }
}

/** The k-th values of some joints, into an array of all. */
function spread(values: Float64Array, k: number, dofs: readonly number[], out: Float64Array): void {
  for (let i = 0, at = k * dofs.length; i < dofs.length; i++, at++) out[dofs[i]!] = values[at]!;
}

function pick(values: Float64Array, k: number, out: vec3.Vec3): void {
  vec3.set(values[3 * k]!, values[3 * k + 1]!, values[3 * k + 2]!, out);
}
