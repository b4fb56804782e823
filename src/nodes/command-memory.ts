/** Commands kept: those of the last tenth of a second. */
const KEPT = 128;

/** Which positions were commanded when. */
export class CommandMemory {
  readonly #times = new Float64Array(KEPT).fill(Number.NEGATIVE_INFINITY);
  readonly #positions: readonly Float64Array[];
  #count = 0;

  constructor(joints: number) {
    this.#positions = Array.from({ length: KEPT }, () => new Float64Array(joints));
  }

  add(time: number, q: Float64Array): void {
    const at = this.#count++ % KEPT;
    this.#times[at] = time;
    this.#positions[at]!.set(q);
  }

  /** The command whose time is nearest to `time`, in memory of its own; null if there is none. */
  at(time: number): Float64Array | null {
    let nearest = -1;
    for (let k = this.#count - 1; k >= Math.max(0, this.#count - KEPT); k--) {
      if (nearest >= 0 && this.#distance(k, time) > this.#distance(nearest, time)) break;
      nearest = k;
    }
    return nearest < 0 ? null : this.#positions[nearest % KEPT]!.slice();
  }

  #distance(k: number, time: number): number {
    return Math.abs(this.#times[k % KEPT]! - time);
  }
}
