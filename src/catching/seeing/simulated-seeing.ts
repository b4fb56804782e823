import { createImage, type GrayImage } from "../../camera/gray-image.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { dofsBetween } from "../../planning/body/body-kinematics.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { CatchWorld } from "../../simulation/catch-world.js";
import { CircleEyes } from "../../simulation/eyes/circle-eyes.js";
import { ImageEyes } from "../../simulation/eyes/image-eyes.js";
import type { TrueBall } from "../../simulation/eyes/stereo-rig.js";
import type { Challenges } from "../../simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../simulation/head-motion/elastic-chain.js";
import { HeadRig, type HeadSensorListener } from "../../simulation/head-motion/head-rig.js";
import type { TrueHead } from "../../simulation/head-motion/true-head.js";
import { BallTracker } from "../../tracking/ball-tracker.js";
import { CircleDetector } from "../../tracking/circles/circle-detector.js";
import { CircleSet } from "../../tracking/circles/circle-set.js";
import { radiiBetween } from "../../tracking/circles/detector-options.js";
import type { TrackerEventSink } from "../../tracking/events/tracker-event.js";
import { HeadViews } from "../../tracking/pose/head-views.js";
import { PointSet } from "../../tracking/scan.js";
import type { BallPrediction } from "../arm-planner.js";
import { type CatchTimes, seconds } from "../catch-times.js";
import { DelayLine } from "../delay-line.js";
import type { CommandedJoints, Perception } from "../perception.js";
import { HeadSense } from "./head-sense.js";
import { predictionsOf } from "./track-predictions.js";

/** What the simulated cameras give: points of motion capture, circles of a perfect detector, or images. */
export type SeeingKind = "points" | "circles" | "images";

export interface SeeingOptions {
  /** The robot as calibrated: what our side believes. */
  readonly robot: Robot;
  /** The true world; its robot is the one that is, which differs if ours is miscalibrated. */
  readonly world: CatchWorld;
  /** The true head, if the world moves it; else it moves as commanded, on a stiff robot. */
  readonly head?: TrueHead;
  readonly kind: SeeingKind;
  readonly waiting: Float64Array;
  readonly challenges: Challenges;
  readonly times: CatchTimes;
  readonly seed: number | string;
  readonly onEvent?: TrackerEventSink;
}

/** What one exposure gave, on its way. */
interface Frame {
  readonly time: number;
  readonly left: CircleSet;
  readonly right: CircleSet;
  readonly points: PointSet;
}

/** Ticks whose commands are kept, until the encoders' word of them has arrived. */
const COMMANDS_KEPT = 64;
/** Standard deviation of a point that motion capture measures, in each direction [m]. */
const POINT_SIGMA = 0.003;
/** Nearest and farthest ball that is looked for in images [m]. */
const BALL_RANGE = [0.7, 7] as const;

/**
 * Sees as the robot would, in lock-step: the true head shakes, its IMU and encoders are read, its cameras take frames that
 * arrive late, may get lost, and hold points, circles or images; head-pose filter and tracker make predictions of them.
 * Between throws, when no ball is in the air, images are not rendered and count as empty.
 */
export class SimulatedSeeing implements Perception {
  readonly tracker: BallTracker;
  /** Of the frames taken, those lost on their way. */
  framesTaken = 0;
  framesLost = 0;
  readonly #options: SeeingOptions;
  readonly #rig: HeadRig | null;
  readonly #sense: HeadSense | null;
  readonly #views: HeadViews | null;
  readonly #eyes: Eyes;
  readonly #frames = new DelayLine<Frame>();
  readonly #predictions = new DelayLine<BallPrediction[]>();
  readonly #random: Random;
  readonly #head = createRigidMotion();
  readonly #joints: CurrentJoints;
  readonly #commands: readonly Float64Array[];
  readonly #listener: HeadSensorListener;

