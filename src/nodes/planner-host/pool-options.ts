import { availableParallelism } from "node:os";
import type { JobRunnerInput } from "../../planning/pool/job-runner.js";
import type { AnswerStatus } from "../../planning/pool/jobs.js";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { Logger } from "../../runtime/logger.js";

export interface PoolOptions extends JobRunnerInput {
  /** Number of workers; 0, the default, follows the machine: one less than its cores, at least one. */
  readonly workers?: number;
  /** Workers reserved for live planning: 0, the default, or 1, which is then one more where there would be only one. */
  readonly liveWorkers?: 0 | 1;
  /** Jobs of either priority that may wait; one more is refused. The default is 64. */
  readonly capacity?: number;
  /** The run's clock, for deadlines; the default counts from now. */
  readonly clock?: RunClock;
  /** A worker that has a job and gives no sign of life for so long is replaced [ms]. The default is 1000. */
  readonly stuckTimeoutMs?: number;
  /** Ends workers that are still starting; the start of the pool fails then. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
}

/** What a pool has done so far. */
export interface PoolStatistics {
  readonly workers: number;
  readonly busyWorkers: number;
  readonly waiting: number;
  readonly settled: Readonly<Record<AnswerStatus, number>>;
  /** Workers replaced because they died or were stuck. */
  readonly replaced: number;
  /** Jobs done by workers. */
  readonly jobs: number;
  /** Mean time a worker has spent on a job [s]; NaN before the first. */
  readonly meanJobSeconds: number;
}

/** Pool options with their defaults. */
export interface ResolvedPoolOptions
  extends Required<Pick<PoolOptions, "workers" | "liveWorkers" | "capacity" | "stuckTimeoutMs">> {
  /** What each worker is made of. */
  readonly runner: JobRunnerInput;
}

/** Rounds of warm-up of a fresh worker. */
const WARM_UP_ROUNDS = 24;

export function resolvePoolOptions(options: PoolOptions): ResolvedPoolOptions {
  const { liveWorkers = 0, capacity = 64, stuckTimeoutMs = 1000, warmUpRounds = WARM_UP_ROUNDS } = options;
  checkNumber("workers", options.workers ?? 0, 0);
  checkNumber("capacity", capacity, 0);
  checkNumber("stuckTimeoutMs", stuckTimeoutMs, 1);
  checkNumber("warmUpRounds", warmUpRounds, 0);
  const workers = poolSize(options.workers ?? 0, availableParallelism(), liveWorkers);
  const { robots = [], arms = [], settings = {}, root } = options;
  const runner = { robots, arms, settings, warmUpRounds, ...(root !== undefined && { root }) };
  return { runner, liveWorkers, capacity, stuckTimeoutMs, workers };
}

/** Workers of a pool that asked for `wanted` (0: as the machine has it) on a machine with so many cores. */
export function poolSize(wanted: number, cores: number, liveWorkers: 0 | 1): number {
  return Math.max(wanted > 0 ? wanted : cores - 1, 1 + liveWorkers);
}

function checkNumber(option: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new FlycatcherError("FLY_POOL_OPTION_INVALID", "A planner pool cannot have this option", {
    path: option,
    expected: `a whole number of at least ${least}`,
    found: String(value),
  });
}
