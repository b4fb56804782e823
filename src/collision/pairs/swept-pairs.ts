import { type Obstacle, robotAmong } from "../../robot/loading/obstacles.js";
import type { Robot } from "../../robot/robot.js";
import { DistanceStatus } from "../hull-distance.js";
import { DIRECTION_SIZE, SweptDistance } from "../sweep/swept-distance.js";
import { NONE, type PairTable, worstOf } from "./pair-table.js";
import { SweptBodies } from "./swept-bodies.js";

export interface SweptPairsOptions {
  /**
   * Pairs that may be nearer than this are measured to the end; for the others a bound is enough [m]. Set it to the
   * distance to be kept, if the distance of every pair below it matters, and not only of the nearest. 0 by default.
   */
  readonly detail?: number;
  /** A turn wider than this to either side is cut into pieces [rad]. */
  readonly widestPiece?: number;
  /** What stands around the robot; its pairs come after the robot's own. */
  readonly obstacles?: readonly Obstacle[];
}

/** Beyond it the buffer of a turn is a thirtieth of its radius [rad]. */
export const DEFAULT_WIDEST_PIECE = 0.25;
/**
 * What every bound gives away for the rounding of kinematics and sweeps [m]: some hundred operations on lengths of up to a
 * hundred metres.
 */
const SLACK = 1e-11;
/** The same where lengths are greater: share of the coordinates' sum. */
const RELATIVE_SLACK = 1e-13;
/**
 * Bodies that can move farther than this against one another are not swept [m]: their hulls would be a guess as wide as the
 * balls around them, and take far longer than a tick has.
 */
const HOPELESS = 2;

/**
 * How near a robot's checked pairs can come while every dof may be anywhere in an interval of its own: a certified lower
 * bound for each pair, and which is the nearest.
 *
 * Each body is swept to the lowest common ancestor of the pair, and GJK bounds the distance of the two hulls. Both are
 * done only where needed: a pair whose balls, or whose bodies along the direction in which they were found apart last, are
 * farther apart than the nearest pair found so far by more than they can move, keeps that coarser bound. So `minimum` and `worst` are those of the swept hulls, and so is every bound
 * below `detail`; the others are valid, and not as great as they could be.
 *
 * Results depend on what was measured before only by less than the distance's tolerance; after `forget` not at all.
 *
 * @example
 * const pairs = new SweptPairs(robot);
 * pairs.update(low, high);
 * if (pairs.minimum <= 0) robot.pairs[pairs.worst]; // these two could touch
 */
export class SweptPairs implements PairTable {
  readonly count: number;
  /** Indices of `robot.hulls`, from its length on of the obstacles. [count] */
  readonly bodyA: Int32Array;
  readonly bodyB: Int32Array;
  /** Certified: no two surfaces of the pair are nearer than this [m]; −Infinity if the intervals are not finite. [count] */
  readonly lowerBound: Float64Array;
  /** The pair of the least bound; −1 without pairs. */
  worst = NONE;
  /** Pairs that the last update measured by their swept hulls. */
  refined = 0;

  readonly swept: SweptBodies;
  readonly #distance = new SweptDistance();
  /** Joints that carry each body of a pair against their lowest common ancestor. [count] */
  readonly stageA: Int32Array;
  readonly stageB: Int32Array;
  /** Where `swept.motions` has each body's motion against that ancestor. [count] */
  readonly #motionA: Int32Array;
  readonly #motionB: Int32Array;
  /** Sum of the radii of the balls around the bodies [m]. [count] */
  readonly #size: Float64Array;
  readonly #memory: Float64Array;
  /** Fractional numbers live here, since V8 boxes them in calls and fields. See the indices below. */
  readonly #numbers = new Float64Array(2);

