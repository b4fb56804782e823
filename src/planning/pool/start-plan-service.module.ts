import { RealTimeClock } from "../../runtime/clock.js";
import type { Config } from "../../runtime/config-schema.js";
import type { Logger } from "../../runtime/logger.js";
import { catchGroups } from "../problem/catch-arm.js";
import { Planner } from "../request/plan-catch.js";
import { InlinePlanService, type PlanService, PooledPlanService } from "../request/plan-service.js";
import { settingsFrom } from "../request/planner-settings.js";
import type { RobotSource } from "../request/resolve-request.js";
import type { PlannerArm } from "./planner-arm.js";
import { PlannerPool } from "./planner-pool.module.js";

export interface PlanServiceOptions {
  readonly config: Config;
  readonly robots: RobotSource;
  /** The robots that requests may name. */
  readonly names: readonly string[];
  /** Folder they lie in; default: that of the shipped ones. */
  readonly root?: string;
  readonly logger?: Logger;
  /** Rounds of practice of a fresh worker; see `PoolOptions`. */
  readonly practice?: number;
}

/** The plan service that a configuration asks for: in worker threads, or in the calling thread. */
export async function startPlanService(options: PlanServiceOptions): Promise<PlanService> {
  const { config, robots, logger, practice } = options;
  const settings = settingsFrom(config);
  if (config.planning.execution === "inline") return new InlinePlanService(new Planner({ robots, settings }));
  const arms = armsOf(options);
  const clock = new RealTimeClock();
  const { workers } = config.planning;
  // The service bounds what it lets in, and each of it asks about several arms; the pool's bound is for those who do not.
  const capacity = arms.length * (config.service.maxQueue + MOST_WORKERS);
  const pool = await PlannerPool.start({
    arms,
    workers,
    capacity,
    clock,
    ...(logger && { logger }),
    ...(practice !== undefined && { practice }),
  });
  return new PooledPlanService(pool, { arms, clock, concurrency: pool.statistics().workers, robots, settings });
}

/** Largest number of workers that a configuration can ask for. */
const MOST_WORKERS = 64;

/** Every arm that can catch, those of the configured robot first. A robot that cannot be loaded is its requests' problem. */
function armsOf({ config, robots, names, root, logger }: PlanServiceOptions): PlannerArm[] {
  const ordered = [...names].sort((a, b) => Number(b === config.robot) - Number(a === config.robot));
  return ordered.flatMap((robot): PlannerArm[] => {
    try {
      const load = root === undefined ? {} : { load: { root } };
      return catchGroups(robots.get(robot)).map(({ name }) => ({ robot, group: name, clearance: "hulls", ...load }));
    } catch (error) {
      logger?.warn({ robot, err: error }, "no planner for a robot that cannot be loaded");
      return [];
    }
  });
}
