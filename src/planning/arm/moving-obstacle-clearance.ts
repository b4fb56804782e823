import type { JointRamps } from "../../motion/joint-ramps.js";
import { ConcurrentMotions } from "../body/concurrent-motions.js";
import type { CatchArm } from "../problem/catch-arm.js";
import { HullClearance } from "../problem/hull-clearance.js";
import type { OtherMotions } from "./arm-plan.js";

/**
 * An arm's clearance while other parts of the robot move: the other arm after its own ball, torso and platform. At the
 * catch they are taken to have arrived, since whoever arrives first waits there with its ball; on the way all motions are
 * checked together, as they happen. So the solver itself keeps out of the other arm's way, and what it finds is clear.
 */
export class MovingObstacleClearance extends HullClearance {
  readonly #arm: CatchArm;
  readonly #arrived: Float64Array;
  readonly #posture: Float64Array;
  #others: OtherMotions | null = null;
  #concurrent: { readonly dofs: string; readonly check: ConcurrentMotions } | null = null;

  constructor(arm: CatchArm, posture: Float64Array) {
    super(arm.robot, arm.chain, posture);
    this.#arm = arm;
    this.#posture = posture.slice();
    this.#arrived = posture.slice();
  }

  /** From now on all that does not move stands in `posture`, and `others` move (null: none). Leaves the chain elsewhere. */
  surround(posture: Float64Array, others: OtherMotions | null): void {
    this.#posture.set(posture);
    this.#arrived.set(posture);
    this.#others = others === null || others.dofs.length === 0 ? null : others;
    if (others !== null) for (const [i, dof] of others.dofs.entries()) this.#arrived[dof] = others.ramps.end[i]!;
    this.setPosture(this.#arm.chain, this.#arrived);
  }

  override isMotionFree(ramps: JointRamps): boolean {
    if (this.#others === null) return super.isMotionFree(ramps);
    return this.#checkWith(this.#others.dofs).isClear([ramps, this.#others.ramps], this.#posture);
  }

  /** Not known where others move too. */
  override get blamed(): number {
    return this.#others === null ? super.blamed : -1;
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
