import { PlannerPool } from "../../src/planning/pool/planner-pool.module.js";
import { PooledPlanService } from "../../src/planning/request/plan-service.js";
import { standardSettings } from "../../src/planning/request/planner-settings.js";
import { type Metrics, percentiles } from "../harness.js";
import type { PlanningCase } from "./cases.js";
import type { PlanningSetting } from "./setting.js";

const WORKERS = 2;

/** Requests shared out over two workers, one request at a time. */
export async function measurePool(setting: PlanningSetting, cases: readonly PlanningCase[]): Promise<Metrics> {
  const { robot } = setting.arm;
  const pool = await PlannerPool.start({ robots: [robot.name], workers: WORKERS });
  const service = new PooledPlanService(pool, {
    robots: { get: () => robot },
    settings: standardSettings,
    clock: pool.clock,
    concurrency: WORKERS,
  });
  const times: number[] = [];
  const { signal } = new AbortController();
  const ask = async (entry: PlanningCase): Promise<number> => {
    const request = setting.caseRequest(entry);
    const start = performance.now();
    await service.plan(request, signal);
    return performance.now() - start;
  };
  for (const entry of cases) await ask(entry);
  for (const entry of cases) times.push(await ask(entry));
  await service.close();
  return percentiles("cold_ms", Float64Array.from(times));
}
