/** How far a start has come. */
export interface WarmUpProgress {
  /** Share of the work that is done, from 0 to 1. */
  readonly share: number;
  /** What is being warmed up at present. */
  readonly parts: readonly string[];
}

/**
 * The warm-up of a run: parts, each with the share of the work it is expected to be, and what is reported while they go on, side by
 * side or one after the other. A part that is not named here is not counted.
 *
 * @example
 * const warmUp = new WarmUp({ cameras: 2, tracker: 1 }, ({ share, parts }) => print(share, parts));
 * await Promise.all([warmUp.part("cameras", startCameras), warmUp.part("tracker", startTracker)]);
 */
export class WarmUp {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #report: (progress: WarmUpProgress) => void;
  readonly #under = new Set<string>();
  readonly #done = new Set<string>();

  constructor(weights: Readonly<Record<string, number>>, report: (progress: WarmUpProgress) => void) {
    this.#weights = new Map(Object.entries(weights));
    this.#report = report;
  }

  get progress(): WarmUpProgress {
    let all = 0;
    let done = 0;
    for (const [name, weight] of this.#weights) {
      all += weight;
      if (this.#done.has(name)) done += weight;
    }
    return { share: all === 0 ? 1 : done / all, parts: Array.from(this.#under) };
  }

  /** Does the work of a part, reported before and after. */
  async part<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    this.#under.add(name);
    this.#report(this.progress);
    try {
      return await work();
    } finally {
      this.#under.delete(name);
      this.#done.add(name);
      this.#report(this.progress);
    }
  }

  /** Nothing is left to do, whatever was not needed. */
  end(): void {
    if (this.progress.share === 1) return;
    for (const name of this.#weights.keys()) this.#done.add(name);
    this.#report(this.progress);
  }
}
