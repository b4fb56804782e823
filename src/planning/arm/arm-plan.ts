import type { BallState } from "../../flight/ball.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { CatchTask } from "../problem/catch-problem.js";
import type { MovingBase } from "./ball-view.js";

/** What carries an arm, and what moves beside it. */
export interface PlanSurroundings {
  readonly carrier: MovingBase;
  /** All other motions from tStart on, the carrier's among them: the plan must be clear of them at all times. */
  readonly others: OtherMotions;
}

/** Motions of some joints; the ramps count from the question's tStart. */
export interface OtherMotions {
  /** As indices of the model. */
  readonly dofs: readonly number[];
  readonly ramps: JointRamps;
}

/** A question to the planner of one arm. All times on the run's clock [s]; arrays in the order of the arm's dofs. */
export interface ArmPlanRequest
  extends PlanSurroundings,
    Pick<CatchTask, "mode" | "q0" | "w0" | "earliest" | "latest"> {
  readonly id: number;
  /** Ball it is about. */
  readonly track: number;
  /** When the motion is to begin; `q0` and `w0` are the command that will be running then. */
  readonly tStart: number;
  readonly ball: BallState;
  readonly covariance: Float64Array | null;
  readonly lastSeen: number;
  /** The plan for this ball that is being executed, to start from; null: search everywhere. */
  readonly previous: CatchPlan | null;
  /** What is being executed for this ball, whether to start from it or not; null: nothing. */
  readonly running: CatchPlan | null;
}

/** A catch, verified; or, where there is none, the motion that comes nearest to one. */
export interface CatchPlan {
  readonly id: number;
  readonly tStart: number;
  /** Relative to tStart. */
  readonly ramps: JointRamps;
  /** When the ball is in the hand [s]. */
  readonly tCatch: number;
  /** When the hand is there, at rest [s]. */
  readonly arrival: number;
  /** NaN if it is none. */
  readonly objective: number;
  /** How far from the hand the ball will come by, as it is predicted [m]; 0: it is a catch. */
  readonly shortfall: number;
  /** How surely it is caught; null where the ball's covariance is not known. */
  readonly successProbability: number | null;
  /** The solver's unknowns and its state, for the plan after this one. */
  readonly unknowns: Float64Array;
  readonly warmStart: Float64Array;
}

/** What the planner says: a catch, or why there is none, and what brings the arm nearer to one, if anything does. */
export type ArmPlanResult =
  | { readonly id: number; readonly plan: CatchPlan }
  | {
      readonly id: number;
      readonly plan: null;
      readonly reason: string;
      readonly approach: CatchPlan | null;
    };
