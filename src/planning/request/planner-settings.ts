import { Create } from "typebox/value";
import { type Config, configSchema } from "../../runtime/config-schema.js";

/** The `planning` section of the configuration as it is by default: what a request that leaves something unsaid means. */
export const standardPlanning = Create(configSchema.properties.planning) as Config["planning"];

/** What a planner takes where a request says nothing. */
export interface PlannerSettings {
  readonly robot: string;
  readonly mode: Config["planning"]["mode"];
  readonly starts: number;
  /** Latest catch [s]. */
  readonly latest: number;
  /** Wall-clock time of a plan [ms]; null: only `starts` counts. */
  readonly milliseconds: number | null;
  /** The same of a motion [ms]. */
  readonly motionMilliseconds: number | null;
}

/** Those of a program: no wall clock, so that the same request gives the same bits. */
export const standardSettings: PlannerSettings = {
  robot: Create(configSchema.properties.robot) as string,
  mode: standardPlanning.mode,
  starts: standardPlanning.starts,
  latest: standardPlanning.tMax,
  milliseconds: null,
  motionMilliseconds: null,
};

/** Those of a configuration; in lock-step no wall clock counts. */
export function settingsFrom({ robot, planning, run }: Config): PlannerSettings {
  const { mode, starts, tMax, budgetMs, motionBudgetMs } = planning;
  const isTimed = run.clock !== "lock-step";
  return {
    robot,
    mode,
    starts,
    latest: tMax,
    milliseconds: isTimed ? budgetMs : null,
    motionMilliseconds: isTimed ? motionBudgetMs : null,
  };
}
