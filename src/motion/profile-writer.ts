import type { PiecewiseMotion } from "./piecewise-motion.js";

/** Numbers of a phase that is counted from the end: start, position, velocity, acceleration, jerk. */
const PHASE = 5;
const MAX_PHASES = 3;
/** What is left of a motion's duration that counts as rounding [s]. */
const ROUNDED_WAIT = 1e-10;

/**
 * Writes phases of constant jerk as pieces of one joint. Those of the first half are integrated forwards from the start, those
 * of the second backwards from the end, so that both are met to the last bit.
 */
export class ProfileWriter {
  #motion: PiecewiseMotion | null = null;
  #joint = 0;
  #time = Number.NaN;
  #p = Number.NaN;
  #v = Number.NaN;
  #a = Number.NaN;
  #endTime = Number.NaN;
  #endPosition = Number.NaN;
  #endVelocity = Number.NaN;
  readonly #phases = new Float64Array(MAX_PHASES * PHASE);
  #count = 0;

  begin(motion: PiecewiseMotion, joint: number): void {
    motion.counts[joint] = 0;
    this.#motion = motion;
    this.#joint = joint;
    this.#count = 0;
  }

  /** The state from which phases are added. */
  from(time: number, position: number, velocity: number, acceleration: number): void {
    this.#time = time;
    this.#p = position;
    this.#v = velocity;
    this.#a = acceleration;
  }

  /** A phase after the last; none if it takes no time. */
  add(duration: number, jerk: number): void {
    if (!(duration > 0)) return;
    const t = duration;
    this.#motion!.append(this.#joint, this.#time, this.#p, this.#v, this.#a / 2, jerk / 6);
    this.#p += t * (this.#v + t * (this.#a / 2 + (t * jerk) / 6));
    this.#v += t * (this.#a + (t * jerk) / 2);
    this.#a += t * jerk;
    this.#time += t;
  }

  /** The end, without acceleration, before which phases are added. */
  endAt(time: number, position: number, velocity: number): void {
    this.#endTime = time;
    this.#endPosition = position;
    this.#endVelocity = velocity;
    this.from(time, position, velocity, 0);
  }

  /** A phase before the earliest of the end. */
  addBefore(duration: number, jerk: number): void {
    if (!(duration > 0)) return;
    const t = duration;
    this.#p -= t * (this.#v - t * (this.#a / 2 - (t * jerk) / 6));
    this.#v -= t * (this.#a - (t * jerk) / 2);
    this.#a -= t * jerk;
    this.#time -= t;
    const at = this.#count++ * PHASE;
    this.#phases[at] = this.#time;
    this.#phases[at + 1] = this.#p;
    this.#phases[at + 2] = this.#v;
    this.#phases[at + 3] = this.#a;
    this.#phases[at + 4] = jerk;
  }

  /** Puts the phases of the end behind those of the start; the goal's velocity is kept as long as the motion lasts. */
  finish(): void {
    const motion = this.#motion!;
    const joint = this.#joint;
    for (let k = this.#count - 1; k >= 0; k--) {
      const at = k * PHASE;
      const phase = this.#phases;
      motion.append(joint, phase[at]!, phase[at + 1]!, phase[at + 2]!, phase[at + 3]! / 2, phase[at + 4]! / 6);
    }
    const wait = motion.duration - this.#endTime;
    if (wait > 0 || motion.counts[joint] === 0) {
      motion.append(joint, this.#endTime, this.#endPosition, this.#endVelocity);
    }
    const way = wait > ROUNDED_WAIT ? wait * this.#endVelocity : 0;
    motion.end(joint, this.#endPosition + way, this.#endVelocity);
  }
}
