import * as cholesky from "../../src/math/cholesky.js";
import * as mat3 from "../../src/math/mat3.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import type { BallTrack } from "../../src/tracking/events/ball-track.js";
import type { TrackerEvent } from "../../src/tracking/events/tracker-event.js";
import { PointSet } from "../../src/tracking/filter/scan.js";
import type { TrackerOptions } from "../../src/tracking/hypotheses/tracker-options.js";
import { BallForecast } from "../../src/tracking/prediction/ball-forecast.js";
import { BatchFit, type FlightPrior } from "./batch-fit.js";
import { indexAt } from "./mocap-throws.js";
import { type RecordedThrow, type Samples, slice } from "./samples.js";

/** How a recorded throw is fed to the tracker. */
export interface TrialSettings {
  readonly tracker: TrackerOptions;
  /** The peer's model: the same numbers. */
  readonly batch: FlightPrior;
  /** Time between samples that are used, 0 for all, and the first one's [s]. */
  readonly interval: number;
  readonly phase: number;
  /** Told to the tracker and to the batch fit [m]. */
  readonly sigma: number;
  /** Noise added to each coordinate [m], and its seed. */
  readonly addedNoise: number;
  readonly seed: string;
  /** How far ahead predictions are compared [s]. */
  readonly horizons: readonly number[];
  /** Least flight seen before a prediction is compared, and least time between two that are [s]. */
  readonly firstMoment: number;
  readonly momentStep: number;
  /** A throw must be confirmed so long before the flight ends, or it counts as too late [s]. */
  readonly leastWarning: number;
}

/** A prediction by the tracker, and by the batch fit of the same samples. */
export interface ComparedPrediction {
  readonly horizon: number;
  /** Flight seen before it [s]. */
  readonly seen: number;
  /** Distance to the sample as recorded [m]. */
  readonly error: number;
  readonly batchError: number;
  /** Of the sample with its noise, by the predicted covariance and that of the sample, per degree of freedom. */
  readonly nees: number;
  readonly batchNees: number;
}

export type TrialOutcome = "confirmed" | "too-late" | "never";

export interface TrialResult {
  readonly name: string;
  readonly outcome: TrialOutcome;
  /** From the release to the confirmation [s]; NaN without one. */
  readonly delay: number;
  /** Whether a confirmed ball was given up before the flight ended. */
  readonly isLost: boolean;
  /** Confirmations before the release, while the ball is held. */
  readonly falseThrows: number;
  readonly predictions: readonly ComparedPrediction[];
  /** What the tracker told, for a throw that is not simply confirmed. */
  readonly events: readonly string[];
}

/** Plays one throw to a new tracker. */
export function playThrow(recorded: RecordedThrow, settings: TrialSettings): TrialResult {
  return new FlightTrial(recorded, settings).play();
}

/** The release is known to about this [s]: a ball that is confirmed within it was not confirmed in the hand. */
const RELEASE_SLACK = 0.02;

class FlightTrial {
  readonly #recorded: RecordedThrow;
  readonly #settings: TrialSettings;
  readonly #noisy: Samples;
  readonly #used: Samples;
  readonly #release: number;
  readonly #end: number;
  readonly #events: TrackerEvent[] = [];
  readonly #tracker: BallTracker;
  readonly #forecast: BallForecast;
  readonly #points = new PointSet(1);
  readonly #fit = new BatchFit();
  readonly #predictions: ComparedPrediction[] = [];
  #nextMoment: number;

  constructor(recorded: RecordedThrow, settings: TrialSettings) {
    const { samples, begin, end } = recorded;
    this.#recorded = recorded;
    this.#settings = settings;
    this.#noisy = withNoise(samples, settings);
    this.#used = subsample(this.#noisy, settings);
    this.#release = samples.time[begin]!;
    this.#end = samples.time[end - 1]!;
    this.#nextMoment = this.#release + settings.firstMoment;
    this.#tracker = new BallTracker(settings.tracker, (event) => void this.#events.push(event));
    this.#forecast = new BallForecast(this.#tracker.settings);
    this.#points.covariance.set([settings.sigma ** 2, 0, 0, 0, settings.sigma ** 2, 0, 0, 0, settings.sigma ** 2]);
  }

  play(): TrialResult {
    const { time, position } = this.#used;
    for (let k = 0; k < time.length; k++) {
      this.#points.count = 1;
      this.#points.position.set(position.subarray(3 * k, 3 * k + 3));
      this.#tracker.process({ kind: "points", time: time[k]!, points: this.#points });
      if (time[k]! < this.#nextMoment - 1e-9) continue;
      const track = this.#confirmedTrack(position.subarray(3 * k, 3 * k + 3));
      if (track === null) continue;
      this.#nextMoment = time[k]! + this.#settings.momentStep;
      this.#compare(track, time[k]!);
    }
    return this.#result();
  }

  /** The confirmed ball nearest to the sample; balls of earlier flights are further away. */
  #confirmedTrack(sample: Float64Array): BallTrack | null {
    let [nearest, best]: [number, BallTrack | null] = [0.5, null];
    for (let n = 0; n < this.#tracker.trackCount; n++) {
      const track = this.#tracker.tracks[n]!;
      const [x, y, z] = track.belief.mean;
      const distance = Math.hypot(x! - sample[0]!, y! - sample[1]!, z! - sample[2]!);
      if (track.confirmed && distance < nearest) [nearest, best] = [distance, track];
    }
    return best;
  }

