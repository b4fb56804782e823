import type { Understanding } from "../../catching/seeing/understanding.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { Numbers, ReadingsItem, RecordingHeader } from "../recorded-messages.js";

/** No sample waits longer than this for the item it is in to be written [ns]. */
const LONGEST_BATCH_NS = 100_000_000;

/** Tells the sense of the head what encoders and IMU had said, each sample at the tick at which it was known. */
export class ReadingsFeed {
  readonly #dofs: NonNullable<RecordingHeader["readings"]>;
  readonly #count: number;
  readonly #batches: { readonly item: ReadingsItem; joints: number; imu: number }[] = [];
  readonly #angularVelocity = vec3.create();
  readonly #specificForce = vec3.create();

  /** `count` is the number of the robot's joints. */
  constructor(dofs: NonNullable<RecordingHeader["readings"]>, count: number) {
    this.#dofs = dofs;
    this.#count = count;
  }

  add(item: ReadingsItem): void {
    this.#batches.push({ item, joints: 0, imu: 0 });
  }

  /** All that was known by `nowNs` and has not been told: of each tick joints first, then the IMU. */
  deliver(nowNs: number, to: Understanding): void {
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

  #tellJoints({ time, q, qd, commanded }: ReadingsItem["joints"], k: number, to: Understanding): void {
    to.addJoints({
      time: time[k]!,
      q: this.#spread(q, k, this.#dofs.q),
      qd: this.#spread(qd, k, this.#dofs.qd),
      commanded: this.#spread(commanded, k, this.#dofs.commanded),
    });
  }

  /** Values of some joints, in an array of all. */
  #spread(values: Numbers, k: number, dofs: Numbers): Float64Array {
    const all = new Float64Array(this.#count);
    for (let i = 0; i < dofs.length; i++) all[dofs[i]!] = values[k * dofs.length + i]!;
    return all;
  }

  #tellImu({ time, angularVelocity, specificForce }: ReadingsItem["imu"], k: number, to: Understanding): void {
    pick(angularVelocity, k, this.#angularVelocity);
    pick(specificForce, k, this.#specificForce);
    to.addImu(time[k]!, this.#angularVelocity, this.#specificForce);
  }
}

function pick(values: Numbers, k: number, out: Vec3): void {
  vec3.set(values[3 * k]!, values[3 * k + 1]!, values[3 * k + 2]!, out);
}
