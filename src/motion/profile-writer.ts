import { PIECE, type PiecewiseMotion } from "./piecewise-motion.js";

/** Phases of constant jerk that a profile has before its second half, and in it. */
const MAX_BEFORE = 7;
const MAX_AFTER = 3;
/** What is left of a motion's duration that counts as rounding [s]. */
const ROUNDED_WAIT = 1e-10;

/**
 * Writes phases of constant jerk as pieces of one joint. Those of the first half are integrated forwards from the start, those
 * of the second backwards from the end, so that both are met to the last bit. Set the fields, then `write`.
 *
 * Numbers go by fields and arrays: V8 boxes those that it hands to functions which it does not inline.
 */
export class ProfileWriter {
  /** State at time 0. */
  p0 = Number.NaN;
  v0 = Number.NaN;
  a0 = Number.NaN;
  /** Time, position and velocity at the end of the profile; it has no acceleration. */
  T = Number.NaN;
  p1 = Number.NaN;
  v1 = Number.NaN;
  /** From the start on; phases of no duration are left out. */
  readonly durations = new Float64Array(MAX_BEFORE);
  readonly jerks = new Float64Array(MAX_BEFORE);
  /** From the end on, backwards. */
  readonly lastDurations = new Float64Array(MAX_AFTER);
  readonly lastJerks = new Float64Array(MAX_AFTER);
  #time = Number.NaN;
  #p = Number.NaN;
  #v = Number.NaN;
  #a = Number.NaN;

  /** Writes them to `joint`, which afterwards keeps the velocity of the end for as long as the motion lasts. */
  write(motion: PiecewiseMotion, joint: number): void {
    motion.counts[joint] = 0;
    this.#writeFirst(motion, joint);
    this.#writeLast(motion, joint);
    const wait = motion.duration - this.T;
    if (wait > 0 || motion.counts[joint] === 0) {
      this.#time = this.T;
      this.#p = this.p1;
      this.#v = this.v1;
      this.#a = 0;
      this.#put(motion, motion.addPiece(joint));
    }
    motion.endPosition[joint] = this.p1 + (wait > ROUNDED_WAIT ? wait * this.v1 : 0);
    motion.endVelocity[joint] = this.v1;
  }

  #writeFirst(motion: PiecewiseMotion, joint: number): void {
    this.#time = 0;
    this.#p = this.p0;
    this.#v = this.v0;
    this.#a = this.a0;
    for (let k = 0; k < MAX_BEFORE; k++) {
      const t = this.durations[k]!;
      const jerk = this.jerks[k]!;
      if (!(t > 0)) continue;
      const at = motion.addPiece(joint);
      this.#put(motion, at);
      motion.pieces[at + 4] = jerk / 6;
      this.#p += t * (this.#v + t * (this.#a / 2 + (t * jerk) / 6));
      this.#v += t * (this.#a + (t * jerk) / 2);
      this.#a += t * jerk;
      this.#time += t;
    }
  }

  #writeLast(motion: PiecewiseMotion, joint: number): void {
    let count = 0;
    for (let k = 0; k < MAX_AFTER; k++) if (this.lastDurations[k]! > 0) count++;
    this.#time = this.T;
    this.#p = this.p1;
    this.#v = this.v1;
    this.#a = 0;
    let last = 0;
    for (let k = 0; k < count; k++) last = motion.addPiece(joint);
    for (let k = 0; k < MAX_AFTER; k++) {
      const t = this.lastDurations[k]!;
      const jerk = this.lastJerks[k]!;
      if (!(t > 0)) continue;
      this.#p -= t * (this.#v - t * (this.#a / 2 - (t * jerk) / 6));
      this.#v -= t * (this.#a - (t * jerk) / 2);
      this.#a -= t * jerk;
      this.#time -= t;
      this.#put(motion, last);
      motion.pieces[last + 4] = jerk / 6;
      last -= PIECE;
    }
  }

  /** The state at hand as a piece without jerk. */
  #put(motion: PiecewiseMotion, at: number): void {
    motion.pieces[at] = this.#time;
    motion.pieces[at + 1] = this.#p;
    motion.pieces[at + 2] = this.#v;
    motion.pieces[at + 3] = this.#a / 2;
    motion.pieces.fill(0, at + 4, at + PIECE);
  }
}