  #compare(track: BallTrack, time: number): void {
    const { horizons, sigma, batch } = this.#settings;
    if (time + Math.min(...horizons) > this.#end) return;
    const flight = slice(this.#used, indexAt(this.#used.time, this.#release), indexAt(this.#used.time, time) + 1);
    if (!this.#fit.solve(flight, sigma, batch)) return;
    if (this.#forecast.reset(track.belief, time + Math.max(...horizons)) !== 0) return;
    for (const horizon of horizons) this.#compareAt(time, horizon);
  }

  #compareAt(time: number, horizon: number): void {
    const target = time + horizon;
    const truth = interpolate(this.#recorded.samples, target);
    const seen = interpolate(this.#noisy, target);
    if (target > this.#end || truth === null || seen === null) return;
    const own = this.#forecast.position(target, vec3.create());
    const ownCovariance = this.#forecast.positionCovariance(target, mat3.create());
    const batch = this.#fit.position(target, new Float64Array(3));
    const batchCovariance = this.#fit.positionCovariance(target, new Float64Array(9));
    const { sigma } = this.#settings;
    this.#predictions.push({
      horizon,
      seen: time - this.#release,
      error: distance(own, truth),
      batchError: distance(batch, truth),
      nees: neesOf(own, seen, ownCovariance, sigma),
      batchNees: neesOf(batch, seen, batchCovariance, sigma),
    });
  }

  #result(): TrialResult {
    const confirmed = this.#events.filter(({ code }) => code === "track-confirmed");
    const first = confirmed.find(({ time }) => time >= this.#release - RELEASE_SLACK);
    const delay = first === undefined ? Number.NaN : first.time - this.#release;
    const isLate = first !== undefined && this.#end - first.time < this.#settings.leastWarning;
    const outcome = first === undefined ? "never" : isLate ? "too-late" : "confirmed";
    const isLost = confirmed.some((event) => event.time >= this.#release - RELEASE_SLACK && this.#isLost(event));
    const isPlain = outcome === "confirmed" && !isLost;
    return {
      name: this.#recorded.name,
      outcome,
      delay,
      isLost,
      falseThrows: confirmed.filter(({ time }) => time < this.#release - RELEASE_SLACK).length,
      predictions: this.#predictions,
      events: isPlain
        ? []
        : this.#events.filter(({ time }) => time > this.#release - 0.1).map((event) => this.#told(event)),
    };
  }

  /** Whether the ball confirmed by this event was given up before the flight ended. */
  #isLost(confirmation: TrackerEvent): boolean {
    return this.#events.some(({ code, track, time }) => {
      const isEnd = code === "track-landed" || code === "track-lost" || code === "track-rejected";
      return isEnd && track === confirmation.track && time > confirmation.time && time < this.#end;
    });
  }

  #told({ time, code, text }: TrackerEvent): string {
    return `${(time - this.#release).toFixed(3)} s ${code}: ${text}`;
  }
}

function withNoise({ time, position }: Samples, { addedNoise, seed }: TrialSettings): Samples {
  const random = new Random(seed);
  return { time, position: position.map((value) => value + addedNoise * random.normal()) };
}

/** The first sample of each interval, by time: samples that are missing stay missing. */
function subsample({ time, position }: Samples, { interval, phase }: TrialSettings): Samples {
  if (interval === 0) return { time, position };
  const kept: number[] = [];
  let slot = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < time.length; k++) {
    const next = Math.floor((time[k]! - phase) / interval + 1e-3);
    if (next > slot) kept.push(k);
    slot = next;
  }
  return {
    time: Float64Array.from(kept, (k) => time[k]!),
    position: Float64Array.from(kept.flatMap((k) => [...position.subarray(3 * k, 3 * k + 3)])),
  };
}

/** Longest interval within which a sample is interpolated [s]. */
const LONGEST_GAP = 0.0125;

function interpolate({ time, position }: Samples, at: number): Float64Array | null {
  const above = indexAt(time, at);
  const below = Math.max(0, time[above] === undefined || time[above]! > at + 1e-6 ? above - 1 : above);
  const top = Math.min(above, time.length - 1);
  if (time[top]! - time[below]! > LONGEST_GAP || Math.abs(time[below]! - at) > LONGEST_GAP) return null;
  const share = top === below ? 0 : (at - time[below]!) / (time[top]! - time[below]!);
  return Float64Array.from({ length: 3 }, (_, n) => {
    return (1 - share) * position[3 * below + n]! + share * position[3 * top + n]!;
  });
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

/** eᵀ·(P + σ²·I)⁻¹·e / 3. */
function neesOf(
  mean: ArrayLike<number>,
  sample: ArrayLike<number>,
  covariance: ArrayLike<number>,
  sigma: number,
): number {
  const total = Float64Array.from(covariance, (value, k) => value + (k % 4 === 0 ? sigma ** 2 : 0));
  if (cholesky.factor(total, 3, total) !== cholesky.MatrixStatus.ok) return Number.POSITIVE_INFINITY;
  const error = Float64Array.from({ length: 3 }, (_, n) => sample[n]! - mean[n]!);
  const white = cholesky.solveLower(total, error, 3, error);
  return white.reduce((sum, value) => sum + value * value, 0) / 3;
}
