import type { CameraSide } from "../messages/sensing.js";

const Slot = { left: 0, right: 1, imu: 2, count: 3 } as const;

/**
 * Faults of the simulated sensors, in shared memory: until when each lasts [ms on the run's clock]. The sensors' threads look
 * at it with every sample.
 */
export class InjectedFaults {
  readonly #until: Int32Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Slot.count * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#until = new Int32Array(memory);
  }

  /** A camera's picture stands still: new frames show what the last one did; until `time` [s]. */
  freezeCamera(side: CameraSide, time: number): void {
    Atomics.store(this.#until, Slot[side], Math.round(1e3 * time));
  }

  /** The IMU tells nothing until `time` [s]. */
  silenceImu(time: number): void {
    Atomics.store(this.#until, Slot.imu, Math.round(1e3 * time));
  }

  isFrozen(side: CameraSide, time: number): boolean {
    return 1e3 * time < Atomics.load(this.#until, Slot[side]);
  }

  isImuSilent(time: number): boolean {
    return 1e3 * time < Atomics.load(this.#until, Slot.imu);
  }
}
