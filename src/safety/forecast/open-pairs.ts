import { linksThatMove } from "../../collision/body-motion.js";
import { jointHalfWidth, type SweptBodies } from "../../collision/pairs/swept-bodies.js";
import { SweptPairs } from "../../collision/pairs/swept-pairs.js";
import { TOLERANCE } from "../../collision/sweep/swept-distance.js";
import { forwardKinematics, forwardKinematicsOf } from "../../robot/kinematics/kinematics.js";
import { JointKind, type Robot, type RobotModel } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { BrakingPairs } from "./braking-pairs.js";
import type { SpanBox } from "./span-box.js";

/** What the monitor's distance may lack of the true one of its enclosures, twice over [m]. */
const ALLOWANCE = 2 * TOLERANCE;
/** Covers the rounding of sums of lengths [m]. */
const ROUNDING = 1e-12;
const NONE = -1;

/**
 * The pairs for which it is open whether the monitor, with any of its boxes within a span's box, would find them too near.
 *
 * Two looks, the cheap one first: at the bodies in the middle of the box, how far apart they are and how far they can move
 * (`BrakingPairs`); then at the swept hulls that the monitor uses, for the span's box instead of its own. A smaller box may
 * have an enclosure that sticks out of the larger one's, so what an enclosure exceeds the true sweep by is added twice
 * (`sweepGrowth`).
 */
export class OpenPairs {
  /** Pairs that are open; the first of #order. */
  count = 0;
  readonly #robot: Robot;
  readonly #dofs: Int32Array;
  readonly #box: SpanBox;
  readonly #margin: number;
  readonly #state: RobotState;
  readonly #pairs: BrakingPairs;
  /** The moving pairs, in the order of #pairs, as the monitor sees them. */
  readonly #swept: SweptPairs;
  readonly #movingBodies: Int32Array;
  readonly #movingLinks: Int32Array;
  /** Permutation of the moving pairs. */
  readonly #order: Int32Array;
  /** Where all stood when the pairs that do not move were found clear. [dofCount] */
  readonly #restingPosture: Float64Array;
  /** Whether it holds a posture: a robot all of whose dofs move has none that could differ. */
  #hasRested = false;

  /** Of the pairs that `dofs` move against one another; `margin` is the distance that the monitor keeps [m]. */
  constructor(robot: Robot, dofs: Int32Array, box: SpanBox, margin: number) {
    this.#robot = robot;
    this.#dofs = dofs;
    this.#box = box;
    this.#margin = margin;
    this.#state = new RobotState(robot.model);
    this.#pairs = new BrakingPairs(robot, dofs, box.halfWidth, margin + ALLOWANCE);
    const { bodyA, bodyB, movingCount, motion } = this.#pairs;
    const moving = Array.from({ length: movingCount }, (_, k) => [bodyA[k]!, bodyB[k]!] as const);
    this.#swept = new SweptPairs({ ...robot, pairs: moving });
    this.#movingBodies = Int32Array.from(robot.hulls.keys()).filter((body) => motion.moves(body));
    this.#movingLinks = linksThatMove(robot, dofs);
    this.#order = Int32Array.from({ length: movingCount }, (_, k) => k);
    this.#restingPosture = new Float64Array(robot.model.dofCount);
  }

  /** The robot in the middle of the span's box; the dofs that move are written by its `takeSpan`. */
  get middle(): Float64Array {
    return this.#state.q;
  }

  /** Bodies of a pair, indices of the hulls. */
  bodyA(pair: number): number {
    return this.#pairs.bodyA[pair]!;
  }
  bodyB(pair: number): number {
    return this.#pairs.bodyB[pair]!;
  }

  /** The first of the open pairs; −1 without any. */
  get first(): number {
    return this.count > 0 ? this.#order[0]! : NONE;
  }

  /**
   * Takes up a motion that begins at `start`, all moving pairs open. Returns a pair that the motion does not move and that is
   * not certain to be clear; −1 if there is none. What was found for these holds as long as all stands there.
   */
  begin(start: Float64Array): number {
    this.#pairs.forget();
    this.#swept.forget();
    for (let k = 0; k < this.#order.length; k++) this.#order[k] = k;
    this.count = this.#order.length;
    return this.#restsAt(start) ? NONE : this.#judgeResting(start);
  }

  #judgeResting(start: Float64Array): number {
    const pairs = this.#pairs;
    const state = this.#state;
    state.q.set(start);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    this.#hasRested = false;
    for (let k = pairs.movingCount; k < pairs.count; k++) if (!pairs.isClear(state, k)) return k;
    this.#restingPosture.set(start);
    this.#hasRested = true;
    return NONE;
  }

