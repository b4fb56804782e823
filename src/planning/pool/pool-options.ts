import { availableParallelism } from "node:os";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { Logger } from "../../runtime/logger.js";
import type { PlannerArm } from "./planner-arm.js";
import type { AnswerStatus } from "./planner-interface.js";

export interface PoolOptions {
  /** The arms the workers know; questions name them by their index. */
  readonly arms: readonly PlannerArm[];
  /** Number of workers; 0, the default, follows the machine: one less than its cores, at least one. */
  readonly workers?: number;
  /** Workers reserved for live planning: 0, the default, or 1, which is then one more where there would be only one. */
  readonly liveWorkers?: 0 | 1;
  /** Questions of either priority that may wait; one more is refused. The default is 64. */
  readonly capacity?: number;
  /** The run's clock, for deadlines; the default counts from now. */
  readonly clock?: RunClock;
  /** A worker that has a job and gives no sign of life for so long is replaced [ms]. The default is 1000. */
  readonly stuckTimeoutMs?: number;
  /** Rounds of practice for a fresh worker, so that its first plans are as fast as later ones. The default is 24. */
  readonly practice?: number;
  readonly logger?: Logger;
}

/** What a pool has done so far. */
export interface PoolStatistics {
  readonly workers: number;
  readonly busyWorkers: number;
  readonly waiting: number;
  readonly settled: Readonly<Record<AnswerStatus, number>>;
  /** Workers replaced because they died or were stuck, and because their solver was used up. */
  readonly replaced: number;
  readonly recycled: number;
  /** Jobs done by workers: one or more for each question. */
  readonly jobs: number;
  /** Mean time a worker has spent on a job [s]; NaN before the first. */
  readonly meanJobSeconds: number;
}

/** Pool options with their defaults. */
export type ResolvedPoolOptions = Required<Omit<PoolOptions, "clock" | "logger">>;

export function resolvePoolOptions(options: PoolOptions): ResolvedPoolOptions {
  const { arms, liveWorkers = 0, capacity = 64, stuckTimeoutMs = 1000, practice = 24 } = options;
  checkNumber("workers", options.workers ?? 0, 0);
  checkNumber("capacity", capacity, 0);
  checkNumber("stuckTimeoutMs", stuckTimeoutMs, 1);
  checkNumber("practice", practice, 0);
  checkNumber("arms", arms.length, 1);
  const workers = poolSize(options.workers ?? 0, availableParallelism(), liveWorkers);
  return { arms, liveWorkers, capacity, stuckTimeoutMs, practice, workers };
}

/** Workers of a pool that asked for `wanted` (0: as the machine has it) on a machine with so many cores. */
export function poolSize(wanted: number, cores: number, liveWorkers: 0 | 1): number {
  return Math.max(wanted > 0 ? wanted : cores - 1, 1 + liveWorkers);
}

function checkNumber(option: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new FlycatcherError("FLY_POOL_OPTION_INVALID", "A planner pool cannot be made like this", {
    path: option,
    expected: `a whole number of at least ${least}`,
    found: String(value),
  });
}
