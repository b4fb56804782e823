import { RealTimeClock, type RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { JobRunner, type JobRunnerInput } from "./job-runner.js";
import { AnswerStatus, type JobOptions, type JobPlanner, type PlannerAnswer, type PlannerJob } from "./jobs.js";

interface TimedPlannerOptions extends JobRunnerInput {
  /** The run's clock, for deadlines; the default counts from now. */
  readonly clock?: RunClock;
}

/**
 * A planner without threads, for libraries and tests: each job is done before the call returns, so nothing waits, is
 * superseded or refused. The bits are those of a `PlannerPool`.
 */
export class InlinePlanner implements JobPlanner {
  readonly clock: RunClock;
  readonly #runner: JobRunner;
  #isClosed = false;

  constructor({ clock, ...input }: TimedPlannerOptions = {}) {
    this.clock = clock ?? new RealTimeClock();
    this.#runner = new JobRunner(input, () => this.clock.nowSeconds());
  }

  idleWorkers(): number {
    return 1;
  }

  async plan<J extends PlannerJob>(job: J, options: JobOptions = {}): Promise<PlannerAnswer<J["kind"]>> {
    return this.#answer(job, options);
  }

  submit<J extends PlannerJob>(job: J, options: JobOptions, settle: (answer: PlannerAnswer<J["kind"]>) => void): void {
    settle(this.#answer(job, options));
  }

  /** There is never anything to take in. */
  poll(): void {}

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #answer<J extends PlannerJob>(job: J, { signal }: JobOptions): PlannerAnswer<J["kind"]> {
    if (this.#isClosed) throw new FlycatcherError("FLY_POOL_CLOSED", "The planner is closed");
    if (signal?.aborted) return { status: AnswerStatus.cancelled };
    try {
      return { status: AnswerStatus.answered, result: this.#runner.run(job) };
    } catch (error) {
      return { status: AnswerStatus.failed, error: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}
