import { HeadRig, type JointSample } from "../../../bench/simulation/head-rig.js";
import { ReachingMotion } from "../../../bench/simulation/reaching-motion.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Challenges } from "../../../src/simulation/head-motion/challenges.js";
import type { ImuSample } from "../../../src/simulation/head-motion/imu-simulator.js";
import { HeadKinematics } from "../../../src/tracking/pose/head-kinematics.js";
import { HeadPoseFilter } from "../../../src/tracking/pose/head-pose-filter.js";
import { type HeadPoseTuning, headPoseOptionsOf } from "../../../src/tracking/pose/head-pose-options.js";

export const robot = loadRobot("agile-justin");
export const ready = robot.postures.get("ready")!;

/** A head at rest until `moving`, then shaken by a hasty reach; its filter gets what the callbacks let through. */
export class ShakenRun {
  readonly rig: HeadRig;
  readonly filter: HeadPoseFilter;
  readonly kinematics = new HeadKinematics(robot);
  readonly #motion: ReachingMotion;
  passImu: (sample: ImuSample) => boolean = () => true;
  passJoints: (sample: JointSample) => boolean = () => true;

  constructor(seed: number, moving: number, challenges?: Challenges, tuning: HeadPoseTuning = {}) {
    this.rig = new HeadRig(robot, { seed, ...(challenges && { challenges }) });
    this.filter = new HeadPoseFilter(headPoseOptionsOf(robot, tuning));
    this.#motion = new ReachingMotion(robot, ready, moving, new Random(seed).fork("run"));
    this.rig.start(0, ready);
  }

  advance(time: number): void {
    this.rig.advance(time, this.#motion, this);
  }

  imu(sample: ImuSample): void {
    if (this.passImu(sample)) this.filter.addImu(sample.time, sample.angularVelocity, sample.specificForce);
  }

  joints(sample: JointSample): void {
    if (!this.passJoints(sample)) return;
    this.kinematics.update(sample.time, sample.q, sample.qd);
    this.filter.addKinematics(sample.time, this.kinematics.worldFromHead, this.kinematics.activity);
  }
}
