import { BallBelief, BELIEF_SIZE, copyBelief, Entry, FilterStatus } from "../filter/ball-belief.js";
import { letFly } from "../filter/ball-birth.js";
import { BallFilter } from "../filter/ball-filter.js";
import { type HandMotion, HandPredictor } from "../filter/hand-predictor.js";
import { triangularize } from "../filter/triangularize.js";
import { BeliefMixture, logAdd } from "./belief-mixture.js";
import { KEPT_FLIGHTS, MAX_MOTIONS, Motion, type TrackNode } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** A flight less probable than all flights together by this factor is dropped [nats]. */
const NEGLIGIBLE = 16;

/**
 * How an object moves: something holds or carries it calmly, a hand swings it, or it flies under gravity, drag and nothing else. A
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
  readonly #calm: HandMotion;
  readonly #swing: HandMotion;
  readonly #flights: BeliefMixture;
  readonly #carried = new BeliefMixture([0, 1, 2, 3, 4, 5, 7, 8, 9]);
  readonly #source = new BallBelief();
  readonly #caught = new BallBelief();
  readonly #other = new BallBelief();

  constructor(settings: TrackerSettings) {
    const { ball, gravity, dragSigma, liftSigma, accelerationNoise, poseInflation } = settings;
    this.#settings = settings;
    this.flying = new BallFilter({ ball, gravity, dragSigma, liftSigma, accelerationNoise, poseInflation });
    this.#calm = { acceleration: settings.carryAcceleration, correlationTime: settings.carryTime };
    this.#swing = { acceleration: settings.swingAcceleration, correlationTime: settings.swingTime };
    const carried = { ball: { ...ball, drag: 0 }, poseInflation };
    const calm = new BallFilter(carried, new HandPredictor(this.#calm));
    const swing = new BallFilter(carried, new HandPredictor(this.#swing));
    const flights = Array.from({ length: MAX_MOTIONS - Motion.flights }, () => this.flying);
    this.#filters = [calm, swing, ...flights];
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
    out.motionCount = node.motionCount;
    for (let m = Motion.flights; m < node.motionCount; m++) {
      if (this.flying.predict(node.motions[m]!, time, out.motions[m]!) !== FilterStatus.ok) return false;
      out.logs[m] = node.logs[m]! + stays;
      out.releases[m] = node.releases[m]!;
    }
    return true;
  }

  /** The flight that began between the node's time and `time`, in the middle on average: let go by a hand, or touched. */
  #predictRelease(node: TrackNode, time: number, out: TrackNode): boolean {
    const { throwRate, releaseRate, touchRate, releaseJump } = this.#settings;
    const duration = time - node.time;
    const middle = node.time + 0.5 * duration;
    const [calm, swing] = [node.motions[Motion.calm]!, node.motions[Motion.swing]!];
    const fromCalm = node.logs[Motion.calm]! + logLeave(throwRate, duration);
    const fromSwing = node.logs[Motion.swing]! + logLeave(releaseRate, duration);
    const source = this.#source;
    let log = this.#carried.merge(calm, fromCalm, swing, fromSwing, source);
    if (this.filter(Motion.swing).predict(source, middle, source) !== FilterStatus.ok) return false;
    if (node.isFlying) {
      if (this.flying.predict(node.belief, middle, this.#other) !== FilterStatus.ok) return false;
      log = this.#flights.merge(source, log, this.#other, node.logFlying + logLeave(touchRate, duration), source);
    }
    letFly(this.flying, source);
    // Fingers change the velocity at the last moment.
    jump(source, releaseJump, releaseJump);
    return this.#begin(source, middle, log, time, out);
  }

  /** The flight after a bounce off something level between the node's time and `time`. */
  #predictBounce(node: TrackNode, time: number, out: TrackNode): boolean {
    const { bounceRate, restitution, grip, bounceSigma } = this.#settings;
    if (!node.isFlying || !(node.belief.mean[5]! < 0)) return true;
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
    return this.#begin(bounced, middle, log, time, out);
  }

  /** Adds the flight that was at `source` at its release, with that weight. */
  #begin(source: BallBelief, release: number, log: number, time: number, out: TrackNode): boolean {
    if (!(log > Number.NEGATIVE_INFINITY)) return true;
    const flight = out.motionCount++;
    out.logs[flight] = log;
    out.releases[flight] = release;
    return this.flying.predict(source, time, out.motions[flight]!) === FilterStatus.ok;
  }

  /** What is carried may begin to swing or calm down; what flew may have been caught, or have landed. */
  #predictCarried(node: TrackNode, time: number, out: TrackNode): boolean {
    const { throwRate, releaseRate, catchRate, swingRate, calmRate } = this.#settings;
    const duration = time - node.time;
    const source = this.#source;
    const [calm, swing] = [node.motions[Motion.calm]!, node.motions[Motion.swing]!];
    const [logCalm, logSwing] = [node.logs[Motion.calm]!, node.logs[Motion.swing]!];
    const staysCalm = logCalm - (swingRate + throwRate) * duration;
    const calmsDown = logSwing + logLeave(calmRate, duration);
    out.logs[Motion.calm] = this.#carried.merge(calm, staysCalm, swing, calmsDown, source);
    const calmStatus = this.filter(Motion.calm).predict(source, time, out.motions[Motion.calm]!);
    const staysSwinging = logSwing - (calmRate + releaseRate) * duration;
    const begins = logCalm + logLeave(swingRate, duration);
    const swinging = this.#carried.merge(swing, staysSwinging, calm, begins, source);
    const caught = node.isFlying ? node.logFlying + logLeave(catchRate, duration) : Number.NEGATIVE_INFINITY;
    this.#beCaught(node.belief, this.#caught);
    out.logs[Motion.swing] = this.#carried.merge(source, swinging, this.#caught, caught, source);
    const swingStatus = this.filter(Motion.swing).predict(source, time, out.motions[Motion.swing]!);
    return calmStatus === FilterStatus.ok && swingStatus === FilterStatus.ok;
  }

  /**
   * The states of something new: its position [m] is known, of its velocity only what each motion makes probable.
   * `position` and `factor` (3 × 3, lower) are read from `at` and 3·`at` on.
   */
  begin(node: TrackNode, time: number, position: Float64Array, factor: Float64Array, at: number): void {
    const { throwSpeed, carrySpeed, flyingPrior, swingPrior } = this.#settings;
    const [calm, swing, flight] = [
      node.motions[Motion.calm]!,
      node.motions[Motion.swing]!,
      node.motions[Motion.flights]!,
    ];
    fillBelief(calm, time, position, factor, at, carrySpeed);
    beCarried(this.#calm, calm);
    fillBelief(swing, time, position, factor, at, throwSpeed);
    beCarried(this.#swing, swing);
    fillBelief(flight, time, position, factor, at, throwSpeed);
    letFly(this.flying, flight);
    node.motionCount = Motion.flights + 1;
    node.logs[Motion.calm] = Math.log((1 - flyingPrior) * (1 - swingPrior));
    node.logs[Motion.swing] = Math.log((1 - flyingPrior) * swingPrior);
    node.logs[Motion.flights] = Math.log(flyingPrior);
    node.releases[Motion.flights] = time;
    node.confirmed = false;
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
      if (kept < m) move(node, m, kept);
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
    node.logs[nearest] = log;
    for (let m = nearest + 2; m < node.motionCount; m++) move(node, m, m - 1);
    node.motionCount--;
  }

  /** The one state of a node that others see. */
  summarize(node: TrackNode): void {
    const [first, end] = node.isFlying ? [Motion.flights, node.motionCount] : [Motion.calm, Motion.flights];
    const mixture = node.isFlying ? this.#flights : this.#carried;
    copyBelief(node.motions[first]!, node.belief);
    let log = node.logs[first]!;
    for (let m = first + 1; m < end; m++) {
      log = mixture.merge(node.belief, log, node.motions[m]!, node.logs[m]!, node.belief);
    }
  }

  /** A state in flight becomes that of something a hand has caught, or that has hit the floor. */
  #beCaught(belief: BallBelief, out: BallBelief): void {
    copyBelief(belief, out);
    beCarried(this.#swing, out);
    jump(out, this.#settings.catchJump, this.#settings.catchJump);
  }
}

/** Acceleration of what is carried: what is known of it beforehand. */
function beCarried({ acceleration }: HandMotion, belief: BallBelief): void {
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

/** ln of the probability that something that happens `rate` times a second has happened. */
function logLeave(rate: number, duration: number): number {
  return Math.log(-Math.expm1(-rate * duration));
}

function logFlyingOf(node: TrackNode): number {
  let sum = Number.NEGATIVE_INFINITY;
  for (let m = Motion.flights; m < node.motionCount; m++) sum = logAdd(sum, node.logs[m]!);
  return sum;
}

function move(node: TrackNode, from: number, to: number): void {
  copyBelief(node.motions[from]!, node.motions[to]!);
  node.logs[to] = node.logs[from]!;
  node.releases[to] = node.releases[from]!;
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
