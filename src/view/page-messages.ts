import type { RunSummary, ThrowResult } from "../catching/run-summary.js";
import type { ArmState } from "../messages/report.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { LatencyBudgets } from "./latency-budgets.js";

/**
 * What a live run publishes to pages: plain data, as JSON over a WebSocket (docs/streams.md), read by the page.
 * All times are seconds on the run's clock; `time` is when the message came about.
 */
export type PageMessage =
  | HelloMessage
  | StateMessage
  | PredictionMessage
  | CirclesMessage
  | PlanMessage
  | HandoverMessage
  | SafetyMessage
  | ComponentsMessage
  | EventMessage
  | BallMessage
  | ThrowMessage;

/** First on every connection, and again when settings change. */
export interface HelloMessage {
  readonly type: "hello";
  readonly protocol: 1;
  readonly software: string;
  readonly facts: SessionFacts;
  readonly settings: SessionSettings;
  /** Throws of this run so far, the newest last, no more than a hundred; and the figures of all. */
  readonly throws: readonly ThrowResult[];
  readonly summary: RunSummary;
}

/** What does not change during a run. */
export interface SessionFacts {
  /** Name of the robot: `GET /v1/robots/{name}/scene` has its shapes. */
  readonly robot: string;
  readonly clock: "real-time" | "lock-step";
  readonly perception: string;
  readonly seed: number;
  /** Groups that catch. */
  readonly arms: readonly string[];
  /** Joint names in the order of every joint vector. */
  readonly joints: readonly string[];
  /** Hands in the order of `PosePacket.hands`. */
  readonly hands: readonly string[];
  /** Radius of a ball [m]. */
  readonly ballRadius: number;
  /** Time from one image to the next [s]. */
  readonly framePeriod: number;
  /** What the stages from image to command may take. */
  readonly budgets: LatencyBudgets;
  /** Most balls in the air at a time. */
  readonly maxBalls: number;
  /** What the page may do. */
  readonly controls: readonly SessionControl[];
  /** Launches by name, for `POST /v1/live/throws`. */
  readonly presets: readonly { readonly name: string; readonly text: string }[];
}

export type SessionControl = "throw" | "mode" | "challenges" | "automatic" | "stop" | "reset" | "pause" | "record";

/** What can be changed during a run. */
export interface SessionSettings {
  readonly mode: CatchMode;
  /** How strong each challenge of the simulation is: 0 none, 1 realistic, up to 3. */
  readonly challenges: Readonly<Record<string, number>>;
  /** Whether balls are thrown one after the other without being asked; how many at a time. */
  readonly automatic: boolean;
  readonly balls: number;
  /** In lock-step: whether time stands still, and how fast it runs, 1 being real time. */
  readonly paused: boolean;
  readonly speed: number;
  /** Name of the recording being written; null if none is. */
  readonly recording: string | null;
}

/** What the robot is about: when something changes, and a few times a second. */
export interface StateMessage {
  readonly type: "state";
  readonly time: number;
  /** `waiting` for balls; `busy` with some; `stopped` by the safety monitor or a person; `fault`: needs a reset. */
  readonly activity: "starting" | "waiting" | "busy" | "stopped" | "fault";
  /** Of the safety monitor: its phase, and why it brakes (empty if it does not). */
  readonly monitor: { readonly phase: string; readonly reason: string };
  readonly arms: readonly ArmState[];
}

/** Where a ball is believed to fly. */
export interface PredictionMessage {
  readonly type: "prediction";
  readonly time: number;
  readonly track: number;
  readonly confirmed: boolean;
  /** Exposure of the newest image that went into it [s]. */
  readonly tExposure: number;
  /** Points of its way: time [s], x, y, z [m], and a bound of the standard deviation in any direction [m]. */
  readonly path: readonly (readonly [number, number, number, number, number])[];
}

/** What a camera's detector found. */
export interface CirclesMessage {
  readonly type: "circles";
  readonly time: number;
  readonly camera: "left" | "right";
  readonly tExposure: number;
  /** Size of the image the circles are in [px]. */
  readonly width: number;
  readonly height: number;
  /** Centre and radius [px], and score from 0 to 1. */
  readonly circles: readonly (readonly [number, number, number, number])[];
}

/** A motion sent to control. Ramps as in docs/motion.md: ab until tb, a until t1, nothing until t2, −a until T. */
export interface PlanMessage {
  readonly type: "plan";
  readonly time: number;
  readonly id: number;
  /** An arm, or `body`. */
  readonly part: string;
  /** Ball it is for; −1: none, a way back. */
  readonly track: number;
  /** Start of the motion and, for a ball, when the hand closes [s]. */
  readonly tStart: number;
  readonly tCatch: number | null;
  /** Joints that move, by their place in joint vectors. */
  readonly joints: readonly number[];
  readonly ramps: {
    readonly q0: readonly number[];
    readonly w0: readonly number[];
    readonly ab: readonly number[];
    readonly tb: readonly number[];
    readonly a: readonly number[];
    readonly t1: readonly number[];
    readonly t2: readonly number[];
    readonly T: readonly number[];
    readonly end: readonly number[];
  };
  /** Of a catch; null for a ball means that there is none, and the hand goes as near to one as it comes. */
  readonly objective: number | null;
}

/** What control did with a plan. */
export interface HandoverMessage {
  readonly type: "handover";
  readonly time: number;
  readonly plan: number;
  readonly part: string;
  readonly outcome: string;
}

/** How near the robot is to itself: some ten times a second. */
export interface SafetyMessage {
  readonly type: "safety";
  readonly time: number;
  /** Least distance while braking, as the monitor has it [m]; null if unknown. */
  readonly braking: number | null;
  /** Nearest pairs of bodies as they stand, nearest first [m]. */
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly distance: number }[];
}

/** How the parts of the pipeline fare, once a second. */
export interface ComponentsMessage {
  readonly type: "components";
  readonly time: number;
  readonly components: readonly ComponentState[];
}

export interface ComponentState {
  readonly name: string;
  readonly health: "starting" | "running" | "degraded" | "failed" | "stopped";
  /** Cycles a second; null if unknown. */
  readonly rate: number | null;
  /** Share of a core, 0 to 1; null if unknown. */
  readonly cpu: number | null;
  readonly queue: number;
  readonly lost: number;
  /** Time of a cycle, mean and longest [ms]; null if unknown. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
  readonly text: string;
}

export interface EventMessage {
  readonly type: "event";
  readonly time: number;
  readonly severity: "debug" | "info" | "warning" | "error";
  readonly source: string;
  readonly code: string;
  readonly text: string;
}

/** A ball has left the thrower's hand. */
export interface BallMessage {
  readonly type: "ball";
  readonly time: number;
  readonly ball: number;
}

/** What became of a throw, and the figures of all so far. */
export interface ThrowMessage {
  readonly type: "throw";
  readonly time: number;
  readonly result: ThrowResult;
  readonly summary: RunSummary;
}

/** Asks for balls: a preset, or launches of one's own, or the next of the seed's series. */
export interface ThrowRequest {
  readonly balls?: number;
  readonly preset?: string;
  /** Where the balls leave the hand, and how fast, in the world [m, m/s]. */
  readonly launches?: readonly { readonly position: readonly number[]; readonly velocity: readonly number[] }[];
}
