import * as cholesky from "../../math/cholesky.js";
import { Severity } from "../../messages/severity.js";
import { BallBelief, BELIEF_SIZE, copyBelief, FilterStatus } from "../filter/ball-belief.js";
import { BallFilter, type BallFilterOptions } from "../filter/ball-filter.js";
import type { BallTrack } from "./ball-track.js";
import type { TrackerEventSink } from "./tracker-event.js";

/** How far ahead predictions are compared with what came [s], and how often. */
const AHEAD = 0.2;
const INTERVAL = 0.05;
/** Comparisons that decide, of the newest flights, and the mean of their squared errors against their own sigmas from which on
 *  flights are not as modelled: one by chance in many thousands. */
const DECIDING = 16;
const UNMODELLED = 3;
/** Predictions kept that wait for their time. */
const WAITING = 64;

/** A prediction that waits until its time has come. */
class WaitingPrediction {
  track = 0;
  dueAt = 0;
  readonly belief = new BallBelief();
}

/**
 * Watches whether balls fly as the filter has it: compares what was predicted of confirmed flights with where the ball then is.
 * A filter with the wrong drag, gravity, ball or time stamps is surer than it should be, flight after flight; that is
 * reported with a sentence.
 */
export class FlightWatch {
  /** Mean of e²/σ² of the newest predictions, per degree of freedom; NaN before there are enough. */
  normalizedError = Number.NaN;
  readonly #filter: BallFilter;
  readonly #sink: TrackerEventSink;
  readonly #waiting = Array.from({ length: WAITING }, () => new WaitingPrediction());
  #waitingCount = 0;
  readonly #errors = new Float64Array(DECIDING);
  #compared = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  readonly #predicted = new BallBelief();
  readonly #covariance = new Float64Array(9);
  readonly #factor = new Float64Array(9);
  readonly #difference = new Float64Array(3);

  constructor(options: BallFilterOptions, sink: TrackerEventSink) {
    this.#filter = new BallFilter(options);
    this.#sink = sink;
  }

  /** The tracks after a scan. */
  update(time: number, tracks: readonly BallTrack[], count: number): void {
    for (let n = 0; n < count; n++) {
      const track = tracks[n]!;
      if (!track.confirmed) continue;
      this.#compareWaiting(track);
      if (track.lastMeasurement === track.belief.time) this.#remember(track);
    }
    this.#forgetOld(time);
  }

  /** A prediction is only compared if nothing touched the ball since. */
  #compareWaiting(track: BallTrack): void {
    for (let w = this.#waitingCount - 1; w >= 0; w--) {
      const waiting = this.#waiting[w]!;
      if (waiting.track !== track.id || waiting.dueAt > track.belief.time) continue;
      const isSeen = track.lastMeasurement === track.belief.time;
      if (isSeen && track.release < waiting.belief.time) this.#compare(waiting.belief, track);
      this.#remove(w);
    }
  }

  #compare(before: BallBelief, { belief, id }: BallTrack): void {
    const predicted = this.#predicted;
    if (this.#filter.predict(before, belief.time, predicted) !== FilterStatus.ok) return;
    for (let r = 0; r < 3; r++) {
      this.#difference[r] = belief.mean[r]! - predicted.mean[r]!;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let n = 0; n < 3; n++)
          sum += predicted.factor[r * BELIEF_SIZE + n]! * predicted.factor[c * BELIEF_SIZE + n]!;
        this.#covariance[3 * r + c] = sum;
      }
    }
    if (cholesky.factor(this.#covariance, 3, this.#factor) !== cholesky.MatrixStatus.ok) return;
    cholesky.solveLower(this.#factor, this.#difference, 3, this.#difference);
    const squares = this.#difference.reduce((sum, x) => sum + x * x, 0);
    this.#errors[this.#compared++ % DECIDING] = squares / 3;
    if (this.#compared >= DECIDING) this.#judge(belief.time, id);
  }

  #judge(time: number, track: number): void {
    this.normalizedError = this.#errors.reduce((sum, error) => sum + error, 0) / DECIDING;
    if (this.normalizedError < UNMODELLED || this.#compared - this.#reportedAt < DECIDING) return;
    this.#reportedAt = this.#compared;
    const sigmas = Math.sqrt(this.normalizedError).toFixed(1);
    const text = `balls do not fly as modelled: ${1e3 * AHEAD} ms ahead, predictions miss by ${sigmas} of their sigmas; drag, gravity, size or time stamps?`;
    this.#sink({ time, severity: Severity.warning, code: "flight-unmodelled", track, text });
  }

  #remember({ id, belief }: BallTrack): void {
    if (this.#waitingCount === WAITING) return;
    for (let w = 0; w < this.#waitingCount; w++) {
      const { track, belief: other } = this.#waiting[w]!;
      if (track === id && belief.time - other.time < INTERVAL) return;
    }
    const waiting = this.#waiting[this.#waitingCount++]!;
    waiting.track = id;
    waiting.dueAt = belief.time + AHEAD;
    copyBelief(belief, waiting.belief);
  }

  #forgetOld(time: number): void {
    for (let w = this.#waitingCount - 1; w >= 0; w--) if (time > this.#waiting[w]!.dueAt + AHEAD) this.#remove(w);
  }

  #remove(w: number): void {
    const removed = this.#waiting[w]!;
    this.#waiting[w] = this.#waiting[--this.#waitingCount]!;
    this.#waiting[this.#waitingCount] = removed;
  }
}
