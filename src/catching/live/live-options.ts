import type { CatchMode } from "../../planning/request/request.js";
import type { RobotAddress } from "../../simulation/robot-sim/robot-process.module.js";
import type { BodyUse } from "../body-helper.js";
import type { CatchTimes } from "../catch-times.js";
import type { AfterCatch } from "../coordinator-options.js";

/** How a live run sees: it knows the truth, or renders images and looks for balls in them. */
export type LivePerception = "truth" | "images";

/** Settings of a run in real time. */
export interface LiveOptions {
  /** Name of the robot. */
  readonly robot: string;
  /** The arms that catch; default: all that can. */
  readonly arms?: readonly string[];
  readonly perception: LivePerception;
  /** Where the robot is; default: a simulated one, in a process started for the run. */
  readonly address?: RobotAddress;
  readonly balls: number;
  readonly mode: CatchMode;
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  readonly seed: number;
  readonly latestCatch: number;
  /** Starts of the planner's global search. */
  readonly starts: number;
  readonly times?: Partial<CatchTimes>;
  /** Cycles without a command after which the robot brakes by itself. */
  readonly missedCycles: number;
  /** How long control spins before each tick [ms]: 0.2 where cores are to spare, else 0. */
  readonly spinMs: number;
  /**
   * Most balls thrown at the simulated robot before the run is ready, which do not count: two in a row that are caught will do.
   * Default: none.
   */
  readonly rehearsals?: number;
  /** Whether to ask for real-time scheduling. */
  readonly scheduling: "real-time" | "usual";
  /** Bending, shaking, slipping and noise of the simulated robot. */
  readonly challenges: "full" | "none";
}

/**
 * Real-time priorities: who may interrupt whom. They all sleep most of the time. `engine` is for the threads that the
 * JavaScript engine has of its own: control may have to wait for a lock that one of them holds.
 */
export const livePriorities = {
  control: 80,
  robot: 75,
  world: 70,
  seeing: 60,
  coordinator: 55,
  engine: 45,
} as const;

/**
 * Nice values of those who work at a stretch, and of the whole session against others. Cameras go first: an image takes a few
 * milliseconds and all wait for it, while a planner that finds nothing searches as long as it may.
 */
export const liveFavours = { session: -15, planner: -8, camera: -15 } as const;

export const liveDefaults = {
  perception: "images",
  balls: 1,
  mode: "soft",
  body: "rule",
  afterCatch: "return",
  seed: 1,
  latestCatch: 1.8,
  starts: 12,
  missedCycles: 12,
  spinMs: 0,
  rehearsals: 6,
  scheduling: "real-time",
  challenges: "full",
} as const satisfies Partial<LiveOptions>;
