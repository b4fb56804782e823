import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { Robot } from "../../robot/robot.js";
import { HeadKinematics } from "../../tracking/pose/head-kinematics.js";
import { createHeadPoseEstimate, type HeadPoseEstimate, PoseSource } from "../../tracking/pose/head-pose-estimate.js";
import { HeadPoseFilter } from "../../tracking/pose/head-pose-filter.js";
import { headPoseOptionsOf } from "../../tracking/pose/head-pose-options.js";

/** How the joints were read, and commanded, at one time; in model order. */
export interface JointReading {
  readonly time: number;
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly commanded: Float64Array;
}

/** Which joints a measured head is told with, as indices of the model. */
export interface CarriedDofs {
  readonly neck: readonly number[];
  readonly body: readonly number[];
}

/** Joint readings are kept for longer than the IMU's samples take [s]. */
const KEPT = 0.05;

/**
 * The robot's sense of where its head is: IMU and joints in, the pose at any time of the last quarter of a second out, and
 * the newest one as the planner wants it, with neck and body of the same moment.
 */
export class HeadSense {
  readonly filter: HeadPoseFilter;
  readonly #kinematics: HeadKinematics;
  readonly #dofs: CarriedDofs;
  readonly #estimate = createHeadPoseEstimate();
  readonly #readings: JointReading[] = [];

  constructor(robot: Robot, dofs: CarriedDofs) {
    this.filter = new HeadPoseFilter(headPoseOptionsOf(robot));
    this.#kinematics = new HeadKinematics(robot);
    this.#dofs = dofs;
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3): void {
    this.filter.addImu(time, angularVelocity, specificForce);
  }

  addJoints(reading: JointReading): void {
    const { time, q, qd } = reading;
    this.#kinematics.update(time, q, qd);
    this.filter.addKinematics(time, this.#kinematics.worldFromHead, this.#kinematics.activity);
    this.#readings.push(reading);
    while (this.#readings[0]!.time <= time - KEPT) this.#readings.shift();
  }

  /** The head at `time` [s]; null if nothing is known of it. The same memory at each call. */
  at(time: number): HeadPoseEstimate | null {
    return this.filter.estimate(time, this.#estimate) === PoseSource.none ? null : this.#estimate;
  }

  /** The newest head that rests on IMU and joints alike. */
  measurement(): HeadMeasurement | null {
    const reading = this.#readings.findLast(({ time }) => time <= this.filter.newest);
    if (reading === undefined) return null;
    const head = this.at(reading.time);
    if (head === null) return null;
    const pick = (dofs: readonly number[], values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
    return {
      worldFromHead: pose.copy(head.worldFromHead, pose.create()),
      neck: pick(this.#dofs.neck, reading.q),
      body: pick(this.#dofs.body, reading.commanded),
    };
  }
}
