import { BallBelief, copyBelief } from "../filter/ball-belief.js";

/** Cameras of the head. */
export const CAMERAS = 2;

/** Sets of three veils: see `advancePresence`. */
export const VEIL_STATES = 8;

/** No circle, no point. */
export const NOTHING = -1;

/**
 * The motions of a track: held, rolling or at rest; carried by a person who walks; swung by a hand; and from `flights` on
 * flights with different releases.
 */
export const Motion = { calm: 0, walk: 1, swing: 2, flights: 3 } as const;

/** Flights of one track that are kept after a scan, and those that may begin in the next: by a release, by a bounce. */
export const KEPT_FLIGHTS = 5;
export const NEW_FLIGHTS = 2;
const MAX_FLIGHTS = KEPT_FLIGHTS + NEW_FLIGHTS;

/** Most motions of one track. */
export const MAX_MOTIONS = Motion.flights + MAX_FLIGHTS;

/**
 * A track after one scan, under one of the ways to explain what was seen: a node of the track's tree. Its children
 * differ in the circles they took. Once made it does not change, so that any number of hypotheses share it.
 */
export class TrackNode {
  /** Place in the pool. */
  readonly index: number;
  /** Identity of the ball, the same in the whole tree. */
  id = 0;
  /** [s] */
  bornAt = 0;
  /** The ball's state under each motion, and natural logarithms of the motions' probabilities. The first `motionCount` count. */
  readonly motions: readonly BallBelief[] = Array.from({ length: MAX_MOTIONS }, () => new BallBelief());
  readonly logs = new Float64Array(MAX_MOTIONS);
  /** When each flight began [s]. */
  readonly releases = new Float64Array(MAX_MOTIONS);
  /** What the fingers may still change of the velocity of each flight: variance in each axis [m²/s²]. */
  readonly unsettled = new Float64Array(MAX_MOTIONS);
  /** Probability that the newest point was an outlier, under each motion, and by what offset [m]. [motion × 3] */
  readonly outliers = new Float64Array(MAX_MOTIONS);
  readonly offsets = new Float64Array(3 * MAX_MOTIONS);
  motionCount = 0;
  /** State in flight where the track is found to fly, else as it is carried; and the logarithm of the probability of flying. */
  readonly belief = new BallBelief();
  logFlying = 0;
  /** Probability that the ball has gone for good. */
  gone = 0;
  /** Probabilities of what hides a ball still there: of each set of veils, before the left, the right, both cameras. */
  readonly veils = new Float64Array(VEIL_STATES);
  /** Time of the newest measurement [s]. */
  lastMeasurement = 0;
  /** Scans with a measurement, and with one in both cameras or of a point. */
  scans = 0;
  fullScans = 0;
  /** Log-likelihood ratio of all its measurements and misses against false circles. */
  score = 0;
  /** Whether it was found to fly, and not found to be carried since. */
  confirmed = false;
  /** Circles taken in the scan of the node, or the point in the first; `NOTHING` where missed. [camera] */
  readonly taken = new Int32Array(CAMERAS);

  constructor(index: number) {
    this.index = index;
  }

  /** All but the states. */
  copyFacts(other: TrackNode): void {
    this.id = other.id;
    this.bornAt = other.bornAt;
    this.logFlying = other.logFlying;
    this.gone = other.gone;
    this.lastMeasurement = other.lastMeasurement;
    this.scans = other.scans;
    this.fullScans = other.fullScans;
    this.score = other.score;
    this.confirmed = other.confirmed;
    for (let state = 0; state < VEIL_STATES; state++) this.veils[state] = other.veils[state]!;
    for (let camera = 0; camera < CAMERAS; camera++) this.taken[camera] = other.taken[camera]!;
  }

  copy(other: TrackNode): void {
    this.copyFacts(other);
    this.motionCount = other.motionCount;
    for (let m = 0; m < other.motionCount; m++) this.copyMotion(other, m, m);
  }

  /** Makes motion `to` what motion `from` of the other is. */
  copyMotion(other: TrackNode, from: number, to: number): void {
    copyBelief(other.motions[from]!, this.motions[to]!);
    this.logs[to] = other.logs[from]!;
    this.releases[to] = other.releases[from]!;
    this.unsettled[to] = other.unsettled[from]!;
    this.copyOutlier(other, from, to);
  }

  copyOutlier(other: TrackNode, from: number, to: number): void {
    this.outliers[to] = other.outliers[from]!;
    for (let n = 0; n < 3; n++) this.offsets[3 * to + n] = other.offsets[3 * from + n]!;
  }

  /** [s] */
  get time(): number {
    return this.motions[Motion.calm]!.time;
  }

  get flyingProbability(): number {
    return Math.exp(this.logFlying);
  }

  /** When the flight began, as a mean over all flights [s]. */
  get release(): number {
    let sum = 0;
    for (let m = Motion.flights; m < this.motionCount; m++)
      sum += Math.exp(this.logs[m]! - this.logFlying) * this.releases[m]!;
    return sum;
  }

  /** Whether `belief` is that of a flight. */
  get isFlying(): boolean {
    return this.confirmed || this.flyingProbability >= 0.5;
  }
}

/** The motion of greatest probability. */
export function mostProbable({ logs, motionCount }: TrackNode): number {
  let best = 0;
  for (let m = 1; m < motionCount; m++) if (logs[m]! > logs[best]!) best = m;
  return best;
}
