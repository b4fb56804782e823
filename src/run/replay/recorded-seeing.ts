import type { BallPrediction } from "../../catching/arm-planner.js";
import type { Perception } from "../../catching/perception.js";
import type { Frame } from "../../catching/seeing/frame.js";
import { Understanding } from "../../catching/seeing/understanding.js";
import type { Ball } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { Robot } from "../../robot/robot.js";
import type { CameraView } from "../../tracking/camera-view.js";
import { type BallDetectors, ballDetectors } from "../../tracking/circles/detector-for.js";
import type { TrackerEventSink } from "../../tracking/events/tracker-event.js";
import type { TrackerOptions } from "../../tracking/hypotheses/tracker-options.js";
import type { RecordedItem, RecordingHeader } from "../../recording/recorded-messages.js";
import { FrameAssembly, type ReplayInput } from "./frame-assembly.js";
import { ReadingsFeed } from "./readings-feed.js";

export interface RecordedSeeingOptions {
  /** The robot that saw. */
  readonly robot: Robot;
  readonly input: ReplayInput;
  readonly ball: Ball;
  readonly readings: RecordingHeader["readings"];
  readonly tracker: TrackerOptions;
  readonly trackingNs: number;
  /** Whether the robot that catches is the one that saw: only then its measured head says anything of its hands. */
  readonly catcher: "the one that saw" | "another";
  readonly onEvent?: TrackerEventSink;
}

/** A frame as it was understood: kept for the smoothed trajectory. */
export interface SeenFrame {
  readonly frame: Frame;
  /** Cameras at the exposure; null for points. */
  readonly left: CameraView | null;
  readonly right: CameraView | null;
}

/**
 * Sees what was recorded: hands readings and frames, at the ticks at which they were known, to the same understanding as
 * in a live run. Head and cameras move as they did then, whatever the robot does now.
 */
export class RecordedSeeing implements Perception {
  readonly understanding: Understanding;
  readonly seen: SeenFrame[] = [];
  readonly #options: RecordedSeeingOptions;
  readonly #frames: FrameAssembly;
  readonly #readings: ReadingsFeed | null;

  constructor(options: RecordedSeeingOptions) {
    const { robot, input, ball, readings, tracker, trackingNs, onEvent } = options;
    this.#options = options;
    this.understanding = new Understanding({
      robot,
      kind: input === "points" ? "points" : "circles",
      ball,
      tracker,
      trackingNs,
      ...(onEvent !== undefined && { onEvent }),
    });
    this.#frames = new FrameAssembly(input, detectorsFor(options));
    this.#readings = readings === null ? null : new ReadingsFeed(readings, robot.model.dofCount);
  }

  get imagesSearched(): number {
    return this.#frames.imagesSearched;
  }

  /** Takes what is of interest out of a recording; must be ahead of the run's time. */
  add(item: RecordedItem): void {
    const isPoints = this.#options.input === "points";
    if (item.topic === "sensors/readings") this.#readings?.add(item);
    else if (item.topic === "points" && isPoints) this.#frames.add(item);
    else if (!isPoints && (item.topic === "cameras/circles" || item.topic === "cameras/images")) this.#frames.add(item);
  }

  observe(nowNs: number): void {
    this.#readings?.deliver(nowNs, this.understanding);
  }

  step(nowNs: number): readonly BallPrediction[] {
    for (let frame = this.#frames.take(nowNs); frame !== null; frame = this.#frames.take(nowNs)) {
      if (this.understanding.addFrame(frame, nowNs)) this.#remember(frame);
    }
    return this.understanding.predictions(nowNs);
  }

  #remember(frame: Frame): void {
    const { views } = this.understanding;
    this.seen.push({
      frame,
      left: views === null ? null : duplicate(views.left),
      right: views === null ? null : duplicate(views.right),
    });
  }

  head(): HeadMeasurement | null {
    return this.#options.catcher === "another" ? null : this.understanding.head();
  }
}

function detectorsFor({ input, robot, ball }: RecordedSeeingOptions): BallDetectors | null {
  return input === "images" ? ballDetectors(robot, ball.diameter / 2) : null;
}

function duplicate({ camera, time, worldFromCamera, covariance }: CameraView): CameraView {
  return { camera, time, worldFromCamera: pose.copy(worldFromCamera, pose.create()), covariance: covariance.slice() };
}
