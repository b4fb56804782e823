import { chainReaches } from "../../collision/body-motion.js";
import { DistanceStatus, MEMORY_SIZE } from "../../collision/hull-distance.js";
import { NONE, PairsInMotion } from "../../collision/moving-pairs.js";
import { JointKind, type Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";

/** Covers the rounding of kinematics and motion bounds, and what sound ramps may miss their ends by [m]. */
const SLACK = 1e-7;

/**
 * A first look at a robot's checked pairs, with the bodies placed in the middle of a box of joint positions: which are so
 * far apart that not even the enclosures of a monitor whose own boxes lie within that box come near.
 *
 * **The box.** Let it have half widths aⱼ, and let Rⱼ be a body's reach about joint j in the middle. No point of the body is
 * farther than M = Σ aⱼ·Rⱼ from its place (`BodyMotion`). Along a direction n it moves by no more than
 * Σ aⱼ·|n·(zⱼ × r)| to first order; the rest is half the second derivative of its path, at most
 * S = Σₖ aₖ·(aₖ/2 + Σ aⱼ)·Rₖ′ with j over the joints nearer to the root than k, and Rₖ′ ≤ Rₖ + (motion by the joints after
 * k), since they may stand anywhere in the box.
 *
 * **The monitor.** One of its boxes has half widths hⱼ ≤ aⱼ. Its enclosure of a body (`sweepRevolute`) is the convex hull of
 * the body's sweep up to two buffers G: what it was grown by, and as much again by which its straight arcs stray from the
 * true ones. A turn by h ≤ `WIDEST_TURN` adds to G at most 0.27·h² of the reach and h times the spans of the joints after
 * it, so G = Σₖ hₖ·(0.27·hₖ·Rₖ′ + Σ hⱼ·Rⱼ′), j over the joints farther from the root than k, which is less than
 * H·(1 + H)·M with H = Σ hⱼ.
 *
 * So the monitor's bound is not below the distance in the middle, or the gap along n, less M (or first order and S) of both
 * bodies and 2·G of both, up to the tolerance of its distance.
 *
 * Dofs that stand have a small box too (the monitor's error bounds); what it does to a pair is a constant, from reaches
 * that hold in any configuration.
 */
export class BrakingPairs extends PairsInMotion {
  /** Σ of the half widths of an entry's joint and those after it [rad or m]; `update`. */
  readonly #turn: Float64Array;
  /** M and H of the standing dofs. [count] */
  readonly #standingMotion: Float64Array;
  readonly #standingTurn: Float64Array;
  readonly #needed: number;
  readonly #robot: Robot;
  readonly #index: Int32Array;
  /** Sums over both bodies of a pair; see the indices below. */
  readonly #sums = new Float64Array(5);
  readonly #along: Float64Array;

  /**
   * `dofs` are those that move; of the others `standingHalfWidth` is the half width of their boxes [rad or m]. A pair is
   * clear if the monitor's bound is certain to exceed `needed` [m].
   */
  constructor(robot: Robot, dofs: ArrayLike<number>, standingHalfWidth: Float64Array, needed: number) {
    super(robot, dofs);
    this.#robot = robot;
    this.#needed = needed;
    this.#index = new Int32Array(robot.model.dofCount).fill(NONE);
    for (let i = 0; i < dofs.length; i++) this.#index[dofs[i]!] = i;
    this.#turn = new Float64Array(this.motion.path.length);
    this.#along = new Float64Array(Math.max(0, ...this.bodies.pointCount));
    const { bodyA, bodyB } = this;
    const standing = Array.from(bodyA, (a, k) => this.#standing(a, bodyB[k]!, standingHalfWidth));
    this.#standingMotion = Float64Array.from(standing, ([motion]) => motion);
    this.#standingTurn = Float64Array.from(standing, ([, turn]) => turn);
  }

  /** Takes up the half widths of the monitor's boxes [rad or m], in the order of `dofs`; after `motion.update`. */
  update(halfWidth: Float64Array): void {
    const { start, path } = this.motion;
    const { termStart, termDof, termFactor } = this.#robot.model;
    for (let body = 0; body + 1 < start.length; body++) {
      let sum = 0;
      for (let k = start[body + 1]! - 1; k >= start[body]!; k--) {
        const link = path[k]!;
        for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
          const i = this.#index[termDof[term]!]!;
          if (i >= 0) sum += Math.abs(termFactor[term]!) * halfWidth[i]!;
        }
        this.#turn[k] = sum;
      }
    }
  }

  /** Whether pair `k` is certain to be clear, as placed at `state`. */
  isClear(state: RobotState, k: number): boolean {
    const { center, points, pointCount } = this.bodies;
    const a = this.bodyA[k]!;
    const b = this.bodyB[k]!;
    const entryA = this.entryA[k]!;
    const entryB = this.entryB[k]!;
    const { bound } = this.motion;
    let motion = this.#standingMotion[k]!;
    let turn = this.#standingTurn[k]!;
    if (entryA !== NONE) {
      motion += bound[entryA]!;
      turn += this.#turn[entryA]!;
    }
    if (entryB !== NONE) {
      motion += bound[entryB]!;
      turn += this.#turn[entryB]!;
    }
    const required = this.#needed + SLACK + motion * (1 + 2 * turn * (1 + turn));
    const dx = center[3 * a]! - center[3 * b]!;
    const dy = center[3 * a + 1]! - center[3 * b + 1]!;
    const dz = center[3 * a + 2]! - center[3 * b + 2]!;
    const far = this.reach[k]! + required;
    if (dx * dx + dy * dy + dz * dz > far * far) return true;
    const { hulls } = this;
    hulls.sufficient = required + this.radii[k]!;
    const status = hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.memory, MEMORY_SIZE * k);
    return status === DistanceStatus.far || this.#isGapWide(state, k);
  }

  /** Whether the gap just measured stays wide enough along its own direction. */
  #isGapWide(state: RobotState, k: number): boolean {
    const entryA = this.entryA[k]!;
    const entryB = this.entryB[k]!;
    const sums = this.#sums;
    sums.fill(0);
    if (entryA !== NONE) this.#addMotion(state, this.bodyA[k]!, entryA);
    if (entryB !== NONE) this.#addMotion(state, this.bodyB[k]!, entryB);
    const motion = sums[MOTION]!;
    const turn = sums[TURN]!;
    const standing = this.#standingMotion[k]!;
    const standingTurn = this.#standingTurn[k]!;
    // Standing dofs: their motion, and all products of theirs with others, in S once and in G twice.
    const mixed = standingTurn * (motion + standing) * (1 + turn + standingTurn) + turn * standing;
    const taken = sums[ALONG]! + sums[REST]! + 2 * sums[GROWTH]! + standing + 3 * mixed;
    return this.hulls.lowerBound - this.radii[k]! - taken > this.#needed + SLACK;
  }

  /** Adds what the moving dofs do to a body from `entry` on to #sums. */
  #addMotion(state: RobotState, body: number, entry: number): void {
    const { bound, deviation, start } = this.motion;
    const sums = this.#sums;
    const end = start[body + 1]!;
    let inner = 0;
    for (let k = entry; k < end; k++) {
      const after = k + 1 < end ? bound[k + 1]! : 0;
      const width = deviation[k]!;
      const own = bound[k]! - after + width * after;
      sums[REST] = sums[REST]! + own * (0.5 * width + inner);
      inner += width;
    }
    let spans = 0;
    for (let k = end - 1; k >= entry; k--) {
      const after = k + 1 < end ? bound[k + 1]! : 0;
      const half = this.#turn[k]! - (k + 1 < end ? this.#turn[k + 1]! : 0);
      const share = deviation[k]! > 0 ? half / deviation[k]! : 1;
      const own = share * (bound[k]! - after) + half * after;
      sums[GROWTH] = sums[GROWTH]! + half * (0.27 * own + spans);
      spans += own;
    }
    sums[MOTION] = sums[MOTION]! + bound[entry]!;
    sums[TURN] = sums[TURN]! + inner;
    this.#addMotionAlong(state, body, entry);
  }

  /** Adds the greatest motion of the body's points along the direction of the gap, to first order. */
  #addMotionAlong(state: RobotState, body: number, entry: number): void {
    const { path, deviation, start } = this.motion;
    const { worldAxis, linkPoses, model } = state;
    const n = this.hulls.normal;
    const count = this.bodies.pointCount[body]!;
    const points = this.bodies.points[body]!;
    const along = this.#along;
    for (let i = 0; i < count; i++) along[i] = 0;
    for (let k = entry; k < start[body + 1]!; k++) {
      const link = path[k]!;
      const width = deviation[k]!;
      const zx = worldAxis[3 * link]!;
      const zy = worldAxis[3 * link + 1]!;
      const zz = worldAxis[3 * link + 2]!;
      if (model.jointKind[link] !== JointKind.revolute) {
        const slide = width * Math.abs(n[0] * zx + n[1] * zy + n[2] * zz);
        for (let i = 0; i < count; i++) along[i] = along[i]! + slide;
        continue;
      }
      const cx = width * (n[1] * zz - n[2] * zy);
      const cy = width * (n[2] * zx - n[0] * zz);
      const cz = width * (n[0] * zy - n[1] * zx);
      const at = 12 * link + 9;
      const offset = cx * linkPoses[at]! + cy * linkPoses[at + 1]! + cz * linkPoses[at + 2]!;
      for (let i = 0; i < count; i++) {
        const turn = cx * points[3 * i]! + cy * points[3 * i + 1]! + cz * points[3 * i + 2]! - offset;
        along[i] = along[i]! + Math.abs(turn);
      }
    }
    let greatest = 0;
    for (let i = 0; i < count; i++) if (!(along[i]! <= greatest)) greatest = along[i]!;
    this.#sums[ALONG] = this.#sums[ALONG]! + greatest;
  }

  /** How far, and by which angle, the standing dofs between two bodies can move them against one another. */
  #standing(a: number, b: number, halfWidth: Float64Array): readonly [number, number] {
    const { model, hulls } = this.#robot;
    const [first, second] = [chainReaches(model, hulls[a]!), chainReaches(model, hulls[b]!)];
    let [motion, turn] = [0, 0];
    for (const [own, other] of [[first, second] as const, [second, first] as const]) {
      for (const [link, reach] of own) {
        if (other.has(link)) continue;
        let angle = 0;
        for (let term = model.termStart[link]!; term < model.termStart[link + 1]!; term++) {
          const dof = model.termDof[term]!;
          if (this.#index[dof] === NONE) angle += Math.abs(model.termFactor[term]!) * halfWidth[dof]!;
        }
        turn += angle;
        motion += angle * reach;
      }
    }
    return [motion, turn];
  }
}

/** First-order motion along a direction, the rest of it, growth of the monitor's hulls, M, Σ of the widths. */
const ALONG = 0;
const REST = 1;
const GROWTH = 2;
const MOTION = 3;
const TURN = 4;
