import { STANDARD_GRAVITY } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { carriedMass, centreOfMass } from "../../robot/kinematics/kinematics.js";
import type { RobotState } from "../../robot/state.js";

/** How far one elastic joint bends under the weight it carries. */
export class StaticDeflection {
  readonly #joint: number;
  readonly #compliance: number;
  readonly #greatest: number;
  readonly #gravity: vec3.Vec3;
  readonly #mass: number;
  readonly #centre = vec3.create();

  /**
   * @param joint the joint, by the link it moves
   * @param compliance [rad/(N·m)]
   * @param greatest bound of the deflection [rad]
   * @param gravityDirection unit vector along gravity, in the world
   */
  constructor(state: RobotState, joint: number, compliance: number, greatest: number, gravityDirection: vec3.Vec3) {
    this.#joint = joint;
    this.#compliance = compliance;
    this.#greatest = greatest;
    this.#gravity = vec3.scale(gravityDirection, STANDARD_GRAVITY, vec3.create());
    this.#mass = carriedMass(state.model, joint);
  }

  /** [rad], for the positions of `state`, whose forward kinematics is done. Saturates smoothly at the bound. */
  evaluate(state: RobotState): number {
    const c = centreOfMass(state, this.#joint, this.#centre);
    const T = state.linkPoses;
    const z = state.worldAxis;
    const t = 12 * this.#joint + 9;
    const g = this.#gravity;
    const rx = c[0] - T[t]!;
    const ry = c[1] - T[t + 1]!;
    const rz = c[2] - T[t + 2]!;
    const a = 3 * this.#joint;
    const lever =
      z[a]! * (ry * g[2] - rz * g[1]) + z[a + 1]! * (rz * g[0] - rx * g[2]) + z[a + 2]! * (rx * g[1] - ry * g[0]);
    const bend = this.#compliance * this.#mass * lever;
    return this.#greatest > 0 ? this.#greatest * Math.tanh(bend / this.#greatest) : 0;
  }
}
