import type { CatchTimes } from "./catch-times.js";

/** A search that took this share of its budget has used it up. */
const USED_UP = 0.9;
/** By how much the budget grows then, and shrinks else. */
const GROWTH = 1.25;
const SHRINKING = 0.93;
/** Greatest budget [ns]: a later beginning costs more balls than a search cut short. */
const MOST = 70e6;

/**
 * The times of a run whose budget for a first plan follows what planning really takes here: a plan that comes after its
 * time is not used at all, so on a slow or busy machine the motion is better planned to begin later. But not much: searches
 * end when their time is up with the best they have, and each millisecond that the robot stands is lost.
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
  #budget: number;

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
    this.#budget = times.coldBudgetNs;
  }

  get coldBudgetNs(): number {
    return Math.round(this.#budget);
  }

  /** A search took so long, from question to answer [ns]. */
  searched(durationNs: number): void {
    const factor = durationNs > USED_UP * this.#budget ? GROWTH : SHRINKING;
    this.#budget = Math.min(Math.max(factor * this.#budget, this.#least), Math.max(MOST, this.#least));
  }
}