  constructor(options: SeeingOptions) {
    const { robot, world, head, kind, waiting, challenges, seed, onEvent } = options;
    this.#options = options;
    this.#random = new Random(seed).fork("frames");
    this.tracker = new BallTracker({ ball: world.ball }, onEvent);
    this.#joints = new CurrentJoints(waiting);
    this.#commands = Array.from({ length: COMMANDS_KEPT }, () => waiting.slice());
    const needsHead = kind !== "points";
    const stiff = { ...challenges, vibration: 0, deflection: 0, slip: 0 };
    const rigOptions = head === undefined ? { seed, challenges: stiff } : { seed, challenges, head };
    this.#rig = needsHead ? new HeadRig(world.robot, rigOptions) : null;
    this.#sense = needsHead ? new HeadSense(robot, carriedDofs(robot)) : null;
    this.#views = needsHead ? new HeadViews(robot) : null;
    this.#eyes = makeEyes(options);
    this.#rig?.start(0, waiting);
    this.#listener = {
      imu: ({ time, angularVelocity, specificForce }) => this.#sense?.addImu(time, angularVelocity, specificForce),
      joints: ({ time, q, qd }) =>
        this.#sense?.addJoints({ time, q: q.slice(), qd: qd.slice(), commanded: this.#commandOf(time).slice() }),
    };
  }

  /** What was commanded for the tick at `time` [s]. */
  #commandOf(time: number): Float64Array {
    const tick = Math.round((time * 1e9) / this.#options.times.tickNs);
    return this.#commands[tick % COMMANDS_KEPT]!;
  }

  head(): HeadMeasurement | null {
    return this.#sense?.measurement() ?? null;
  }

  observe(nowNs: number, { q, qd, qdd }: CommandedJoints): void {
    const { world, head, times } = this.#options;
    const now = seconds(nowNs);
    this.#commandOf(now).set(q);
    this.#joints.set(q, qd, qdd);
    if (head === undefined) this.#rig?.advance(now, this.#joints, this.#listener);
    else this.#rig?.sense(world.q, world.qd, this.#listener);
    if (nowNs % times.framePeriodNs === 0) this.#expose(nowNs);
  }

  #expose(nowNs: number): void {
    const { times, robot, challenges } = this.#options;
    const noise = robot.sidecar.simulation?.noise;
    const isLost = this.#random.uniform() < challenges.latencyJitter * (noise?.droppedFrames ?? 0);
    const jitter = challenges.latencyJitter * (noise?.imageLatencyJitter ?? 0) * Math.abs(this.#random.normal());
    const time = seconds(nowNs);
    if (this.#rig !== null && !this.#rig.head.headAt(time, this.#head)) return;
    const frame = { time, left: new CircleSet(), right: new CircleSet(), points: new PointSet() };
    this.#eyes.look(this.#head, this.#ballsAt(time), this.framesTaken++, frame);
    if (isLost) this.framesLost++;
    else this.#frames.put(frame, nowNs + times.cameraNs + Math.round(jitter * 1e9));
  }

  #ballsAt(time: number): TrueBall[] {
    const { world } = this.#options;
    return world.flying(time).map((ball) => {
      const state = { time, position: vec3.create(), velocity: vec3.create(), drag: 0 };
      return world.ballState(ball, time, state);
    });
  }

  step(nowNs: number): readonly BallPrediction[] {
    for (const frame of this.#frames.take(nowNs)) {
      this.#track(frame);
      this.#predictions.put(predictionsOf(this.tracker), nowNs + this.#options.times.trackingNs);
    }
    return this.#predictions.take(nowNs).at(-1) ?? [];
  }

  #track({ time, left, right, points }: Frame): void {
    if (this.#options.kind === "points") {
      this.tracker.process({ kind: "points", time, points });
      return;
    }
    const head = this.#sense?.at(time) ?? null;
    if (head === null || this.#views === null) return;
    this.#views.look(head);
    this.tracker.process({
      kind: "circles",
      left: { view: this.#views.left, circles: left },
      right: { view: this.#views.right, circles: right },
    });
  }
}

/** The joints as they are now, as `HeadRig` asks for them. */
class CurrentJoints {
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;

  constructor(q: Float64Array) {
    this.#q = q.slice();
    this.#qd = new Float64Array(q.length);
    this.#qdd = new Float64Array(q.length);
  }

  set(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#q.set(q);
    this.#qd.set(qd);
    this.#qdd.set(qdd);
  }

  evaluate(_time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    q.set(this.#q);
    qd.set(this.#qd);
    qdd.set(this.#qdd);
  }
}

/** Whoever looks at the balls for one exposure. */
interface Eyes {
  look(head: ReturnType<typeof createRigidMotion>, balls: readonly TrueBall[], frame: number, out: Frame): void;
}

function makeEyes({ kind, world, robot, seed }: SeeingOptions): Eyes {
  const ballRadius = world.ball.diameter / 2;
  const truth = world.robot;
  if (kind === "points") return new PointEyes(new Random(seed).fork("points"));
  if (kind === "circles") {
    const noise = { centreSigma: 0.2, radiusSigma: 0.15, detectionProbability: 0.97, clutter: 2 };
    const eyes = new CircleEyes(truth, { seed, ballRadius, ...noise });
    return { look: (head, balls, _, { left, right }) => eyes.expose(head, balls, left, right) };
  }
  return new DetectingEyes(truth, robot, ballRadius, seed);
}

/** Motion capture: every ball's centre, with noise. */
class PointEyes implements Eyes {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  look(_head: unknown, balls: readonly TrueBall[], _frame: number, { points }: Frame): void {
    for (const { position } of balls) {
      if (points.count >= points.capacity) return;
      const i = points.count++;
      for (let k = 0; k < 3; k++) {
        points.position[3 * i + k] = position[k]! + POINT_SIGMA * this.#random.normal();
        points.covariance[9 * i + 4 * k] = POINT_SIGMA ** 2;
      }
    }
  }
}

/** Cameras that render, and detectors that find circles in what they rendered. */
class DetectingEyes implements Eyes {
  readonly #eyes: ImageEyes;
  readonly #detectors: readonly [CircleDetector, CircleDetector];
  readonly #images: readonly [GrayImage, GrayImage];

  constructor(truth: Robot, robot: Robot, ballRadius: number, seed: number | string) {
    this.#eyes = new ImageEyes(truth, { seed, ballRadius });
    const { left, right } = this.#eyes;
    const views = new HeadViews(robot);
    this.#images = [imageFor(left.rig.camera), imageFor(right.rig.camera)];
    this.#detectors = [detectorFor(views.left.camera, ballRadius), detectorFor(views.right.camera, ballRadius)];
  }

  look(head: Parameters<Eyes["look"]>[0], balls: readonly TrueBall[], frame: number, out: Frame): void {
    if (balls.length === 0) return;
    this.#eyes.left.see(head, balls, frame, this.#images[0]);
    this.#eyes.right.see(head, balls, frame, this.#images[1]);
    this.#detectors[0].detect(this.#images[0], out.left);
    this.#detectors[1].detect(this.#images[1], out.right);
  }
}

function imageFor({ width, height }: { readonly width: number; readonly height: number }): GrayImage {
  return createImage(width, height);
}

function detectorFor(camera: HeadViews["left"]["camera"], ballRadius: number): CircleDetector {
  const { width, height, fx, fy } = camera;
  const radii = radiiBetween(Math.sqrt(fx * fy), ballRadius, ...BALL_RANGE);
  return new CircleDetector(width, height, { ...radii, camera });
}

function carriedDofs({ model, frames, name }: Robot) {
  const { chest, head, world } = frames;
  if (chest === undefined || head === undefined) {
    throw new FlycatcherError("FLY_SENSOR_MISSING", `${name} has no head on a chest`, {
      expected: "the frames `head` and `chest`",
      found: "none",
    });
  }
  return { neck: dofsBetween(model, head, chest), body: dofsBetween(model, world, chest) };
}
