import type { CameraModel } from "../../src/camera/camera-model.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { createPlaneCrossing, crossPlane, type Plane } from "../../src/flight/plane-crossing.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import type { Robot } from "../../src/robot/robot.js";
import type { Challenges } from "../../src/simulation/head-motion/challenges.js";
import { type Throw, ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import { BallBelief, beliefState, FilterStatus } from "../../src/tracking/filter/ball-belief.js";
import { BallBirth } from "../../src/tracking/filter/ball-birth.js";
import { BallFilter } from "../../src/tracking/filter/ball-filter.js";
import { StereoPrediction } from "../../src/tracking/filter/circle-prediction.js";
import type { CameraView } from "../../src/tracking/filter/scan.js";
import { HeadPoseEstimate, PoseSource } from "../../src/tracking/pose/head-pose-estimate.js";
import { HeadViews } from "../../src/tracking/pose/head-views.js";
import type { Metrics } from "../harness.js";
import { SIMULATED_NOISE } from "./perfect-association.js";
import { POSE_RASTER, PoseRecord, Squares } from "./pose-record.js";
import { CYCLE, ShakenHead, WARM_UP } from "./shaken-head.js";

/** Centre and radius of a circle are found this well [px]. */
const CIRCLE_SIGMA = 0.25;
/** Before the catch, when predictions are judged [s]. */
const DECISIONS = [0.4, 0.3, 0.2];
/** The newest head pose is this old when a plan is made [s]: the IMU's delay and a sample. */
const HEAD_POSE_AGE = 0.006;

/** With the IMU, without it, and with the head's true pose: the limit that the circles set. */
const sides = ["on", "off", "perfect"] as const;
type Side = (typeof sides)[number];

function forAll<T>(make: () => T): Record<Side, T> {
  return { on: make(), off: make(), perfect: make() };
}

/** The truth as an estimate that knows no doubt. */
function perfect(time: number, worldFromHead: pose.Pose): HeadPoseEstimate {
  return { ...new HeadPoseEstimate(), time, source: PoseSource.fused, worldFromHead };
}

/** Balls thrown at a robot whose head shakes: what is predicted of them with the IMU and without. */
export class ShakenThrows {
  readonly #robot: Robot;
  readonly #head: ShakenHead;
  readonly #throws: ThrowGenerator;
  readonly #random: Random;
  readonly #trackers: Record<Side, BallTracker>;
  readonly #views: HeadViews;
  readonly #eyes: readonly [left: Eye, right: Eye];
  readonly #plane: Plane;
  readonly #horizon: number;
  readonly #rotation = { on: new Squares(), off: new Squares() };
  readonly #translation = { on: new Squares(), off: new Squares() };
  readonly #nees = new Squares();
  readonly #prediction = forAll(() => new Squares());
  readonly #peaks: number[][] = [];

  constructor(robot: Robot, seed: number, challenges: Challenges) {
    const space = throwSpaceOf(robot);
    this.#robot = robot;
    this.#head = new ShakenHead(robot, { seed, challenges });
    this.#horizon = this.#head.filters.on.options.horizon;
    this.#throws = new ThrowGenerator(space, seed);
    this.#random = new Random(seed).fork("circles");
    this.#trackers = forAll(() => new BallTracker());
    this.#views = new HeadViews(robot);
    this.#views.look(perfect(0, pose.create()));
    this.#eyes = [new Eye(this.#views.left), new Eye(this.#views.right)];
    const normal = vec3.create(space.heading.x, space.heading.y, 0);
    const axis = vec3.create(space.axis.x, space.axis.y, 0);
    this.#plane = { normal, offset: vec3.dot(normal, axis) + space.target.ahead };
  }

  /** Throw `id`; one after the other. */
  run(id: number): void {
    const release = WARM_UP + id * CYCLE;
    const ball = this.#throws.make(id, release);
    const flight = new Flight();
    flight.reset(ball.state, gravity(), release, release + ball.flightTime + 0.3);
    for (const side of sides) this.#trackers[side].reset();
    const record = new PoseRecord();
    const peak = [0, 0];
    const { rateHz, latency } = this.#robot.cameras[0]!;
    let frame = release + ball.framePhase / rateHz;
    let decision = 0;
    const caught = release + ball.flightTime;
    for (let time = release; time < caught; time += POSE_RASTER) {
      this.#head.advance(time + latency);
      record.add(this.#head, time, this.#horizon);
      peak.forEach((value, mode) => {
        peak[mode] = Math.max(value, Math.abs(this.#head.rig.head.vibration(mode)));
      });
      const now = time + latency;
      for (; frame + latency <= now; frame += 1 / rateHz) this.#see(frame, flight);
      while (decision < DECISIONS.length && now >= caught - DECISIONS[decision]!) {
        this.#judge(now - HEAD_POSE_AGE, ball, flight);
        decision++;
      }
    }
    this.#peaks.push(peak);
    record.summarize(this.#rotation, this.#translation, this.#nees);
  }

  metrics(): Metrics {
    const median = (mode: number): number => {
      const sorted = this.#peaks.map((peak) => peak[mode]!).sort((a, b) => a - b);
      return sorted[sorted.length >> 1]!;
    };
    return {
      shake_yaw_peak_mrad_p50: 1e3 * median(0),
      shake_sway_peak_mm_p50: 1e3 * median(1),
      pose_rotation_mrad_rms: 1e3 * this.#rotation.on.rms,
      pose_rotation_mrad_rms_imu_off: 1e3 * this.#rotation.off.rms,
      pose_translation_mm_rms: 1e3 * this.#translation.on.rms,
      pose_translation_mm_rms_imu_off: 1e3 * this.#translation.off.rms,
      pose_nees_ratio: this.#nees.sum / this.#nees.count / 6,
      shake_pred_cm_rms: 100 * this.#prediction.on.rms,
      shake_pred_cm_rms_imu_off: 100 * this.#prediction.off.rms,
      shake_pred_cm_rms_true_pose: 100 * this.#prediction.perfect.rms,
      shake_predictions: this.#prediction.on.count,
      shake_gain: this.#prediction.off.rms / this.#prediction.on.rms,
    };
  }

  /** Both cameras at one exposure: the same circles for both trackers, with the pose each believes. */
  #see(time: number, flight: Flight): void {
    const truth = this.#head.truth(time);
    const ball = flight.position(time, vec3.create());
    let isSeen = true;
    for (const eye of this.#eyes) isSeen = eye.look(truth, ball, this.#random) && isSeen;
    if (!isSeen) return;
    for (const side of sides) {
      this.#views.look(side === "perfect" ? perfect(time, truth) : this.#head.estimate(side, time));
      const [left, right] = this.#eyes;
      this.#trackers[side].add(this.#views.left, left.circles, this.#views.right, right.circles);
    }
  }

  /**
   * The error of the place of crossing as the hand will feel it: relative to the head, from where the hand is found. So
   * the predicted flight is laid into the true world by the head's pose now.
   */
  #judge(now: number, ball: Throw, flight: Flight): void {
    const truth = this.#head.truth(now);
    const crossing = createPlaneCrossing();
    if (!crossPlane(flight, this.#plane, now, ball.state.time + ball.flightTime + 0.3, crossing)) return;
    if (!sides.every((side) => this.#trackers[side].isReady)) return;
    for (const side of sides) {
      const { worldFromHead } = side === "perfect" ? perfect(now, truth) : this.#head.estimate(side, now);
      const trueFromBelieved = pose.compose(truth, pose.invert(worldFromHead, pose.create()), pose.create());
      const place = this.#trackers[side].crossing(this.#plane, trueFromBelieved);
      if (place === null) continue;
      this.#prediction[side].add(vec3.distance(place, crossing.position) ** 2);
    }
  }
}

/** A camera on the head, and the one circle it sees. */
class Eye {
  readonly circles = new CircleSet(1);
  readonly #headFromCamera: pose.Pose;
  readonly #camera: CameraModel;
  readonly #outline: SphereOutline;
  readonly #circle = new Float64Array(3);

  /** @param view of the camera while the head is at the world's origin */
  constructor({ camera, worldFromCamera }: CameraView) {
    this.#headFromCamera = pose.copy(worldFromCamera, pose.create());
    this.#camera = camera;
    this.#outline = new SphereOutline(camera, defaultBall.diameter / 2);
    this.circles.count = 1;
    this.circles.score[0] = 1;
    for (let i = 0; i < 3; i++) this.circles.covariance[4 * i] = CIRCLE_SIGMA ** 2;
  }

  /** False if the ball is not in the picture. */
  look(worldFromHead: pose.Pose, ball: vec3.Vec3, random: Random): boolean {
    const worldFromCamera = pose.compose(worldFromHead, this.#headFromCamera, pose.create());
    const point = pose.transformPointInverse(worldFromCamera, ball, vec3.create());
    const { circles } = this;
    if (!this.#outline.measure(point, this.#circle)) return false;
    circles.u[0] = this.#circle[0]! + CIRCLE_SIGMA * random.normal();
    circles.v[0] = this.#circle[1]! + CIRCLE_SIGMA * random.normal();
    circles.r[0] = this.#circle[2]! + CIRCLE_SIGMA * random.normal();
    return this.#camera.isInside(circles.u[0], circles.v[0], circles.r[0]);
  }
}

/** The unscented filter of one ball with known associations. */
class BallTracker {
  readonly #filter = new BallFilter({ accelerationNoise: SIMULATED_NOISE });
  readonly #birth = new BallBirth(this.#filter);
  readonly #belief = new BallBelief();
  readonly #prediction = new StereoPrediction();
  #frames = 0;

  reset(): void {
    this.#frames = 0;
  }

  /** Three frames make a velocity worth its name. */
  get isReady(): boolean {
    return this.#frames >= 3;
  }

  add(leftView: CameraView, left: CircleSet, rightView: CameraView, right: CircleSet): void {
    const belief = this.#belief;
    let status: FilterStatus;
    if (this.#frames === 0) status = this.#birth.fromStereo(leftView, left, 0, rightView, right, 0, belief);
    else {
      this.#filter.predict(belief, leftView.time, belief);
      this.#filter.predictStereo(belief, leftView, rightView, this.#prediction);
      status = this.#filter.updateStereo(belief, this.#prediction, left, 0, right, 0, belief);
    }
    if (status === FilterStatus.ok) this.#frames++;
  }

  /** Where the flight, laid into the true world, crosses a plane of that world; null if it does not. */
  crossing(plane: Plane, trueFromBelieved: pose.Pose): vec3.Vec3 | null {
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
    beliefState(this.#belief, state);
    const flight = new Flight();
    const end = state.time + 1.5;
    flight.reset(state, gravity(), state.time, end);
    const normal = pose.rotateVectorInverse(trueFromBelieved, plane.normal, vec3.create());
    const offset = plane.offset - vec3.dot(plane.normal, pose.getTranslation(trueFromBelieved, vec3.create()));
    const out = createPlaneCrossing();
    if (!crossPlane(flight, { normal, offset }, state.time, end, out)) return null;
    return pose.transformPoint(trueFromBelieved, out.position, out.position);
  }
}
