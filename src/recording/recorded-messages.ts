import type { BodyUse } from "../catching/body-helper.js";
import type { CatchEvent, CatchState } from "../catching/catch-states.js";
import type { CatchTimes } from "../catching/catch-times.js";
import type { Commitment } from "../catching/commitment.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { Handover } from "../control/motion-execution.js";
import type { Ball } from "../flight/ball.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import type { Config } from "../runtime/config-schema.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";

/**
 * What a recording holds, as the pipeline has it: no file format here. All numbers are plain JSON numbers, so that a
 * message read back is, bit for bit, the one that was written (but −0, which becomes 0). Times named `…Ns` are whole
 * nanoseconds of the run's clock; others are seconds of the same clock. Lengths [m], angles [rad], frame: the world.
 */

/** Version of the messages below; a change of their meaning is a new version with a migration. */
export const RECORDING_VERSION = 1;

/** Numbers in the order that the field's comment gives. */
export type Numbers = readonly number[];

/** All it takes to build the robot again, wherever the recording is opened. */
export interface RecordedRobot {
  readonly name: string;
  /** The URDF as text. */
  readonly urdf: string;
  readonly sidecar: Sidecar;
  /** What calibration had found; null: the robot as designed. */
  readonly calibration: Overlay | null;
}

/** How balls were seen: by images, by circles or by points that somebody else made; or the truth was known. */
export type RecordedPerception = "images" | "circles" | "points" | "truth";

/** What the run was told to do, and how. */
export interface RecordedRun {
  readonly mode: CatchMode;
  /** Arms that catch, by the names of their groups. */
  readonly arms: readonly string[];
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch: number;
  readonly commitment: Commitment;
  readonly times: CatchTimes;
  /** Bounds of the planner's search. */
  readonly planner: { readonly starts: number; readonly coldIterations: number; readonly warmIterations: number };
  /** What the tracker assumes; what is not there is as by default. */
  readonly tracker: TrackerOptions;
}

/** The first thing in a recording. */
export interface RecordingHeader {
  readonly formatVersion: number;
  /** Who wrote it. */
  readonly software: { readonly name: string; readonly version: string };
  /** UTC of the run's time zero, ISO 8601; null for a run on the simulation's clock, so that its file has the same bits. */
  readonly startedAt: string | null;
  readonly clock: "lock-step" | "real-time";
  /** One line for people: what this is. */
  readonly title: string;
  /** Free words to find it by, as `two balls`. */
  readonly labels: readonly string[];
  /** null for a recording of points alone: replay then takes the robot it is told. */
  readonly robot: RecordedRobot | null;
  readonly perception: RecordedPerception;
  readonly world: "kinematic" | "physics" | "real";
  readonly seed: number | string | null;
  readonly ball: Ball;
  /** null where nobody meant to catch. */
  readonly run: RecordedRun | null;
  /** The whole configuration in force, for people; replay goes by `run`. */
  readonly configuration: Config | null;
  /**
   * Which joints the readings of the head's sense hold, as indices of the robot's model: positions (`q`), velocities
   * (`qd`) and commanded positions; null without readings.
   */
  readonly readings: { readonly q: Numbers; readonly qd: Numbers; readonly commanded: Numbers } | null;
  /** Time between two `joints` items [ns]; that of a control tick makes the monitor's replay exact. */
  readonly jointPeriodNs: number | null;
}

interface ItemBase<Topic extends string> {
  readonly topic: Topic;
  /** When the pipeline had it: the recording's order. */
  readonly timeNs: number;
}

/**
 * What encoders and IMU said since the last such item, sample after sample, each with the control tick at which it was
 * there. Within a tick all joints come before all IMU samples.
 */
export interface ReadingsItem extends ItemBase<"sensors/readings"> {
  readonly joints: {
    /** When they were read [s], and at which tick they were known [ns]. [count] */
    readonly time: Numbers;
    readonly arrivalNs: Numbers;
    /** Of the joints of `header.readings`, reading after reading. [count × joints] */
    readonly q: Numbers;
    readonly qd: Numbers;
    readonly commanded: Numbers;
  };
  readonly imu: {
    readonly time: Numbers;
    readonly arrivalNs: Numbers;
    /** In the sensor's frame [rad/s], [m/s²]. [count × 3] */
    readonly angularVelocity: Numbers;
    readonly specificForce: Numbers;
  };
}

