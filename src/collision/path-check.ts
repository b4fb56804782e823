import { forwardKinematics, forwardKinematicsOf } from "../robot/kinematics/kinematics.js";
import { JointKind, type Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { BallMotion } from "./ball-motion.js";
import { linksThatMove } from "./body-motion.js";
import { DistanceStatus, MEMORY_SIZE } from "./hull-distance.js";
import type { CheckedMotion } from "./motion-check.js";
import { CONTACT_TOLERANCE, NONE, PairsInMotion, SLACK } from "./moving-pairs.js";
import { SpanStack } from "./span-stack.js";

export interface PathCheckOptions {
  /** Distance to be kept from obstacles and between the robot's own bodies [m]; default 0. */
  readonly margin?: number;
  /**
   * An edge is halved until it is proven free or its halves are this short in every joint [rad or m]; then their middles
   * decide. Default 0.02.
   */
  readonly resolution?: number;
}

/** Halvings of an edge: 2⁻²⁴ of it is below any resolution. */
const DEEPEST = 24;
/** Places of an edge that are looked at first where it is most likely not free. */
const PROBES = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];

/**
 * Whether configurations of some joints, and straight edges between them, are clear of the robot itself and of what stands
 * around it: what a path planner asks some thousand times for one path.
 *
 * Edges are halved as in `MotionCheck`: a pair whose distance in the middle exceeds what its bodies can move on half of the
 * edge is free on all of it. Those bounds take the balls around bodies for their points; and points are placed for those
 * pairs alone whose balls are near each other. Where halving would go below the resolution the middles decide, so a path still has to pass `MotionCheck` once it is a motion.
 *
 * @example
 * const check = new PathCheck(robotAmong(robot, obstacles), arm.dofs, { margin: 0.002 });
 * check.setPosture(ready);
 * if (check.isEdgeFree(from, to)) follow(from, to);
 */
export class PathCheck extends PairsInMotion {
  readonly dofs: Int32Array;
  /** Distance to be kept [m]. */
  margin: number;
  /** Configurations looked at since `reset`. */
  samples = 0;
  /** The pair that was too near in the last check that failed; −1: none. */
  blamed = NONE;

  readonly #resolution: number;
  readonly #state: RobotState;
  readonly #movingBodies: Int32Array;
  readonly #movingLinks: Int32Array;
  /** Places whose points are up to date. [bodies] */
  readonly #placed: Int32Array;
  #stamp = 0;
  /** Moving pairs, those still open first. */
  readonly #order: Int32Array;
  readonly #travel: BallMotion;
  /** Position of each dof of the model among the joints; −1 for the others. */
  readonly #index: Int32Array;
  readonly #middle: Float64Array;
  readonly #step: Float64Array;
  readonly #low: Float64Array;
  readonly #probe: Float64Array;
  readonly #spans = new SpanStack();
  readonly #from = new Float64Array(DEEPEST + 2);
  readonly #length = new Float64Array(DEEPEST + 2);
  readonly #open = new Int32Array(DEEPEST + 2);

  constructor(robot: Robot, dofs: ArrayLike<number>, options: PathCheckOptions = {}) {
    super(robot, dofs);
    this.dofs = Int32Array.from(dofs);
    this.margin = options.margin ?? 0;
    this.#resolution = options.resolution ?? 0.02;
    this.#state = new RobotState(robot.model);
    this.#movingBodies = Int32Array.from(robot.hulls.keys()).filter((body) => this.motion.moves(body));
    this.#movingLinks = linksThatMove(robot, this.dofs);
    this.#placed = new Int32Array(this.bodies.count);
    this.#order = Int32Array.from({ length: this.movingCount }, (_, k) => k);
    this.#index = new Int32Array(robot.model.dofCount).fill(NONE);
    for (const [i, dof] of this.dofs.entries()) this.#index[dof] = i;
    this.#travel = new BallMotion(this.motion, this.bodies, this.#movingBodies, this.#index);
    this.#middle = new Float64Array(this.dofs.length);
    this.#step = new Float64Array(this.dofs.length);
    this.#low = new Float64Array(this.dofs.length);
    this.#probe = new Float64Array(this.dofs.length);
  }

