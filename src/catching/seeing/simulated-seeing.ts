import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { Robot } from "../../robot/robot.js";
import type { CatchWorld } from "../../simulation/catch-world.js";
import { roundImu, roundJoints } from "../../simulation/driver-words.js";
import type { TrueBall } from "../../simulation/eyes/stereo-rig.js";
import type { Challenges } from "../../simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../simulation/head-motion/elastic-chain.js";
import { HeadRig, type HeadSensorListener, type JointSample } from "../../simulation/head-motion/head-rig.js";
import type { ImuSample } from "../../simulation/head-motion/imu-simulator.js";
import type { TrueHead } from "../../simulation/head-motion/true-head.js";
import type { BallTracker } from "../../tracking/ball-tracker.js";
import type { TrackerEventSink } from "../../tracking/events/tracker-event.js";
import type { TrackerOptions } from "../../tracking/hypotheses/tracker-options.js";
import type { BallPrediction } from "../arm-planner.js";
import { type CatchTimes, seconds } from "../catch-times.js";
import { DelayLine } from "../delay-line.js";
import type { CommandedJoints, Perception } from "../perception.js";
import type { SensingObserver } from "../run-observer.js";
import { emptyFrame, type Frame } from "./frame.js";
import { type Eyes, type SeeingKind, simulatedEyes } from "./simulated-eyes.js";
import { Understanding } from "./understanding.js";

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
  readonly tracker?: TrackerOptions;
  /** When something stands before the cameras: no ball is seen then. */
  readonly occlusions?: readonly Occlusion[];
  /** Whether frames keep their images, for an observer; they do not by default. */
  readonly images?: "kept" | "dropped";
  readonly onEvent?: TrackerEventSink;
  readonly observer?: SensingObserver;
}

/** A span of the run's clock, both ends included [s]. */
export interface Occlusion {
  readonly from: number;
  readonly until: number;
}

/** A frame on its way. */
interface SentFrame {
  readonly frame: Frame;
  readonly arrivalNs: number;
}

/** Ticks whose commands are kept, until the encoders' word of them has arrived. */
const COMMANDS_KEPT = 64;

/**
 * Sees as the robot would, in lock-step: the true head shakes, its IMU and encoders are read, its cameras take frames that
 * arrive late, may get lost, and hold points, circles or images; head-pose filter and tracker make predictions of them.
 * Between throws, when no ball is in the air, images are not rendered and count as empty.
 */
export class SimulatedSeeing implements Perception {
  /** Of the frames taken, those lost on their way. */
  framesTaken = 0;
  framesLost = 0;
  readonly #options: SeeingOptions;
  readonly #rig: HeadRig | null;
  readonly #understanding: Understanding;
  readonly #eyes: Eyes;
  readonly #frames = new DelayLine<SentFrame>();
  readonly #random: Random;
  readonly #head = createRigidMotion();
  readonly #joints: CurrentJoints;
  readonly #commands: readonly Float64Array[];
  readonly #listener: HeadSensorListener;
  #nowNs = 0;

