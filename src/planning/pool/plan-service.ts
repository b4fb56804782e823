import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunClock } from "../../runtime/clock.js";
import type { MotionAnswer } from "../motions/motion-answer.js";
import { MotionPlanner } from "../motions/motion-planner.js";
import { assertMotionRequest, type MotionRequest } from "../motions/motion-request.js";
import type { PlanAnswer } from "../request/answer.js";
import type { Planner, PlanTimes } from "../request/plan-catch.js";
import type { PlannerSettings } from "../request/planner-settings.js";
import type { PlanRequest } from "../request/request.js";
import { type ResolvedRequest, type RobotSource, resolveRequest } from "../request/resolve-request.js";
import { MergedSolution } from "../search/merged-solution.js";
import { cancelled, resultOf } from "./job-result.js";
import type { JobOptions, JobPlanner } from "./jobs.js";
import { raceMotions, racersOf } from "./motion-race.js";

/** Answers planning requests one by one, for many clients at a time. */
export interface PlanService {
  /** Plans it works on at the same time. */
  readonly concurrency: number;
  /** Rejects with a coded error if the request is wrong, or called off by `signal` before its turn. */
  plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer>;
  /** The same for a motion. */
  move(request: MotionRequest, signal: AbortSignal): Promise<MotionAnswer>;
  close(): Promise<void>;
}

/** Plans in the calling thread, one request after the other, and lets the event loop turn in between. */
export class InlinePlanService implements PlanService {
  readonly concurrency = 1;
  readonly #planner: Planner;
  readonly #motions: MotionPlanner;
  #last: Promise<unknown> = Promise.resolve();

  constructor(planner: Planner, motions = new MotionPlanner()) {
    this.#planner = planner;
    this.#motions = motions;
  }

  plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    return this.#inTurn(signal, () => this.#planner.plan(request));
  }

  move(request: MotionRequest, signal: AbortSignal): Promise<MotionAnswer> {
    return this.#inTurn(signal, () => this.#motions.plan(request));
  }

  #inTurn<Answer>(signal: AbortSignal, work: () => Answer): Promise<Answer> {
    const turn = this.#last.then(() => nextTurn());
    const answer = turn.then(() => {
      if (signal.aborted) throw cancelled();
      return work();
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#last;
  }
}

interface PooledPlanOptions {
  readonly robots: RobotSource;
  readonly settings: PlannerSettings;
  /** The pool's clock. */
  readonly clock: RunClock;
  readonly concurrency: number;
}

/** Each part of a search finds all starts by itself: with fewer to polish than this, that takes longer than it spares. */
const LEAST_STARTS_OF_PART = 8;

/**
 * Checks requests in the calling thread and has a pool plan them, whatever they ask for. Where several workers are idle, a
 * request's searches are shared out; else one worker does the whole request.
 */
export class PooledPlanService implements PlanService {
  readonly concurrency: number;
  readonly #pool: JobPlanner;
  readonly #options: PooledPlanOptions;

  constructor(pool: JobPlanner, options: PooledPlanOptions) {
    this.concurrency = options.concurrency;
    this.#pool = pool;
    this.#options = options;
  }

  async plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    if (signal.aborted) throw cancelled();
    const { robots, settings } = this.#options;
    const resolved = resolveRequest(request, robots, settings);
    const times = this.#timesOf(resolved);
    const idle = this.#pool.idleWorkers("service");
    const shares = resolved.groups.length * partsOf(resolved, idle);
    if (shares > 1 && idle > 1) return this.#planShared(request, resolved, partsOf(resolved, idle), times, signal);
    return resultOf(await this.#pool.plan({ kind: "plan", request, times }, { signal }));
  }

  async move(request: MotionRequest, signal: AbortSignal): Promise<MotionAnswer> {
    if (signal.aborted) throw cancelled();
    const { settings, clock } = this.#options;
    // Only its form is checked here: to cut the meshes of its obstacles takes too long for this thread.
    assertMotionRequest(request);
    const milliseconds = request.budget?.milliseconds ?? settings.motionMilliseconds;
    const started = clock.nowSeconds();
    const deadline = milliseconds === null ? Number.POSITIVE_INFINITY : started + milliseconds / 1000;
    const times: PlanTimes = { started, deadline };
    const runners = racersOf(request, milliseconds, this.#pool.idleWorkers("service"));
    return raceMotions(this.#pool, runners, times, signal);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** The searches of all arms at once, each in some parts, and then the answer. */
  async #planShared(
    request: PlanRequest,
    { groups }: ResolvedRequest,
    parts: number,
    times: PlanTimes,
    signal: AbortSignal,
  ): Promise<PlanAnswer> {
    const options: JobOptions = { signal, place: "first" };
    const search = async (arm: number, part: number): Promise<MergedSolution[]> =>
      resultOf(await this.#pool.plan({ kind: "search", request, arm, part: { part, parts }, times }, options));
    const found = await Promise.all(
      groups.map(async (_, arm) => {
        const searches = Array.from({ length: parts }, (_, part) => search(arm, part));
        return merged(await Promise.all(searches));
      }),
    );
    return resultOf(await this.#pool.plan({ kind: "answer", request, found, times }, options));
  }

  #timesOf({ milliseconds }: ResolvedRequest): PlanTimes {
    const started = this.#options.clock.nowSeconds();
    return { started, deadline: milliseconds === null ? Number.POSITIVE_INFINITY : started + milliseconds / 1000 };
  }
}

/** Into how many parts the search of each arm is divided. With the body's help one search follows from another. */
function partsOf({ groups, near, body, starts }: ResolvedRequest, idleWorkers: number): number {
  if (near !== null || body === "rule") return 1;
  return Math.max(1, Math.min(Math.floor(starts / LEAST_STARTS_OF_PART), Math.floor(idleWorkers / groups.length)));
}

/** The solutions of a search, from those of its parts. */
function merged(parts: readonly MergedSolution[][]): MergedSolution[] {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? [];
  return first.map(({ ramps }, k) => {
    const all = new MergedSolution(ramps.count);
    for (const part of parts) all.addPart(part[k]!);
    return all;
  });
}
