import type { JointRamps } from "../../motion/joint-ramps.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";
import { ConcurrentMotions } from "../body/concurrent-motions.js";
import type { CatchArm } from "../problem/catch-arm.js";
import { type ArmClearance, HullClearance } from "../problem/hull-clearance.js";
import type { OtherMotions } from "./arm-plan.js";

/**
 * An arm's clearance while other parts of the robot move: the other arm after its own ball, torso and platform. At the
 * catch they are taken to have arrived, since whoever arrives first waits there with its ball; on the way all motions are
 * checked together, as they happen. So the solver itself keeps out of the other arm's way, and what it finds is clear.
 */
export class MovingObstacleClearance implements ArmClearance {
  readonly count: number;
  readonly #arm: CatchArm;
  readonly #hulls: HullClearance;
  readonly #arrived: Float64Array;
  readonly #posture: Float64Array;
  #others: OtherMotions | null = null;
  #concurrent: { readonly dofs: string; readonly check: ConcurrentMotions } | null = null;

  constructor(arm: CatchArm, posture: Float64Array) {
    this.#arm = arm;
    this.#hulls = new HullClearance(arm.robot, arm.chain, posture);
    this.#posture = posture.slice();
    this.#arrived = posture.slice();
    this.count = this.#hulls.count;
  }

  /** From now on all that does not move stands in `posture`, and `others` move (null: none). Leaves the chain elsewhere. */
  surround(posture: Float64Array, others: OtherMotions | null): void {
    this.#posture.set(posture);
    this.#arrived.set(posture);
    this.#others = others === null || others.dofs.length === 0 ? null : others;
    if (others !== null) for (const [i, dof] of others.dofs.entries()) this.#arrived[dof] = others.ramps.end[i]!;
    this.#hulls.setPosture(this.#arm.chain, this.#arrived);
  }

  evaluate(chain: KinematicChain, values: Float64Array, row: number): void {
    this.#hulls.evaluate(chain, values, row);
  }

  evaluateWithJacobian(
    chain: KinematicChain,
    values: Float64Array,
    jacobian: Float64Array,
    row: number,
    n: number,
  ): void {
    this.#hulls.evaluateWithJacobian(chain, values, jacobian, row, n);
  }

  isMotionFree(ramps: JointRamps): boolean {
    if (this.#others === null) return this.#hulls.isMotionFree(ramps);
    return this.#checkWith(this.#others.dofs).isClear([ramps, this.#others.ramps], this.#posture);
  }

  /** The check for these other joints; they are the same from one question to the next. */
  #checkWith(dofs: readonly number[]): ConcurrentMotions {
    const name = dofs.join(" ");
    if (this.#concurrent?.dofs !== name) {
      this.#concurrent = { dofs: name, check: new ConcurrentMotions(this.#arm.robot, [this.#arm.group.dofs, dofs]) };
    }
    return this.#concurrent.check;
  }
}