  constructor(options: SeeingOptions) {
    const { robot, world, head, kind, waiting, challenges, seed, times, images = "dropped" } = options;
    this.#options = options;
    this.#random = new Random(seed).fork("frames");
    this.#joints = new CurrentJoints(waiting);
    this.#commands = Array.from({ length: COMMANDS_KEPT }, () => waiting.slice());
    const rigOptions =
      head === undefined ? { seed, challenges: withStiffness(challenges) } : { seed, challenges, head };
    this.#rig = kind === "points" ? null : new HeadRig(world.robot, rigOptions);
    this.#understanding = new Understanding({
      robot,
      kind: kind === "points" ? "points" : "circles",
      ball: world.ball,
      trackingNs: times.trackingNs,
      ...(options.tracker !== undefined && { tracker: options.tracker }),
      ...(options.onEvent !== undefined && { onEvent: options.onEvent }),
    });
    this.#eyes = simulatedEyes({ kind, robot, truth: world.robot, ballRadius: world.ball.diameter / 2, seed, images });
    this.#rig?.start(0, waiting);
    this.#listener = { imu: (sample) => this.#addImu(sample), joints: (sample) => this.#addJoints(sample) };
  }

  get tracker(): BallTracker {
    return this.#understanding.tracker;
  }

  #addImu({ time, angularVelocity, specificForce }: ImuSample): void {
    roundImu(angularVelocity, specificForce);
    this.#understanding.addImu(time, angularVelocity, specificForce);
    this.#options.observer?.imu(time, angularVelocity, specificForce, this.#nowNs);
  }

  #addJoints({ time, q, qd }: JointSample): void {
    const reading = { time, q: q.slice(), qd: qd.slice(), commanded: this.#commandOf(time).slice() };
    roundJoints(reading.q, reading.qd, reading.commanded);
    this.#understanding.addJoints(reading);
    this.#options.observer?.joints(reading, this.#nowNs);
  }

  /** What was commanded for the tick at `time` [s]. */
  #commandOf(time: number): Float64Array {
    const tick = Math.round((time * 1e9) / this.#options.times.tickNs);
    return this.#commands[tick % COMMANDS_KEPT]!;
  }

  head(): HeadMeasurement | null {
    return this.#understanding.head();
  }

  observe(nowNs: number, { q, qd, qdd }: CommandedJoints): void {
    const { world, head, times } = this.#options;
    const now = seconds(nowNs);
    this.#nowNs = nowNs;
    this.#commandOf(now).set(q);
    this.#joints.set(q, qd, qdd);
    if (head === undefined) this.#rig?.advance(now, this.#joints, this.#listener);
    else this.#rig?.sense(world.q, world.qd, this.#listener);
    if (nowNs % times.framePeriodNs === 0) this.#expose(nowNs);
  }

  #expose(nowNs: number): void {
    const { times, robot, challenges, observer } = this.#options;
    const noise = robot.sidecar.simulation?.noise;
    const isLost = this.#random.uniform() < challenges.latencyJitter * (noise?.droppedFrames ?? 0);
    const jitter = challenges.latencyJitter * (noise?.imageLatencyJitter ?? 0) * Math.abs(this.#random.normal());
    const time = seconds(nowNs);
    if (this.#rig !== null && !this.#rig.head.headAt(time, this.#head)) return;
    const frame = emptyFrame(this.framesTaken++, nowNs);
    this.#eyes.look(this.#head, this.#ballsInSight(time), frame);
    if (isLost) {
      this.framesLost++;
      observer?.lost(frame, nowNs);
    } else {
      const arrivalNs = nowNs + times.cameraNs + Math.round(jitter * 1e9);
      this.#frames.put({ frame, arrivalNs }, arrivalNs);
    }
  }

  #ballsInSight(time: number): TrueBall[] {
    const { world, occlusions = [] } = this.#options;
    if (occlusions.some(({ from, until }) => from <= time && time <= until)) return [];
    return world.flying(time).map((ball) => {
      const state = { time, position: vec3.create(), velocity: vec3.create(), drag: 0 };
      return world.ballState(ball, time, state);
    });
  }

  step(nowNs: number): readonly BallPrediction[] {
    for (const { frame, arrivalNs } of this.#frames.take(nowNs)) {
      this.#understanding.addFrame(frame, nowNs);
      this.#options.observer?.frame(frame, arrivalNs, nowNs);
    }
    return this.#understanding.predictions(nowNs);
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

/** The same challenges, whatever they become, on a robot that does not bend, shake or slip. */
function withStiffness(challenges: Challenges): Challenges {
  return {
    vibration: 0,
    deflection: 0,
    slip: 0,
    get imuNoise() {
      return challenges.imuNoise;
    },
    get imuBias() {
      return challenges.imuBias;
    },
    get encoderNoise() {
      return challenges.encoderNoise;
    },
    get latencyJitter() {
      return challenges.latencyJitter;
    },
  };
}
