/** After how long without a sign of life a part counts as silent, and as hung [ms]. */
export interface SilenceLimits {
  readonly silentMs: number;
  readonly hungMs: number;
}

/** A look that comes so late itself says nothing about the threads: the machine, or the whole process, stood still [ms]. */
const LATE_MS = 500;

/** What has changed about a part. */
export type SilenceChange = "silent" | "heard" | "hung";

/** Which parts of a run are alive, by their signs of life. Without a clock: each look has its time. */
export class SilenceWatch {
  readonly #isAlive: (part: number) => boolean;
  readonly #limits: SilenceLimits;
  readonly #heardMs: Float64Array;
  readonly #isSilent: boolean[];
  #lookedMs = Number.NaN;

  /** `takeBeat`: whether a part has given a sign of life since this was asked last. */
  constructor(parts: number, takeBeat: (part: number) => boolean, limits: SilenceLimits) {
    this.#isAlive = takeBeat;
    this.#limits = limits;
    this.#heardMs = new Float64Array(parts).fill(Number.NaN);
    this.#isSilent = Array.from({ length: parts }, () => false);
  }

  /** Looks at all parts; `isRunning` says which of them ought to be alive. Calls `changed` for each that has changed. */
  look(
    nowMs: number,
    isRunning: (part: number) => boolean,
    changed: (part: number, change: SilenceChange) => void,
  ): void {
    const isLate = !(nowMs - this.#lookedMs <= LATE_MS);
    this.#lookedMs = nowMs;
    for (let part = 0; part < this.#heardMs.length; part++) {
      const hasBeat = this.#isAlive(part);
      const isExpected = isRunning(part);
      if (hasBeat || isLate || !isExpected) {
        this.#heardMs[part] = nowMs;
        if (this.#isSilent[part] && (hasBeat || !isExpected)) {
          this.#isSilent[part] = false;
          if (isExpected) changed(part, "heard");
        }
        continue;
      }
      const silentMs = nowMs - this.#heardMs[part]!;
      if (silentMs >= this.#limits.hungMs) changed(part, "hung");
      else if (silentMs >= this.#limits.silentMs && !this.#isSilent[part]) {
        this.#isSilent[part] = true;
        changed(part, "silent");
      }
    }
  }
}
