import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { PlannerArm } from "../pool/planner-arm.js";
import { AnswerStatus, type CatchPlanner, type PlannerAnswer } from "../pool/planner-interface.js";
import type { PlanAnswer } from "./answer.js";
import type { ArmTask } from "./arm-task.js";
import { ITERATIONS, movesBody, type PlanJob, Planner, type PlannerOptions } from "./plan-catch.js";
import type { PlanRequest } from "./request.js";

/** Whoever answers planning requests one by one, for many clients at a time. */
export interface PlanService {
  /** Plans it works on at the same time. */
  readonly concurrency: number;
  /** Rejects with a coded error if the request is wrong, or called off by `signal` before its turn. */
  plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer>;
  close(): Promise<void>;
}

/** Plans in the calling thread, one request after the other, and lets the event loop turn in between. */
export class InlinePlanService implements PlanService {
  readonly concurrency = 1;
  readonly #planner: Planner;
  #last: Promise<unknown> = Promise.resolve();

  constructor(planner: Planner) {
    this.#planner = planner;
  }

  plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    const turn = this.#last.then(() => nextTurn());
    const answer = turn.then(() => {
      if (signal.aborted) throw cancelled();
      return this.#planner.plan(request);
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#last;
  }
}

export interface PooledPlanOptions extends Pick<PlannerOptions, "robots" | "settings"> {
  /**
   * The arms the pool knows, in its order; requests for others are planned in the calling thread, and so are those with a
   * moving body, which a question cannot carry.
   */
  readonly arms: readonly PlannerArm[];
  /** The pool's clock. */
  readonly clock: RunClock;
  readonly concurrency: number;
}

/** Checks and describes in the calling thread, and has a pool of planners search. */
export class PooledPlanService implements PlanService {
  readonly concurrency: number;
  readonly #pool: CatchPlanner;
  readonly #arms: readonly PlannerArm[];
  readonly #planner: Planner;

  constructor(pool: CatchPlanner, { arms, clock, concurrency, ...options }: PooledPlanOptions) {
    this.concurrency = concurrency;
    this.#pool = pool;
    this.#arms = arms;
    this.#planner = new Planner({ ...options, clock: () => clock.nowSeconds() });
  }

  async plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    if (signal.aborted) throw cancelled();
    const job = this.#planner.begin(request);
    const indices = job.armTasks.map(({ arm }) => this.#indexOf(arm.robot.name, arm.group.name));
    if (indices.some((index) => index < 0) || movesBody(job)) return this.#planner.plan(request);
    const answers = await Promise.all(job.armTasks.map((armTask, k) => this.#ask(job, armTask, indices[k]!, signal)));
    for (const answer of answers) refuseUnanswered(answer);
    return this.#planner.finish(
      job,
      answers.map(({ solution }) => solution),
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #indexOf(robot: string, group: string): number {
    return this.#arms.findIndex((arm) => arm.robot === robot && arm.group === group);
  }

  /** One solve from an earlier catch where there is one; everywhere if there is none, or if that finds nothing. */
  async #ask(job: PlanJob, armTask: ArmTask, arm: number, signal: AbortSignal): Promise<PlannerAnswer> {
    const { starts, near } = job.resolved;
    const question = { ...armTask.question, arm };
    const limits = { ...deadlineOf(job), signal };
    const iterations = ITERATIONS.sqp;
    if (near !== null) {
      const answer = await this.#pool.plan(question, {
        ...limits,
        search: { kind: "polish", starts: near, iterations },
      });
      if (answer.solution.found || answer.status !== AnswerStatus.answered) return answer;
    }
    return this.#pool.plan(question, { ...limits, search: { kind: "cold", starts, iterations } });
  }
}

function deadlineOf({ resolved, searchFrom }: PlanJob): { readonly deadline?: number } {
  const { milliseconds } = resolved;
  return milliseconds === null ? {} : { deadline: searchFrom + milliseconds / 1000 };
}

function refuseUnanswered({ status, failure }: PlannerAnswer): void {
  if (status === AnswerStatus.answered) return;
  if (status === AnswerStatus.refused) throw new FlycatcherError("FLY_PLAN_OVERLOADED", "All planners are busy");
  if (status === AnswerStatus.failed) throw new FlycatcherError("FLY_INTERNAL", `Planning failed: ${failure}`);
  throw cancelled();
}

function cancelled(): FlycatcherError {
  return new FlycatcherError("FLY_PLAN_CANCELLED", "The plan was called off");
}
