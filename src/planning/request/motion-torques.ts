import type { Vec3 } from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { evaluateAccelerations } from "../../motion/ramp.js";
import { inverseDynamics } from "../../robot/dynamics/inverse-dynamics.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { RobotModel } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";

/** Between the steps of the accelerations torques change smoothly: looked at this often [s]. */
const STEP = 0.02;
/** How long before a step of an acceleration the old one is read [s]. */
const JUST_BEFORE = 1e-9;

/** Torques of a motion by inverse dynamics of the whole robot, the joints that do not take part standing still. */
export class MotionTorques {
  readonly #state: RobotState;
  readonly #acceleration: Float64Array;
  readonly #torque: Float64Array;
  readonly #position: Float64Array;
  readonly #velocity: Float64Array;
  readonly #jointAcceleration: Float64Array;

  constructor(model: RobotModel) {
    this.#state = new RobotState(model);
    this.#acceleration = new Float64Array(model.dofCount);
    this.#torque = new Float64Array(model.dofCount);
    this.#position = new Float64Array(model.dofCount);
    this.#velocity = new Float64Array(model.dofCount);
    this.#jointAcceleration = new Float64Array(model.dofCount);
  }

  /**
   * Greatest |torque| or |force| of each of `dofs` while they follow `ramps` from `posture` under `gravity` (in the root
   * link's axes) [N·m or N].
   */
  peaks(posture: Float64Array, dofs: readonly number[], ramps: JointRamps, gravity: Vec3): number[] {
    const peaks = dofs.map(() => 0);
    this.#state.q.set(posture);
    this.#state.qd.fill(0);
    this.#acceleration.fill(0);
    const look = (t: number, accelerationTime: number): void => {
      ramps.evaluate(t, this.#position, this.#velocity, this.#jointAcceleration);
      if (accelerationTime !== t) evaluateAccelerations(ramps, ramps.count, accelerationTime, this.#jointAcceleration);
      this.#torquesAt(dofs, gravity);
      for (const [k, dof] of dofs.entries()) peaks[k] = Math.max(peaks[k]!, Math.abs(this.#torque[dof]!));
    };
    for (const t of stepTimes(ramps)) {
      look(t, t);
      if (t > 0) look(t, t - JUST_BEFORE);
    }
    for (let t = STEP; t < ramps.duration; t += STEP) look(t, t);
    return peaks;
  }

  #torquesAt(dofs: readonly number[], gravity: Vec3): void {
    const { q, qd } = this.#state;
    for (const [k, dof] of dofs.entries()) {
      q[dof] = this.#position[k]!;
      qd[dof] = this.#velocity[k]!;
      this.#acceleration[dof] = this.#jointAcceleration[k]!;
    }
    forwardKinematics(this.#state);
    inverseDynamics(this.#state, this.#acceleration, gravity, this.#torque);
  }
}

/** Times at which some joint's acceleration jumps, each once. */
function stepTimes({ tb, t1, t2, T }: JointRamps): Set<number> {
  return new Set([0, ...tb, ...t1, ...t2, ...T]);
}
