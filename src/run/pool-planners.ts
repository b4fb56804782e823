import { type PlanningArm, planOf } from "../nodes/planner.js";
import type { JobPlanner } from "../planning/pool/jobs.js";

/**
 * The planners of a run's arms in worker threads: `pool` was started with these arms, in this order. In lock-step an answer is awaited
 * when it is due, never earlier, so that any number of workers gives the same bits.
 */
export function poolPlanners(pool: JobPlanner, arms: readonly string[]): (arm: string) => PlanningArm {
  return (arm) => ({
    async plan(request) {
      const job = { kind: "arm", arm: arms.indexOf(arm), request } as const;
      const answer = await pool.plan(job, { priority: "live" });
      const { id } = request;
      if (answer.status !== "answered") {
        const reason = answer.status === "failed" ? answer.error.message : `planning was ${answer.status}`;
        return { id, plan: null, reason, approach: null };
      }
      const { result } = answer;
      if (result.plan !== null) return { id, plan: planOf(result.plan) };
      const approach = result.approach === null ? null : planOf(result.approach);
      return { id, plan: null, reason: result.reason, approach };
    },
  });
}
