/** Balls in hands that are remembered: more are never in the air together. */
const GRASPED = 4;
const Slot = { areArmsBusy: 0, isAway: 1, count: 2, firstGrasped: 3 } as const;

/**
 * What the neck must know of the arms, and others of the neck, in shared memory: the coordinator tells, control leads the
 * neck, and who throws balls waits until it looks ahead again.
 */
export class Gaze {
  readonly #slots: Int32Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer((Slot.firstGrasped + GRASPED) * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory);
  }

  /** Whether an arm is about something: the neck then moves for balls alone. */
  get areArmsBusy(): boolean {
    return Atomics.load(this.#slots, Slot.areArmsBusy) === 1;
  }

  set areArmsBusy(busy: boolean) {
    Atomics.store(this.#slots, Slot.areArmsBusy, busy ? 1 : 0);
  }

  /** Whether the head looks as it does while it waits for balls. */
  get isResting(): boolean {
    return Atomics.load(this.#slots, Slot.isAway) === 0;
  }

  set isResting(resting: boolean) {
    Atomics.store(this.#slots, Slot.isAway, resting ? 0 : 1);
  }

  /** A ball is in a hand: there is nothing more to see of it. */
  grasped(track: number): void {
    if (this.isGrasped(track)) return;
    const count = Atomics.load(this.#slots, Slot.count);
    Atomics.store(this.#slots, Slot.firstGrasped + (count % GRASPED), track + 1);
    Atomics.store(this.#slots, Slot.count, count + 1);
  }

  isGrasped(track: number): boolean {
    for (let k = 0; k < GRASPED; k++) {
      if (Atomics.load(this.#slots, Slot.firstGrasped + k) === track + 1) return true;
    }
    return false;
  }
}
