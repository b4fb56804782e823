/** Two quartz clocks run apart by no more than this [s/s]. */
const DRIFT = 1e-4;

/**
 * Where the robot's clock stands on ours: its time stamps plus the least delay seen. A frame may be late, by a busy network
 * or a busy machine, but never early; so the least difference of arrival and time stamp is nearest to the truth, and what a
 * frame took longer than the fastest one does not make its measurement younger.
 */
export class RobotClock {
  #offset = Number.POSITIVE_INFINITY;
  #lastArrival = Number.NEGATIVE_INFINITY;

  /** When a frame stamped `robotTime` was sent, on our clock, by all that is known; all times [s]. */
  place(robotTime: number, arrival: number): number {
    const elapsed = arrival - this.#lastArrival;
    this.#lastArrival = arrival;
    // The estimate may grow no faster than the clocks run apart.
    const grown = this.#offset + (elapsed > 0 && elapsed < Number.POSITIVE_INFINITY ? DRIFT * elapsed : 0);
    this.#offset = Math.min(grown, arrival - robotTime);
    return robotTime + this.#offset;
  }

  /** The robot began anew. */
  reset(): void {
    this.#offset = Number.POSITIVE_INFINITY;
  }
}
