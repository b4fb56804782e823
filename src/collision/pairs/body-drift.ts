import { JointKind, type RobotModel } from "../../robot/robot.js";
import type { SweptBodies } from "./swept-bodies.js";

/**
 * How far any point of a body can get, seen from each of its ancestors, when the dofs change by given amounts, wherever the
 * robot stands: angle times the greatest distance that the joint's axis can have from the body's points, which is summed up
 * from the lengths of the links between them.
 */
export class BodyDrift {
  readonly #model: RobotModel;
  readonly #paths: SweptBodies["paths"];
  /** Per entry of the paths: greatest lever of the joint [m per rad, or m per m]. */
  readonly #reach: Float64Array;
  /** Per entry: what its joint and those before it do at most [m]; `update`. */
  readonly #drift: Float64Array;

  constructor(model: RobotModel, { bodies, paths }: SweptBodies) {
    this.#model = model;
    this.#paths = paths;
    this.#reach = new Float64Array(paths.joint.length);
    this.#drift = new Float64Array(paths.joint.length);
    for (let body = 0; body < bodies.count; body++) {
      const center = bodies.localCenter.subarray(3 * body, 3 * body + 3);
      let lever = Math.hypot(center[0]!, center[1]!, center[2]!) + bodies.extent[body]!;
      let link = bodies.link[body]!;
      for (let entry = paths.start[body]!; entry < paths.start[body + 1]!; entry++) {
        const joint = paths.joint[entry]!;
        for (; link !== joint; link = model.parentLink[link]!) lever += lengthOf(model, link);
        this.#reach[entry] = model.jointKind[joint] === JointKind.revolute ? lever : 1;
      }
    }
  }

  /** Takes up by how much each dof changes [rad or m], none negative. */
  update(change: Float64Array): void {
    const { start, joint } = this.#paths;
    const { termStart, termDof, termFactor } = this.#model;
    for (let body = 0; body + 1 < start.length; body++) {
      let sum = 0;
      for (let entry = start[body]!; entry < start[body + 1]!; entry++) {
        let amount = 0;
        const end = termStart[joint[entry]! + 1]!;
        for (let k = termStart[joint[entry]!]!; k < end; k++) amount += Math.abs(termFactor[k]!) * change[termDof[k]!]!;
        // Not 0·∞: a joint that stands does no harm, however long its lever.
        if (amount !== 0) sum += this.#reach[entry]! * amount;
        this.#drift[entry] = sum;
      }
    }
  }

  /** How far a body can have moved against the ancestor of a stage [m]. */
  drift(body: number, stage: number): number {
    return stage === 0 ? 0 : this.#drift[this.#paths.start[body]! + stage - 1]!;
  }
}

/** How far beyond its limits a sliding joint may be found [m]. */
const OVERRUN = 0.5;

/** Greatest distance between the origins of a link and its parent [m]. */
function lengthOf(model: RobotModel, link: number): number {
  const placement = model.parentFromJoint[link]!;
  const length = Math.hypot(placement[9], placement[10], placement[11]);
  if (model.jointKind[link] !== JointKind.prismatic) return length;
  return length + OVERRUN + Math.max(Math.abs(model.jointLower[link]!), Math.abs(model.jointUpper[link]!));
}
