import type { JointRamps } from "../../motion/joint-ramps.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";

/**
 * Distance of the arm's bodies to the robot's other bodies [m], one value a body of the arm: its nearest. Negative where
 * they overlap. Both methods read the chain's last `update`.
 */
export interface ArmClearance {
  /** Bodies of the arm. */
  readonly count: number;
  /** Writes the distances to `values` from `row` on. */
  evaluate(chain: KinematicChain, values: Float64Array, row: number): void;
  /** The same, and the derivative of each by the chain's dofs to the row of `jacobian` (`n` columns) with its index. */
  evaluateWithJacobian(
    chain: KinematicChain,
    values: Float64Array,
    jacobian: Float64Array,
    row: number,
    n: number,
  ): void;
  /**
   * Whether the robot is proven not to touch itself while the arm runs `ramps` and all else stands, and the self-collision
   * monitor with its default settings not to brake it.
   */
  isMotionFree(ramps: JointRamps): boolean;
}
