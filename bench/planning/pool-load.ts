import { PlannerPool } from "../../src/nodes/planner-host/planner-pool.module.js";
import { type Metrics, percentiles } from "../harness.js";
import type { PlanningCase } from "./cases.js";
import type { PlanningSetting } from "./setting.js";

const WORKERS = 2;

/** Cold searches shared out over two workers, one search at a time. */
export async function measurePool(setting: PlanningSetting, cases: readonly PlanningCase[]): Promise<Metrics> {
  const pool = await PlannerPool.start({ robots: [setting.arm.robot.name], workers: WORKERS });
  const times: number[] = [];
  const ask = async (entry: PlanningCase): Promise<number> => {
    const request = setting.caseRequest(entry);
    const start = performance.now();
    const parts = Array.from({ length: WORKERS }, (_, part) => ({ part, parts: WORKERS }));
    await Promise.all(parts.map((part) => pool.plan({ kind: "search", request, arm: 0, part })));
    return performance.now() - start;
  };
  for (const entry of cases) await ask(entry);
  for (const entry of cases) times.push(await ask(entry));
  await pool.close();
  return percentiles("cold_ms", Float64Array.from(times));
}
