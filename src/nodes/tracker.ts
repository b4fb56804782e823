import { carriedTwist, type MovingBall } from "../camera/rolling-shutter.js";
import type { Ball } from "../flight/ball.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { MAX_BALLS, Predictions } from "../messages/prediction.js";
import { Event } from "../messages/report.js";
import { Circles, HeadPose, Points } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { BallTracker } from "../tracking/ball-tracker.js";
import type { CircleSet } from "../tracking/circles/circle-set.js";
import { NO_TRACK, type TrackerEvent } from "../tracking/events/tracker-event.js";
import { beliefCovariance, beliefState, STATE_SIZE } from "../tracking/filter/ball-belief.js";
import type { CameraView } from "../tracking/filter/scan.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";
import { HeadPoseEstimate } from "../tracking/pose/head-pose-estimate.js";
import { HeadViews } from "../tracking/pose/head-views.js";
import { BallSizeWatch } from "../tracking/size/ball-size-watch.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type InPort, type PortsOf, takeEach } from "../transport/port.js";
import { ShutterCorrection } from "./shutter-correction.js";

export const trackerPorts = {
  in: { left: Circles, right: Circles, poses: HeadPose, points: Points },
  out: { predictions: Predictions, events: Event },
} as const;

export interface TrackerNodeOptions {
  readonly ball: Ball;
  readonly tracker: TrackerOptions;
}

/** Head poses and images that wait for each other; older ones are dropped. */
const WAITING = 16;
/** A head pose is that of an image if their times differ by less [s]; of the two cameras' images likewise. */
const SAME_TIME = 1.5e-3;

/**
 * Follows balls. An image is used as soon as the head's pose at its exposure is known; its partner that comes later is joined to
 * it. What is known of all balls is put after each frame that was used.
 */
export class TrackerNode implements Node {
  readonly tracker: BallTracker;
  /** Compares the size of balls with what is said of it. */
  readonly size: BallSizeWatch;
  /** From where the cameras looked at the frame taken in last; null without cameras. */
  readonly views: HeadViews | null;
  /** Images given up because no head pose came for them. */
  unposed = 0;
  readonly #ports: PortsOf<typeof trackerPorts>;
  readonly #images: { readonly left: Circles[]; readonly right: Circles[] } = { left: [], right: [] };
  readonly #poses: HeadPose[] = [];
  readonly #estimate = new HeadPoseEstimate();
  /** Corrections of rolling shutters; null where both cameras have global ones. */
  readonly #shutters: { readonly left: ShutterCorrection; readonly right: ShutterCorrection } | null;
  readonly #twist = new Float64Array(6);
  /** Called with each frame that was used; for the smoothed trajectory of replays. */
  onScan: (scan: TrackerScan) => void = () => undefined;
  #nowNs = 0;

  /** `robot` carries the cameras; points need none. */
  constructor(ports: PortsOf<typeof trackerPorts>, robot: Robot | null, { ball, tracker }: TrackerNodeOptions) {
    this.#ports = ports;
    const hasEyes = robot?.stereo !== undefined && robot.frames.head !== undefined;
    this.views = hasEyes ? new HeadViews(robot) : null;
    this.tracker = new BallTracker({ ball, ...tracker }, (event) => this.#report(event));
    const { settings } = this.tracker;
    this.size = new BallSizeWatch(settings.ball.diameter, settings.gravity, (event) => this.#report(event));
    this.#shutters = this.views === null ? null : shuttersOf(robot!, this.views, ball.diameter / 2);
  }

  step(nowNs: number): number {
    this.#nowNs = nowNs;
    let used = 0;
    takeEach(this.#ports.in.poses, nowNs, (head) => this.#keep(this.#poses, head));
    this.#takeImages(this.#ports.in.left, this.#images.left, nowNs);
    this.#takeImages(this.#ports.in.right, this.#images.right, nowNs);
    for (let head = this.#nextPose(); head !== null; head = this.#nextPose()) {
      this.#processCircles(head);
      used++;
    }
    takeEach(this.#ports.in.points, nowNs, (points) => {
      this.#processPoints(points);
      used++;
    });
    if (used > 0) this.#publish(nowNs);
    return WHEN_CALLED;
  }

  #keep<T>(list: T[], item: T): void {
    list.push(item);
    if (list.length > WAITING) list.shift();
  }

  #takeImages(port: InPort<Circles>, images: Circles[], nowNs: number): void {
    takeEach(port, nowNs, (image) => {
      if (images.length >= WAITING && this.unposed++ === 0) this.#report(unposedEvent(images[0]!.exposureNs / 1e9));
      this.#keep(images, image);
    });
  }

