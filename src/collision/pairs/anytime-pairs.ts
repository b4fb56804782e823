import type { Robot } from "../../robot/robot.js";
import { BodyDrift } from "./body-drift.js";
import { NONE, type PairTable, worstOf } from "./pair-table.js";
import { SweptPairs, type SweptPairsOptions } from "./swept-pairs.js";

/** Tells how long an update has taken; the caller restarts it before each. */
export interface Stopwatch {
  /** [s] */
  elapsed(): number;
}

interface AnytimeOptions extends SweptPairsOptions {
  readonly stopwatch: Stopwatch;
  /** Time after which an update begins no more measurements [s]. */
  readonly budget: number;
  /** Distance to be kept [m], from which urgency counts; 0 by default. */
  readonly margin?: number;
}

/** A pair whose bound lasts for so many more ticks like this one is left alone. */
const HORIZON = 5;
/** A bound that lasts for so many ticks is good enough. */
const LASTING = 25;
/** Measurements between two looks at the stopwatch: each takes microseconds at most. */
const GLANCE = 4;
/** Share by which rounding can make the loss of a tick too small. */
const ROUNDING = 1e-12;

/**
 * The pair table within a time budget: the most urgent pairs first, and for all others the bound they had, less what the
 * robot can have moved since.
 *
 * From one update to the next each interval of a dof grows beyond the old one by some e ≥ 0, upwards or downwards. Every
 * configuration in the new intervals then is within e of one in the old ones, so no pair's distance is less than its
 * old bound by more than its two bodies drift (`BodyDrift`). That loss is taken off each bound at each update, whether the pair is
 * measured or not: bounds are valid at all times, they only fade. How many more ticks like this one a bound stands before
 * it falls below the margin is the pair's urgency.
 */
export class AnytimePairs implements PairTable {
  readonly count: number;
  readonly bodyA: Int32Array;
  readonly bodyB: Int32Array;
  readonly lowerBound: Float64Array;
  worst = NONE;
  /** Pairs that were urgent at the last update and had to wait. */
  waiting = 0;

  readonly #pairs: SweptPairs;
  readonly #drift: BodyDrift;
  readonly #queue: UrgencyQueue;
  readonly #stopwatch: Stopwatch;
  readonly #budget: number;
  readonly #margin: number;
  /** Intervals of the last update. [dofCount] */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** By how much the intervals grew. [dofCount] */
  readonly #growth: Float64Array;
  /** What each bound lost at this update [m]. [count] */
  readonly #loss: Float64Array;
  #isFresh = true;

  constructor(robot: Robot, options: AnytimeOptions) {
    this.#pairs = new SweptPairs(robot, options);
    this.#drift = new BodyDrift(robot.model, this.#pairs.swept);
    this.#stopwatch = options.stopwatch;
    this.#budget = options.budget;
    this.#margin = options.margin ?? 0;
    this.count = this.#pairs.count;
    this.bodyA = this.#pairs.bodyA;
    this.bodyB = this.#pairs.bodyB;
    this.lowerBound = new Float64Array(this.count).fill(Number.NEGATIVE_INFINITY);
    this.#queue = new UrgencyQueue(this.count);
    this.#loss = new Float64Array(this.count);
    const { dofCount } = robot.model;
    this.#low = new Float64Array(dofCount);
    this.#high = new Float64Array(dofCount);
    this.#growth = new Float64Array(dofCount);
  }

  get minimum(): number {
    return this.worst === NONE ? Number.POSITIVE_INFINITY : this.lowerBound[this.worst]!;
  }

  get refined(): number {
    return this.#pairs.refined;
  }

  get nearestA(): Float64Array {
    return this.#pairs.nearestA;
  }
  get nearestB(): Float64Array {
    return this.#pairs.nearestB;
  }

  forget(): void {
    this.#isFresh = true;
    this.#pairs.forget();
    this.lowerBound.fill(Number.NEGATIVE_INFINITY);
  }

  locate(pair: number): void {
    this.#pairs.locate(pair);
  }

