import type { CatchTimes } from "../catch-times.js";

/** Searches looked back upon. */
const MEMORY = 8;
/** Of the time the slowest of them took, this is reckoned with. */
const RESERVE = 1.3;
/** Greatest budget [ns]: a slower plan comes too late for most balls. */
const MOST = 150e6;

/**
 * The times of a run whose budget for a first plan follows what planning really takes here: a plan that comes after its
 * time is not used at all, so on a slow or busy machine the motion is better planned to begin later.
 */
export class AdaptiveTimes implements CatchTimes {
  readonly tickNs: number;
  readonly framePeriodNs: number;
  readonly framesToConfirm: number;
  readonly cameraNs: number;
  readonly trackingNs: number;
  readonly transportNs: number;
  readonly holdNs: number;
  readonly warmBudgetNs: number;
  readonly #least: number;
  readonly #recent: number[] = [];

  constructor(times: CatchTimes) {
    this.tickNs = times.tickNs;
    this.framePeriodNs = times.framePeriodNs;
    this.framesToConfirm = times.framesToConfirm;
    this.cameraNs = times.cameraNs;
    this.trackingNs = times.trackingNs;
    this.transportNs = times.transportNs;
    this.holdNs = times.holdNs;
    this.warmBudgetNs = times.warmBudgetNs;
    this.#least = times.coldBudgetNs;
  }

  get coldBudgetNs(): number {
    const slowest = Math.max(0, ...this.#recent);
    return Math.round(Math.max(this.#least, Math.min(RESERVE * slowest, MOST)));
  }

  /** A search took so long, from question to answer [ns]. */
  searched(durationNs: number): void {
    this.#recent.push(durationNs);
    if (this.#recent.length > MEMORY) this.#recent.shift();
  }
}