  /** The earliest pose for which an image waits. */
  #nextPose(): HeadPose | null {
    let next: HeadPose | null = null;
    for (const head of this.#poses) {
      if (next !== null && head.time >= next.time) continue;
      if (find(this.#images.left, head.time) >= 0 || find(this.#images.right, head.time) >= 0) next = head;
    }
    return next;
  }

  #processCircles(head: HeadPose): void {
    const { views } = this;
    if (views === null) return;
    this.#estimate.time = head.time;
    pose.copy(head.worldFromHead, this.#estimate.worldFromHead);
    this.#estimate.twist.set(head.twist);
    this.#estimate.covariance.set(head.covariance);
    views.look(this.#estimate);
    const [leftImage, rightImage] = [take(this.#images.left, head.time), take(this.#images.right, head.time)];
    const balls = this.#isRolling ? this.#ballsAt(head.time) : [];
    const left = this.#correct("left", seen(views.left, leftImage), head, balls);
    const right = this.#correct("right", seen(views.right, rightImage), head, balls);
    this.tracker.process({ kind: "circles", left, right });
    if (left !== null && right !== null) this.size.add(left, right);
    const exposureNs = (leftImage ?? rightImage)!.exposureNs;
    this.onScan({ exposureNs, left, right, points: null });
  }

  get #isRolling(): boolean {
    return this.#shutters !== null;
  }

  /** The image as a global shutter would have taken it. */
  #correct(side: "left" | "right", image: SeenImage | null, head: HeadPose, balls: readonly MovingBall[]) {
    if (image === null || this.#shutters === null) return image;
    const { worldFromCamera } = image.view;
    const twist = carriedTwist(head.worldFromHead, head.twist, worldFromCamera, this.#twist);
    return { ...image, circles: this.#shutters[side].apply(image.circles, { worldFromCamera, twist }, balls) };
  }

  /** The balls of all tracks at `time` [s]: flying ones under gravity, others straight on. */
  #ballsAt(time: number): MovingBall[] {
    const { tracks, trackCount, settings } = this.tracker;
    return tracks.slice(0, trackCount).map(({ belief, confirmed }) => {
      const state = beliefState(belief, { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 });
      const after = time - state.time;
      const fall = confirmed ? after : 0;
      vec3.addScaled(state.position, state.velocity, after, state.position);
      vec3.addScaled(state.position, settings.gravity, 0.5 * after * fall, state.position);
      vec3.addScaled(state.velocity, settings.gravity, fall, state.velocity);
      return state;
    });
  }

  #processPoints(points: Points): void {
    const { position, covariance } = points;
    const count = position.length / 3;
    const set = { capacity: count, count, position, covariance };
    this.tracker.process({ kind: "points", time: points.exposureNs / 1e9, points: set });
    this.onScan({ exposureNs: points.exposureNs, left: null, right: null, points });
  }

  #publish(nowNs: number): void {
    const { tracks, trackCount, settings } = this.tracker;
    if (trackCount === 0) return;
    // Of what does not fly for sure the belief's last numbers may be no lift.
    const knowsLift = settings.liftSigma > 0;
    const balls = tracks
      .slice(0, Math.min(trackCount, MAX_BALLS))
      .map(({ id, belief, confirmed, lastMeasurement }) => ({
        track: id,
        state: beliefState(belief, {
          ...{ time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 },
          ...(knowsLift && confirmed && { lift: vec3.create() }),
        }),
        covariance: beliefCovariance(belief, new Float64Array(STATE_SIZE * STATE_SIZE)),
        lastSeen: lastMeasurement,
        confirmed,
      }));
    this.#ports.out.predictions.put({ balls }, nowNs);
  }

  #report({ severity, code, track, text }: TrackerEvent): void {
    this.#ports.out.events.put({ severity: severities[severity]!, source: "tracker", code, track, text }, this.#nowNs);
  }
}

function shuttersOf({ cameras, stereo }: Robot, { left, right }: HeadViews, ballRadius: number) {
  const [leftTime, rightTime] = [cameras[stereo!.left]!.rowTime, cameras[stereo!.right]!.rowTime];
  if (leftTime === 0 && rightTime === 0) return null;
  return {
    left: new ShutterCorrection(left.camera, ballRadius, leftTime),
    right: new ShutterCorrection(right.camera, ballRadius, rightTime),
  };
}

const severities = ["debug", "info", "warning", "error"] as const;

/** A frame that was used. */
export interface TrackerScan {
  readonly exposureNs: number;
  readonly left: SeenImage | null;
  readonly right: SeenImage | null;
  readonly points: Points | null;
}

/** What one camera saw, and from where. */
export interface SeenImage {
  readonly view: CameraView;
  readonly circles: CircleSet;
}

function seen(view: CameraView, image: Circles | null): SeenImage | null {
  if (image === null) return null;
  const { u, v, r, covariance, score } = image;
  return { view, circles: { capacity: u.length, count: u.length, u, v, r, covariance, score } };
}

function find(images: readonly Circles[], time: number): number {
  return images.findIndex(({ exposureNs }) => Math.abs(exposureNs / 1e9 - time) < SAME_TIME);
}

/** The image of that time, which then waits no more. */
function take(images: Circles[], time: number): Circles | null {
  const at = find(images, time);
  return at < 0 ? null : images.splice(at, 1)[0]!;
}

function unposedEvent(time: number): TrackerEvent {
  const text = "an image was dropped: no head pose arrived for its exposure";
  return { time, severity: 2, code: "scan-unusable", track: NO_TRACK, text };
}
