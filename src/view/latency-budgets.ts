import type { CatchTimes } from "../catching/catch-times.js";
import type { LatencyBudgets } from "../messages/session.js";

/** Share of tracking's time that the search for circles may take: 20 ms of 35. */
const DETECTION_SHARE = 20 / 35;

/** The budgets that follow from the times of a run. */
export function budgetsOf(times: CatchTimes): LatencyBudgets {
  const tracking = times.trackingNs / 1e9;
  return {
    camera: times.cameraNs / 1e9,
    detection: DETECTION_SHARE * tracking,
    tracking,
    firstPlan: times.coldBudgetNs / 1e9,
    replan: times.warmBudgetNs / 1e9,
    transport: times.transportNs / 1e9,
  };
}
