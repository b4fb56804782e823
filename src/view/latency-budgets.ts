import type { CatchTimes } from "../catching/catch-times.js";

/** What each stage of a run may take, from an image to the command that follows from it [s]. */
export interface LatencyBudgets {
  /** From the exposure to the image's arrival. */
  readonly camera: number;
  /** Circles in an image, from its arrival. */
  readonly detection: number;
  /** Detection and tracking, from the image's arrival to the prediction. */
  readonly tracking: number;
  /** A first plan, by global search, and another from the one before. */
  readonly firstPlan: number;
  readonly replan: number;
  /** From planner to control. */
  readonly transport: number;
}

/** Share of tracking's time that the search for circles may take: 20 ms of 35. */
const DETECTION_SHARE = 20 / 35;

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
