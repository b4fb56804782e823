import { STANDARD_GRAVITY } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { biasForces } from "../../robot/dynamics/inverse-dynamics.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";

/** Sagging changes the load by less than a hundredth of it: this many rounds reach the last digit. */
const ROUNDS = 10;

/** A standing robot whose joints bend under what they carry. */
export class SaggingRobot {
  readonly state: RobotState;
  /** Torques that hold it [N·m or N]. [dofCount] */
  readonly torques: Float64Array;
  readonly #compliance: Float64Array;
  readonly #gravity: vec3.Vec3;
  /** By how much each dof has given way. [dofCount] */
  readonly #sag: Float64Array;

  constructor({ model, jointCompliance, gravityDirection }: Robot) {
    this.state = new RobotState(model);
    this.torques = new Float64Array(model.dofCount);
    this.#compliance = Float64Array.from(model.dofJoint, (joint) => jointCompliance[joint]!);
    this.#gravity = vec3.scale(gravityDirection, STANDARD_GRAVITY, vec3.create());
    this.#sag = new Float64Array(model.dofCount);
  }

  /** Places the robot at measured positions: the joints stand where they sag to. */
  stand(positions: Float64Array): void {
    const { state } = this;
    state.qd.fill(0);
    this.#sag.fill(0);
    for (let round = 0; round < ROUNDS; round++) {
      this.#place(positions);
      biasForces(state, this.#gravity, this.torques);
      for (let i = 0; i < this.#sag.length; i++) this.#sag[i] = -this.#compliance[i]! * this.torques[i]!;
    }
    this.#place(positions);
  }

  /** Moves some dofs, the others keeping their sag. */
  move(dofs: readonly number[], positions: Float64Array, speeds: Float64Array): void {
    for (const [i, dof] of dofs.entries()) {
      this.state.q[dof] = positions[i]! + this.#sag[dof]!;
      this.state.qd[dof] = speeds[i]!;
    }
    forwardKinematics(this.state);
  }

  #place(positions: Float64Array): void {
    const { state } = this;
    for (let i = 0; i < positions.length; i++) state.q[i] = positions[i]! + this.#sag[i]!;
    forwardKinematics(state);
  }
}