  constructor(robot: Robot, options: SweptPairsOptions = {}) {
    const { model, hulls, pairs } = robotAmong(robot, options.obstacles ?? []);
    this.#numbers[DETAIL] = options.detail ?? 0;
    this.swept = new SweptBodies(model, hulls, options.widestPiece ?? DEFAULT_WIDEST_PIECE);
    this.count = pairs.length;
    this.bodyA = Int32Array.from(pairs, ([a]) => a);
    this.bodyB = Int32Array.from(pairs, ([, b]) => b);
    const stages = pairs.map(([a, b]) => this.swept.paths.partingStages(a, b));
    this.stageA = Int32Array.from(stages, ([a]) => a);
    this.stageB = Int32Array.from(stages, ([, b]) => b);
    this.#motionA = Int32Array.from(pairs, ([a], k) => this.swept.motionIndex(a, this.stageA[k]!));
    this.#motionB = Int32Array.from(pairs, ([, b], k) => this.swept.motionIndex(b, this.stageB[k]!));
    const { extent, radius } = this.swept.bodies;
    this.#size = Float64Array.from(pairs, ([a, b]) => extent[a]! + extent[b]! + radius[a]! + radius[b]!);
    this.lowerBound = new Float64Array(this.count).fill(Number.NEGATIVE_INFINITY);
    this.#memory = new Float64Array(DIRECTION_SIZE * this.count);
  }

  /** The least of all bounds [m]; Infinity without pairs. */
  get minimum(): number {
    return this.worst === NONE ? Number.POSITIVE_INFINITY : this.lowerBound[this.worst]!;
  }

  /** Where the pair located last is nearest [m], in world with every dof in the middle of its interval. */
  get nearestA(): Float64Array {
    return this.#distance.nearestA;
  }
  get nearestB(): Float64Array {
    return this.#distance.nearestB;
  }

  /** How far apart a pair must be proven to be for `refine` to end [m]; Infinity for measurements to the end. */
  get sufficient(): number {
    return this.#numbers[SUFFICIENT]!;
  }
  set sufficient(distance: number) {
    this.#numbers[SUFFICIENT] = distance;
  }

  /** Forgets what earlier updates left, so that results do not depend on it. */
  forget(): void {
    this.#memory.fill(0);
    this.worst = NONE;
  }

