import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { HeadKinematics } from "./head-kinematics.js";
import { type HeadPoseEstimate, PoseSource } from "./head-pose-estimate.js";
import {
  type HeadPoseOptions,
  offsetRotationRate,
  offsetTranslationRate,
  rotationVariance,
  translationVariance,
} from "./head-pose-options.js";
import { Correction, carry, InertialHistory } from "./inertial-history.js";
import { advance, InertialState } from "./inertial-state.js";
import { doubtPose, forget, KinematicCorrection } from "./kinematic-correction.js";
import { KinematicHistory } from "./kinematic-history.js";
import { PoseCovariance } from "./pose-covariance.js";
import { SampleStatus } from "./time-ring.js";

/** Joints may report this often [1/s]. */
const KINEMATIC_RATE = 1000;
/** Poses are carried on beyond the newest IMU sample by at most this [s]. */
const LONGEST_EXTRAPOLATION = 0.01;
/** Without a correction for longer, the pose rests on the IMU alone [s]. */
const LONGEST_UNCORRECTED = 0.1;
/** Squared innovation by its variance, of six, beyond which IMU and joints disagree: never by chance. */
const DISAGREEMENT = 100;
/** Corrections in a row that disagree before the filter starts anew from the joints. */
const PATIENCE = 10;

/**
 * The head's pose from its IMU and the robot's joints, by an error-state Kalman filter (multiplicative in the
 * orientation; Solà, "Quaternion kinematics for the error-state Kalman filter", 2017).
 *
 * The IMU carries position, velocity and orientation from sample to sample; every so often the joints' forward
 * kinematics corrects it. Kinematics is right in the long run and wrong at once: the torso bends, the wheels slip (an
 * offset, which is part of the state and walks while the robot moves) and everything shakes (noise of the
 * measurement). So the joints' word counts slowly, and gravity keeps the pose upright.
 *
 * Samples may come in any order within `memory`: the filter goes back and repeats what follows, with the same result to
 * the bit as if they had come in time. `estimate` answers for any time within `memory`. Nothing allocates.
 *
 * @example
 * const filter = new HeadPoseFilter(headPoseOptionsOf(robot));
 * kinematics.read(t, q, qd);
 * filter.addJoints(t, kinematics);
 * filter.addImu(t, angularVelocity, specificForce);
 * if (filter.estimate(tExposure, head) !== PoseSource.none) use(head.worldFromHead, head.covariance);
 */
export class HeadPoseFilter {
  readonly options: HeadPoseOptions;
  /** Times the filter started anew because IMU and joints disagreed. */
  disagreements = 0;
  readonly #inertial: InertialHistory;
  readonly #kinematic: KinematicHistory;
  readonly #correction: KinematicCorrection;
  readonly #covariance: PoseCovariance;
  readonly #imuFromHead: pose.Pose;
  readonly #angular = vec3.create();
  readonly #force = vec3.create();
  readonly #measured = pose.create();
  readonly #measuredTwist = new Float64Array(6);
  readonly #scratch = new InertialState();
  readonly #interval = { step: 0, activity: 0 };
  readonly #asked = new Float64Array(1);
  /** Two IMU samples of three numbers each: at a state, and where it is carried to. */
  readonly #angularEnds = new Float64Array(6);
  readonly #forceEnds = new Float64Array(6);
  #disagreeing = 0;

  constructor(options: HeadPoseOptions) {
    this.options = options;
    const { imu, memory, headFromImu } = options;
    this.#inertial = new InertialHistory(Math.ceil(memory * imu.rateHz) + 2);
    this.#kinematic = new KinematicHistory(Math.ceil(memory * KINEMATIC_RATE) + 2, headFromImu);
    this.#imuFromHead = pose.invert(headFromImu, pose.create());
    this.#correction = new KinematicCorrection(options);
    this.#covariance = new PoseCovariance(options);
  }

  /** What the newest pose rests on. */
  get source(): PoseSource {
    const imu = this.#inertial.ring.newest;
    const joints = this.#kinematic.ring.newest;
    if (!(imu >= joints - this.options.longestGap)) return joints > imu ? PoseSource.kinematics : PoseSource.none;
    return joints >= imu - LONGEST_UNCORRECTED ? PoseSource.fused : PoseSource.inertial;
  }

