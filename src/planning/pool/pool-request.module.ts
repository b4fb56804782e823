import { MergedSolution } from "../search/merged-solution.js";
import { giveStarts, readResult } from "./job-codec.module.js";
import type { PlannerAnswer, PlannerPriority, PlanOptions } from "./planner-interface.js";
import { JobKind, type PlannerJob, type PlannerResult } from "./planner-packets.module.js";
import type { Assignment } from "./planner-worker.module.js";

/** Starts of a cold search from which on it is worth the second round trip to have them polished by several workers. */
const LEAST_STARTS_TO_DIVIDE = 4;

/** A part of a question: what one worker does of it. */
export interface PoolPart extends Assignment {
  readonly request: PoolRequest;
}

/** A question on its way through the pool. */
export class PoolRequest {
  readonly priority: PlannerPriority;
  readonly track: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** [s]; Infinity for none. */
  readonly deadline: number;
  /** The question itself, kept for parts that have to be done anew. */
  readonly job: PlannerJob;
  readonly solution: MergedSolution;
  state: "waiting" | "running" | "settled" = "waiting";
  /** Parts whose results are still to come. */
  openParts = 0;
  /** Whether the starts of its search have been found but not been given to anybody yet. */
  isDivisible = false;
  timer: NodeJS.Timeout | undefined;
  readonly #settle: (answer: PlannerAnswer) => void;
  /** The best of workers that were lost, in case the deadline comes before their parts are done anew. */
  readonly #rescued: MergedSolution[] = [];

  constructor(job: PlannerJob, options: PlanOptions, settle: (answer: PlannerAnswer) => void) {
    this.job = job;
    this.priority = options.priority ?? "service";
    this.track = options.track;
    this.signal = options.signal;
    this.deadline = job.deadline;
    this.solution = new MergedSolution(job.dofs);
    this.#settle = settle;
  }

  /** What to begin with on so many workers: how many parts of what kind. */
  divide(workers: number): Pick<Assignment, "kind" | "parts"> {
    this.isDivisible = false;
    const { kind, starts } = this.job;
    if (kind === JobKind.polish) return { kind, parts: Math.max(1, Math.min(workers, starts)) };
    const isWorthwhile = kind === JobKind.cold && workers > 1 && starts >= LEAST_STARTS_TO_DIVIDE;
    return { kind: isWorthwhile ? JobKind.seeds : kind, parts: 1 };
  }

  /** Takes over the starts of its search, which can now be divided. */
  addSeeds(result: Readonly<PlannerResult>): void {
    giveStarts(result, this.job);
    this.openParts--;
    this.isDivisible = result.seedCount > 0;
  }

  /** Takes over the result of one of `parts` parts. */
  add(result: Readonly<PlannerResult>, parts: number): void {
    this.openParts--;
    if (parts === 1) readResult(result, this.solution);
    else this.solution.addPart(this.#read(result));
  }

  /** Keeps what a worker had found that will not come to an end. */
  rescue(result: Readonly<PlannerResult>): void {
    this.#rescued.push(this.#read(result));
  }

  /** No more time: what was found so far has to do. */
  cutShort(): void {
    for (const part of this.#rescued) this.solution.addPart(part);
    this.solution.cutShort = true;
  }

  /** The last word on it. */
  settle(answer: Omit<PlannerAnswer, "solution">): void {
    this.state = "settled";
    clearTimeout(this.timer);
    try {
      this.#settle({ ...answer, solution: this.solution });
    } catch (error) {
      // The fault of the one who asked; the pool goes on, and Node reports it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #read(result: Readonly<PlannerResult>): MergedSolution {
    const part = new MergedSolution(this.job.dofs);
    readResult(result, part);
    return part;
  }
}
