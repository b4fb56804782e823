import { forwardKinematicsOf } from "../../robot/kinematics/kinematics.js";
import { type CollisionHull, JointKind, type RobotModel } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { HullBodies } from "../hull-bodies.js";
import { JointSweep, sweepPrismatic, sweepRevolute } from "../sweep/joint-sweep.js";
import { SweptHull } from "../sweep/swept-hull.js";
import { BodyPaths } from "./body-paths.js";

/**
 * A robot's bodies while every dof may be anywhere in an interval: placed in world at the middle of the intervals, and
 * swept from there, joint by joint towards the root, as far as it is asked.
 *
 * The pose of a body, seen from an ancestor, is the product of its joints' motions about their axes *in the middle pose*,
 * the outermost applied first. So stage k is stage k − 1 swept about one axis, all pairs with that ancestor share it, and
 * a body nobody asks for is not swept.
 */
export class SweptBodies {
  readonly bodies: HullBodies;
  readonly paths: BodyPaths;
  /** Half width of each dof's interval [rad or m]; `place`. [dofCount] */
  readonly halfWidth: Float64Array;

  readonly #state: RobotState;
  readonly #model: RobotModel;
  /** Links between a body and the root, parents first. */
  readonly #links: Int32Array;
  /** Stages of each body, and up to which they are done. */
  readonly #stages: readonly (readonly SweptHull[])[];
  readonly #done: Int32Array;
  readonly #sweep: JointSweep;
  /**
   * How far any point of a body can be from its place, seen from the ancestor of a stage [m], at `motionIndex`; `place`. It is
   * the sum over the joints of angle times reach, as the joints may be turned one after the other from the root outwards,
   * each moving no point by more than its angle times the distance from its axis in the middle pose.
   */
  readonly motions: Float64Array;
  readonly #widestPiece: number;

  /** `widestPiece` [rad]: a turn that is wider to either side is cut, as far as the points suffice. */
  constructor(model: RobotModel, hulls: readonly CollisionHull[], widestPiece: number) {
    this.#model = model;
    this.#state = new RobotState(model);
    this.#widestPiece = widestPiece;
    this.bodies = new HullBodies(hulls);
    this.paths = new BodyPaths(model, this.bodies.link);
    this.halfWidth = new Float64Array(model.dofCount);
    this.#links = linksBetween(model, this.bodies.link);
    this.#stages = hulls.map((hull, body) => makeStages(this.paths, body, hull.points.length / 3));
    this.#done = new Int32Array(hulls.length);
    this.#sweep = new JointSweep(this.paths.maxTerms);
    this.motions = new Float64Array(1 + this.paths.joint.length);
  }

