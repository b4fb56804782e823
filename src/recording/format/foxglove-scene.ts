import type { CameraSide, HeadPose } from "../../messages/sensing.js";
import type { Robot } from "../../robot/robot.js";
import type { TopicDescription } from "../mcap/mcap-writer.js";
import { buildRecordedRobot } from "../recorded-robot.js";
import type { ItemOf, RecordedItem, RecordingHeader } from "../recording.js";
import { isFinitePlain } from "./exact-json.js";
import { FoxgloveBalls } from "./foxglove-balls.js";
import { annotations, calibration, cameraOf } from "./foxglove-cameras.js";
import { FoxgloveRobot, WORLD } from "./foxglove-robot.js";
import { foxgloveTime, foxgloveTopic } from "./foxglove-schemas.js";
import { type FoxgloveMessage, logEntry, poseObject } from "./foxglove-shapes.js";

/** Topics that are there for Foxglove's panels alone; images are items and have their own. */
const topics = {
  transforms: foxgloveTopic("/tf", "FrameTransforms"),
  fixedTransforms: foxgloveTopic("/tf_static", "FrameTransforms"),
  robot: foxgloveTopic("/robot", "SceneUpdate"),
  joints: foxgloveTopic("/joints", "JointStates"),
  balls: foxgloveTopic("/balls", "SceneUpdate"),
  truth: foxgloveTopic("/truth", "SceneUpdate"),
  points: foxgloveTopic("/points", "SceneUpdate"),
  catches: foxgloveTopic("/catches", "SceneUpdate"),
  head: foxgloveTopic("/head", "PoseInFrame"),
  leftCalibration: foxgloveTopic("/cameras/left/calibration", "CameraCalibration"),
  rightCalibration: foxgloveTopic("/cameras/right/calibration", "CameraCalibration"),
  leftCircles: foxgloveTopic("/cameras/left/circles", "ImageAnnotations"),
  rightCircles: foxgloveTopic("/cameras/right/circles", "ImageAnnotations"),
  log: foxgloveTopic("/log", "Log"),
} as const satisfies Readonly<Record<string, TopicDescription>>;

/** Least time between two pictures of the robot [ns]: 50 Hz. */
const PICTURE_NS = 20_000_000;

/** Makes messages for Foxglove's panels of what is recorded: robot, balls, cameras, log. */
export class FoxgloveScene {
  readonly #isWanted: boolean;
  readonly #robot: Robot | null;
  readonly #pictures: FoxgloveRobot | null;
  readonly #balls: FoxgloveBalls;
  readonly #calibrated = new Set<CameraSide>();
  #isDrawn = false;
  #pictureNs = Number.NEGATIVE_INFINITY;

  constructor({ robot, ball }: RecordingHeader, use: "derived" | "none") {
    this.#isWanted = use === "derived";
    this.#robot = robot === null ? null : buildRecordedRobot(robot);
    this.#pictures = this.#robot === null ? null : new FoxgloveRobot(this.#robot);
    this.#balls = new FoxgloveBalls(ball.diameter);
  }

  get topics(): readonly TopicDescription[] {
    return this.#isWanted ? Object.values(topics) : [];
  }

  /** The frame of a camera's images. */
  cameraFrame(side: CameraSide): string {
    const camera = this.#robot === null ? undefined : cameraOf(this.#robot, side);
    return camera === undefined ? `camera-${side}` : this.#robot!.model.linkNames[camera.link]!;
  }

  /** What an item gives to be seen, at the item's time. */
  follow(item: RecordedItem): readonly FoxgloveMessage[] {
    // Foxglove's numbers are finite: what is not cannot be drawn.
    return this.#isWanted ? this.#draw(item).filter(({ json }) => isFinitePlain(json)) : [];
  }

  #draw(item: RecordedItem): readonly FoxgloveMessage[] {
    switch (item.topic) {
      case "joints":
        return this.#drawRobot(item);
      case "head":
        return [{ topic: topics.head.topic, json: headPose(item) }];
      case "predictions":
        return [{ topic: topics.balls.topic, json: this.#balls.predictions(item) }];
      case "truth/flights":
        return [{ topic: topics.truth.topic, json: this.#balls.truth(item) }];
      case "points":
        return [{ topic: topics.points.topic, json: this.#balls.points(item) }];
      case "plans": {
        const json = this.#balls.plan(item);
        return json === null ? [] : [{ topic: topics.catches.topic, json }];
      }
      case "cameras/images":
        return this.#calibrate(item.camera, item.timeNs);
      case "cameras/circles": {
        const { topic } = item.camera === "left" ? topics.leftCircles : topics.rightCircles;
        return [...this.#calibrate(item.camera, item.timeNs), { topic, json: annotations(item) }];
      }
      case "events":
      case "states":
        return [{ topic: topics.log.topic, json: log(item) }];
      default:
        return [];
    }
  }

  #drawRobot(item: ItemOf<"joints">): FoxgloveMessage[] {
    if (this.#pictures === null || item.timeNs - this.#pictureNs < PICTURE_NS) return [];
    // What stays is drawn once: with joints that are somewhere.
    if (!item.q.every(Number.isFinite)) return [];
    this.#pictureNs = item.timeNs;
    return [
      ...this.#drawOnce(this.#pictures, item),
      { topic: topics.transforms.topic, json: this.#pictures.transforms(item.q, item.timeNs, "moving") },
      { topic: topics.joints.topic, json: this.#pictures.jointStates(item) },
    ];
  }

  /** What stays: shapes, and links that are fixed to others. */
  #drawOnce(pictures: FoxgloveRobot, item: ItemOf<"joints">): FoxgloveMessage[] {
    if (this.#isDrawn) return [];
    this.#isDrawn = true;
    return [
      { topic: topics.fixedTransforms.topic, json: pictures.transforms(item.q, item.timeNs, "fixed") },
      { topic: topics.robot.topic, json: pictures.shapes(item.timeNs) },
    ];
  }

  /** Once for each camera, with the first thing it saw. */
  #calibrate(side: CameraSide, timeNs: number): FoxgloveMessage[] {
    const camera = this.#robot === null ? undefined : cameraOf(this.#robot, side);
    if (camera === undefined || this.#calibrated.has(side)) return [];
    this.#calibrated.add(side);
    const { topic } = side === "left" ? topics.leftCalibration : topics.rightCalibration;
    return [{ topic, json: calibration(camera, this.cameraFrame(side), timeNs) }];
  }
}

/** PoseInFrame. */
function headPose({ time, worldFromHead }: HeadPose): object {
  return { timestamp: foxgloveTime(1e9 * time), frame_id: WORLD, pose: poseObject(worldFromHead) };
}

/** Log: an event, or an arm that changed its state. */
function log(item: ItemOf<"events" | "states">): object {
  if (item.topic === "events") return logEntry(item.timeNs, item.severity, item.source, item.text);
  return logEntry(item.timeNs, "info", item.arm, `${item.from} → ${item.to} (${item.event})`);
}
