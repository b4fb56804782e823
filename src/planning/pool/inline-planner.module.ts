import { allocatePacket } from "../../channels/packet.js";
import { RealTimeClock, type RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { MergedSolution } from "../search/merged-solution.js";
import type { CatchQuestion } from "./catch-question.js";
import { writeJob } from "./job-codec.module.js";
import { JobSolver, type JobWatch } from "./job-solver.module.js";
import { loadArms, type PlannerArm } from "./planner-arm.js";
import { AnswerStatus, type CatchPlanner, type PlannerAnswer, type PlanOptions } from "./planner-interface.js";
import { PlannerJob } from "./planner-packets.module.js";

export interface InlinePlannerOptions {
  /** The arms it knows; questions name them by their index. */
  readonly arms: readonly PlannerArm[];
  /** The run's clock, for deadlines; the default counts from now. */
  readonly clock?: RunClock;
}

/**
 * A planner without threads, for libraries and tests: each question is answered before the call returns, so there is
 * nothing to wait for, to supersede or to refuse. The bits are those of a `PlannerPool`.
 */
export class InlinePlanner implements CatchPlanner {
  readonly clock: RunClock;
  readonly #solver: JobSolver;
  readonly #job = allocatePacket(PlannerJob);
  readonly #unwatched: JobWatch = { clock: null, polished: () => undefined };
  readonly #timed: JobWatch = { clock: () => this.clock.nowSeconds(), polished: () => undefined };
  #isClosed = false;

  constructor({ arms, clock }: InlinePlannerOptions) {
    this.clock = clock ?? new RealTimeClock();
    this.#solver = new JobSolver(loadArms(arms));
  }

  async plan(question: CatchQuestion, options: PlanOptions): Promise<PlannerAnswer> {
    this.#write(question, options);
    if (this.#solver.needsPreparing(this.#job)) {
      await this.#solver.prepare(this.#job);
      this.#write(question, options);
    }
    return this.#answer(options);
  }

  /** With solver `nlopt`, ask the first question about an arm and a number of shapes by `plan`. */
  submit(question: CatchQuestion, options: PlanOptions, settle: (answer: PlannerAnswer) => void): void {
    this.#write(question, options);
    settle(this.#answer(options));
  }

  /** There is never anything to take in. */
  poll(): void {}

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #write(question: CatchQuestion, options: PlanOptions): void {
    if (this.#isClosed) throw new FlycatcherError("FLY_POOL_CLOSED", "The planner is closed");
    const { search, solver = "sqp", deadline = Number.POSITIVE_INFINITY } = options;
    writeJob(question, { search, solver, deadline, drill: "none" }, this.#job);
  }

  #answer({ signal }: PlanOptions): PlannerAnswer {
    const solution = new MergedSolution(this.#job.dofs);
    if (signal?.aborted) return { status: AnswerStatus.cancelled, solution };
    const watch = this.#job.deadline === Number.POSITIVE_INFINITY ? this.#unwatched : this.#timed;
    solution.addPart(this.#solver.solve(this.#job, watch));
    return { status: AnswerStatus.answered, solution };
  }
}
