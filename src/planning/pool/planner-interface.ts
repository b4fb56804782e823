import type { MergedSolution } from "../search/merged-solution.js";
import type { CatchQuestion, CatchSearch, SolverName } from "./catch-question.js";

/** How a question ended. */
export const AnswerStatus = {
  /** The search is over, by itself or by its deadline; `solution` says whether there is a catch. */
  answered: "answered",
  /** A newer question about the same ball was answered or took its place. */
  superseded: "superseded",
  /** Called off by the one who asked, or the planner was closed. */
  cancelled: "cancelled",
  /** As many questions wait as may: ask again later. */
  refused: "refused",
  /** The planner could not do it, and says why. */
  failed: "failed",
} as const;
export type AnswerStatus = (typeof AnswerStatus)[keyof typeof AnswerStatus];

export interface PlannerAnswer {
  readonly status: AnswerStatus;
  /** The best catch found. Whatever the status, only `found` says that there is one. */
  readonly solution: MergedSolution;
  /** Why, if it failed. */
  readonly failure?: string;
}

/** `live`: for the arm that is catching; goes before all others, and has a worker of its own where one is reserved. */
export type PlannerPriority = "live" | "service";

export interface PlanOptions {
  readonly search: CatchSearch;
  /** Last moment for the answer, on the run's clock [s]. Without one only the iterations of the search count. */
  readonly deadline?: number;
  /** The ball it is about: answers about one ball come in the order of the questions, those out of date not at all. */
  readonly track?: number;
  /** Default: `service`. */
  readonly priority?: PlannerPriority;
  /** Calls the question off. */
  readonly signal?: AbortSignal;
  /** Default: `sqp`. */
  readonly solver?: SolverName;
  /** A failure on purpose, to try out the recovery: see `Drill`. */
  readonly drill?: "none" | "spin" | "exit" | "exhaust" | "die";
}

/** Whoever answers planning questions: worker threads, or the calling thread. Both give the same bits. */
export interface CatchPlanner {
  /** Copies the question at once. Rejects only one that fits into no job; whatever else happens is an answer. */
  plan(question: CatchQuestion, options: PlanOptions): Promise<PlannerAnswer>;
  /**
   * As `plan`, for threads with a loop of their own: `settle` is called once, now, by `poll` or between events. Throws
   * where `plan` would reject.
   */
  submit(question: CatchQuestion, options: PlanOptions, settle: (answer: PlannerAnswer) => void): void;
  /** Takes in what the workers have answered; waits up to `waitMs`, blocking the thread, if there is nothing yet. */
  poll(waitMs?: number): void;
  close(): Promise<void>;
}

/** As `submit`, as a promise. */
export function planWith(
  planner: Pick<CatchPlanner, "submit">,
  question: CatchQuestion,
  options: PlanOptions,
): Promise<PlannerAnswer> {
  return new Promise((resolve) => planner.submit(question, options, resolve));
}
