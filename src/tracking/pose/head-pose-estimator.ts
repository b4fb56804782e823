import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { HeadKinematics } from "./head-kinematics.js";
import { HeadPoseEstimate, PoseSource } from "./head-pose-estimate.js";
import { HeadPoseFilter } from "./head-pose-filter.js";
import { headPoseOptionsOf } from "./head-pose-options.js";

/** Which joints a measured head is told with, as indices of the model: the neck's, and those that carry the chest. */
interface HeadDofs {
  readonly neck: readonly number[];
  readonly body: readonly number[];
}

/** A head that rests on IMU and joints alike, with neck as measured and body as commanded at the same moment. */
interface MeasuredHead {
  readonly worldFromHead: pose.Pose;
  readonly neck: Float64Array;
  readonly body: Float64Array;
  /** The same pose with all that is known of it; the memory is used again. */
  readonly estimate: HeadPoseEstimate;
}

/** How the joints were read, and commanded, at one time; in model order. */
export interface JointReading {
  readonly time: number;
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly commanded: Float64Array;
}

/** Joint readings are kept for longer than the IMU's samples take [s]. */
const KEPT = 0.05;
/** Places for them at first: enough for a rate of 1 kHz. */
const FIRST_PLACES = 64;

/** A reading of the joints that a measured head is told with. */
interface KeptReading {
  time: number;
  readonly neck: Float64Array;
  /** As commanded. */
  readonly body: Float64Array;
}

/**
 * The robot's sense of where its head is: IMU and joints in, the pose at any time of the last quarter of a second out, and
 * the newest one as the planner wants it, with neck and body of the same moment.
 */
export class HeadPoseEstimator {
  readonly filter: HeadPoseFilter;
  readonly #kinematics: HeadKinematics;
  readonly #dofs: HeadDofs;
  readonly #estimate = new HeadPoseEstimate();
  /** The last readings, as a ring: as far as `measurement` needs them. */
  #kept: KeptReading[] = [];
  #oldest = 0;
  #count = 0;

  constructor(robot: Robot, dofs: HeadDofs) {
    this.filter = new HeadPoseFilter(headPoseOptionsOf(robot));
    this.#kinematics = new HeadKinematics(robot);
    this.#dofs = dofs;
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3): void {
    this.filter.addImu(time, angularVelocity, specificForce);
  }

  /** What is needed of the reading is copied. */
  addJoints(reading: JointReading): void {
    const { time, q, qd } = reading;
    this.#kinematics.read(time, q, qd);
    this.filter.addJoints(time, this.#kinematics);
    this.#keep(reading);
  }

  #keep({ time, q, commanded }: JointReading): void {
    while (this.#count > 0 && this.#keptAt(0).time <= time - KEPT) {
      this.#oldest = (this.#oldest + 1) % this.#kept.length;
      this.#count--;
    }
    if (this.#count === this.#kept.length) this.#makeRoom();
    const { neck, body } = this.#dofs;
    const kept = this.#keptAt(this.#count++);
    kept.time = time;
    for (let i = 0; i < neck.length; i++) kept.neck[i] = q[neck[i]!]!;
    for (let i = 0; i < body.length; i++) kept.body[i] = commanded[body[i]!]!;
  }

  /** The k-th oldest of those kept. */
  #keptAt(k: number): KeptReading {
    return this.#kept[(this.#oldest + k) % this.#kept.length]!;
  }

  /** Twice as many places, those in use first and in order. */
  #makeRoom(): void {
    const { neck, body } = this.#dofs;
    const inUse = Array.from({ length: this.#count }, (_, k) => this.#keptAt(k));
    const added = Array.from({ length: Math.max(FIRST_PLACES, this.#count) }, () => ({
      time: Number.NaN,
      neck: new Float64Array(neck.length),
      body: new Float64Array(body.length),
    }));
    this.#kept = [...inUse, ...added];
    this.#oldest = 0;
  }

  /** The head at `time` [s]; null if nothing is known of it. The same memory at each call. */
  at(time: number): HeadPoseEstimate | null {
    return this.filter.estimate(time, this.#estimate) === PoseSource.none ? null : this.#estimate;
  }

  /** The newest reading that is no newer than the filter; −1 if there is none. */
  #newestReading(): number {
    const { newest } = this.filter;
    let last = this.#count - 1;
    while (last >= 0 && !(this.#keptAt(last).time <= newest)) last--;
    return last;
  }

  /** Whether there is a measurement. */
  get isKnown(): boolean {
    const last = this.#newestReading();
    return last >= 0 && this.filter.covers(this.#keptAt(last).time);
  }

  /** The newest head that rests on IMU and joints alike. */
  measurement(): MeasuredHead | null {
    const last = this.#newestReading();
    if (last < 0) return null;
    const { time, neck, body } = this.#keptAt(last);
    const head = this.at(time);
    if (head === null) return null;
    return {
      worldFromHead: pose.copy(head.worldFromHead, pose.create()),
      neck: neck.slice(),
      body: body.slice(),
      estimate: head,
    };
  }
}
