/** How control answers to a part that has fallen silent. */
export const Reaction = {
  none: 0,
  /** Finishes the motion in hand and takes no new one. */
  finish: 1,
  /** Stops every joint at its greatest deceleration. */
  brake: 2,
} as const;
export type Reaction = (typeof Reaction)[keyof typeof Reaction];

/** A part that control listens to. */
export interface WatchedPart {
  readonly name: string;
  /** Longest time between two signs of life [s]. */
  readonly patience: number;
  readonly reaction: Reaction;
}

/**
 * Knows when each part last gave a sign of life, and what to do when one is overdue. A part counts from its first sign:
 * what was never there is not missed.
 */
export class Watchdog {
  readonly parts: readonly WatchedPart[];
  /** 1 for each part that is overdue. [parts] */
  readonly overdue: Uint8Array;
  readonly #lastSign: Float64Array;

  constructor(parts: readonly WatchedPart[]) {
    this.parts = parts;
    this.overdue = new Uint8Array(parts.length);
    this.#lastSign = new Float64Array(parts.length).fill(Number.POSITIVE_INFINITY);
  }

  /** A sign of life of part `index` at `time` [s]. */
  sign(index: number, time: number): void {
    this.#lastSign[index] = time;
  }

  /** The strongest reaction that an overdue part calls for at `time` [s]. */
  check(time: number): Reaction {
    let strongest: Reaction = Reaction.none;
    for (let k = 0; k < this.parts.length; k++) {
      const { patience, reaction } = this.parts[k]!;
      const isOverdue = time - this.#lastSign[k]! > patience;
      this.overdue[k] = isOverdue ? 1 : 0;
      if (isOverdue && reaction > strongest) strongest = reaction;
    }
    return strongest;
  }
}
