import { FlycatcherError } from "../../runtime/errors.js";
import { AnswerStatus, type JobKind, type PlannerAnswer } from "./jobs.js";

/** The result of a job, or its failure as an error. */
export function resultOf<K extends JobKind>(answer: PlannerAnswer<K>) {
  switch (answer.status) {
    case AnswerStatus.answered:
      return answer.result;
    case AnswerStatus.failed:
      if (answer.error instanceof FlycatcherError) throw answer.error;
      throw new FlycatcherError("FLY_INTERNAL", `Planning failed: ${answer.error.message}`);
    case AnswerStatus.refused:
      throw new FlycatcherError("FLY_PLAN_OVERLOADED", "All planners are busy");
    default:
      throw cancelled();
  }
}

/** What a caller gets whose client is gone. */
export function cancelled(): FlycatcherError {
  return new FlycatcherError("FLY_PLAN_CANCELLED", "The plan was cancelled");
}
