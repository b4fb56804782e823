import type { Ball } from "../../flight/ball.js";
import type { Vec3 } from "../../math/vec3.js";
import { carriedDofs } from "../../planning/body/carried-dofs.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { Robot } from "../../robot/robot.js";
import { BallTracker } from "../../tracking/ball-tracker.js";
import type { TrackerEventSink } from "../../tracking/events/tracker-event.js";
import type { TrackerOptions } from "../../tracking/hypotheses/tracker-options.js";
import { HeadPoseEstimator, type JointReading } from "../../tracking/pose/head-pose-estimator.js";
import { HeadViews } from "../../tracking/pose/head-views.js";
import type { BallPrediction } from "../arm-planner.js";
import { seconds } from "../catch-times.js";
import { DelayLine } from "../delay-line.js";
import type { Frame } from "./frame.js";
import { predictionsOf } from "./track-predictions.js";

/** What a frame holds: circles found in images of the head's cameras, or points that motion capture measured. */
export type FrameKind = "circles" | "points";

export interface UnderstandingOptions {
  /** The robot as calibrated: what our side believes. */
  readonly robot: Robot;
  readonly kind: FrameKind;
  readonly ball: Ball;
  readonly tracker?: TrackerOptions;
  /** From a frame's arrival to the prediction [ns]. */
  readonly trackingNs: number;
  readonly onEvent?: TrackerEventSink;
}

/**
 * What is made of all that is sensed: where the head is, by IMU and joints; which balls there are, by the frames; and how
 * they will fly. The same for a simulated head, a real one and a recorded one: whatever gives it the same readings and
 * frames at the same times gets the same predictions, bit by bit.
 */
export class Understanding {
  readonly tracker: BallTracker;
  readonly #options: UnderstandingOptions;
  readonly #sense: HeadPoseEstimator | null;
  /** From where the cameras looked at the frame taken in last; null without cameras. */
  readonly views: HeadViews | null;
  readonly #predictions = new DelayLine<BallPrediction[]>();

  constructor(options: UnderstandingOptions) {
    const { robot, kind, ball, tracker, onEvent } = options;
    this.#options = options;
    this.tracker = new BallTracker({ ball, ...tracker }, onEvent);
    this.#sense = kind === "circles" ? new HeadPoseEstimator(robot, carriedDofs(robot)) : null;
    this.views = kind === "circles" ? new HeadViews(robot) : null;
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3): void {
    this.#sense?.addImu(time, angularVelocity, specificForce);
  }

  addJoints(reading: JointReading): void {
    this.#sense?.addJoints(reading);
  }

  /** The newest measured head; null where nothing measures it. */
  head(): HeadMeasurement | null {
    return this.#sense?.measurement() ?? null;
  }

  /**
   * A frame has arrived; what it tells is known when the tracker's time has passed. False if it was not used: nobody knows
   * where the head was.
   */
  addFrame(frame: Frame, nowNs: number): boolean {
    const isUsed = this.#track(frame);
    this.#predictions.put(predictionsOf(this.tracker), nowNs + this.#options.trackingNs);
    return isUsed;
  }

  #track({ exposureNs, left, right, points }: Frame): boolean {
    const time = seconds(exposureNs);
    if (this.#options.kind === "points") {
      this.tracker.process({ kind: "points", time, points });
      return true;
    }
    const head = this.#sense?.at(time) ?? null;
    if (head === null || this.views === null) return false;
    this.views.look(head);
    this.tracker.process({
      kind: "circles",
      left: left === null ? null : { view: this.views.left, circles: left },
      right: right === null ? null : { view: this.views.right, circles: right },
    });
    return true;
  }

  /** What has become known by now; of several predictions the last. */
  predictions(nowNs: number): readonly BallPrediction[] {
    return this.#predictions.take(nowNs).at(-1) ?? [];
  }
}
