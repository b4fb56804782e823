import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { newtonEulerForces } from "../../robot/dynamics/inverse-dynamics.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { JointGroup } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";

/** Where and along what a structure gives way. */
interface CompliantPlace {
  readonly link: number;
  readonly motion: "rotation" | "translation";
  /** Unit vector in the link's frame. */
  readonly axis: vec3.Vec3;
}

const WEIGHTLESS = vec3.create();

/**
 * The force [N] or torque [N·m] with which moving arms push back on a link, along an axis of it: what excites the
 * structure below them. It is the inertial force of all bodies on the link, as the motion of the given groups alone
 * asks for; weight belongs to the static deflection.
 */
export class StructureReaction {
  readonly #place: CompliantPlace;
  /** Bodies on the link. */
  readonly #bodies: Int32Array;
  /** Dofs whose motion counts. */
  readonly #dofs: Int32Array;
  readonly #acceleration: Float64Array;
  readonly #axis = vec3.create();

  constructor(state: RobotState, place: CompliantPlace, groups: readonly JointGroup[]) {
    const { model, dynamics } = state;
    this.#place = place;
    this.#dofs = Int32Array.from(groups.flatMap(({ dofs }) => dofs));
    this.#acceleration = new Float64Array(model.dofCount);
    this.#bodies = Int32Array.from(dynamics.bodyLink.keys()).filter((body) => {
      let link = dynamics.bodyLink[body]!;
      while (link > place.link) link = model.parentLink[link]!;
      return link === place.link;
    });
  }

  /** For the positions of `state`, whose forward kinematics is done; overwrites its velocities and body forces. */
  evaluate(state: RobotState, qd: Float64Array, qdd: Float64Array): number {
    if (!this.#load(state, qd, qdd)) return 0;
    newtonEulerForces(state, this.#acceleration, WEIGHTLESS);
    const worldFromLink = state.worldFromLink[this.#place.link]!;
    pose.rotateVector(worldFromLink, this.#place.axis, this.#axis);
    return this.#place.motion === "rotation" ? -this.#torque(state) : -this.#force(state);
  }

  /** Takes over the motion of the groups that count; false if they rest. */
  #load(state: RobotState, qd: Float64Array, qdd: Float64Array): boolean {
    let moves = false;
    state.qd.fill(0);
    for (let k = 0; k < this.#dofs.length; k++) {
      const dof = this.#dofs[k]!;
      state.qd[dof] = qd[dof]!;
      this.#acceleration[dof] = qdd[dof]!;
      moves ||= qd[dof] !== 0 || qdd[dof] !== 0;
    }
    return moves;
  }

  #force({ dynamics }: RobotState): number {
    const z = this.#axis;
    let sum = 0;
    for (let k = 0; k < this.#bodies.length; k++) {
      const at = 6 * this.#bodies[k]!;
      sum += z[0] * dynamics.force[at]! + z[1] * dynamics.force[at + 1]! + z[2] * dynamics.force[at + 2]!;
    }
    return sum;
  }

  #torque({ dynamics, linkPoses: T }: RobotState): number {
    const z = this.#axis;
    const { force: f, bodyLink } = dynamics;
    const origin = 12 * this.#place.link + 9;
    let sum = 0;
    for (let k = 0; k < this.#bodies.length; k++) {
      const body = this.#bodies[k]!;
      const at = 6 * body;
      const t = 12 * bodyLink[body]! + 9;
      const rx = T[t]! - T[origin]!;
      const ry = T[t + 1]! - T[origin + 1]!;
      const rz = T[t + 2]! - T[origin + 2]!;
      sum += z[0] * (f[at + 3]! + ry * f[at + 2]! - rz * f[at + 1]!);
      sum += z[1] * (f[at + 4]! + rz * f[at]! - rx * f[at + 2]!);
      sum += z[2] * (f[at + 5]! + rx * f[at + 1]! - ry * f[at]!);
    }
    return sum;
  }
}

/**
 * The reaction of a fast motion: the rms, over all signs, when every joint of one group starts from rest at `q` with
 * its greatest acceleration; of the groups that with the greatest. As the reaction is linear in the accelerations, the
 * squares of the joints' own add up.
 */
export function fastReaction(
  state: RobotState,
  place: CompliantPlace,
  groups: readonly JointGroup[],
  q: Float64Array,
): number {
  const { maxAcceleration, dofCount } = state.model;
  const still = new Float64Array(dofCount);
  state.q.set(q);
  forwardKinematics(state);
  const squares = groups.map((group) => {
    const reaction = new StructureReaction(state, place, [group]);
    return group.dofs.reduce((sum, dof) => {
      const qdd = new Float64Array(dofCount);
      qdd[dof] = maxAcceleration[dof]!;
      return sum + reaction.evaluate(state, still, qdd) ** 2;
    }, 0);
  });
  return Math.sqrt(Math.max(0, ...squares));
}
