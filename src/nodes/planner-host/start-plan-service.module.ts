import { MotionPlanner } from "../../planning/motions/motion-planner.js";
import { InlinePlanService, type PlanService, PooledPlanService } from "../../planning/pool/plan-service.js";
import { catchGroups } from "../../planning/problem/catch-arm.js";
import { Planner } from "../../planning/request/plan-catch.js";
import { settingsFrom } from "../../planning/request/planner-settings.js";
import type { RobotSource } from "../../planning/request/resolve-request.js";
import type { Config } from "../../runtime/config-schema.js";
import type { Logger } from "../../runtime/logger.js";
import { PlannerPool } from "./planner-pool.module.js";

interface PlanServiceOptions {
  readonly config: Config;
  readonly robots: RobotSource;
  /** The robots that requests may name. */
  readonly names: readonly string[];
  /** Folder they lie in; default: that of the shipped ones. */
  readonly root?: string;
  /** Ends the workers that are still starting. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Rounds of warm-up of a fresh worker; see `PoolOptions`. */
  readonly warmUpRounds?: number;
}

/** The plan service that a configuration asks for: in worker threads, or in the calling thread. */
export async function startPlanService(options: PlanServiceOptions): Promise<PlanService> {
  const { config, robots, logger, root, signal, warmUpRounds } = options;
  const settings = settingsFrom(config);
  if (config.planning.execution === "inline") {
    return new InlinePlanService(new Planner({ robots, settings }), new MotionPlanner({ robots, settings }));
  }
  const pool = await PlannerPool.start({
    robots: catchingRobots(options),
    settings,
    workers: config.planning.workers,
    // The service bounds what it lets in; the pool's bound is for callers that do not.
    capacity: config.service.maxQueue + MOST_WORKERS,
    ...(root !== undefined && { root }),
    ...(signal && { signal }),
    ...(logger && { logger }),
    ...(warmUpRounds !== undefined && { warmUpRounds }),
  });
  const concurrency = pool.statistics().workers;
  return new PooledPlanService(pool, { clock: pool.clock, concurrency, robots, settings });
}

/** Largest number of workers that a configuration can ask for. */
const MOST_WORKERS = 64;

/** The robots that can catch, the configured one first. For one that cannot be loaded each request gets that error. */
function catchingRobots({ config, robots, names, logger }: PlanServiceOptions): string[] {
  const ordered = [...names].sort((a, b) => Number(b === config.robot) - Number(a === config.robot));
  return ordered.filter((name) => {
    try {
      return catchGroups(robots.get(name)).length > 0;
    } catch (error) {
      logger?.warn({ robot: name, err: error }, "no planner for a robot that cannot be loaded");
      return false;
    }
  });
}
