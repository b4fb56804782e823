import type { Robot } from "../robot/robot.js";

/**
 * Periods and delays of a run [ns], whole numbers so that simulated time has no rounding. In lock-step every delay is
 * modelled by these; in real time they are what the coordinator assumes.
 */
export interface CatchTimes {
  /** Of the control loop. */
  readonly tickNs: number;
  /** Between two camera frames. */
  readonly framePeriodNs: number;
  /** Frames that must have seen a ball before its flight counts as known. */
  readonly framesToConfirm: number;
  /** From mid-exposure to the image's arrival. */
  readonly cameraNs: number;
  /** From the image's arrival to the prediction. */
  readonly trackingNs: number;
  /** What planning is given: of a first catch, by global search, and of the next one from the one before. */
  readonly coldBudgetNs: number;
  readonly warmBudgetNs: number;
  /** What a global search takes; modelled in lock-step alone. */
  readonly searchNs: number;
  /** From planner to control. */
  readonly transportNs: number;
  /** How long a caught ball is held before the arm goes back. */
  readonly holdNs: number;
}

const MILLISECOND = 1_000_000;

/**
 * All but the planner's budgets as on Agile Justin (thesis, section 3.3 and Fig. 3.2). Ours takes 5 ms for a global search
 * and 24 ms at most, on one core (docs/benchmarks.md), where the thesis has 60 ms on eight; planning anew leaves time until
 * the next frame.
 */
export const defaultTimes: CatchTimes = {
  tickNs: MILLISECOND,
  framePeriodNs: 40 * MILLISECOND,
  framesToConfirm: 3,
  cameraNs: 40 * MILLISECOND,
  trackingNs: 35 * MILLISECOND,
  coldBudgetNs: 30 * MILLISECOND,
  warmBudgetNs: 15 * MILLISECOND,
  searchNs: 24 * MILLISECOND,
  transportNs: 17 * MILLISECOND,
  holdNs: 500 * MILLISECOND,
};

/** The times of a robot with cameras are those of its cameras; `given` has the last word. */
export function timesOf(robot: Robot, given: Partial<CatchTimes> = {}): CatchTimes {
  const camera = robot.cameras[robot.stereo?.left ?? 0];
  if (camera === undefined) return { ...defaultTimes, ...given };
  const framePeriodNs = Math.round(1e9 / camera.rateHz / MILLISECOND) * MILLISECOND;
  const cameraNs = Math.round(camera.latency * 1e9);
  return { ...defaultTimes, framePeriodNs, cameraNs, ...given };
}

/** The run's time in seconds, as algorithms have it. The same number of nanoseconds always gives the same bits. */
export function seconds(ns: number): number {
  return ns / 1e9;
}

/** Whether the budget of a first plan is as set, or grows where searches use it up. */
export type BudgetKind = "fixed" | "adaptive";

/** A search that took this share of its budget has used it up. */
const USED_UP = 0.9;
/** By how much the budget grows then, and shrinks else. */
const GROWTH = 1.25;
const SHRINKING = 0.93;
/** Greatest budget [ns]: a later beginning costs more balls than a search cut short. */
const MOST = 70e6;

/** Times of a run that learn from its searches. */
interface AdaptiveTimes extends CatchTimes {
  /** A search took so long, from question to answer [ns]. */
  searched(durationNs: number): void;
}

/**
 * The times of a run whose budget for a first plan follows what planning really takes here: a plan that comes after its
 * time is not used at all, so on a slow or busy machine the motion is better planned to begin later. But not much: searches
 * end when their time is up with the best they have, and each millisecond that the robot stands is lost.
 */
export function adaptiveTimes(times: CatchTimes): AdaptiveTimes {
  const least = times.coldBudgetNs;
  let budget = least;
  return {
    ...times,
    get coldBudgetNs() {
      return Math.round(budget);
    },
    searched(durationNs) {
      const factor = durationNs > USED_UP * budget ? GROWTH : SHRINKING;
      budget = Math.min(Math.max(factor * budget, least), Math.max(MOST, least));
    },
  };
}
