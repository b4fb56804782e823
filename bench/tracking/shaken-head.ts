import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import type { Robot } from "../../src/robot/robot.js";
import { createRigidMotion } from "../../src/simulation/head-motion/elastic-chain.js";
import { HeadKinematics } from "../../src/tracking/pose/head-kinematics.js";
import { HeadPoseEstimate } from "../../src/tracking/pose/head-pose-estimate.js";
import { HeadPoseFilter } from "../../src/tracking/pose/head-pose-filter.js";
import { headPoseOptionsOf, humanoidStructure } from "../../src/tracking/pose/head-pose-options.js";
import { HeadRig, type HeadRigOptions, type HeadSensorListener } from "../simulation/head-rig.js";
import { hastyReach, type JointMotion, ReachingMotion } from "../simulation/reaching-motion.js";

/** The head at rest before the first throw, while the filter learns its biases [s]. */
export const WARM_UP = 5;

/** From one release to the next [s]: the throw, the way back, and a pause in which the structure comes to rest. */
export const CYCLE = 3.2;

/** From release until the arms move [s]: three camera frames and the latencies. */
const REACTION_TIME = 0.27;
/** From release until the arms go back to the ready posture [s]. */
const RETURN_AT = 1.3;

const stillReach = { ...hastyReach, arm: 0, torso: 0, neck: 0, base: 0, indecision: 0 };

/**
 * Without an IMU vibration and bending are neglected, as if the robot rested. That is the best one can do with the joints
 * alone: an honest covariance makes the ball's filter neglect the later images, which know most, and predict worse.
 */
const neglected = {
  ...humanoidStructure,
  vibrationRotation: 0,
  vibrationTranslation: 0,
  offsetRotationWalk: 0,
  offsetTranslationWalk: 0,
};

/** Arms, body and neck over a series of throws: to a seeded goal in haste, and back again. */
class CatchSeries implements JointMotion {
  readonly #robot: Robot;
  readonly #random: Random;
  readonly #ready: Float64Array;
  readonly #scratch: Float64Array;
  #throw = -1;
  #reach: ReachingMotion | null = null;
  #back: ReachingMotion | null = null;

  constructor(robot: Robot, ready: Float64Array, seed: number | string) {
    this.#robot = robot;
    this.#ready = ready;
    this.#random = new Random(seed).fork("motions");
    this.#scratch = new Float64Array(ready.length);
  }

  evaluate(time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    const number = Math.floor((time - WARM_UP) / CYCLE);
    if (number !== this.#throw) this.#plan(number);
    const motion = this.#back !== null && time >= this.#back.start ? this.#back : this.#reach;
    if (motion === null || time < motion.start) {
      q.set(this.#ready);
      qd.fill(0);
      qdd.fill(0);
    } else motion.evaluate(time, q, qd, qdd);
  }

  #plan(number: number): void {
    this.#throw = number;
    if (number < 0) return;
    const release = WARM_UP + number * CYCLE;
    const random = this.#random.fork(String(number));
    this.#reach = new ReachingMotion(this.#robot, this.#ready, release + REACTION_TIME, random);
    const reached = new Float64Array(this.#ready.length);
    this.#reach.evaluate(Number.POSITIVE_INFINITY, reached, this.#scratch, this.#scratch);
    this.#back = new ReachingMotion(this.#robot, reached, release + RETURN_AT, random, stillReach, this.#ready);
  }
}

/** The head over a series of hasty catches: the truth, and what the filter makes of it with the IMU and without. */
export class ShakenHead implements HeadSensorListener {
  readonly rig: HeadRig;
  readonly filters: { readonly on: HeadPoseFilter; readonly off: HeadPoseFilter };
  readonly #kinematics: HeadKinematics;
  readonly #motion: CatchSeries;
  readonly #estimate = new HeadPoseEstimate();
  readonly #truth = createRigidMotion();

  constructor(robot: Robot, options: HeadRigOptions) {
    const ready = robot.postures.get("ready")!;
    this.rig = new HeadRig(robot, options);
    this.filters = {
      on: new HeadPoseFilter(headPoseOptionsOf(robot)),
      off: new HeadPoseFilter(headPoseOptionsOf(robot, { structure: neglected })),
    };
    this.#kinematics = new HeadKinematics(robot);
    this.#motion = new CatchSeries(robot, ready, options.seed);
    this.rig.start(0, ready);
  }

  imu: HeadSensorListener["imu"] = ({ time, angularVelocity, specificForce }) => {
    this.filters.on.addImu(time, angularVelocity, specificForce);
  };

  joints: HeadSensorListener["joints"] = ({ time, q, qd }) => {
    const kinematics = this.#kinematics;
    kinematics.update(time, q, qd);
    this.filters.on.addKinematics(time, kinematics.worldFromHead, kinematics.activity);
    this.filters.off.addKinematics(time, kinematics.worldFromHead, kinematics.activity);
  };

  advance(time: number): void {
    this.rig.advance(time, this.#motion, this);
  }

  /** What a filter knows of `time`; kept until the next call. */
  estimate(which: "on" | "off", time: number): HeadPoseEstimate {
    this.filters[which].estimate(time, this.#estimate);
    return this.#estimate;
  }

  truth(time: number): Pose {
    this.rig.head.headAt(time, this.#truth);
    return pose.copy(this.#truth.worldFromBody, pose.create());
  }
}
