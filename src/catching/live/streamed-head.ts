import { createRigidMotion, type RigidMotion } from "../../simulation/head-motion/elastic-chain.js";
import type { ImuCarrier } from "../../simulation/head-motion/imu-simulator.js";
import { IMU_DELAY, type WorldRecord } from "../../simulation/robot-sim/world-record.js";

/** Records kept: those of the last tenth of a second. */
const KEPT = 128;

/** The motion of the IMU's place as it comes over the wire, a record a step: answers for any time between two of them. */
export class StreamedHead implements ImuCarrier {
  readonly #times = new Float64Array(KEPT).fill(Number.NaN);
  readonly #motions = Array.from({ length: KEPT }, createRigidMotion);
  #count = 0;

  /** Time of the newest record [s]; NaN before the first. */
  get time(): number {
    return this.#count === 0 ? Number.NaN : this.#times[(this.#count - 1) % KEPT]!;
  }

  /** @param time of the record, on the run's clock [s] */
  add(record: WorldRecord, time: number): void {
    const at = this.#count++ % KEPT;
    this.#times[at] = time - IMU_DELAY;
    record.motion("imu", this.#motions[at]!);
  }

  /** Linear between the records before and after: they are a millisecond apart, the shaking has periods of fifty. */
  imuAt(time: number, out: RigidMotion): boolean {
    const oldest = Math.max(0, this.#count - KEPT);
    for (let k = this.#count - 1; k > oldest; k--) {
      const before = (k - 1) % KEPT;
      if (!(this.#times[before]! <= time)) continue;
      if (!(time <= this.#times[k % KEPT]!)) return false;
      const span = this.#times[k % KEPT]! - this.#times[before]!;
      blend(this.#motions[before]!, this.#motions[k % KEPT]!, (time - this.#times[before]!) / span, out);
      return true;
    }
    return false;
  }
}

/** Rotations so near to each other may be blended by their entries. */
function blend(a: RigidMotion, b: RigidMotion, share: number, out: RigidMotion): void {
  for (let i = 0; i < 12; i++) {
    out.worldFromBody[i] = a.worldFromBody[i]! + share * (b.worldFromBody[i]! - a.worldFromBody[i]!);
  }
  for (let i = 0; i < 6; i++) {
    out.twist[i] = a.twist[i]! + share * (b.twist[i]! - a.twist[i]!);
    out.acceleration[i] = a.acceleration[i]! + share * (b.acceleration[i]! - a.acceleration[i]!);
  }
}
