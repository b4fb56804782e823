import { RobotClock } from "../control/udp/robot-clock.js";

/** A stamp by the base time this far ahead of its arrival, or so long before it, is no stamp of this machine's clock [ns]. */
const MOST_AHEAD_NS = 5e6;
const LONGEST_WAY_NS = 5e9;

/** Where a source's time stamps are on the run's clock: by their zero, if that is known, else by the least delay seen. */
export class FrameClock {
  readonly #least = new RobotClock();
  #isWrong = false;
  #leastDelayNs = Number.POSITIVE_INFINITY;
  /** How the last stamp was placed. */
  kind: "arrival" | "base time" | "least delay" = "arrival";
  /** Of the last frame: how much longer it took than the fastest since the start [ns]. */
  heldUpNs = 0;

  reset(): void {
    this.#least.reset();
    this.#isWrong = false;
    this.#leastDelayNs = Number.POSITIVE_INFINITY;
  }

  /** When a frame was stamped, on the run's clock [ns]; `baseNs`: the zero of stamps on that clock, null if it is unknown. */
  place(stampNs: number | null, baseNs: number | null, arrivalNs: number): number {
    const sentNs = this.#place(stampNs, baseNs, arrivalNs);
    this.#leastDelayNs = Math.min(this.#leastDelayNs, arrivalNs - sentNs);
    this.heldUpNs = arrivalNs - sentNs - this.#leastDelayNs;
    return sentNs;
  }

  #place(stampNs: number | null, baseNs: number | null, arrivalNs: number): number {
    this.kind = "arrival";
    if (stampNs === null) return arrivalNs;
    const leastNs = 1e9 * this.#least.place(stampNs / 1e9, arrivalNs / 1e9);
    const wayNs = baseNs === null ? Number.NaN : arrivalNs - (baseNs + stampNs);
    this.#isWrong ||= baseNs !== null && !(wayNs > -MOST_AHEAD_NS && wayNs < LONGEST_WAY_NS);
    this.kind = baseNs === null || this.#isWrong ? "least delay" : "base time";
    return this.kind === "base time" ? baseNs! + stampNs : leastNs;
  }
}
