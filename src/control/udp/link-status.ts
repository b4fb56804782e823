import type { ClientMode, ClientSession } from "./client-session.js";
import type { RobotFault, RobotMode } from "./robot-session.js";

const Slot = {
  clientMode: 0,
  robotMode: 1,
  robotFault: 2,
  received: 3,
  lost: 4,
  stale: 5,
  unreadable: 6,
  roundTripUs: 7,
  count: 8,
} as const;

/** How the link to a robot fares, in shared memory: the link's thread writes it, anyone reads it. */
export class LinkStatus {
  readonly #slots: Int32Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Slot.count * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory);
  }

  get clientMode(): ClientMode {
    return Atomics.load(this.#slots, Slot.clientMode) as ClientMode;
  }

  get robotMode(): RobotMode {
    return Atomics.load(this.#slots, Slot.robotMode) as RobotMode;
  }

  get robotFault(): RobotFault {
    return Atomics.load(this.#slots, Slot.robotFault) as RobotFault;
  }

  /** States received, that never came, that came too late, and datagrams that were no frames. */
  get counts(): { received: number; lost: number; stale: number; unreadable: number } {
    const slots = this.#slots;
    return {
      received: Atomics.load(slots, Slot.received),
      lost: Atomics.load(slots, Slot.lost),
      stale: Atomics.load(slots, Slot.stale),
      unreadable: Atomics.load(slots, Slot.unreadable),
    };
  }

  /** Of the last state [s]. */
  get roundTrip(): number {
    return Atomics.load(this.#slots, Slot.roundTripUs) / 1e6;
  }

  update({ mode, robotMode, robotFault, counts, roundTrip }: ClientSession): void {
    const slots = this.#slots;
    Atomics.store(slots, Slot.clientMode, mode);
    Atomics.store(slots, Slot.robotMode, robotMode);
    Atomics.store(slots, Slot.robotFault, robotFault);
    Atomics.store(slots, Slot.received, counts.received);
    Atomics.store(slots, Slot.lost, counts.lost);
    Atomics.store(slots, Slot.stale, counts.stale);
    Atomics.store(slots, Slot.roundTripUs, Math.min(roundTrip * 1e6, 0x7fff_ffff) || 0);
  }

  countUnreadable(): void {
    Atomics.add(this.#slots, Slot.unreadable, 1);
  }
}
