import type { MotionPlan } from "../control/motion-execution.js";
import type { JointRamps } from "../motion/joint-ramps.js";
import type { ArmPlanRequest, PlanSurroundings } from "../planning/arm/arm-plan.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { ArmPlanner } from "./arm-planner.js";
import type { CatchTimes } from "./catch-times.js";

/** Control, as the coordinator sees it. */
interface ControlLink {
  /** The command that will run at `t` [s], by the motions control has accepted so far. */
  commandedAt(t: number, outQ: Float64Array, outQd: Float64Array): void;
  /** Sends a motion; control says later what became of it (`CatchCoordinator.handedOver`). */
  send(motion: MotionPlan, sentNs: number): void;
}

/** What the arm does after a catch: drop the ball and go back to wait, or wait where it is (thesis, Fig. 3.10). */
export type AfterCatch = "return" | "stay";

/** What is about to be asked of the planner: what the arm's surroundings may depend on. */
export interface PlanOccasion extends Pick<ArmPlanRequest, "ball" | "tStart" | "earliest" | "latest"> {
  /** `first`: the arm does not move for this ball yet. */
  readonly kind: "first" | "again";
}

/** Who decides whether the first plan for a ball is carried out: nobody, or somebody who compares it with others. */
export type FirstPlan = "taken at once" | "offered";

/** How balls are caught, with whichever arm. */
export interface CatchRules {
  readonly times: CatchTimes;
  readonly mode: CatchMode;
  readonly afterCatch: AfterCatch;
  /** Share of speed and acceleration with which arms and body go back; half by default. */
  readonly returnShare?: number | undefined;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch: number;
}

export interface CoordinatorOptions extends CatchRules {
  readonly arm: CatchArm;
  /** What carries the arm, and what else moves. */
  readonly surroundings: (occasion: PlanOccasion) => PlanSurroundings;
  readonly firstPlan: FirstPlan;
  /** Where the arm waits for balls, in the order of its dofs. */
  readonly ready: Float64Array;
  /** Where it lets go of them; null: there is no box. */
  readonly drop: Float64Array | null;
  /** Whether the safety monitor would let a motion of the arm pass, all else moving as it does. */
  readonly isClear: (ramps: JointRamps, tStart: number) => boolean;
  /** Whether a plan that was clear when it was asked for still is, by what was decided since. */
  readonly isStillClear: (ramps: JointRamps, tStart: number) => boolean;
  readonly planner: ArmPlanner;
  readonly control: ControlLink;
}
