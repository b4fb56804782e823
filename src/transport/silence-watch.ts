/** After how long without a sign of life a part counts as silent, and as hung [ms]. */
export interface SilenceLimits {
  readonly silentMs: number;
  readonly hungMs: number;
}

/** Of the time since the look before so much counts at most: beyond, the machine or the whole process stood still [ms]. */
const MOST_MS = 200;

/** What has changed about a part. */
export type SilenceChange = "silent" | "heard" | "hung";

/** Which parts of a run are alive, by their signs of life. Without a clock: each look has its time. */
export class SilenceWatch {
  readonly #isAlive: (part: number) => boolean;
  readonly #limits: SilenceLimits;
  readonly #silentMs: Float64Array;
  readonly #isSilent: boolean[];
  #lookedMs = Number.NaN;

  /** `takeBeat`: whether a part has given a sign of life since this was asked last. */
  constructor(parts: number, takeBeat: (part: number) => boolean, limits: SilenceLimits) {
    this.#isAlive = takeBeat;
    this.#limits = limits;
    this.#silentMs = new Float64Array(parts);
    this.#isSilent = Array.from({ length: parts }, () => false);
  }

  /** Looks at all parts; `isRunning` says which of them ought to be alive. Calls `changed` for each that has changed. */
  look(
    nowMs: number,
    isRunning: (part: number) => boolean,
    changed: (part: number, change: SilenceChange) => void,
  ): void {
    const elapsedMs = Math.min(nowMs - this.#lookedMs, MOST_MS);
    this.#lookedMs = nowMs;
    for (let part = 0; part < this.#silentMs.length; part++) {
      const hasBeat = this.#isAlive(part);
      const isExpected = isRunning(part);
      if (hasBeat || !isExpected) {
        this.#silentMs[part] = 0;
        if (!this.#isSilent[part]) continue;
        this.#isSilent[part] = false;
        if (isExpected) changed(part, "heard");
        continue;
      }
      this.#silentMs[part] = this.#silentMs[part]! + (elapsedMs > 0 ? elapsedMs : 0);
      const silentMs = this.#silentMs[part]!;
      if (silentMs >= this.#limits.hungMs) changed(part, "hung");
      else if (silentMs >= this.#limits.silentMs && !this.#isSilent[part]) {
        this.#isSilent[part] = true;
        changed(part, "silent");
      }
    }
  }
}
