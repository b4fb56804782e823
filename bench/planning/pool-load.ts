import { PlannerPool } from "../../src/planning/pool/planner-pool.module.js";
import { type Metrics, percentiles } from "../harness.js";
import type { PlanningCase } from "./cases.js";
import type { PlanningSetting } from "./setting.js";

/** The planner's normal cold search. */
const SEARCH = { kind: "cold", starts: 12, iterations: 100 } as const;

/** Cold searches spread over two workers, one search at a time, as the live demo asks them. */
export async function measurePool(setting: PlanningSetting, cases: readonly PlanningCase[]): Promise<Metrics> {
  const arms = [{ robot: "agile-justin", group: "rightArm", clearance: "hulls" as const }];
  const pool = await PlannerPool.start({ arms, workers: 2 });
  const times: number[] = [];
  const ask = async (entry: PlanningCase): Promise<number> => {
    const question = setting.caseQuestion(entry);
    const start = performance.now();
    await pool.plan(question, { search: SEARCH });
    return performance.now() - start;
  };
  for (const entry of cases) await ask(entry);
  for (const entry of cases) times.push(await ask(entry));
  await pool.close();
  return percentiles("cold_ms", Float64Array.from(times));
}