  update(low: Float64Array, high: Float64Array): void {
    this.#fade(low, high);
    this.#pairs.place(low, high);
    this.#queue.fill();
    this.waiting = 0;
    for (let done = 1; this.#queue.size > 0; done++) {
      const pair = this.#queue.peek();
      if (this.#queue.timeLeft[pair]! >= HORIZON) break;
      this.#queue.drop();
      this.#renew(pair);
      if (done % GLANCE !== 0 || this.#stopwatch.elapsed() < this.#budget) continue;
      this.#countWaiting();
      break;
    }
    this.worst = worstOf(this.lowerBound);
  }

  /** Whatever the budget: for a robot that stands, before its first update. */
  updateAll(low: Float64Array, high: Float64Array): void {
    this.#pairs.updateAll(low, high);
    this.lowerBound.set(this.#pairs.lowerBound);
    this.#low.set(low);
    this.#high.set(high);
    this.#isFresh = false;
    this.worst = worstOf(this.lowerBound);
  }

  /** Takes the loss off every bound, and sets the times left. */
  #fade(low: Float64Array, high: Float64Array): void {
    const growth = this.#growth;
    for (let i = 0; i < growth.length; i++) {
      const up = high[i]! - this.#high[i]!;
      const down = this.#low[i]! - low[i]!;
      const more = up > down ? up : down;
      growth[i] = this.#isFresh ? Number.POSITIVE_INFINITY : more > 0 ? more : 0 * (up + down);
      this.#high[i] = high[i]!;
      this.#low[i] = low[i]!;
    }
    this.#isFresh = false;
    this.#drift.update(growth);
    const { stageA, stageB } = this.#pairs;
    for (let pair = 0; pair < this.count; pair++) {
      const driftA = this.#drift.drift(this.bodyA[pair]!, stageA[pair]!);
      const loss = (1 + ROUNDING) * (driftA + this.#drift.drift(this.bodyB[pair]!, stageB[pair]!));
      this.#loss[pair] = loss;
      const left = this.lowerBound[pair]! - loss;
      // Infinity less Infinity, or an interval that is not a number: nothing is known.
      this.lowerBound[pair] = left >= Number.NEGATIVE_INFINITY ? left : Number.NEGATIVE_INFINITY;
      this.#queue.timeLeft[pair] = (this.lowerBound[pair]! - this.#margin) / (loss > LEAST_LOSS ? loss : LEAST_LOSS);
    }
  }

  /** Measures a pair, no more closely than is good for `LASTING` ticks. */
  #renew(pair: number): void {
    const { lowerBound } = this.#pairs;
    const loss = this.#loss[pair]!;
    const enough = loss < Number.POSITIVE_INFINITY ? this.#margin + LASTING * loss : Number.POSITIVE_INFINITY;
    this.#pairs.sufficient = enough;
    this.#pairs.estimate(pair);
    if (!(lowerBound[pair]! >= enough)) this.#pairs.estimateAlong(pair);
    if (!(lowerBound[pair]! >= enough)) this.#pairs.refine(pair);
    if (lowerBound[pair]! > this.lowerBound[pair]!) this.lowerBound[pair] = lowerBound[pair]!;
  }

  #countWaiting(): void {
    for (; this.#queue.size > 0; this.#queue.drop()) {
      if (this.#queue.timeLeft[this.#queue.peek()]! >= HORIZON) return;
      this.waiting++;
    }
  }
}

/** Less than this a tick is no motion [m]: it keeps the urgency of a robot that stands finite. */
const LEAST_LOSS = 1e-6;

/** The pairs by how soon they need attention: a binary heap in arrays made once, the most urgent on top. */
export class UrgencyQueue {
  /** Pairs left. */
  size = 0;
  readonly #heap: Int32Array;
  /** Time left to each pair, in ticks; less is more urgent, NaN the most. Write it before `fill`. */
  readonly timeLeft: Float64Array;

  constructor(capacity: number) {
    this.#heap = new Int32Array(capacity);
    this.timeLeft = new Float64Array(capacity);
  }

  /** Queues all pairs. */
  fill(): void {
    const heap = this.#heap;
    this.size = heap.length;
    for (let i = 0; i < heap.length; i++) heap[i] = i;
    for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** The most urgent pair; −1 if none is left. */
  peek(): number {
    return this.size > 0 ? this.#heap[0]! : -1;
  }

  /** Removes the most urgent pair. */
  drop(): void {
    if (this.size === 0) return;
    this.size--;
    this.#heap[0] = this.#heap[this.size]!;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const { timeLeft, size } = this;
    const pair = heap[from]!;
    let i = from;
    for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && timeLeft[heap[child + 1]!]! < timeLeft[heap[child]!]!) child++;
      if (!(timeLeft[heap[child]!]! < timeLeft[pair]!)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = pair;
  }
}
