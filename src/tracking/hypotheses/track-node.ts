import { BallBelief, copyBelief } from "../filter/ball-belief.js";

/** Cameras of the head. */
export const CAMERAS = 2;

/** Sets of three veils: see `advancePresence`. */
export const VEIL_STATES = 8;

/** No circle, no point. */
export const NOTHING = -1;

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
  /** The ball's state if it flies under gravity and drag, and if it is carried, rolls or rests. */
  readonly flying = new BallBelief();
  readonly carried = new BallBelief();
  /** Natural logarithms of the two motion models' probabilities. */
  logFlying = 0;
  logCarried = 0;
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

  /** All but the beliefs. */
  copyFacts(other: TrackNode): void {
    this.id = other.id;
    this.bornAt = other.bornAt;
    this.logFlying = other.logFlying;
    this.logCarried = other.logCarried;
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
    copyBelief(other.flying, this.flying);
    copyBelief(other.carried, this.carried);
  }

  get time(): number {
    return this.flying.time;
  }

  get flyingProbability(): number {
    return Math.exp(this.logFlying);
  }

  /** The state under the more probable motion. */
  get belief(): BallBelief {
    return this.logFlying >= this.logCarried ? this.flying : this.carried;
  }
}
