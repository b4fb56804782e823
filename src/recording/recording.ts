import type { ActionThreshold } from "../catching/action-threshold.js";
import type { BodyUse } from "../catching/arm-surroundings.js";
import type { BudgetKind, CatchTimes } from "../catching/catch-times.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { NeckSettings } from "../control/neck/neck-follower.js";
import type { Ball } from "../flight/ball.js";
import { MonitorState } from "../messages/control.js";
import { Handover, Motion, PlanReply } from "../messages/planning.js";
import { Predictions } from "../messages/prediction.js";
import { Drops, JointRecord, Readings } from "../messages/recording.js";
import { Event, Transition } from "../messages/report.js";
import { Circles, HeadPose, Image, LostFrame, Points } from "../messages/sensing.js";
import { ThrowOutcome, TrueFlight } from "../messages/world.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import type { Config } from "../runtime/config-schema.js";
import type { CameraSettings } from "../simulation/camera-settings.js";
import type { DetectorSettings } from "../tracking/circles/detector-options.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";
import type { MessageOf, MessageType } from "../transport/message.js";

/**
 * What a recording holds: a header, then messages as `src/messages` describes them, each with a topic and a time. No file format
 * here.
 */

/** Version of header and messages; a change of their meaning is a new version with a migration. */
export const RECORDING_VERSION = 2;

/** The message of each topic, in the order in which messages of the same time are listed. */
export const recordedMessages = {
  "truth/flights": TrueFlight,
  "sensors/readings": Readings,
  "cameras/images": Image,
  "cameras/circles": Circles,
  points: Points,
  "cameras/lost": LostFrame,
  head: HeadPose,
  predictions: Predictions,
  plans: PlanReply,
  motions: Motion,
  handovers: Handover,
  monitor: MonitorState,
  states: Transition,
  joints: JointRecord,
  events: Event,
  results: ThrowOutcome,
  "recorder/drops": Drops,
} as const satisfies Readonly<Record<string, MessageType>>;

export type RecordedTopic = keyof typeof recordedMessages;
export const recordedTopics = Object.keys(recordedMessages) as readonly RecordedTopic[];

/** The message of a topic. */
export type RecordedMessage<Topic extends RecordedTopic> = MessageOf<(typeof recordedMessages)[Topic]>;

/**
 * A message in a recording. `timeNs` is when the pipeline had it [ns]: the recording's order. Of a message that has a field of
 * this name it is the message's own.
 */
export type ItemOf<Topic extends RecordedTopic> = Topic extends RecordedTopic
  ? { readonly topic: Topic; readonly timeNs: number } & RecordedMessage<Topic>
  : never;

export type RecordedItem = ItemOf<RecordedTopic>;

/** The messages of one topic. */
export function itemsOf<Topic extends RecordedTopic>(items: readonly RecordedItem[], topic: Topic): ItemOf<Topic>[] {
  return items.filter((item) => item.topic === topic) as ItemOf<Topic>[];
}

/** All it takes to build the robot again, wherever the recording is opened. */
export interface RecordedRobot {
  readonly name: string;
  /** The URDF as text. */
  readonly urdf: string;
  readonly sidecar: Sidecar;
  /** What calibration had found; null: the robot as designed. */
  readonly calibration: Overlay | null;
}

/** How balls were seen: by images, by circles or by points that another system made; or the truth was known. */
export type RecordedPerception = "images" | "circles" | "points" | "truth";

/** The settings of the run. */
export interface RecordedRun {
  readonly mode: CatchMode;
  /** Arms that catch, by the names of their groups. */
  readonly arms: readonly string[];
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch: number;
  readonly commitment: ActionThreshold;
  readonly times: CatchTimes;
  /** Bounds of the planner's search. */
  readonly planner: { readonly starts: number; readonly coldIterations: number; readonly warmIterations: number };
  /** What the tracker assumes; what is not there is as by default. */
  readonly tracker: TrackerOptions;
  /** Share of the joints' limits of ways back, and how the neck follows balls; where they are not there: as by default. */
  readonly returnShare?: number;
  readonly neck?: NeckSettings;
  /** How simulated cameras worked, and whether the planner's budget grew; where they are not there: whole images, and it did not. */
  readonly cameras?: CameraSettings;
  readonly budget?: BudgetKind;
  /** What the detectors knew of the ball's colour; where it is not there: nothing. */
  readonly detector?: DetectorSettings;
}

/** Indices of joints in the robot's model. */
type JointIndices = readonly number[];

/** The first thing in a recording. */
export interface RecordingHeader {
  readonly formatVersion: number;
  /** The program that wrote it. */
  readonly software: { readonly name: string; readonly version: string };
  /** UTC of the run's time zero, ISO 8601; null for a run on the simulation's clock, so that its file has the same bits. */
  readonly startedAt: string | null;
  readonly clock: "lock-step" | "real-time";
  /** One line for people: what this is. */
  readonly title: string;
  /** Words to find it by, as `two balls`. */
  readonly labels: readonly string[];
  /** null for a recording of points alone: replay then takes the robot it is given. */
  readonly robot: RecordedRobot | null;
  readonly perception: RecordedPerception;
  readonly world: "kinematic" | "physics" | "real";
  readonly seed: number | string | null;
  readonly ball: Ball;
  /** null where nothing was to be caught. */
  readonly run: RecordedRun | null;
  /** The whole configuration in force, for people; replay goes by `run`. */
  readonly configuration: Config | null;
  /** The joints in `sensors/readings`: of positions, velocities and commanded positions; null without readings. */
  readonly readings: { readonly q: JointIndices; readonly qd: JointIndices; readonly commanded: JointIndices } | null;
  /** Time between two `joints` messages [ns]; that of a control tick makes the monitor's replay exact. */
  readonly jointPeriodNs: number | null;
  /** What the tracker is told of balls of another source, as the room's gravity; in a recording without `run`. */
  readonly tracker?: TrackerOptions;
}

/** Where the messages of a run go: a file, or memory. */
export interface RecordingSink {
  write(item: RecordedItem): void;
}

/** Which messages are wanted; all by default. Times on the run's clock, both included [ns]. */
export interface ItemSelection {
  readonly fromNs?: number;
  readonly toNs?: number;
  readonly topics?: readonly RecordedTopic[];
}

/** A recording that can be read. Messages come in the order of their times; of the same time, in that of their writing. */
export interface Recording {
  readonly header: RecordingHeader;
  /** Version of the format in which it was written. Its messages are today's; what that version did not hold is as `migrations.ts` says. */
  readonly writtenVersion: number;
  /** What could not be read, for people; empty for a whole file. */
  readonly problems: readonly string[];
  items(selection?: ItemSelection): Iterable<RecordedItem> | AsyncIterable<RecordedItem>;
}