  #restsAt(start: Float64Array): boolean {
    const resting = this.#restingPosture;
    if (!this.#hasRested) return false;
    // The moving dofs may have moved: no pair that rests depends on them.
    for (let i = 0; i < this.#dofs.length; i++) resting[this.#dofs[i]!] = start[this.#dofs[i]!]!;
    for (let dof = 0; dof < start.length; dof++) if (resting[dof] !== start[dof]) return false;
    return true;
  }

  /** Of the first `count` pairs, those stay open that are not clear throughout the span's box as seen in its middle. */
  lookAtMiddle(count: number): void {
    const { bodies, motion } = this.#pairs;
    const moving = this.#movingBodies;
    const order = this.#order;
    forwardKinematicsOf(this.#state, this.#movingLinks);
    for (let i = 0; i < moving.length; i++) {
      bodies.place(moving[i]!, this.#state.linkPoses, 12 * bodies.link[moving[i]!]!);
    }
    motion.update(this.#state, this.#box.deviation);
    this.#pairs.update(this.#box.monitorHalfWidth);
    this.count = count;
    if (!this.#box.areTurnsNarrow()) return;
    let open = 0;
    for (let i = 0; i < count; i++) {
      const k = order[i]!;
      if (this.#pairs.isClear(this.#state, k)) continue;
      order[i] = order[open]!;
      order[open++] = k;
    }
    this.count = open;
  }

  /** Of the open pairs, those stay open whose swept hulls are not clear of one another. */
  lookAtSweeps(): void {
    const order = this.#order;
    const swept = this.#swept;
    swept.place(this.#box.low, this.#box.high);
    if (!this.#box.areTurnsNarrow()) return;
    let open = 0;
    for (let i = 0; i < this.count; i++) {
      const k = order[i]!;
      const needed = this.#margin + ALLOWANCE + 2 * this.#growthOf(k);
      swept.sufficient = needed + ROUNDING;
      swept.refine(k);
      if (swept.lowerBound[k]! >= needed) continue;
      order[i] = order[open]!;
      order[open++] = k;
    }
    this.count = open;
  }

  /** What the monitor's enclosures of a pair can exceed the true sweeps by [m]. */
  #growthOf(k: number): number {
    const { model } = this.#robot;
    const { swept, stageA, stageB } = this.#swept;
    const { halfWidth } = this.#box;
    const growthA = sweepGrowth(model, swept, halfWidth, this.#pairs.bodyA[k]!, stageA[k]!);
    return growthA + sweepGrowth(model, swept, halfWidth, this.#pairs.bodyB[k]!, stageB[k]!);
  }

  /** An open pair that is too near by the monitor's own criterion in the box as it is; −1 if there is none. */
  findTooNear(): number {
    const swept = this.#swept;
    swept.place(this.#box.low, this.#box.high);
    swept.sufficient = this.#margin + ROUNDING;
    for (let i = 0; i < this.count; i++) {
      const k = this.#order[i]!;
      swept.refine(k);
      if (!(swept.lowerBound[k]! > this.#margin)) return k;
    }
    return NONE;
  }
}

/**
 * How much a monitor's enclosure of a body can exceed the body's true sweep [m], if the monitor's boxes have no more than
 * the given half widths and lie within the box that `swept` is placed for.
 *
 * A turn by up to h about an axis grows the hull by no more than 0.27·h² of the points' distance from the axis (for h ≤
 * `WIDEST_TURN`: sin²(h/2) + 0.4·(h − sin h)) and 2·sin(h/2) ≤ h of the spans it had. A span of an earlier joint j is no
 * longer than hⱼ·Rⱼ. The distances Rⱼ are those in the middle of the box, and as much more as the joints before j can
 * move the body within the box.
 */
function sweepGrowth(
  model: RobotModel,
  swept: SweptBodies,
  halfWidth: Float64Array,
  body: number,
  stage: number,
): number {
  const { start, joint } = swept.paths;
  const { motions } = swept;
  let growth = 0;
  let spans = 0;
  for (let k = 1; k <= stage; k++) {
    const link = joint[start[body]! + k - 1]!;
    const turn = jointHalfWidth(model, halfWidth, link);
    if (model.jointKind[link] !== JointKind.revolute) {
      spans += turn;
      continue;
    }
    const before = motions[swept.motionIndex(body, k - 1)]!;
    const width = jointHalfWidth(model, swept.halfWidth, link);
    const reach = width > 0 ? (motions[swept.motionIndex(body, k)]! - before) / width + before : 0;
    growth += 0.27 * turn * turn * reach + turn * spans;
    spans += turn * reach;
  }
  return growth;
}
