import { JointRamps } from "../../motion/joint-ramps.js";
import type { ArmPlanAnswer, ArmPlanRequest, CatchPlan } from "./arm-plan.js";

/** A question as it was before it passed between threads, which takes the methods off what it clones. */
export function reviveRequest(request: ArmPlanRequest): ArmPlanRequest {
  const { carrier, others } = request;
  return {
    ...request,
    carrier: { ...carrier, ramps: reviveRamps(carrier.ramps) },
    others: { ...others, ramps: reviveRamps(others.ramps) },
  };
}

export function reviveAnswer<A extends ArmPlanAnswer>(answer: A): A {
  if (answer.plan !== null) return { ...answer, plan: revivePlan(answer.plan) };
  const { approach } = answer;
  return { ...answer, approach: approach === null ? null : revivePlan(approach) };
}

function revivePlan(plan: CatchPlan): CatchPlan {
  return { ...plan, ramps: reviveRamps(plan.ramps) };
}

function reviveRamps(cloned: JointRamps): JointRamps {
  const ramps = new JointRamps(cloned.count);
  ramps.copyFrom(cloned);
  return ramps;
}
