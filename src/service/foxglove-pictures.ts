import type { Pose } from "../math/pose.js";
import type { EventMessage, PageMessage, PredictionMessage, StateMessage } from "../messages/page.js";
import { FoxgloveRobot, WORLD } from "../recording/format/foxglove-robot.js";
import { foxgloveTime, foxgloveTopic } from "../recording/format/foxglove-schemas.js";
import {
  BALL_LIFETIME,
  entity,
  lineStrip,
  logEntry,
  poseObject,
  type Rgba,
  sceneUpdate,
  sphere,
  TRACKED,
  UNSURE,
} from "../recording/format/foxglove-shapes.js";
import type { Robot } from "../robot/robot.js";
import type { PosePacket } from "../view/pose-packet.js";

/** A message for a topic of Foxglove's. */
export interface FoxglovePicture {
  readonly topic: keyof typeof foxgloveTopics;
  readonly timeNs: number;
  readonly json: object;
}

/** The topics of a live run, under the names and schemas they have in recordings. */
export const foxgloveTopics = {
  transforms: foxgloveTopic("/tf", "FrameTransforms"),
  robot: foxgloveTopic("/robot", "SceneUpdate"),
  joints: foxgloveTopic("/joints", "JointStates"),
  balls: foxgloveTopic("/balls", "SceneUpdate"),
  truth: foxgloveTopic("/truth", "SceneUpdate"),
  head: foxgloveTopic("/head", "PoseInFrame"),
  log: foxgloveTopic("/log", "Log"),
} as const;

const TRUTH: Rgba = [0.2, 0.7, 0.3, 0.9];

/** Puts a live run into Foxglove's pictures. */
export class FoxglovePictures {
  readonly #robot: FoxgloveRobot;
  readonly #names: readonly string[];
  readonly #ballDiameter: number;
  #states = new Map<string, string>();

  constructor(robot: Robot, ballDiameter: number) {
    this.#robot = new FoxgloveRobot(robot);
    this.#names = robot.model.dofNames;
    this.#ballDiameter = ballDiameter;
  }

  /** The robot's shapes: for each who begins to watch. */
  shapes(time: number): FoxglovePicture {
    return { topic: "robot", timeNs: nanoseconds(time), json: this.#robot.shapes(nanoseconds(time)) };
  }

  pose({ time, joints, head, balls }: PosePacket): FoxglovePicture[] {
    const timeNs = nanoseconds(time);
    const timestamp = foxgloveTime(timeNs);
    const states = this.#names.map((name, i) => ({ name, position: joints[i]! }));
    const spheres = balls.map(({ position }) => sphere(position, this.#ballDiameter, TRUTH));
    const place = { id: "balls", frame: WORLD, timeNs, lifetime: BALL_LIFETIME };
    const worldFromHead = poseObject(Float64Array.from(head) as Pose);
    return [
      { topic: "transforms", timeNs, json: this.#robot.transforms(Float64Array.from(joints), timeNs) },
      { topic: "joints", timeNs, json: { timestamp, joints: states } },
      { topic: "head", timeNs, json: { timestamp, frame_id: WORLD, pose: worldFromHead } },
      { topic: "truth", timeNs, json: sceneUpdate([entity(place, { spheres })]) },
    ];
  }

  message(message: PageMessage): FoxglovePicture[] {
    switch (message.type) {
      case "prediction":
        return [this.#prediction(message)];
      case "event":
        return [log(message, message.source, message.text)];
      case "state":
        return this.#transitions(message);
      default:
        return [];
    }
  }

  #prediction({ time, track, confirmed, path }: PredictionMessage): FoxglovePicture {
    const timeNs = nanoseconds(time);
    const points = path.map(([, x, y, z]) => [x, y, z]);
    const rgba = confirmed ? TRACKED : UNSURE;
    const spheres = points.slice(0, 1).map((first) => sphere(first, this.#ballDiameter, rgba));
    const place = { id: `track/${track}`, frame: WORLD, timeNs, lifetime: BALL_LIFETIME };
    return {
      topic: "balls",
      timeNs,
      json: sceneUpdate([entity(place, { spheres, lines: [lineStrip(points, rgba)] })]),
    };
  }

  /** Arms that have changed their state since the last message. */
  #transitions({ time, arms }: StateMessage): FoxglovePicture[] {
    const changed = arms.filter(({ arm, state }) => this.#states.get(arm) !== state);
    for (const { arm, state } of changed) this.#states.set(arm, state);
    return changed.map(({ arm, state, transitions }) => {
      const reason = transitions.at(-1)?.reason ?? "";
      return log({ time, severity: "info" }, arm, reason === "" ? state : `${state}: ${reason}`);
    });
  }
}

function log(
  { time, severity }: Pick<EventMessage, "time" | "severity">,
  name: string,
  message: string,
): FoxglovePicture {
  const timeNs = nanoseconds(time);
  return { topic: "log", timeNs, json: logEntry(timeNs, severity, name, message) };
}

function nanoseconds(time: number): number {
  return Math.max(0, Math.round(1e9 * time));
}
