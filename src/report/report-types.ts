import type { HandoverOutcome } from "../control/motion-execution.js";
import type { Quantiles, Rate } from "../messages/session.js";
import type { rampFields } from "../motion/joint-ramps.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { ReplayInput, ReplayMonitor } from "../run/replay/replay-settings.js";
import type { Miss } from "../simulation/verdict.js";
import type { Identity } from "./identity.js";
import type { RealTimeComparison } from "./real-time-comparison.js";

/**
 * What a replay says of itself, for programs: the JSON of `flycatcher replay --json` and of the service. Times on the
 * recording's clock [s] unless a name says otherwise, lengths [m], frame: the world.
 */
export const REPORT_VERSION = 1;

/** Three numbers. */
export type Triple = readonly [number, number, number];

/** What became of a throw. */
export type ReportedOutcome = "caught" | "missed" | "not reachable" | "not seen";

export interface ThrowVerdict {
  readonly outcome: ReportedOutcome;
  /** Distance of the hand's middle from the ball's line [m], and how much too late it closed [s]; null without a grasp. */
  readonly lateral: number | null;
  readonly timing: number | null;
  /** What was wrong about the grasp. */
  readonly misses: readonly Miss[];
  /** Why, in words; null for a catch. */
  readonly reason: string | null;
  /** What it was judged by: the true flight, or the smoothed one. */
  readonly judgedBy: "truth" | "smoothed" | "nothing";
}

/** One prediction of where the ball will be at the time of the catch. */
export interface PredictionReport {
  /** Of the newest image in it, and when it was known. */
  readonly seen: number;
  readonly known: number;
  readonly track: number;
  readonly confirmed: boolean;
  /** Where it says the ball will be. */
  readonly position: Triple;
  /** Distance from where the smoothed flight has it, and from where it truly was; null where that is not known. */
  readonly error: number | null;
  readonly trueError: number | null;
  /** The filter's own standard deviation of it: root of the covariance's trace; null where it claims to be exact. */
  readonly sigma: number | null;
}

/** One answer of the planner. */
export interface PlanReport {
  readonly arm: string;
  readonly id: number;
  readonly asked: number;
  readonly known: number;
  readonly search: "cold" | "warm";
  /** When the ball is to be in the hand, and where; null without a catch. */
  readonly tCatch: number | null;
  readonly position: Triple | null;
  readonly objective: number | null;
  readonly successProbability: number | null;
  readonly reason: string | null;
  /** What control did with it; null if it never got there. */
  readonly handover: HandoverOutcome | null;
  /** How far the catch moved since the last plan that was taken [m], [s]. */
  readonly moved: { readonly distance: number; readonly time: number } | null;
}

/** The motion of an arm to the first catch found, in one mode. */
export interface ModeReport {
  readonly mode: CatchMode;
  readonly joints: readonly string[];
  /** Counted from `tStart`. */
  readonly ramps: Readonly<Record<(typeof rampFields)[number], readonly number[]>>;
  readonly tStart: number;
  readonly tCatch: number;
  readonly objective: number;
}

/** The flight that is the reference for what was predicted. */
export interface FlightReport {
  readonly time: number;
  readonly position: Triple;
  readonly velocity: Triple;
  readonly drag: number;
  /** Root of the trace of the position's covariance at `time`. */
  readonly sigma: number;
  readonly samples: number;
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** Points along it, for pictures: time, x, y, z. */
  readonly path: readonly (readonly [number, number, number, number])[];
}

export interface ThrowReport {
  /** Which recording, and which ball of it. */
  readonly file: string;
  readonly ball: number;
  readonly labels: readonly string[];
  readonly tracks: readonly number[];
  /** When it was first and last seen. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** The time whose place all predictions are compared at: of the grasp, or of the last plan, or when it was last seen. */
  readonly referenceTime: number | null;
  readonly arm: string | null;
  readonly verdict: ThrowVerdict;
  /** What the run had made of it then; null where nobody recorded it. */
  readonly recordedOutcome: string | null;
  readonly smoothed: FlightReport | null;
  readonly truth: { readonly path: FlightReport["path"] } | null;
  /** How far the smoothed flight was from the true one at the reference time; null where either is not known. */
  readonly smoothedError: number | null;
  readonly predictions: readonly PredictionReport[];
  readonly plans: readonly PlanReport[];
  readonly modes: readonly ModeReport[];
  /** When the first motion began, after the ball was first seen. */
  readonly reaction: number | null;
  readonly grasp: { readonly time: number; readonly position: Triple; readonly axis: Triple } | null;
}

/** Delays on the way from light to motion [ms]. */
export interface StageLatencies {
  readonly camera: Quantiles | null;
  readonly tracking: Quantiles | null;
  readonly planning: Quantiles | null;
  readonly transport: Quantiles | null;
  /** How long planning really took here, by the wall clock. */
  readonly planningHere: Quantiles | null;
}

export interface SafetyReport {
  readonly monitor: ReplayMonitor;
  /** Least distance of two bodies while arms moved [m], and which; null where it was not measured. */
  readonly distance: number | null;
  readonly bodies: readonly [string, string] | null;
  readonly time: number | null;
  /** Distances over time: [s], [m]. */
  readonly distances: readonly (readonly [number, number])[];
  readonly brakes: number;
  /** Plans that control did not take. */
  readonly refused: number;
}

/** One recording, replayed. */
export interface FileReport {
  readonly file: string;
  readonly title: string;
  readonly robot: string;
  readonly input: ReplayInput | "truth";
  readonly clock: "lock-step" | "real-time";
  readonly problems: readonly string[];
  /** How much of it was replayed [s]. */
  readonly duration: number;
  /** Whether the run came out as recorded; null if something was changed, or it was a run in real time. */
  readonly identity: Identity | null;
  /** How far a run in real time came out as recorded; null if something was changed, and for runs in lock-step. */
  readonly realTime: RealTimeComparison | null;
  readonly latencies: StageLatencies;
  readonly safety: SafetyReport;
  readonly throws: readonly ThrowReport[];
}

export interface ReplaySummary {
  readonly throws: number;
  readonly caught: Rate;
  readonly reachable: Rate;
  readonly caughtOfReachable: Rate;
  readonly lateralMm: Quantiles | null;
  readonly timingMs: Quantiles | null;
  /** Error of predictions known 0.3 s before the catch [mm]. */
  readonly predictionMm: Quantiles | null;
  readonly replans: Quantiles | null;
  readonly identical: number | null;
}

export interface ReplayReport {
  readonly version: number;
  readonly software: string;
  /** What was asked for. */
  readonly settings: {
    readonly robot: string | null;
    readonly monitor: ReplayMonitor;
    readonly changes: Readonly<Record<string, unknown>>;
  };
  readonly files: readonly FileReport[];
  /** Recordings that could not be replayed, and why. */
  readonly failures: readonly { readonly file: string; readonly code: string; readonly message: string }[];
  readonly summary: ReplaySummary;
  /** Wall clock, different each time. */
  readonly wallClock: { readonly seconds: number; readonly realTimeFactor: number } | null;
}
