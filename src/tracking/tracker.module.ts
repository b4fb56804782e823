import type { GetPort } from "../channels/get-port.js";
import type { PutPort } from "../channels/put-port.js";
import type { BallPrediction } from "../messages/ball-prediction.js";
import type { Circles } from "../messages/circles.js";
import { type Event, Severity } from "../messages/event.js";
import type { HeadPose } from "../messages/head-pose.js";
import type { Robot } from "../robot/robot.js";
import type { BallTrack } from "./ball-track.js";
import { BallTracker } from "./ball-tracker.js";
import { CircleSet } from "./circles/circle-set.js";
import { readCircles } from "./circles/circles-codec.module.js";
import { NO_TRACK, type TrackerEvent } from "./events/tracker-event.js";
import { beliefCovariance } from "./filter/ball-belief.js";
import { ScanOutcome } from "./hypotheses/scan-history.js";
import type { TrackerOptions } from "./hypotheses/tracker-options.js";
import { createHeadPoseEstimate, type HeadPoseEstimate } from "./pose/head-pose-estimate.js";
import { HeadViews } from "./pose/head-views.js";
import type { CircleScan } from "./scan.js";

/** Where the module's packets come from and go to; get-ports that deliver every packet. */
export interface TrackerPorts {
  readonly left: GetPort<Circles>;
  readonly right: GetPort<Circles>;
  /** The head's pose at each exposure. */
  readonly poses: GetPort<HeadPose>;
  readonly predictions: PutPort<BallPrediction>;
  readonly events: PutPort<Event>;
}

/** Head poses and images that wait for each other; older ones are dropped. */
const WAITING = 16;

/** A head pose is that of an image if their times differ by less [s]; of the two cameras' images likewise. */
const SAME_TIME = 5e-4;

const NONE = -1;

/** Circles that wait for the head's pose. */
interface WaitingImage {
  time: number;
  isWaiting: boolean;
  readonly circles: CircleSet;
}

/**
 * The tracker between channels. The thread that owns it calls `receive` when circles or poses have come. An image is used
 * as soon as the head's pose at its exposure is known; if its partner comes later it is joined to it.
 */
export class TrackerModule {
  readonly tracker: BallTracker;
  /** Images given up because no head pose came for them. */
  unposed = 0;
  readonly #ports: TrackerPorts;
  readonly #views: HeadViews;
  readonly #left = createImages();
  readonly #right = createImages();
  readonly #poses: HeadPoseEstimate[] = Array.from({ length: WAITING }, createHeadPoseEstimate);
  #poseCount = 0;

  constructor(robot: Robot, ports: TrackerPorts, options: TrackerOptions = {}) {
    this.#ports = ports;
    this.#views = new HeadViews(robot);
    this.tracker = new BallTracker(options, (event) => this.#tell(event));
  }

  /** Takes everything that has come, and sends what is now known of each ball; returns how many scans were used. */
  receive(): number {
    this.#takePoses();
    this.#takeImages(this.#ports.left, this.#left);
    this.#takeImages(this.#ports.right, this.#right);
    let used = 0;
    for (let pose = this.#nextPose(); pose !== null; pose = this.#nextPose()) if (this.#process(pose)) used++;
    if (used > 0) this.#publish();
    return used;
  }

  #takePoses(): void {
    const { poses } = this.#ports;
    for (let packet = poses.tryReceive(); packet !== null; packet = poses.tryReceive()) {
      const estimate = this.#poses[this.#poseCount++ % WAITING]!;
      estimate.time = packet.t.seconds;
      estimate.worldFromHead.set(packet.worldFromHead);
      estimate.covariance.set(packet.covariance);
      poses.release(packet);
    }
  }

  #takeImages(port: GetPort<Circles>, images: readonly WaitingImage[]): void {
    for (let packet = port.tryReceive(); packet !== null; packet = port.tryReceive()) {
      const image = this.#placeFor(images);
      image.time = packet.tExposure.seconds;
      image.isWaiting = true;
      readCircles(packet, image.circles);
      port.release(packet);
    }
  }

  /** A free place, or that of the image that has waited longest. */
  #placeFor(images: readonly WaitingImage[]): WaitingImage {
    let oldest = images[0]!;
    for (const image of images) {
      if (!image.isWaiting) return image;
      if (image.time < oldest.time) oldest = image;
    }
    if (this.unposed++ === 0) this.#tell(unposedEvent(oldest.time));
    return oldest;
  }

  /** The earliest pose for which an image waits. */
  #nextPose(): HeadPoseEstimate | null {
    let next: HeadPoseEstimate | null = null;
    for (let n = 0; n < Math.min(this.#poseCount, WAITING); n++) {
      const pose = this.#poses[n]!;
      if (next !== null && pose.time >= next.time) continue;
      if (find(this.#left, pose.time) !== NONE || find(this.#right, pose.time) !== NONE) next = pose;
    }
    return next;
  }

  #process(pose: HeadPoseEstimate): boolean {
    this.#views.look(pose);
    const left = take(this.#left, pose.time);
    const right = take(this.#right, pose.time);
    const scan: CircleScan = {
      kind: "circles",
      left: left === null ? null : { view: this.#views.left, circles: left.circles },
      right: right === null ? null : { view: this.#views.right, circles: right.circles },
    };
    return this.tracker.process(scan) <= ScanOutcome.completed;
  }

  #publish(): void {
    for (let n = 0; n < this.tracker.trackCount; n++) {
      writePrediction(this.tracker.tracks[n]!, this.#ports.predictions.reserve());
      this.#ports.predictions.publish();
    }
  }

  #tell({ time, severity, code, track, text }: TrackerEvent): void {
    const event = this.#ports.events.reserve();
    event.t.seconds = Math.max(0, time);
    event.severity = severity;
    event.source.write("tracker");
    event.code.write(code);
    event.track = track;
    event.plan = 0;
    event.text.write(text);
    this.#ports.events.publish();
  }
}

/** Writes a track as the prediction it is. */
export function writePrediction(track: BallTrack, packet: BallPrediction): void {
  const { belief } = track;
  packet.track = track.id;
  packet.tState.seconds = belief.time;
  packet.tLastMeasurement.seconds = track.lastMeasurement;
  for (let n = 0; n < 3; n++) {
    packet.position[n as 0] = belief.mean[n]!;
    packet.velocity[n as 0] = belief.mean[3 + n]!;
  }
  packet.drag = belief.mean[6]!;
  beliefCovariance(belief, packet.covariance);
  packet.confirmed = track.confirmed;
}

function createImages(): WaitingImage[] {
  return Array.from({ length: WAITING }, () => ({ time: 0, isWaiting: false, circles: new CircleSet() }));
}

function find(images: readonly WaitingImage[], time: number): number {
  for (let n = 0; n < images.length; n++) {
    if (images[n]!.isWaiting && Math.abs(images[n]!.time - time) < SAME_TIME) return n;
  }
  return NONE;
}

/** The image of that time, which then waits no more. */
function take(images: readonly WaitingImage[], time: number): WaitingImage | null {
  const n = find(images, time);
  if (n === NONE) return null;
  images[n]!.isWaiting = false;
  return images[n]!;
}

function unposedEvent(time: number): TrackerEvent {
  const text = "an image was given up: no pose of the head came for its exposure";
  return { time, severity: Severity.warning, code: "scan-unusable", track: NO_TRACK, text };
}