  /** Time of the newest sample of either kind [s]. */
  get newest(): number {
    return Math.max(this.#inertial.ring.newest, this.#kinematic.ring.newest);
  }

  /** Estimated biases [rad/s], [m/s²], beyond those calibrated; zero before the first sample. */
  biases(gyro: vec3.Vec3, accelerometer: vec3.Vec3): void {
    const state = this.#inertial.ring.count > 0 ? this.#inertial.newest : this.#scratch;
    vec3.copy(state.gyroBias, gyro);
    vec3.copy(state.accelerometerBias, accelerometer);
  }

  /**
   * Where the joints, read at `time` [s], say that the head is, and how much the robot moves (0 to 1, see
   * `HeadKinematics`).
   */
  addKinematics(time: number, worldFromHead: pose.Pose, activity: number): SampleStatus {
    for (let i = 0; i < 12; i++) if (!Number.isFinite(worldFromHead[i]!)) return SampleStatus.invalid;
    if (!(activity >= 0 && activity <= 1)) return SampleStatus.invalid;
    return this.#heard(this.#kinematic.add(time, worldFromHead, activity));
  }

  /** The same by what `kinematics`, one and the same for all readings, has read of the joints at `time` [s]. */
  addJoints(time: number, kinematics: HeadKinematics): SampleStatus {
    const { joints, activity } = kinematics;
    for (let k = 0; k < joints.length; k++) if (!Number.isFinite(joints[k]!)) return SampleStatus.invalid;
    if (!(activity >= 0 && activity <= 1)) return SampleStatus.invalid;
    return this.#heard(this.#kinematic.addJoints(time, kinematics));
  }

  /** Makes the corrections that have waited for the joints. */
  #heard(status: SampleStatus): SampleStatus {
    const due = this.#inertial.firstDue();
    if (due >= 0 && this.#kinematic.ring.newest >= this.#inertial.ring.time(due)) this.#repeatFrom(due);
    return status;
  }

  /** A sample of the IMU as it measured it at `time` [s], in its own frame [rad/s], [m/s²]. */
  addImu(time: number, angularVelocity: vec3.Vec3, specificForce: vec3.Vec3): SampleStatus {
    if (!vec3.isFinite(angularVelocity) || !vec3.isFinite(specificForce)) return SampleStatus.invalid;
    if (this.#lacksStart(time)) return SampleStatus.waiting;
    const { gyroBias, gyroScale, accelerometerBias, accelerometerScale } = this.options.imu;
    for (let i = 0; i < 3; i++) {
      this.#angular[i] = (angularVelocity[i]! - gyroBias[i]!) / gyroScale[i]!;
      this.#force[i] = (specificForce[i]! - accelerometerBias[i]!) / accelerometerScale[i]!;
    }
    if (this.#lacksPredecessor(time)) return SampleStatus.tooLate;
    const status = this.#inertial.add(time, this.#angular, this.#force);
    if (status === SampleStatus.accepted || status === SampleStatus.late)
      this.#repeatFrom(this.#inertial.ring.position);
    return status;
  }

  /** Whether the filter would have to start anew at `time`, and joints that could tell where are silent. */
  #lacksStart(time: number): boolean {
    const { ring } = this.#inertial;
    if (ring.count === 0) return !this.#kinematic.covers(time);
    return time - ring.newest > this.options.longestGap && !this.#lastCorrection(time);
  }

  /** Whether no state from which a sample at `time` could be carried on would be left. */
  #lacksPredecessor(time: number): boolean {
    const { ring } = this.#inertial;
    return ring.count > 0 && time < ring.times[ring.slot(ring.count === ring.capacity ? 1 : 0)]!;
  }

  /** The head at `time` [s]; `PoseSource.none` and `out` unchanged where nothing is known of that time. */
  estimate(time: number, out: HeadPoseEstimate): PoseSource {
    const before = this.#inertial.ring.find(time);
    if (this.#isBridged(time, before)) return this.#estimateInertial(time, before, out);
    if (this.#kinematic.covers(time)) return this.#estimateKinematic(time, out);
    return PoseSource.none;
  }

  /** Whether there is an estimate for `time` [s]. */
  covers(time: number): boolean {
    return this.#isBridged(time, this.#inertial.ring.find(time)) || this.#kinematic.covers(time);
  }

  /** Whether IMU samples reach from the one at `before` to `time`. */
  #isBridged(time: number, before: number): boolean {
    const { ring, isStarted } = this.#inertial;
    const isLast = before === ring.count - 1;
    const reaches = before >= 0 && (isLast ? time - ring.newest <= LONGEST_EXTRAPOLATION : true);
    return reaches && (isLast || isStarted[ring.slot(before + 1)] === 0);
  }

  /** Does the steps from the sample at `position` on, anew. */
  #repeatFrom(position: number): void {
    for (let i = position; i < this.#inertial.ring.count; i++) this.#step(i);
  }

  /** The state at the sample at `position` from the one before. */
  #step(position: number): void {
    const { ring, states, isStarted, angular, force } = this.#inertial;
    // The oldest of all has none before it any more; it stays as it is.
    if (position === 0 && ring.count > 1) return;
    const slot = ring.slot(position);
    const time = ring.times[slot]!;
    const last = position === 0 ? Number.NEGATIVE_INFINITY : ring.times[ring.slot(position - 1)]!;
    if (!(time - last <= this.options.longestGap)) {
      isStarted[slot] = 1;
      this.#inertial.setCorrection(slot, Correction.none);
      this.#start(position, time);
      return;
    }
    const previous = ring.slot(position - 1);
    const state = states[slot]!;
    state.copyFrom(states[previous]!);
    const interval = this.#interval;
    interval.step = time - last;
    this.#kinematic.readActivity(ring.times, slot, interval);
    carry(state, angular, force, 3 * previous, 3 * slot, interval, this.options);
    isStarted[slot] = 0;
    const correction = this.#correctionAt(time, last);
    this.#inertial.setCorrection(slot, correction);
    if (correction === Correction.done) this.#correct(state, position, time, interval.activity);
  }

  /** Corrections are due on a raster of time, whatever samples were lost or late. */
  #correctionAt(time: number, last: number): Correction {
    const { correctionPeriod } = this.options;
    if (Math.floor(time / correctionPeriod) === Math.floor(last / correctionPeriod)) return Correction.none;
    return this.#kinematic.covers(time) ? Correction.done : Correction.due;
  }

