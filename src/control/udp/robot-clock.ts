/** Two quartz clocks run apart by no more than this [s/s]. */
const DRIFT = 1e-4;
/** A frame that comes so much later than the fastest was held up, or the robot's clock was set back [s]. */
const LATE = 0.03;
/** Frames that were held up are few, or come in a heap; so many late ones in a row were stamped by a clock set back. */
const LATE_FRAMES = 50;

/**
 * Where the robot's clock stands on ours: its time stamps plus the least delay seen. A frame may be late, by a busy network
 * or a busy machine, but never early; so the least difference of arrival and time stamp is nearest to the truth, and what a
 * frame took longer than the fastest one does not make its measurement younger. A clock that is set on shows at once, by a
 * frame that seems to have taken less than any before; one that is set back after some frames, which seem old until then.
 */
export class RobotClock {
  #offset = Number.POSITIVE_INFINITY;
  #lastArrival = Number.NEGATIVE_INFINITY;
  #lateFrames = 0;
  #leastLate = Number.POSITIVE_INFINITY;

  /** When a frame stamped `robotTime` was sent, on our clock, by all that is known; all times [s]. */
  place(robotTime: number, arrival: number): number {
    const elapsed = arrival - this.#lastArrival;
    this.#lastArrival = arrival;
    const difference = arrival - robotTime;
    this.#watchJump(difference);
    // The estimate may grow no faster than the clocks run apart.
    const grown = this.#offset + (elapsed > 0 && elapsed < Number.POSITIVE_INFINITY ? DRIFT * elapsed : 0);
    this.#offset = Math.min(grown, difference);
    return robotTime + this.#offset;
  }

  #watchJump(difference: number): void {
    if (!(difference - this.#offset > LATE)) {
      this.#lateFrames = 0;
      this.#leastLate = Number.POSITIVE_INFINITY;
      return;
    }
    this.#leastLate = Math.min(this.#leastLate, difference);
    if (++this.#lateFrames >= LATE_FRAMES) this.#offset = this.#leastLate;
  }

  /** The robot began anew. */
  reset(): void {
    this.#offset = Number.POSITIVE_INFINITY;
    this.#lateFrames = 0;
  }
}