  /** Where all stands that the joints do not move; a position for every dof. Forgets what was measured before. */
  setPosture(posture: Float64Array): void {
    this.#state.q.set(posture);
    forwardKinematics(this.#state);
    this.bodies.placeAll(this.#state.linkPoses);
    this.reset();
  }

  /** A position for every dof, as set last; the joints are anywhere in it. */
  posture(): Float64Array {
    return this.#state.q.slice();
  }

  /** Begins to count again, and forgets what earlier checks left: a result depends on nothing before. */
  reset(): void {
    this.forget();
    this.samples = 0;
    for (let k = 0; k < this.#order.length; k++) this.#order[k] = k;
  }

  /** Whether the pairs that the joints do not move are apart, at the posture set last. */
  isRestFree(): boolean {
    for (let k = this.movingCount; k < this.count; k++) if (!this.#isApart(k, this.margin)) return false;
    return true;
  }

  /** Names of the two bodies of a pair. */
  namesOf(pair: number): readonly [string, string] {
    const { hulls } = this.bodies;
    return [hulls[this.bodyA[pair]!]!.name, hulls[this.bodyB[pair]!]!.name];
  }

  /** Whether all pairs are apart by more than the margin at `q`, a position for each of the joints, from `at` on. */
  isFree(q: Float64Array, at = 0): boolean {
    for (let i = 0; i < this.dofs.length; i++) this.#middle[i] = q[at + i]!;
    this.#place();
    const order = this.#order;
    for (let i = 0; i < order.length; i++) {
      const k = order[i]!;
      if (this.#isApart(k, this.margin)) continue;
      order[i] = order[0]!;
      order[0] = k;
      this.blamed = k;
      return false;
    }
    return true;
  }

  /**
   * The same for edges that most likely are not free, as shortcuts are: places spread over the edge are looked at first.
   */
  isLongEdgeFree(a: Float64Array, b: Float64Array): boolean {
    for (const share of PROBES) {
      for (let i = 0; i < this.dofs.length; i++) this.#probe[i] = a[i]! + share * (b[i]! - a[i]!);
      if (!this.isFree(this.#probe)) return false;
    }
    return this.isEdgeFree(a, 0, b, 0);
  }

  /** Whether the straight edge from `a` to `b` is free between its ends, which are not looked at. */
  isEdgeFree(a: Float64Array, atA: number, b: Float64Array, atB: number): boolean {
    let widest = 0;
    for (let i = 0; i < this.dofs.length; i++) {
      this.#step[i] = b[atB + i]! - a[atA + i]!;
      widest = Math.max(widest, Math.abs(this.#step[i]!));
    }
    this.#travel.spread(this.#state.model, this.#step);
    const deepest = widest > 0 ? Math.min(DEEPEST, Math.ceil(Math.log2(widest / this.#resolution))) : 0;
    this.#from[0] = 0;
    this.#length[0] = 1;
    this.#open[0] = this.movingCount;
    const shortest = 2 ** -Math.max(0, deepest);
    for (let size = 1; size > 0; ) {
      size--;
      const from = this.#from[size]!;
      const length = this.#length[size]!;
      for (let i = 0; i < this.dofs.length; i++) {
        this.#middle[i] = a[atA + i]! + (from + 0.5 * length) * this.#step[i]!;
      }
      this.#place();
      this.#travel.update(this.#state, 0.5 * length);
      const opened = this.#judge(this.#open[size]!);
      if (opened < 0) return false;
      if (opened === 0 || length <= shortest) continue;
      this.#from[size] = from + 0.5 * length;
      this.#from[size + 1] = from;
      this.#length[size] = this.#length[size + 1] = 0.5 * length;
      this.#open[size] = this.#open[size + 1] = opened;
      size += 2;
    }
    return true;
  }

  /**
   * Whether no pair comes nearer than `CONTACT_TOLERANCE` at any time of a motion of the joints: certified, as by
   * `MotionCheck`, with cheaper and wider bounds. False also where that is not proven within `mostSamples`.
   */
  isMotionFree(motion: CheckedMotion, mostSamples: number): boolean {
    const margin = this.margin;
    this.margin = CONTACT_TOLERANCE;
    const last = this.samples + mostSamples;
    this.#spans.fill(motion.duration, this.movingCount, Number.POSITIVE_INFINITY);
    let isFree = this.isRestFree();
    while (isFree && this.#spans.size > 0) {
      this.#spans.take();
      const opened = this.#judgeSpan(motion, this.#spans.span[0]!, this.#spans.span[1]!, this.#spans.open);
      isFree = opened >= 0 && this.samples < last && (opened === 0 || this.#spans.hasRoom);
      if (isFree && opened > 0) this.#spans.pushHalves(opened);
    }
    this.margin = margin;
    return isFree;
  }

  /** As `#judge`, in the middle of a span of time. */
  #judgeSpan(motion: CheckedMotion, from: number, to: number, open: number): number {
    motion.extremesBetween(from, to, this.#low, this.#step);
    motion.positions(0.5 * (from + to), this.#middle);
    for (let i = 0; i < this.dofs.length; i++) {
      const above = this.#step[i]! - this.#middle[i]!;
      const below = this.#middle[i]! - this.#low[i]!;
      this.#step[i] = above >= below ? above : below;
    }
    this.#travel.spread(this.#state.model, this.#step);
    this.#place();
    this.#travel.update(this.#state, 1);
    return this.#judge(open);
  }

  /**
   * As `nearest`, and the derivative of that distance by each joint: that of the nearest points held fixed on their bodies.
   * Zeros where nothing is nearer than `within`, or two cores overlap.
   */
  nearestWithGradient(q: Float64Array, within: number, gradient: Float64Array, at: number): number {
    const least = this.nearest(q, within);
    gradient.fill(0, at, at + this.dofs.length);
    const k = this.#nearest;
    if (k === NONE) return least;
    const { points, pointCount } = this.bodies;
    const [a, b] = [this.bodyA[k]!, this.bodyB[k]!];
    this.hulls.sufficient = Number.POSITIVE_INFINITY;
    this.hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.memory, MEMORY_SIZE * k);
    this.hulls.findNearestPoints(points[a]!, points[b]!);
    this.#addPull(a, this.hulls.nearestA, 1, gradient, at);
    this.#addPull(b, this.hulls.nearestB, -1, gradient, at);
    return least;
  }

  /** Adds sign · normal · (velocity of a point of a body per unit of each joint). */
  #addPull(body: number, point: Float64Array, sign: number, gradient: Float64Array, at: number): void {
    const { path, start } = this.motion;
    const { linkPoses, worldAxis, model } = this.#state;
    const n = this.hulls.normal;
    for (let k = start[body]!; k < start[body + 1]!; k++) {
      const link = path[k]!;
      const [x, y, z] = [worldAxis[3 * link]!, worldAxis[3 * link + 1]!, worldAxis[3 * link + 2]!];
      let along = n[0] * x + n[1] * y + n[2] * z;
      if (model.jointKind[link] === JointKind.revolute) {
        const rx = point[0]! - linkPoses[12 * link + 9]!;
        const ry = point[1]! - linkPoses[12 * link + 10]!;
        const rz = point[2]! - linkPoses[12 * link + 11]!;
        along = n[0] * (y * rz - z * ry) + n[1] * (z * rx - x * rz) + n[2] * (x * ry - y * rx);
      }
      for (let term = model.termStart[link]!; term < model.termStart[link + 1]!; term++) {
        const i = this.#index[model.termDof[term]!]!;
        if (i >= 0) gradient[at + i] = gradient[at + i]! + sign * model.termFactor[term]! * along;
      }
    }
  }

  /** Least distance of any pair at `q`, if it is below `within`; else `within` [m]. 0 where two cores overlap. */
  nearest(q: Float64Array, within: number): number {
    const { points, pointCount } = this.bodies;
    this.#middle.set(q);
    this.#place();
    let least = within;
    this.#nearest = NONE;
    for (let k = 0; k < this.movingCount; k++) {
      if (this.#areBallsApart(k, least)) continue;
      const [a, b] = [this.bodyA[k]!, this.bodyB[k]!];
      this.#placePoints(a);
      this.#placePoints(b);
      this.hulls.sufficient = least + this.radii[k]!;
      const status = this.hulls.measure(
        points[a]!,
        pointCount[a]!,
        points[b]!,
        pointCount[b]!,
        this.memory,
        MEMORY_SIZE * k,
      );
      const distance = this.hulls.distance - this.radii[k]!;
      if (status === DistanceStatus.far || !(distance < least)) continue;
      least = distance;
      this.#nearest = k;
    }
    return least;
  }

  /** How many of the first `count` pairs of the order stay open, brought to its front; −1: one is too near. */
  #judge(count: number): number {
    const order = this.#order;
    let opened = 0;
    for (let i = 0; i < count; i++) {
      const k = order[i]!;
      const entryA = this.entryA[k]!;
      const entryB = this.entryB[k]!;
      const travel =
        (entryA === NONE ? 0 : this.#travel.bound[entryA]!) + (entryB === NONE ? 0 : this.#travel.bound[entryB]!);
      const required = this.margin + SLACK + travel;
      if (this.#isApart(k, required)) continue;
      if (!this.#isApartHere) {
        this.blamed = k;
        return -1;
      }
      order[i] = order[opened]!;
      order[opened++] = k;
    }
    return opened;
  }

  /** Places the centres of all bodies that move, at `#middle`. */
  #place(): void {
    const state = this.#state;
    for (let i = 0; i < this.dofs.length; i++) state.q[this.dofs[i]!] = this.#middle[i]!;
    forwardKinematicsOf(state, this.#movingLinks);
    for (let m = 0; m < this.#movingBodies.length; m++) {
      const body = this.#movingBodies[m]!;
      this.bodies.placeCenter(body, state.linkPoses, 12 * this.bodies.link[body]!);
    }
    this.#stamp++;
    this.samples++;
  }

  /** The pair that `nearest` found nearest. */
  #nearest = NONE;

  /** Whether the last pair that was not far enough is at least apart by the margin. */
  #isApartHere = true;

  /** Whether pair `k` is proven to be farther apart than `required`. */
  #isApart(k: number, required: number): boolean {
    if (this.#areBallsApart(k, required)) return true;
    const { points, pointCount } = this.bodies;
    const { hulls } = this;
    const a = this.bodyA[k]!;
    const b = this.bodyB[k]!;
    this.#placePoints(a);
    this.#placePoints(b);
    const radii = this.radii[k]!;
    hulls.sufficient = required + radii;
    const status = hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.memory, MEMORY_SIZE * k);
    if (status === DistanceStatus.far) return true;
    this.#isApartHere = hulls.lowerBound - radii > this.margin;
    return hulls.lowerBound - radii > required;
  }

  #areBallsApart(k: number, required: number): boolean {
    const { center } = this.bodies;
    const a = this.bodyA[k]!;
    const b = this.bodyB[k]!;
    const dx = center[3 * a]! - center[3 * b]!;
    const dy = center[3 * a + 1]! - center[3 * b + 1]!;
    const dz = center[3 * a + 2]! - center[3 * b + 2]!;
    const far = this.reach[k]! + required;
    return dx * dx + dy * dy + dz * dz > far * far;
  }

  #placePoints(body: number): void {
    if (this.#placed[body] === this.#stamp) return;
    this.#placed[body] = this.#stamp;
    if (this.motion.moves(body)) this.bodies.placePoints(body, this.#state.linkPoses, 12 * this.bodies.link[body]!);
  }
}
