import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { HeadKinematics } from "./head-kinematics.js";
import { SampleStatus, TimeRing } from "./time-ring.js";

/**
 * Where the joints say that the IMU is, lately, and how much the robot moved; at any time in between. Joints report ten
 * times as often as anybody asks where they put the head, so their forward kinematics waits until then.
 */
export class KinematicHistory {
  readonly ring: TimeRing;
  readonly #pose: Float64Array;
  readonly #activity: Float64Array;
  readonly #turn = vec3.create();
  readonly #rotation = mat3.create();
  readonly #before = mat3.create();
  readonly #headFromImu: pose.Pose;
  /** Joint positions of each slot, as many as `#kinematics` has, and whether the slot's pose is made of them already. */
  #joints = new Float64Array(0);
  readonly #isPlaced: Uint8Array;
  #kinematics: HeadKinematics | null = null;
  #reading = new Float64Array(0);
  readonly #worldFromHead = pose.create();
  readonly #worldFromImu = pose.create();

  constructor(capacity: number, headFromImu: pose.Pose) {
    this.ring = new TimeRing(capacity);
    this.#headFromImu = headFromImu;
    this.#isPlaced = new Uint8Array(capacity);
    this.#pose = new Float64Array(12 * capacity);
    this.#activity = new Float64Array(capacity);
  }

  add(time: number, worldFromHead: pose.Pose, activity: number): SampleStatus {
    const status = this.#insert(time, activity);
    if (status !== SampleStatus.accepted && status !== SampleStatus.late) return status;
    this.#write(this.ring.slot(this.ring.position), worldFromHead);
    return status;
  }

  /** The same by the joints that `kinematics`, always the same one, has read last. */
  addJoints(time: number, kinematics: HeadKinematics): SampleStatus {
    const status = this.#insert(time, kinematics.activity);
    if (status !== SampleStatus.accepted && status !== SampleStatus.late) return status;
    const { joints } = kinematics;
    if (this.#kinematics !== kinematics) this.#listenTo(kinematics);
    const slot = this.ring.slot(this.ring.position);
    for (let k = 0, at = slot * joints.length; k < joints.length; k++, at++) this.#joints[at] = joints[k]!;
    this.#isPlaced[slot] = 0;
    return status;
  }

  #insert(time: number, activity: number): SampleStatus {
    const status = this.ring.insert(time);
    if (status !== SampleStatus.accepted && status !== SampleStatus.late) return status;
    this.#activity[this.ring.slot(this.ring.position)] = activity;
    return status;
  }

  #listenTo(kinematics: HeadKinematics): void {
    for (let position = 0; position < this.ring.count; position++) this.#place(this.ring.slot(position));
    this.#kinematics = kinematics;
    this.#joints = new Float64Array(this.#isPlaced.length * kinematics.joints.length);
    this.#reading = new Float64Array(kinematics.joints.length);
  }

  /** Makes the pose of a slot, if that has not been done. */
  #place(slot: number): void {
    if (this.#isPlaced[slot] === 1 || this.#kinematics === null) return;
    const reading = this.#reading;
    for (let k = 0, at = slot * reading.length; k < reading.length; k++, at++) reading[k] = this.#joints[at]!;
    this.#kinematics.place(reading, this.#worldFromHead);
    this.#write(slot, this.#worldFromHead);
  }

  #write(slot: number, worldFromHead: pose.Pose): void {
    pose.compose(worldFromHead, this.#headFromImu, this.#worldFromImu);
    for (let i = 0; i < 12; i++) this.#pose[12 * slot + i] = this.#worldFromImu[i]!;
    this.#isPlaced[slot] = 1;
  }

  /** Whether `time` [s] lies between two samples. */
  covers(time: number): boolean {
    return time >= this.ring.oldest && time <= this.ring.newest;
  }

  /**
   * How much the robot moved at the time in `times[at]`, 0 to 1: the greater of the samples about it. (V8 boxes numbers
   * that are handed over and returned; this one is wanted with every IMU sample.)
   */
  readActivity(times: Float64Array, at: number, out: { activity: number }): void {
    const { ring } = this;
    const before = Math.max(0, ring.find(times[at]!));
    const after = Math.min(before + 1, ring.count - 1);
    const a = ring.count === 0 ? 0 : this.#activity[ring.slot(before)]!;
    const b = ring.count === 0 ? 0 : this.#activity[ring.slot(after)]!;
    out.activity = a > b ? a : b;
  }

  /**
   * The pose at `time`, which must be covered: on the straight line and at constant angular speed between two samples.
   * `twist` gets the mean velocity in between, linear then angular, in world axes.
   */
  interpolate(time: number, out: pose.Pose, twist: Float64Array): void {
    const { ring } = this;
    const last = Math.max(0, Math.min(ring.find(time), ring.count - 2));
    const next = Math.min(last + 1, ring.count - 1);
    this.#place(ring.slot(last));
    this.#place(ring.slot(next));
    const from = 12 * ring.slot(last);
    const to = 12 * ring.slot(next);
    const start = ring.times[ring.slot(last)]!;
    const length = ring.times[ring.slot(next)]! - start;
    const share = length > 0 ? (time - start) / length : 0;
    const perSecond = length > 0 ? 1 / length : 0;
    const P = this.#pose;
    for (let i = 0; i < 9; i++) {
      this.#before[i] = P[from + i]!;
      this.#rotation[i] = P[to + i]!;
    }
    // In the world: R(after) = exp(turn)·R(before).
    mat3.multiply(this.#rotation, mat3.transpose(this.#before, this.#before), this.#rotation);
    lie.so3Log(this.#rotation, this.#turn);
    for (let i = 0; i < 3; i++) {
      const difference = P[to + 9 + i]! - P[from + 9 + i]!;
      out[9 + i] = P[from + 9 + i]! + share * difference;
      twist[i] = difference * perSecond;
      twist[3 + i] = this.#turn[i]! * perSecond;
    }
    vec3.scale(this.#turn, share, this.#turn);
    lie.so3Exp(this.#turn, this.#rotation);
    mat3.transpose(this.#before, this.#before);
    mat3.multiply(this.#rotation, this.#before, out);
  }
}