  /** Bounds all pairs for dofs anywhere in `low` … `high` [rad or m]. */
  update(low: Float64Array, high: Float64Array): void {
    this.place(low, high);
    const { count, lowerBound } = this;
    if (count === 0) return;
    const first = this.worst === NONE ? 0 : this.worst;
    this.#numbers[SUFFICIENT] = Number.POSITIVE_INFINITY;
    this.refine(first);
    this.#settleFor(first);
    let worst = first;
    for (let pair = 0; pair < count; pair++) {
      if (pair === first) continue;
      this.estimate(pair);
      if (lowerBound[pair]! < this.#numbers[SUFFICIENT]!) this.estimateAlong(pair);
      if (lowerBound[pair]! < this.#numbers[SUFFICIENT]!) this.refine(pair);
      if (lowerBound[pair]! >= lowerBound[worst]!) continue;
      worst = pair;
      this.#settleFor(pair);
    }
    this.worst = worst;
  }

  /** From now on a pair need not be proven farther apart than the one given is, or than `detail`. */
  #settleFor(pair: number): void {
    const bound = this.lowerBound[pair]!;
    const detail = this.#numbers[DETAIL]!;
    this.#numbers[SUFFICIENT] = bound > detail ? bound : detail;
  }

  /** Bounds all pairs by their swept hulls, however far they are apart. */
  updateAll(low: Float64Array, high: Float64Array): void {
    this.place(low, high);
    this.#numbers[SUFFICIENT] = Number.POSITIVE_INFINITY;
    for (let pair = 0; pair < this.count; pair++) this.refine(pair);
    this.worst = worstOf(this.lowerBound);
  }

  /** Places the bodies for `estimate`, `refine` and `locate`; bounds stay as they are. */
  place(low: Float64Array, high: Float64Array): void {
    this.swept.place(low, high);
    this.refined = 0;
  }

  /** Bounds a pair by the balls around its bodies and their motion. */
  estimate(pair: number): void {
    const { center } = this.swept.bodies;
    const { motions } = this.swept;
    const a = 3 * this.bodyA[pair]!;
    const b = 3 * this.bodyB[pair]!;
    const x = center[a]!;
    const y = center[a + 1]!;
    const z = center[a + 2]!;
    const dx = x - center[b]!;
    const dy = y - center[b + 1]!;
    const dz = z - center[b + 2]!;
    const taken = this.#size[pair]! + motions[this.#motionA[pair]!]! + motions[this.#motionB[pair]!]!;
    const scale = Math.abs(x) + Math.abs(y) + Math.abs(z) + taken;
    const bound = Math.sqrt(dx * dx + dy * dy + dz * dz) - taken - SLACK - RELATIVE_SLACK * scale;
    this.lowerBound[pair] = bound >= Number.NEGATIVE_INFINITY ? bound : Number.NEGATIVE_INFINITY;
  }

  /**
   * Raises a pair's bound to the gap between its bodies in the middle pose, along the direction that the pair remembers,
   * less their motion; after `estimate`. It spares most pairs the sweeps.
   */
  estimateAlong(pair: number): void {
    const { motions, bodies } = this.swept;
    const memory = this.#memory;
    const at = DIRECTION_SIZE * pair;
    const x = memory[at]!;
    const y = memory[at + 1]!;
    const z = memory[at + 2]!;
    const a = this.bodyA[pair]!;
    const b = this.bodyB[pair]!;
    const pointsA = bodies.points[a]!;
    const pointsB = bodies.points[b]!;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 3 * bodies.pointCount[a]! - 3; i >= 0; i -= 3) {
      const along = x * pointsA[i]! + y * pointsA[i + 1]! + z * pointsA[i + 2]!;
      if (!(along >= least)) least = along;
    }
    let greatest = Number.NEGATIVE_INFINITY;
    for (let i = 3 * bodies.pointCount[b]! - 3; i >= 0; i -= 3) {
      const along = x * pointsB[i]! + y * pointsB[i + 1]! + z * pointsB[i + 2]!;
      if (!(along <= greatest)) greatest = along;
    }
    const taken =
      bodies.radius[a]! + bodies.radius[b]! + motions[this.#motionA[pair]!]! + motions[this.#motionB[pair]!]!;
    const scale = Math.abs(least) + Math.abs(greatest) + taken;
    const bound = least - greatest - taken - SLACK - RELATIVE_SLACK * scale;
    if (bound > this.lowerBound[pair]!) this.lowerBound[pair] = bound;
  }

  /** Bounds a pair by its swept hulls, to the end or until `sufficient` is proven. */
  refine(pair: number): void {
    const { motions } = this.swept;
    this.refined++;
    if (!(motions[this.#motionA[pair]!]! + motions[this.#motionB[pair]!]! < HOPELESS)) this.estimate(pair);
    else this.#measure(pair);
  }

  #measure(pair: number): void {
    const a = this.swept.hull(this.bodyA[pair]!, this.stageA[pair]!);
    const b = this.swept.hull(this.bodyB[pair]!, this.stageB[pair]!);
    const distance = this.#distance;
    const given = a.radius + b.radius + SLACK + RELATIVE_SLACK * (a.magnitude + b.magnitude);
    distance.sufficient = this.#numbers[SUFFICIENT]! + given;
    const status = distance.measure(a, b, this.#memory, DIRECTION_SIZE * pair);
    const bound = distance.lowerBound - given;
    // A radius that is not finite makes the bound NaN, which would compare as harmless.
    const isSound = status !== DistanceStatus.invalid && bound >= Number.NEGATIVE_INFINITY;
    this.lowerBound[pair] = isSound ? bound : Number.NEGATIVE_INFINITY;
  }

  /** Fills `nearestA` and `nearestB`: where a pair's swept hulls, without their radii, are nearest. */
  locate(pair: number): void {
    this.#numbers[SUFFICIENT] = Number.POSITIVE_INFINITY;
    this.refine(pair);
    this.#distance.findNearestPoints();
  }
}

const SUFFICIENT = 0;
const DETAIL = 1;