export type CameraSide = "left" | "right";

/** An exposure of one camera. */
interface Exposure {
  readonly camera: CameraSide;
  /** Number of the frame; a gap is a lost one. */
  readonly frame: number;
  /** Middle of the exposure, and when the image was there. */
  readonly exposureNs: number;
  readonly arrivalNs: number;
}

/** An image, 8-bit gray, rows from top to bottom. */
export interface ImageItem extends ItemBase<"cameras/images">, Exposure {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The circles found in an image, best first. An image without a ball in it may have been left out: its circles tell. */
export interface CirclesItem extends ItemBase<"cameras/circles">, Exposure {
  /** Centre and radius [px]. [count × 3: u, v, r] */
  readonly circles: Numbers;
  /** Of (u, v, r), row-major [px²]. [count × 9] */
  readonly covariance: Numbers;
  /** 0 to 1. [count] */
  readonly score: Numbers;
}

/** Points of motion capture, in the world. */
export interface PointsItem extends ItemBase<"points"> {
  readonly frame: number;
  /** When they were measured [ns], and known. */
  readonly exposureNs: number;
  readonly arrivalNs: number;
  /** [m]. [count × 3] */
  readonly positions: Numbers;
  /** Row-major [m²]. [count × 9] */
  readonly covariance: Numbers;
}

/** A frame that was exposed and never came. */
export interface LostFrameItem extends ItemBase<"cameras/lost"> {
  readonly frame: number;
  readonly exposureNs: number;
}

/** Where the joints were, as measured after the tick, and what they had been told for it; all in model order. */
export interface JointsItem extends ItemBase<"joints"> {
  readonly q: Numbers;
  readonly qd: Numbers;
  readonly commandedQ: Numbers;
  readonly commandedQd: Numbers;
}

/** Where the head was, by IMU and joints, when an exposure was made: for pictures. */
export interface HeadPoseItem extends ItemBase<"head"> {
  /** Time of the pose [s]. */
  readonly time: number;
  /** Row-major rotation, then translation. [12] */
  readonly worldFromHead: Numbers;
  /** Translation [m], then rotation [rad]. [6 × 6] */
  readonly covariance: Numbers;
}

/** A ball as the tracker knows it. */
export interface RecordedPrediction {
  readonly track: number;
  /** Time of the state [s]. */
  readonly time: number;
  readonly position: Numbers;
  readonly velocity: Numbers;
  /** [1/m] */
  readonly drag: number;
  /** Of position, velocity and drag: the lower triangle of 7 × 7, row by row [28]; null where the state is exact. */
  readonly covariance: Numbers | null;
  /** Exposure of the newest image that went into it [s]. */
  readonly lastSeen: number;
  readonly confirmed: boolean;
}

/** All balls known at one time, as they reached the coordinator. */
export interface PredictionsItem extends ItemBase<"predictions"> {
  readonly predictions: readonly RecordedPrediction[];
}

/** Ramps of some joints, one array a quantity as in `JointRamps`; where they end follows from them. */
export interface RecordedRamps {
  readonly q0: Numbers;
  readonly w0: Numbers;
  readonly ab: Numbers;
  readonly tb: Numbers;
  readonly a: Numbers;
  readonly t1: Numbers;
  readonly t2: Numbers;
  readonly T: Numbers;
}

/** A motion on its way to control: a catch, or any other of an arm or of the body. */
export interface MotionItem extends ItemBase<"motions"> {
  /** Group of the arm, or `body`. */
  readonly part: string;
  readonly id: number;
  /** When it begins [s]; its ramps count from there. */
  readonly tStart: number;
  readonly ramps: RecordedRamps;
  /** When the hand closes [s]; null: it opens. */
  readonly closeHandAt: number | null;
}

/** The planner's answer to one question: a catch, or why there is none. */
export interface PlanItem extends ItemBase<"plans"> {
  /** Group of the arm. */
  readonly arm: string;
  readonly id: number;
  readonly track: number;
  /** cold: searched everywhere; warm: from the plan before. */
  readonly search: "cold" | "warm";
  /** When it was asked for; `timeNs` is when the answer was there. */
  readonly askedNs: number;
  /** When the motion begins [s]. */
  readonly tStart: number;
  readonly catch: RecordedCatch | null;
  readonly reason: string | null;
}

export interface RecordedCatch {
  readonly ramps: RecordedRamps;
  /** When the ball is in the hand, and when the hand is there, at rest [s]. */
  readonly tCatch: number;
  readonly arrival: number;
  readonly objective: number;
  readonly successProbability: number | null;
  /** Middle of the hand at the catch, as planned: in the world [m]. [3] */
  readonly position: Numbers;
}

/** What control did with a motion. */
export interface HandoverItem extends ItemBase<"handovers"> {
  readonly part: string;
  readonly id: number;
  readonly outcome: Handover;
}

/** What the safety monitor found. */
export interface MonitorItem extends ItemBase<"monitor"> {
  /** As `MonitorPhase` names them. */
  readonly phase: "safe" | "braking" | "stopped" | "recovering";
  /** Least distance of any pair while braking, margins taken off [m]; null where it is not known. */
  readonly distance: number | null;
  /** The pair: names of its bodies. */
  readonly bodies: readonly [string, string] | null;
  /** Why it brakes, in a word; null while it does not. */
  readonly reason: string | null;
}

/** An arm changed its state. */
export interface TransitionItem extends ItemBase<"states"> {
  readonly arm: string;
  readonly from: CatchState;
  readonly event: CatchEvent;
  readonly to: CatchState;
}

/** Something a person can follow. */
export interface EventItem extends ItemBase<"events"> {
  readonly severity: "debug" | "info" | "warning" | "error";
  readonly source: string;
  readonly code: string;
  /** Ball it is about; −1 for none. */
  readonly track: number;
  readonly text: string;
}

/** A piece of a ball's true flight: free under gravity and drag from `time` until `until` [s]. */
export interface RecordedFlight {
  readonly time: number;
  readonly until: number;
  readonly position: Numbers;
  readonly velocity: Numbers;
  /** [1/m] */
  readonly drag: number;
}

/** How a ball truly flew: one piece, or more if it bounced. Of simulated runs. */
export interface TruthItem extends ItemBase<"truth/flights"> {
  /** Number of the throw. */
  readonly ball: number;
  /** Where it was aimed [m], and when it would be there after its release [s]; null where nobody knows. */
  readonly aim: Numbers | null;
  readonly flightTime: number | null;
  readonly pieces: readonly RecordedFlight[];
}

/** What became of a throw, as the run judged it. */
export interface ResultItem extends ItemBase<"results"> {
  readonly result: ThrowResult;
}

/** What was lost because the disk could not keep up; the recorder's own word. */
export interface DropsItem extends ItemBase<"recorder/drops"> {
  readonly drops: readonly { readonly topic: string; readonly messages: number; readonly bytes: number }[];
}

export type RecordedItem =
  | ReadingsItem
  | ImageItem
  | CirclesItem
  | PointsItem
  | LostFrameItem
  | JointsItem
  | HeadPoseItem
  | PredictionsItem
  | MotionItem
  | PlanItem
  | HandoverItem
  | MonitorItem
  | TransitionItem
  | EventItem
  | TruthItem
  | ResultItem
  | DropsItem;

export type RecordedTopic = RecordedItem["topic"];

/** The item of a topic. */
export type ItemOf<Topic extends RecordedTopic> = Extract<RecordedItem, { readonly topic: Topic }>;

/** Every topic, in the order in which items of the same time are written. */
export const recordedTopics = [
  "truth/flights",
  "sensors/readings",
  "cameras/images",
  "cameras/circles",
  "points",
  "cameras/lost",
  "head",
  "predictions",
  "plans",
  "motions",
  "handovers",
  "monitor",
  "states",
  "joints",
  "events",
  "results",
  "recorder/drops",
] as const satisfies readonly RecordedTopic[];

/** Whoever takes what a run tells: a file, or memory. */
export interface RecordingSink {
  write(item: RecordedItem): void;
}

/** Which items are wanted; all by default. Times on the run's clock, both included [ns]. */
export interface ItemSelection {
  readonly fromNs?: number;
  readonly toNs?: number;
  readonly topics?: readonly RecordedTopic[];
}

/** A recording that can be read. Items come in the order of their times; of the same time, in that of their writing. */
export interface Recording {
  readonly header: RecordingHeader;
  /** What could not be read, for people; empty for a whole file. */
  readonly problems: readonly string[];
  items(selection?: ItemSelection): Iterable<RecordedItem> | AsyncIterable<RecordedItem>;
}
