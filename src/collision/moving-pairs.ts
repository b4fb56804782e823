import { JointKind, type Robot } from "../robot/robot.js";
import type { RobotState } from "../robot/state.js";
import { axisReach, BodyMotion } from "./body-motion.js";
import { HullBodies } from "./hull-bodies.js";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "./hull-distance.js";

/** What can be said of a pair while its bodies move as `BodyMotion` allows. */
export const PairVerdict = {
  /** Certified: farther apart than the margin whatever they do. */
  clear: 0,
  /** Apart here and now, but they could meet. */
  open: 1,
  /** Nearer than the margin and the tolerance, here and now. */
  contact: 2,
  /** Not measurable: a position is not finite. */
  invalid: 3,
} as const;
export type PairVerdict = (typeof PairVerdict)[keyof typeof PairVerdict];

/** A pair this near to the margin counts as in contact [m]: proving a nearer miss would take ever more samples. */
export const CONTACT_TOLERANCE = 1e-4;

/** Covers the rounding of kinematics and motion bounds, and what sound ramps may miss their ends by: 1e-8 a joint [m]. */
export const SLACK = 1e-7;

/** An entry of a body that does not move. */
export const NONE = -1;

/** A robot's checked pairs, and where on the ways to its bodies some dofs move the two of a pair against one another. */
export class PairsInMotion {
  readonly bodies: HullBodies;
  readonly motion: BodyMotion;
  /** Pairs in all; those whose bodies can move against one another come first. */
  readonly count: number;
  readonly movingCount: number;
  /** Indices of `robot.hulls`. [count] */
  readonly bodyA: Int32Array;
  readonly bodyB: Int32Array;
  /** Entries of `motion` where the ways to the two bodies part; NONE for a body that does not move from there on. [count] */
  readonly entryA: Int32Array;
  readonly entryB: Int32Array;
  /** Sum of the radii, and the same with those of the bounding balls [m]. [count] */
  protected readonly radii: Float64Array;
  protected readonly reach: Float64Array;
  protected readonly hulls = new HullDistance();
  /** What `hulls` remembers of each pair. [MEMORY_SIZE · count] */
  protected readonly memory: Int32Array;

  constructor(robot: Robot, dofs: ArrayLike<number>) {
    this.bodies = new HullBodies(robot.hulls);
    this.motion = new BodyMotion(robot.model, this.bodies, dofs);
    const entries = robot.pairs.map(([a, b]) => partingEntries(this.motion, a, b));
    const movers = new Set(robot.movers?.map(({ body }) => body));
    const isResting = (k: number): boolean =>
      entries[k]!.every((entry) => entry === NONE) && !robot.pairs[k]!.some((body) => movers.has(body));
    const order = [...robot.pairs.keys()].sort((k, l) => Number(isResting(k)) - Number(isResting(l)) || k - l);
    this.count = order.length;
    this.movingCount = order.filter((k) => !isResting(k)).length;
    this.bodyA = Int32Array.from(order, (k) => robot.pairs[k]![0]);
    this.bodyB = Int32Array.from(order, (k) => robot.pairs[k]![1]);
    this.entryA = Int32Array.from(order, (k) => entries[k]![0]);
    this.entryB = Int32Array.from(order, (k) => entries[k]![1]);
    const { radius, extent } = this.bodies;
    this.radii = Float64Array.from(order, (_, k) => radius[this.bodyA[k]!]! + radius[this.bodyB[k]!]!);
    this.reach = this.radii.map((radii, k) => radii + extent[this.bodyA[k]!]! + extent[this.bodyB[k]!]!);
    this.memory = new Int32Array(MEMORY_SIZE * this.count);
  }

  /** Forgets what earlier measurements left for warm starts, so that results do not depend on them. */
  forget(): void {
    this.memory.fill(0);
  }
}

/** How near a robot's checked pairs can come, the bodies placed at a state, when some dofs leave it. */
export class MovingPairs extends PairsInMotion {
  readonly #margin: number;
  readonly #innerReach = new Float64Array(1);
  /** By how much each body may leave its place by itself, as a moving obstacle does [m]; the caller's. [bodies] */
  readonly drift: Float64Array;

  constructor(robot: Robot, dofs: ArrayLike<number>, margin: number) {
    super(robot, dofs);
    this.#margin = margin;
    this.drift = new Float64Array(this.bodies.count);
  }

  /** Judges pair `k` for bodies placed at `state` and the last `motion.update`. */
  judge(state: RobotState, k: number): PairVerdict {
    const { center, points, pointCount } = this.bodies;
    const { hulls } = this;
    const a = this.bodyA[k]!;
    const b = this.bodyB[k]!;
    const entryA = this.entryA[k]!;
    const entryB = this.entryB[k]!;
    const radii = this.radii[k]!;
    const motion =
      (entryA === NONE ? 0 : this.motion.bound[entryA]!) + (entryB === NONE ? 0 : this.motion.bound[entryB]!);
    const required = this.#margin + SLACK + motion + this.drift[a]! + this.drift[b]!;
    const dx = center[3 * a]! - center[3 * b]!;
    const dy = center[3 * a + 1]! - center[3 * b + 1]!;
    const dz = center[3 * a + 2]! - center[3 * b + 2]!;
    const far = this.reach[k]! + required;
    if (dx * dx + dy * dy + dz * dz > far * far) return PairVerdict.clear;
    hulls.sufficient = required + radii;
    const status = hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.memory, MEMORY_SIZE * k);
    if (status === DistanceStatus.far) return PairVerdict.clear;
    if (status === DistanceStatus.invalid) return PairVerdict.invalid;
    if (hulls.distance - radii <= this.#margin + CONTACT_TOLERANCE) return PairVerdict.contact;
    return hulls.lowerBound - radii - required + this.saving(state, k) > 0 ? PairVerdict.clear : PairVerdict.open;
  }

  /**
   * By how much the motion bound of a pair is too great, where only one of its bodies moves: about the first joint between
   * them one may as well turn the other body backwards, which moves it little if it lies along the axis.
   */
  saving(state: RobotState, k: number): number {
    const entryA = this.entryA[k]!;
    const entryB = this.entryB[k]!;
    if (entryA !== NONE && entryB !== NONE) return 0;
    const outer = entryA === NONE ? this.bodyB[k]! : this.bodyA[k]!;
    const inner = entryA === NONE ? this.bodyA[k]! : this.bodyB[k]!;
    const entry = entryA === NONE ? entryB : entryA;
    const { path, start, bound, deviation } = this.motion;
    const link = entry === NONE ? 0 : path[entry]!;
    if (state.model.jointKind[link] !== JointKind.revolute) return 0;
    const { points, pointCount } = this.bodies;
    const origin = 12 * link + 9;
    axisReach(
      points[inner]!,
      pointCount[inner]!,
      state.linkPoses,
      origin,
      state.worldAxis,
      3 * link,
      this.#innerReach,
      0,
    );
    const behind = entry + 1 < start[outer + 1]! ? bound[entry + 1]! : 0;
    const saving = bound[entry]! - behind - this.#innerReach[0]! * deviation[entry]!;
    return saving > 0 ? saving : 0;
  }
}

/** Where the ways to two bodies part. */
function partingEntries(motion: BodyMotion, a: number, b: number): [number, number] {
  const shared = motion.sharedJoints(a, b);
  const entryOf = (body: number): number => {
    const entry = motion.start[body]! + shared;
    return entry < motion.start[body + 1]! ? entry : NONE;
  };
  return [entryOf(a), entryOf(b)];
}