  /** Where a sensor is stuck, or joints are, the two disagree: after some patience the joints are believed. */
  #correct(state: InertialState, position: number, time: number, activity: number): void {
    this.#kinematic.interpolate(time, this.#measured, this.#measuredTwist);
    const distance = this.#correction.apply(state, this.#measured, activity);
    this.#disagreeing = distance <= DISAGREEMENT ? 0 : this.#disagreeing + 1;
    if (this.#disagreeing < PATIENCE) return;
    this.#disagreeing = 0;
    this.disagreements++;
    this.#start(position, time);
  }

  /** A state from the kinematics, with the offset and the biases known before. */
  #start(position: number, time: number): void {
    const { ring, states } = this.#inertial;
    const state = states[ring.slot(position)]!;
    if (position > 0) state.copyFrom(states[ring.slot(position - 1)]!);
    else forget(state, this.options.structure);
    this.#kinematic.interpolate(Math.min(time, this.#kinematic.ring.newest), this.#measured, this.#measuredTwist);
    this.#correction.addOffset(this.#measured, state, state.worldFromImu);
    for (let i = 0; i < 3; i++) state.velocity[i] = this.#measuredTwist[i]!;
    doubtPose(state, this.options.structure);
    this.#correction.gauge.fixWorld(state);
    state.startedAt = time;
  }

  /** From the state at or before `time`, carried on by the IMU between its samples. */
  #estimateInertial(time: number, before: number, out: HeadPoseEstimate): PoseSource {
    const { ring, states, angular, force } = this.#inertial;
    const state = this.#scratch;
    const slot = ring.slot(before);
    const after = Math.min(before + 1, ring.count - 1);
    const next = ring.slot(after);
    const start = ring.times[slot]!;
    const length = ring.times[next]! - start;
    const share = length > 0 ? (time - start) / length : 0;
    state.copyFrom(states[slot]!);
    for (let i = 0; i < 3; i++) {
      const rate = angular[3 * slot + i]!;
      const push = force[3 * slot + i]!;
      this.#angularEnds[i] = rate;
      this.#forceEnds[i] = push;
      this.#angularEnds[3 + i] = rate + share * (angular[3 * next + i]! - rate);
      this.#forceEnds[3 + i] = push + share * (force[3 * next + i]! - push);
    }
    this.#interval.step = time - start;
    advance(state, this.#angularEnds, this.#forceEnds, 0, 3, this.#interval, this.options.gravity);
    for (let i = 0; i < 3; i++) this.#angular[i] = this.#angularEnds[3 + i]! - state.gyroBias[i]!;
    pose.rotateVector(state.worldFromImu, this.#angular, this.#angular);
    out.time = time;
    out.source = this.#lastCorrection(time) ? PoseSource.fused : PoseSource.inertial;
    this.#writePose(state.worldFromImu, state.velocity, this.#angular, out);
    this.#covariance.relative(state, out.covariance);
    if (time - state.startedAt < this.options.horizon) this.#doubtStart(out);
    return out.source;
  }

  /** A pose that began from the joints less than a horizon ago has the vibration of that moment in it. */
  #doubtStart(out: HeadPoseEstimate): void {
    const { structure } = this.options;
    for (let i = 0; i < 3; i++) {
      out.covariance[7 * i] = out.covariance[7 * i]! + structure.vibrationTranslation ** 2;
      out.covariance[7 * i + 21] = out.covariance[7 * i + 21]! + structure.vibrationRotation ** 2;
    }
  }

  #lastCorrection(time: number): boolean {
    return this.#kinematic.ring.newest >= time - LONGEST_UNCORRECTED;
  }

  /** From the joints alone, with the offset known last; honest about vibration and about offsets that walk meanwhile. */
  #estimateKinematic(time: number, out: HeadPoseEstimate): PoseSource {
    const { structure, horizon } = this.options;
    const { ring, states } = this.#inertial;
    const state = this.#scratch;
    const known = Math.max(0, ring.find(time));
    if (ring.count > 0) state.copyFrom(states[ring.slot(known)]!);
    else forget(state, this.options.structure);
    this.#kinematic.interpolate(time, this.#measured, this.#measuredTwist);
    this.#correction.addOffset(this.#measured, state, state.worldFromImu);
    for (let i = 0; i < 3; i++) {
      state.velocity[i] = this.#measuredTwist[i]!;
      this.#angular[i] = this.#measuredTwist[3 + i]!;
    }
    out.time = time;
    out.source = PoseSource.kinematics;
    this.#writePose(state.worldFromImu, state.velocity, this.#angular, out);
    this.#asked[0] = time;
    this.#kinematic.readActivity(this.#asked, 0, this.#interval);
    const { activity } = this.#interval;
    this.#covariance.isotropic(
      translationVariance(structure, activity) + horizon * offsetTranslationRate(structure, activity),
      rotationVariance(structure, activity) + horizon * offsetRotationRate(structure, activity),
      out.covariance,
    );
    return PoseSource.kinematics;
  }

  /** The head from the IMU: pose, and the velocity at its own origin. */
  #writePose(worldFromImu: pose.Pose, velocity: vec3.Vec3, angular: vec3.Vec3, out: HeadPoseEstimate): void {
    pose.compose(worldFromImu, this.#imuFromHead, out.worldFromHead);
    const rx = out.worldFromHead[9] - worldFromImu[9];
    const ry = out.worldFromHead[10] - worldFromImu[10];
    const rz = out.worldFromHead[11] - worldFromImu[11];
    out.twist[0] = velocity[0] + angular[1] * rz - angular[2] * ry;
    out.twist[1] = velocity[1] + angular[2] * rx - angular[0] * rz;
    out.twist[2] = velocity[2] + angular[0] * ry - angular[1] * rx;
    for (let i = 0; i < 3; i++) out.twist[3 + i] = angular[i]!;
  }
}