  /** Places the bodies at the middle of the intervals `low` … `high` of the dofs, and forgets all sweeps. */
  place(low: Float64Array, high: Float64Array): void {
    const { q } = this.#state;
    for (let i = 0; i < q.length; i++) {
      q[i] = 0.5 * (low[i]! + high[i]!);
      const above = high[i]! - q[i]!;
      const below = q[i]! - low[i]!;
      this.halfWidth[i] = Math.abs(above > below ? above : below);
    }
    forwardKinematicsOf(this.#state, this.#links);
    this.bodies.placeAll(this.#state.linkPoses);
    this.#done.fill(-1);
    this.#boundMotions();
  }

  /** Where `motions` has a body's stage; stage 0, at which nothing moves, is the first for all bodies. */
  motionIndex(body: number, stage: number): number {
    return stage === 0 ? 0 : this.paths.start[body]! + stage;
  }

  /** The body swept by its outermost `stage` joints, in world at the middle pose. */
  hull(body: number, stage: number): SweptHull {
    const stages = this.#stages[body]!;
    for (let k = this.#done[body]! + 1; k <= stage; k++) this.#makeStage(body, k);
    if (this.#done[body]! < stage) this.#done[body] = stage;
    const hull = stages[stage]!;
    if (!hull.isMeasured) hull.measure();
    return hull;
  }

  #makeStage(body: number, stage: number): void {
    const out = this.#stages[body]![stage]!;
    if (stage === 0) {
      out.setPoints(this.bodies.points[body]!, this.bodies.pointCount[body]!);
      out.radius = this.bodies.radius[body]!;
    } else {
      const entry = this.paths.start[body]! + stage - 1;
      this.#readJoint(entry);
      const source = this.#stages[body]![stage - 1]!;
      const isTurn = this.#model.jointKind[this.paths.joint[entry]!] === JointKind.revolute;
      if (isTurn) sweepRevolute(source, this.#sweep, this.paths.spanCount[entry]!, out);
      else sweepPrismatic(source, this.#sweep, this.paths.spanCount[entry]!, out);
    }
  }

  /** Fills #sweep with a joint in the middle pose. */
  #readJoint(entry: number): void {
    const { termStart, termDof, termFactor } = this.#model;
    const { linkPoses, worldAxis } = this.#state;
    const sweep = this.#sweep;
    const link = this.paths.joint[entry]!;
    for (let k = 0; k < 3; k++) {
      sweep.origin[k] = linkPoses[12 * link + 9 + k]!;
      sweep.axis[k] = worldAxis[3 * link + k]!;
    }
    const first = termStart[link]!;
    sweep.termCount = termStart[link + 1]! - first;
    for (let k = 0; k < sweep.termCount; k++) {
      sweep.slot[k] = this.paths.slot[this.paths.slotStart[entry]! + k]!;
      sweep.amount[k] = termFactor[first + k]! * this.halfWidth[termDof[first + k]!]!;
    }
    const mayCut = this.paths.isAlone[entry] === 1 && Math.abs(sweep.amount[0]!) > this.#widestPiece;
    sweep.pieces = mayCut ? Math.min(MOST_PIECES, Math.ceil(Math.abs(sweep.amount[0]!) / this.#widestPiece)) : 1;
  }

  /** Fills `motions` from the balls around the bodies. */
  #boundMotions(): void {
    const { start, joint } = this.paths;
    const { center, extent, count } = this.bodies;
    const { linkPoses, worldAxis } = this.#state;
    const { jointKind } = this.#model;
    for (let body = 0; body < count; body++) {
      let sum = 0;
      for (let entry = start[body]!; entry < start[body + 1]!; entry++) {
        const link = joint[entry]!;
        const angle = jointHalfWidth(this.#model, this.halfWidth, link);
        if (jointKind[link] === JointKind.revolute) {
          const rx = center[3 * body]! - linkPoses[12 * link + 9]!;
          const ry = center[3 * body + 1]! - linkPoses[12 * link + 10]!;
          const rz = center[3 * body + 2]! - linkPoses[12 * link + 11]!;
          const cx = worldAxis[3 * link + 1]! * rz - worldAxis[3 * link + 2]! * ry;
          const cy = worldAxis[3 * link + 2]! * rx - worldAxis[3 * link]! * rz;
          const cz = worldAxis[3 * link]! * ry - worldAxis[3 * link + 1]! * rx;
          sum += angle * (Math.sqrt(cx * cx + cy * cy + cz * cz) + extent[body]!);
        } else sum += angle;
        this.motions[entry + 1] = sum;
      }
    }
  }
}

/** More pieces than this make a turn's enclosure little better. */
const MOST_PIECES = 8;
/** Room of every stage for the pieces of wide turns. */
const MIN_CAPACITY = 16;

/** All stages have as many slots, so that each can share the spans of the one before. */
function makeStages({ start, spanCount }: BodyPaths, body: number, points: number): SweptHull[] {
  const end = start[body + 1]!;
  const slots = end > start[body]! ? spanCount[end - 1]! : 0;
  const capacity = Math.max(MIN_CAPACITY, 2 * points);
  return Array.from({ length: 1 + end - start[body]! }, () => new SweptHull(capacity, slots));
}

function linksBetween(model: RobotModel, links: Int32Array): Int32Array {
  const isNeeded = new Uint8Array(model.linkCount);
  for (const link of links) for (let at = link; at > 0; at = model.parentLink[at]!) isNeeded[at] = 1;
  return Int32Array.from(isNeeded.keys()).filter((link) => isNeeded[link] === 1);
}

/** By how much a joint turns or slides to either side, where each dof does by its half width [rad or m]. */
export function jointHalfWidth(model: RobotModel, halfWidth: Float64Array, link: number): number {
  const { termStart, termDof, termFactor } = model;
  let sum = 0;
  for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
    sum += Math.abs(termFactor[term]!) * halfWidth[termDof[term]!]!;
  }
  return sum;
}
