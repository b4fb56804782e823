import type { FlycatcherError } from "../../runtime/errors.js";
import type { ArmPlanRequest, ArmPlanResult } from "../arm/arm-plan.js";
import type { MotionAnswer } from "../motions/motion-answer.js";
import type { MotionRequest } from "../motions/motion-request.js";
import type { PlanAnswer } from "../request/answer.js";
import type { PlanTimes } from "../request/plan-catch.js";
import type { PlanRequest } from "../request/request.js";
import type { MergedSolution, SearchPart } from "../search/merged-solution.js";

/**
 * One piece of work for a planner: plain data with all that the result depends on, so that any worker gives the same bits.
 * A request is planned whole; or its searches are shared out, and their results answered together.
 */
export type PlannerJob =
  | { readonly kind: "plan"; readonly request: PlanRequest; readonly times?: PlanTimes }
  | {
      readonly kind: "search";
      readonly request: PlanRequest;
      /** Which of the request's arms. */
      readonly arm: number;
      readonly part: SearchPart;
      readonly times?: PlanTimes;
    }
  | {
      readonly kind: "answer";
      readonly request: PlanRequest;
      /** What was found for each of the request's arms. */
      readonly found: readonly (readonly MergedSolution[])[];
      readonly times?: PlanTimes;
    }
  | { readonly kind: "move"; readonly request: MotionRequest; readonly times?: PlanTimes }
  /** For the arm that is catching: one of the planner's `arms`, by its index. */
  | { readonly kind: "arm"; readonly arm: number; readonly request: ArmPlanRequest };

export type JobKind = PlannerJob["kind"];

/** What comes of a job of each kind. */
export interface JobResults {
  readonly plan: PlanAnswer;
  readonly search: MergedSolution[];
  readonly answer: PlanAnswer;
  readonly move: MotionAnswer;
  readonly arm: ArmPlanResult;
}

/** How a job ended. */
export const AnswerStatus = {
  answered: "answered",
  /** A newer job about the same ball was answered or took its place. */
  superseded: "superseded",
  /** Called off by its signal, or the planner was closed. */
  cancelled: "cancelled",
  /** As many jobs wait as may: ask again later. */
  refused: "refused",
  /** The planner could not do it, and says why. */
  failed: "failed",
} as const;
export type AnswerStatus = (typeof AnswerStatus)[keyof typeof AnswerStatus];

export type PlannerAnswer<K extends JobKind = JobKind> =
  | { readonly status: "answered"; readonly result: JobResults[K] }
  | { readonly status: "failed"; readonly error: Error | FlycatcherError }
  | { readonly status: "superseded" | "cancelled" | "refused" };

/** `live`: for the arm that is catching; goes before all others, and has a worker of its own where one is reserved. */
export type PlannerPriority = "live" | "service";

export interface JobOptions {
  /** The ball it is about: answers about one ball come in the order of the jobs, those out of date not at all. */
  readonly track?: number;
  /** Default: `service`. */
  readonly priority?: PlannerPriority;
  /** Calls the job off. */
  readonly signal?: AbortSignal;
  /** Default: `last`. What goes on with a request that has been admitted goes `first`, and is never refused. */
  readonly place?: "first" | "last";
  /** A failure on purpose, to try out the recovery; `spin` and `exit` on the first attempt, `die` on every one. */
  readonly drill?: Drill;
}

/** `spin` hangs, `exit` and `die` end the thread. */
export type Drill = "none" | "spin" | "exit" | "die";

/** Does planning jobs: in worker threads, or in the calling thread. Both give the same bits. */
export interface JobPlanner {
  /** Workers with nothing to do that may do this. */
  idleWorkers(priority: PlannerPriority): number;
  /** Never rejects, but for a job that names an arm the planner does not have. */
  plan<J extends PlannerJob>(job: J, options?: JobOptions): Promise<PlannerAnswer<J["kind"]>>;
  /** As `plan`, for threads with a loop of their own: `settle` is called once, now, by `poll` or between events. */
  submit<J extends PlannerJob>(job: J, options: JobOptions, settle: (answer: PlannerAnswer<J["kind"]>) => void): void;
  /** Takes in what the workers have answered; waits up to `waitMs`, blocking the thread, if there is nothing yet. */
  poll(waitMs?: number): void;
  close(): Promise<void>;
}
