import { JointKind } from "../robot/robot.js";
import type { RobotState } from "../robot/state.js";
import type { BodyMotion } from "./body-motion.js";
import type { HullBodies } from "./hull-bodies.js";

/**
 * How far bodies can get when joints leave their present places, as `BodyMotion` has it, with the ball around a body in the
 * place of its points: wider bounds at a small part of the cost, for checks that place no points where they need not.
 */
export class BallMotion {
  /** Bound of what the joint of each entry of `motion.path` and those after it do to the body [m]; `update`. */
  readonly bound: Float64Array;
  readonly #deviation: Float64Array;
  readonly #motion: BodyMotion;
  readonly #bodies: HullBodies;
  readonly #moving: Int32Array;
  /** Position of each dof of the model among those that move; below 0 for the others. */
  readonly #index: Int32Array;

  constructor(motion: BodyMotion, bodies: HullBodies, moving: Int32Array, index: Int32Array) {
    this.#motion = motion;
    this.#bodies = bodies;
    this.#moving = moving;
    this.#index = index;
    this.bound = new Float64Array(motion.path.length);
    this.#deviation = new Float64Array(motion.path.length);
  }

  /** The joints go by at most these ways, of either sign; in the order of those that move [rad or m]. */
  spread(model: RobotState["model"], ways: Float64Array): void {
    const { path } = this.#motion;
    const { termStart, termDof, termFactor } = model;
    for (let k = 0; k < path.length; k++) {
      const link = path[k]!;
      let deviation = 0;
      for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
        const i = this.#index[termDof[term]!]!;
        if (i >= 0) deviation += Math.abs(termFactor[term]! * ways[i]!);
      }
      this.#deviation[k] = deviation;
    }
  }

  /** For `share` of those ways from the state at hand, the centres of the bodies placed there. */
  update({ model, linkPoses, worldAxis }: RobotState, share: number): void {
    const { start, path } = this.#motion;
    const { center, extent } = this.#bodies;
    for (let m = 0; m < this.#moving.length; m++) {
      const body = this.#moving[m]!;
      const x = center[3 * body]!;
      const y = center[3 * body + 1]!;
      const z = center[3 * body + 2]!;
      let sum = 0;
      for (let k = start[body + 1]! - 1; k >= start[body]!; k--) {
        const link = path[k]!;
        let reach = 1;
        if (model.jointKind[link] === JointKind.revolute) {
          const rx = x - linkPoses[12 * link + 9]!;
          const ry = y - linkPoses[12 * link + 10]!;
          const rz = z - linkPoses[12 * link + 11]!;
          const ax = worldAxis[3 * link]!;
          const ay = worldAxis[3 * link + 1]!;
          const az = worldAxis[3 * link + 2]!;
          const cx = ay * rz - az * ry;
          const cy = az * rx - ax * rz;
          const cz = ax * ry - ay * rx;
          reach = Math.sqrt(cx * cx + cy * cy + cz * cz) + extent[body]!;
        }
        sum += reach * share * this.#deviation[k]!;
        this.bound[k] = sum;
      }
    }
  }
}
