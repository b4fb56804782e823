import { JointKind, type RobotModel } from "../../robot/robot.js";
import type { WorldMemory } from "./world-memory.js";

/**
 * Where the robot's dofs are among MuJoCo's coordinates. MuJoCo has a coordinate for every joint, dependent ones too;
 * the model has one for every independent joint, and a force on joint j is factor·force on the dofs it follows.
 */
export class JointCoordinates {
  readonly #memory: WorldMemory;
  readonly #model: RobotModel;
  /** Of each joint that moves: link, place in qpos, place in qvel. */
  readonly #links: Int32Array;
  readonly #positions: Int32Array;
  readonly #velocities: Int32Array;
  /** Places of each dof's own joint. [dofCount] */
  readonly #dofPositions: Int32Array;
  readonly #dofVelocities: Int32Array;

  constructor(memory: WorldMemory, model: RobotModel) {
    this.#memory = memory;
    this.#model = model;
    const moving = [...model.jointKind.keys()].filter((link) => model.jointKind[link] !== JointKind.fixed);
    this.#links = Int32Array.from(moving);
    this.#positions = Int32Array.from(moving, (link) => memory.positionOf(model.jointNames[link]!));
    this.#velocities = Int32Array.from(moving, (link) => memory.velocityOf(model.jointNames[link]!));
    this.#dofPositions = Int32Array.from(model.dofNames, (name) => memory.positionOf(name));
    this.#dofVelocities = Int32Array.from(model.dofNames, (name) => memory.velocityOf(name));
  }

  /** Puts every joint where dof positions `q` [rad or m] have it, at rest. */
  place(q: Float64Array): void {
    const { termStart, termDof, termFactor, jointOffset } = this.#model;
    for (let k = 0; k < this.#links.length; k++) {
      const link = this.#links[k]!;
      let position = jointOffset[link]!;
      for (let t = termStart[link]!; t < termStart[link + 1]!; t++) position += termFactor[t]! * q[termDof[t]!]!;
      this.#memory.qpos[this.#positions[k]!] = position;
      this.#memory.qvel[this.#velocities[k]!] = 0;
    }
  }

  /** Position of each dof [rad or m], as its encoder would have it. */
  readPositions(out: Float64Array): Float64Array {
    const { dofJoint, jointOffset } = this.#model;
    for (let i = 0; i < out.length; i++) {
      out[i] = this.#memory.qpos[this.#dofPositions[i]!]! - jointOffset[dofJoint[i]!]!;
    }
    return out;
  }

  /** Velocity of each dof [rad/s or m/s]. */
  readVelocities(out: Float64Array): Float64Array {
    for (let i = 0; i < out.length; i++) out[i] = this.#memory.qvel[this.#dofVelocities[i]!]!;
    return out;
  }

  /** Forces on MuJoCo's coordinates as forces on the dofs [N·m or N]: out = Gᵀ·force. */
  toDofs(force: Float64Array, out: Float64Array): Float64Array {
    const { termStart, termDof, termFactor } = this.#model;
    out.fill(0);
    for (let k = 0; k < this.#links.length; k++) {
      const link = this.#links[k]!;
      const value = force[this.#velocities[k]!]!;
      for (let t = termStart[link]!; t < termStart[link + 1]!; t++) {
        const dof = termDof[t]!;
        out[dof] = out[dof]! + termFactor[t]! * value;
      }
    }
    return out;
  }
}
