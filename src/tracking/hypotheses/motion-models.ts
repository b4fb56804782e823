import { BallBelief, BELIEF_SIZE, copyBelief, Entry, FilterStatus } from "../filter/ball-belief.js";
import { letFly } from "../filter/ball-birth.js";
import { BallFilter } from "../filter/ball-filter.js";
import { HandPredictor, type HandProcess } from "../filter/hand-predictor.js";
import { triangularize } from "../filter/triangularize.js";
import { BeliefMixture, logAdd } from "./belief-mixture.js";
import { KEPT_FLIGHTS, MAX_MOTIONS, Motion, type TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** A flight less probable than all flights together by this factor is dropped [nats]. */
const NEGLIGIBLE = 16;

/**
 * How an object moves: something holds it, somebody carries it, a hand swings it, or it flies under gravity, drag and nothing else. A
 * throw is a switch from carried to flying at an unknown moment. So each track has a bank of states: one for each way to be
 * carried, and one for each of several moments of release. A flight that began between two scans starts from the carried
 * state of the first, moved on by a hand for half the time: what was seen before the release says where the ball was and
 * about how fast, and nothing else of it enters the flight. Measurements weigh the states by Bayes' rule; all switches
 * have rates per second. (Blom & Bar-Shalom, "The interacting multiple model algorithm", 1988; Adams & MacKay, "Bayesian online
 * changepoint detection", 2007.)
 */
export class MotionModels {
  readonly flying: BallFilter;
  readonly #filters: readonly BallFilter[];
  readonly #settings: TrackerSettings;
  readonly #hands: readonly HandProcess[];
  /** How often one way to be carried becomes another [1/s], `[from][to]`; and how often each ends in a release. */
  readonly #changes: readonly (readonly number[])[];
  readonly #releases: readonly number[];
  readonly #flights: BeliefMixture;
  readonly #carried = new BeliefMixture([0, 1, 2, 3, 4, 5, 7, 8, 9]);
  readonly #source = new BallBelief();
  readonly #other = new BallBelief();

  constructor(settings: TrackerSettings) {
    const { ball, gravity, dragSigma, liftSigma, accelerationNoise, poseInflation } = settings;
    this.#settings = settings;
    this.flying = new BallFilter({ ball, gravity, dragSigma, liftSigma, accelerationNoise, poseInflation });
    const { throwRate, releaseRate, walkRate, restRate, swingRate, calmRate } = settings;
    this.#hands = [
      { acceleration: settings.carryAcceleration, correlationTime: settings.carryTime },
      { acceleration: settings.walkAcceleration, correlationTime: settings.walkTime },
      { acceleration: settings.swingAcceleration, correlationTime: settings.swingTime },
    ];
    this.#changes = [
      [0, walkRate, swingRate],
      [restRate, 0, swingRate],
      [calmRate / 2, calmRate / 2, 0],
    ];
    this.#releases = [throwRate, throwRate, releaseRate];
    const carried = { ball: { ...ball, drag: 0 }, poseInflation };
    const hands = this.#hands.map((hand) => new BallFilter(carried, new HandPredictor(hand)));
    const flights = Array.from({ length: MAX_MOTIONS - Motion.flights }, () => this.flying);
    this.#filters = [...hands, ...flights];
    this.#flights = new BeliefMixture([
      0,
      1,
      2,
      3,
      4,
      5,
      ...(dragSigma > 0 ? [6] : []),
      ...(liftSigma > 0 ? [7, 8, 9] : []),
    ]);
  }

  /** The filter of a motion. */
  filter(motion: number): BallFilter {
    return this.#filters[motion]!;
  }

  /** The states of `node` at `time`, to `out`, with flights that began meanwhile; false if there are none. */
  predict(node: TrackNode, time: number, out: TrackNode): boolean {
    return (
      this.#predictFlights(node, time, out) &&
      this.#predictRelease(node, time, out) &&
      this.#predictBounce(node, time, out) &&
      this.#predictCarried(node, time, out)
    );
  }

  #predictFlights(node: TrackNode, time: number, out: TrackNode): boolean {
    const stays = -this.#settings.catchRate * (time - node.time);
    const decay = Math.exp((node.time - time) / this.#settings.releaseTime);
    out.motionCount = node.motionCount;
    for (let m = Motion.flights; m < node.motionCount; m++) {
      const left = node.unsettled[m]! * decay;
      const kick = node.unsettled[m]! - left;
      if (this.flying.predict(node.motions[m]!, time, out.motions[m]!, kick) !== FilterStatus.ok) return false;
      out.logs[m] = node.logs[m]! + stays;
      out.releases[m] = node.releases[m]!;
      out.unsettled[m] = left;
      out.copyOutlier(node, m, m);
    }
    return true;
  }

  /** The flight that began between the node's time and `time`, in the middle on average: let go by a hand, or touched. */
  #predictRelease(node: TrackNode, time: number, out: TrackNode): boolean {
    const { touchRate, releaseJump } = this.#settings;
    const duration = time - node.time;
    const middle = node.time + 0.5 * duration;
    const source = this.#source;
    let log = Number.NEGATIVE_INFINITY;
    for (let m = Motion.calm; m <= Motion.swing; m++) {
      const released = node.logs[m]! + logLeave(this.#releases[m]!, duration);
      log = this.#carried.merge(source, log, node.motions[m]!, released, source);
    }
    const isCarried = log > Number.NEGATIVE_INFINITY;
    if (isCarried && this.filter(Motion.swing).predict(source, middle, source) !== FilterStatus.ok) return false;
    if (isSeenFlying(node)) {
      if (this.flying.predict(node.belief, middle, this.#other) !== FilterStatus.ok) return false;
      log = this.#flights.merge(source, log, this.#other, node.logFlying + logLeave(touchRate, duration), source);
    }
    if (!(log > Number.NEGATIVE_INFINITY)) return true;
    letFly(this.flying, source);
    return this.#begin(source, middle, log, time, out, releaseJump * releaseJump);
  }

  /** The flight after a bounce off something level between the node's time and `time`. */
  #predictBounce(node: TrackNode, time: number, out: TrackNode): boolean {
    const { bounceRate, restitution, grip, bounceSigma } = this.#settings;
    if (bounceRate === 0 || !isSeenFlying(node) || !(node.belief.mean[5]! < 0)) return true;
    const duration = time - node.time;
    const middle = node.time + 0.5 * duration;
    const log = node.logFlying + logLeave(bounceRate, duration);
    const bounced = this.#other;
    if (this.flying.predict(node.belief, middle, bounced) !== FilterStatus.ok) return false;
    letFly(this.flying, bounced);
    const [vx, vy, vz] = [bounced.mean[3]!, bounced.mean[4]!, bounced.mean[5]!];
    scaleVelocity(bounced, grip, -restitution);
    // When it was within the time is not known: uniform, of which this is the standard deviation.
    const height = ((1 + restitution) * Math.abs(vz) * duration) / Math.sqrt(12);
    jump(bounced, bounceSigma * Math.hypot(vx, vy, vz), bounceSigma * Math.abs(vz), height);
    return this.#begin(bounced, middle, log, time, out, 0);
  }

  /** Adds the flight that was at `source` at its release, with that weight; fingers still change its velocity by `unsettled`. */
  #begin(source: BallBelief, release: number, log: number, time: number, out: TrackNode, unsettled: number): boolean {
    const flight = out.motionCount++;
    const left = unsettled * Math.exp((release - time) / this.#settings.releaseTime);
    out.logs[flight] = log;
    out.releases[flight] = release;
    out.unsettled[flight] = left;
    out.outliers[flight] = 0;
    return this.flying.predict(source, time, out.motions[flight]!, unsettled - left) === FilterStatus.ok;
  }

  /** What is carried may be carried in another way; what flew may have been caught, or have landed. */
  #predictCarried(node: TrackNode, time: number, out: TrackNode): boolean {
    const duration = time - node.time;
    const source = this.#source;
    for (let to: number = Motion.calm; to <= Motion.swing; to++) {
      let log = node.logs[to]! - (this.#releases[to]! + sum(this.#changes[to]!)) * duration;
      copyBelief(node.motions[to]!, source);
      for (let from: number = Motion.calm; from <= Motion.swing; from++) {
        if (from === to) continue;
        const came = node.logs[from]! + logLeave(this.#changes[from]![to]!, duration);
        log = this.#carried.merge(source, log, node.motions[from]!, came, source);
      }
      if (to === Motion.swing && node.isFlying) log = this.#mergeCaught(node, log, duration, source);
      out.logs[to] = log;
      out.copyOutlier(node, to, to);
      if (this.filter(to).predict(source, time, out.motions[to]!) !== FilterStatus.ok) return false;
    }
    return true;
  }

  /** Adds what a hand has caught, or has hit the floor, to `source` with the weight `log`; returns that of both. */
  #mergeCaught(node: TrackNode, log: number, duration: number, source: BallBelief): number {
    const { catchRate, catchJump } = this.#settings;
    const caught = this.#other;
    copyBelief(node.belief, caught);
    beCarried(this.#hands[Motion.swing]!, caught);
    jump(caught, catchJump, catchJump);
    return this.#carried.merge(source, log, caught, node.logFlying + logLeave(catchRate, duration), source);
  }

  /**
   * The states of something new: its position [m] is known, of its velocity only what each motion makes probable.
   * `position` and `factor` (3 × 3, lower) are read from `at` and 3·`at` on.
   */
  begin(node: TrackNode, time: number, position: Float64Array, factor: Float64Array, at: number): void {
    const { throwSpeed, carrySpeed, flyingPrior, walkPrior, swingPrior } = this.#settings;
    const priors = [1 - walkPrior - swingPrior, walkPrior, swingPrior];
    for (let m: number = Motion.calm; m <= Motion.swing; m++) {
      fillBelief(node.motions[m]!, time, position, factor, at, m === Motion.swing ? throwSpeed : carrySpeed);
      beCarried(this.#hands[m]!, node.motions[m]!);
      node.logs[m] = Math.log((1 - flyingPrior) * priors[m]!);
    }
    const flight = node.motions[Motion.flights]!;
    fillBelief(flight, time, position, factor, at, throwSpeed);
    letFly(this.flying, flight);
    node.motionCount = Motion.flights + 1;
    node.logs[Motion.flights] = Math.log(flyingPrior);
    node.releases[Motion.flights] = time;
    node.unsettled[Motion.flights] = 0;
    node.outliers.fill(0);
    node.confirmed = false;
    node.lastMeasurement = time;
    this.settle(node);
    this.summarize(node);
  }

  /** Makes the probabilities sum to one, drops and merges flights until there is room for new ones. */
  settle(node: TrackNode): void {
    let total = Number.NEGATIVE_INFINITY;
    for (let m = 0; m < node.motionCount; m++) total = logAdd(total, node.logs[m]!);
    for (let m = 0; m < node.motionCount; m++) node.logs[m] = node.logs[m]! - total;
    node.logFlying = logFlyingOf(node);
    this.#dropNegligible(node);
    while (node.motionCount > Motion.flights + KEPT_FLIGHTS) this.#mergeNearest(node);
  }

  #dropNegligible(node: TrackNode): void {
    const least = node.logFlying - NEGLIGIBLE;
    let kept: number = Motion.flights;
    for (let m = Motion.flights; m < node.motionCount; m++) {
      if (!(node.logs[m]! >= least)) continue;
      if (kept < m) node.copyMotion(node, m, kept);
      kept++;
    }
    node.motionCount = kept;
  }

  /** Flights are in the order of their releases: neighbours are the most alike. */
  #mergeNearest(node: TrackNode): void {
    let nearest: number = Motion.flights;
    let least = Number.POSITIVE_INFINITY;
    for (let m = Motion.flights; m + 1 < node.motionCount; m++) {
      const cost = this.#flights.cost(node.motions[m]!, node.logs[m]!, node.motions[m + 1]!, node.logs[m + 1]!);
      if (!(cost < least)) continue;
      least = cost;
      nearest = m;
    }
    const [a, b] = [node.motions[nearest]!, node.motions[nearest + 1]!];
    const log = this.#flights.merge(a, node.logs[nearest]!, b, node.logs[nearest + 1]!, a);
    const share = Math.exp(node.logs[nearest + 1]! - log);
    node.releases[nearest] = node.releases[nearest]! + share * (node.releases[nearest + 1]! - node.releases[nearest]!);
    node.unsettled[nearest] =
      node.unsettled[nearest]! + share * (node.unsettled[nearest + 1]! - node.unsettled[nearest]!);
    if (share > 0.5) node.copyOutlier(node, nearest + 1, nearest);
    node.logs[nearest] = log;
    for (let m = nearest + 2; m < node.motionCount; m++) node.copyMotion(node, m, m - 1);
    node.motionCount--;
  }

  /**
   * The one state of a node that others see. A flight that began after the newest measurement is a mere possibility, often far
   * from the others: it counts when a measurement has weighed it.
   */
  summarize(node: TrackNode): void {
    const [first, end] = node.isFlying ? [Motion.flights, node.motionCount] : [Motion.calm, Motion.flights];
    const mixture = node.isFlying ? this.#flights : this.#carried;
    copyBelief(node.motions[first]!, node.belief);
    let log = node.logs[first]!;
    for (let m = first + 1; m < end; m++) {
      if (node.isFlying && node.releases[m]! > node.lastMeasurement) continue;
      log = mixture.merge(node.belief, log, node.motions[m]!, node.logs[m]!, node.belief);
    }
  }
}

