import type { PlanQuestion, PlanReply } from "../../messages/planning.js";
import { asRamps } from "../../motion/joint-ramps.js";
import type { ArmPlanRequest, ArmPlanResult, CatchPlan } from "./arm-plan.js";

/** The question as a planner has it: ramps with their methods. */
export function requestOf(question: PlanQuestion): ArmPlanRequest {
  const { carrier, others, previous, running } = question;
  return {
    ...question,
    carrier: { ...carrier, ramps: asRamps(carrier.ramps) },
    others: { dofs: Array.from(others.dofs), ramps: asRamps(others.ramps) },
    previous: previous === null ? null : planOf(previous),
    running: running === null ? null : planOf(running),
  };
}

/** What a reply says, as the planner had it. */
export function resultOf({ id, plan, reason, approach }: PlanReply): ArmPlanResult {
  if (plan !== null) return { id, plan: planOf(plan) };
  return { id, plan, reason: reason ?? "", approach: approach === null ? null : planOf(approach) };
}

/** A plan with the methods of its ramps: the very object, where it did not leave its thread. */
export function planOf(plan: NonNullable<PlanReply["plan"]>): CatchPlan {
  const ramps = asRamps(plan.ramps);
  return ramps === plan.ramps ? (plan as CatchPlan) : { ...plan, ramps };
}
