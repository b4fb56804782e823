import { JointRamps } from "../../motion/joint-ramps.js";
import type { ArmPlanAnswer, ArmPlanRequest, CatchPlan } from "../arm-planner.js";

/** A planner's answer as it passes between threads, and how long it took. */
export interface PlannerReply {
  readonly answer: ArmPlanAnswer;
  readonly planningMs: number;
  /** The system's number of the planner's thread. */
  readonly thread: number;
}

/** A question as it was before it passed between threads, which takes the methods off what it clones. */
export function reviveRequest(request: ArmPlanRequest): ArmPlanRequest {
  const { carrier, others } = request;
  return {
    ...request,
    carrier: { ...carrier, ramps: reviveRamps(carrier.ramps) },
    others: { ...others, ramps: reviveRamps(others.ramps) },
  };
}

export function reviveAnswer(answer: ArmPlanAnswer, answeredNs: number): ArmPlanAnswer {
  if (answer.plan !== null) return { ...answer, plan: revivePlan(answer.plan), answeredNs };
  const { approach } = answer;
  return { ...answer, approach: approach === null ? null : revivePlan(approach), answeredNs };
}

function revivePlan(plan: CatchPlan): CatchPlan {
  return { ...plan, ramps: reviveRamps(plan.ramps) };
}

function reviveRamps(cloned: JointRamps): JointRamps {
  const ramps = new JointRamps(cloned.count);
  ramps.copyFrom(cloned);
  return ramps;
}