/** Acceleration of what is carried: what is known of it beforehand. */
function beCarried({ acceleration }: HandProcess, belief: BallBelief): void {
  belief.mean.fill(0, Entry.drag);
  belief.factor.fill(0, Entry.drag * BELIEF_SIZE);
  for (let n = Entry.acceleration; n < BELIEF_SIZE; n++) belief.factor[n * (BELIEF_SIZE + 1)] = acceleration;
}

/** Multiplies the velocity, level and upright; what is known of drag and lift does not depend on it. */
function scaleVelocity({ mean, factor }: BallBelief, level: number, upright: number): void {
  for (let r = 3; r < MOVING; r++) {
    const scale = r === 5 ? upright : level;
    mean[r] = scale * mean[r]!;
    for (let c = 0; c <= r; c++) factor[r * BELIEF_SIZE + c] = scale * factor[r * BELIEF_SIZE + c]!;
  }
}

/** Position and velocity, and the columns of a jump: of the velocity, and of the height. */
const MOVING = 6;
const COLUMNS = MOVING + 4;
const columns = new Float64Array(MOVING * COLUMNS);

/** Makes the velocity less sure, level and upright [m/s], and the height [m]; drag and lift must not depend on them. */
function jump({ factor }: BallBelief, level: number, upright: number, height = 0): void {
  columns.fill(0);
  for (let r = 0; r < MOVING; r++) {
    for (let c = 0; c <= r; c++) columns[r * COLUMNS + c] = factor[r * BELIEF_SIZE + c]!;
    if (r >= 3) columns[r * COLUMNS + MOVING + r - 3] = r === 5 ? upright : level;
  }
  columns[2 * COLUMNS + COLUMNS - 1] = height;
  triangularize(columns, MOVING, COLUMNS);
  for (let r = 0; r < MOVING; r++) {
    for (let c = 0; c <= r; c++) factor[r * BELIEF_SIZE + c] = columns[r * COLUMNS + c]!;
  }
}

/** Whether it flies, and its newest scan measured it: what happens unseen is not followed up. */
function isSeenFlying(node: TrackNode): boolean {
  return node.isFlying && node.lastMeasurement === node.time;
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (let n = 0; n < numbers.length; n++) total += numbers[n]!;
  return total;
}

/** ln of the probability that something that happens `rate` times a second has happened. */
function logLeave(rate: number, duration: number): number {
  return Math.log(-Math.expm1(-rate * duration));
}

function logFlyingOf(node: TrackNode): number {
  let log = Number.NEGATIVE_INFINITY;
  for (let m = Motion.flights; m < node.motionCount; m++) log = logAdd(log, node.logs[m]!);
  return log;
}

function fillBelief(
  belief: BallBelief,
  time: number,
  position: Float64Array,
  factor: Float64Array,
  at: number,
  speed: number,
): void {
  belief.time = time;
  belief.factor.fill(0);
  for (let r = 0; r < 3; r++) {
    belief.mean[r] = position[at + r]!;
    belief.mean[3 + r] = 0;
    for (let c = 0; c <= r; c++) belief.factor[r * BELIEF_SIZE + c] = factor[3 * at + 3 * r + c]!;
    belief.factor[(3 + r) * BELIEF_SIZE + 3 + r] = speed;
  }
}
