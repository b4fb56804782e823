import { describe, expect, it } from "vitest";
import * as cholesky from "../../../src/math/cholesky.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { fullChallenges, noChallenges } from "../../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { HeadKinematics } from "../../../src/tracking/pose/head-kinematics.js";
import { HeadPoseEstimate, PoseSource } from "../../../src/tracking/pose/head-pose-estimate.js";
import { HeadPoseFilter } from "../../../src/tracking/pose/head-pose-filter.js";
import { headPoseOptionsOf } from "../../../src/tracking/pose/head-pose-options.js";
import { SampleStatus } from "../../../src/tracking/pose/time-ring.js";
import { deep } from "../../support/deep.js";
import { robot, ShakenRun } from "./shaken-run.js";

const DELAY = 0.04;

interface Moment {
  readonly time: number;
  readonly truth: pose.Pose;
  readonly estimate: pose.Pose;
  readonly twist: Float64Array;
  readonly covariance: Float64Array;
  readonly source: PoseSource;
}

/** True and estimated poses every 10 ms from `from` to `until`, each asked for 40 ms later. */
function follow(run: ShakenRun, from: number, until: number): Moment[] {
  const out: Moment[] = [];
  const [truth, estimate] = [createRigidMotion(), new HeadPoseEstimate()];
  const count = Math.round((until - from) * 100);
  for (let k = 0; k < count; k++) {
    const time = from + k / 100;
    run.advance(time + DELAY);
    run.rig.head.headAt(time, truth);
    const source = run.filter.estimate(time, estimate);
    out.push({
      time,
      truth: pose.copy(truth.worldFromBody, pose.create()),
      estimate: pose.copy(estimate.worldFromHead, pose.create()),
      twist: estimate.twist.slice(),
      covariance: estimate.covariance.slice(),
      source,
    });
  }
  return out;
}

/** Error of the motion between two moments: translation, then rotation, in the head. */
function relativeError(from: Moment, to: Moment): Float64Array {
  const moved = pose.composeInverse(from.truth, to.truth, pose.create());
  const believed = pose.composeInverse(from.estimate, to.estimate, pose.create());
  return lie.se3Log(pose.composeInverse(believed, moved, pose.create()), new Float64Array(6));
}

function rms(errors: readonly Float64Array[], at: 0 | 3): number {
  const sum = errors.reduce((total, e) => total + e[at]! ** 2 + e[at + 1]! ** 2 + e[at + 2]! ** 2, 0);
  return Math.sqrt(sum / errors.length);
}

/** Squared error gained over the horizon before the last moment, by its covariance: 6 on average. */
function consistency(moments: readonly Moment[], horizon: number): number {
  const last = moments.at(-1)!;
  const before = moments[moments.length - 1 - Math.round(horizon * 100)]!;
  const factor = new Float64Array(36);
  expect(cholesky.factor(last.covariance, 6, factor)).toBe(cholesky.MatrixStatus.ok);
  const scaled = cholesky.solveLower(factor, relativeError(before, last), 6, new Float64Array(6));
  return scaled.reduce((total, x) => total + x * x, 0);
}

/** Errors of the motion since the reach began, over the 0.6 s of it. */
function motionErrors(run: ShakenRun, begin: number): Float64Array[] {
  const [first, ...rest] = follow(run, begin, begin + 0.6);
  return rest.map((moment) => relativeError(first!, moment));
}

describe("HeadPoseFilter", () => {
  it("follows a shaking head many times better than the joints alone, and its covariance is honest", () => {
    const [on, off]: [Float64Array[], Float64Array[]] = [[], []];
    let squares = 0;
    const runs = deep(5, 100);
    for (let seed = 0; seed < runs; seed++) {
      const run = new ShakenRun(seed, 2);
      const joints = new ShakenRun(seed, 2);
      const moments = follow(run, 2, 2.6);
      joints.passImu = () => false;
      const [first, ...rest] = moments;
      on.push(...rest.map((moment) => relativeError(first!, moment)));
      off.push(...motionErrors(joints, 2));
      squares += consistency(moments, run.filter.options.horizon);
    }
    expect(rms(on, 3)).toBeLessThan(0.0004);
    expect(rms(on, 0)).toBeLessThan(0.002);
    expect(rms(off, 3) / rms(on, 3)).toBeGreaterThan(6);
    expect(rms(off, 0) / rms(on, 0)).toBeGreaterThan(2);
    // χ² of 6·runs degrees of freedom, at four standard deviations above; below it may be cautious by a factor of 3.
    expect(squares / (6 * runs)).toBeLessThan(1 + 4 * Math.sqrt(2 / (6 * runs)));
    expect(squares / (6 * runs)).toBeGreaterThan(0.25);
  });

  it("finds the biases and the velocity at rest, and stands upright though the torso bends", () => {
    const run = new ShakenRun(3, 100);
    const moments = follow(run, 3.9, 4.0);
    const [gyro, accelerometer] = [vec3.create(), vec3.create()];
    run.filter.biases(gyro, accelerometer);
    expect(vec3.distance(gyro, run.rig.imu!.gyroBias as vec3.Vec3)).toBeLessThan(4e-4);
    const { truth, estimate, twist } = moments.at(-1)!;
    expect(Math.hypot(...twist.subarray(0, 3))).toBeLessThan(0.004);
    // Gravity shows which way is up to bias/g; where the world lies is free.
    const up = (p: pose.Pose): vec3.Vec3 => pose.rotateVectorInverse(p, vec3.create(0, 0, 1), vec3.create());
    expect(vec3.distance(up(truth), up(estimate))).toBeLessThan(0.03 / 9.81 + 0.002);
    const kinematic = run.kinematics.worldFromHead;
    const beside = pose.composeInverse(kinematic, estimate, pose.create());
    expect(Math.hypot(beside[9], beside[10], beside[11])).toBeLessThan(0.005);
  });

  it("is exact where sensors and structure are", () => {
    const run = new ShakenRun(5, 1, noChallenges);
    const last = follow(run, 1, 1.6).at(-1)!;
    const error = lie.se3Log(pose.composeInverse(last.truth, last.estimate, pose.create()), new Float64Array(6));
    expect(Math.hypot(...error.subarray(0, 3))).toBeLessThan(5e-4);
    expect(Math.hypot(...error.subarray(3))).toBeLessThan(1e-4);
  });

  it("gives the same bits when samples come late and out of order", () => {
    const samples: { time: number; angular: vec3.Vec3; force: vec3.Vec3 }[] = [];
    const run = new ShakenRun(6, 0.3);
    run.passImu = ({ time, angularVelocity, specificForce }) => {
      samples.push({ time, angular: angularVelocity.slice() as vec3.Vec3, force: specificForce.slice() as vec3.Vec3 });
      return false;
    };
    const [ordered, shuffled] = [0, 1].map(() => new HeadPoseFilter(headPoseOptionsOf(robot, { memory: 0.7 }))) as [
      HeadPoseFilter,
      HeadPoseFilter,
    ];
    run.passJoints = ({ time, q, qd }) => {
      run.kinematics.update(time, q, qd);
      for (const filter of [ordered, shuffled]) {
        filter.addKinematics(time, run.kinematics.worldFromHead, run.kinematics.activity);
      }
      return true;
    };
    run.advance(0.65);
    samples.sort((a, b) => a.time - b.time);
    for (const { time, angular, force } of samples) ordered.addImu(time, angular, force);
    const random = new Random("late");
    const [first, ...rest] = samples;
    const late = rest
      .map((sample) => ({ sample, key: sample.time + random.uniformIn(0, 0.012) }))
      .sort((a, b) => a.key - b.key);
    let count = 0;
    for (const { time, angular, force } of [first!, ...late.map(({ sample }) => sample)]) {
      if (shuffled.addImu(time, angular, force) === SampleStatus.late) count++;
    }
    expect(count).toBeGreaterThan(50);
    const [a, b] = [new HeadPoseEstimate(), new HeadPoseEstimate()];
    for (const time of [0.4, 0.5012, 0.6]) {
      expect(ordered.estimate(time, a)).toBe(PoseSource.fused);
      shuffled.estimate(time, b);
      expect(b).toEqual(a);
    }
  });

  it("gives the same bits by the joints as by the pose that they make", () => {
    const run = new ShakenRun(8, 0.3);
    const byJoints = new HeadPoseFilter(headPoseOptionsOf(robot));
    const reader = new HeadKinematics(robot);
    run.passJoints = ({ time, q, qd }) => {
      reader.read(time, q, qd);
      expect(byJoints.addJoints(time, reader)).toBe(SampleStatus.accepted);
      return true;
    };
    run.passImu = ({ time, angularVelocity, specificForce }) => {
      byJoints.addImu(time, angularVelocity, specificForce);
      return true;
    };
    const [a, b] = [new HeadPoseEstimate(), new HeadPoseEstimate()];
    for (let time = 0.1; time < 1; time += 0.1) {
      run.advance(time);
      for (const asked of [time - 0.05, time - 0.02]) {
        expect(run.filter.estimate(asked, a)).toBe(PoseSource.fused);
        byJoints.estimate(asked, b);
        expect(b).toEqual(a);
      }
    }
    expect(byJoints.addJoints(1.2, reader)).toBe(SampleStatus.accepted);
    reader.joints[1] = Number.NaN;
    expect(byJoints.addJoints(1.3, reader)).toBe(SampleStatus.invalid);
  });

  it("keeps what it heard of one kinematics when another one speaks", () => {
    const q = new Float64Array(robot.model.dofCount);
    const kinematics = [new HeadKinematics(robot), new HeadKinematics(robot)];
    const filter = new HeadPoseFilter(headPoseOptionsOf(robot));
    const poses = kinematics.map((speaker, k) => {
      q[robot.model.dofNames.indexOf("torso2")] = 0.2 * (k + 1);
      speaker.update(k, q, q);
      filter.addJoints(0.1 * k, speaker);
      return [...speaker.worldFromHead];
    });
    const estimate = new HeadPoseEstimate();
    for (const [k, expected] of poses.entries()) {
      expect(filter.estimate(0.1 * k, estimate)).toBe(PoseSource.kinematics);
      estimate.worldFromHead.forEach((x, i) => {
        expect(x).toBeCloseTo(expected[i]!, 12);
      });
    }
    expect(poses[0]).not.toEqual(poses[1]);
  });

  it("bridges lost samples, and says when the IMU has failed and is back", () => {
    const run = new ShakenRun(7, 2);
    const random = new Random("lost");
    run.passImu = () => random.uniform() > 0.1;
    const bridged = motionErrors(run, 2);
    expect(rms(bridged, 3)).toBeLessThan(0.001);
    expect(run.filter.source).toBe(PoseSource.fused);

    const dead = new ShakenRun(8, 2);
    dead.passImu = ({ time }) => time < 2.1 || time > 2.4;
    const moments = follow(dead, 2, 2.9);
    const sourceAt = (time: number): PoseSource => moments.find((m) => Math.abs(m.time - time) < 1e-6)!.source;
    expect(sourceAt(2.05)).toBe(PoseSource.fused);
    expect(sourceAt(2.2)).toBe(PoseSource.kinematics);
    expect(sourceAt(2.3)).toBe(PoseSource.kinematics);
    expect(sourceAt(2.6)).toBe(PoseSource.fused);
    const sigma = (time: number): number =>
      Math.sqrt(moments.find((m) => Math.abs(m.time - time) < 1e-6)!.covariance[35]!);
    expect(sigma(2.2)).toBeGreaterThan(5 * sigma(2.05));
    // It goes on from where it was: no step beyond what the structure does.
    for (let k = 1; k < moments.length; k++) {
      const error = relativeError(moments[k - 1]!, moments[k]!);
      expect(Math.hypot(...error.subarray(3))).toBeLessThan(0.008);
      expect(Math.hypot(...error.subarray(0, 3))).toBeLessThan(0.008);
    }
  });

  it("goes on with the joints alone when there never was an IMU, and with the IMU when the joints fall silent", () => {
    const joints = new ShakenRun(9, 0.5);
    joints.passImu = () => false;
    joints.advance(0.7);
    const estimate = new HeadPoseEstimate();
    expect(joints.filter.estimate(0.6, estimate)).toBe(PoseSource.kinematics);
    expect(joints.filter.source).toBe(PoseSource.kinematics);
    expect(joints.filter.estimate(0.8, estimate)).toBe(PoseSource.none);

    const silent = new ShakenRun(10, 2);
    silent.passJoints = ({ time }) => time < 2;
    const errors = motionErrors(silent, 2);
    expect(silent.filter.source).toBe(PoseSource.inertial);
    expect(rms(errors, 3)).toBeLessThan(0.001);
    expect(rms(errors, 0)).toBeLessThan(0.02);
  });

  it("starts anew when IMU and joints disagree for long", () => {
    const run = new ShakenRun(11, 1);
    const stuck = vec3.create(0, 0, 2);
    run.advance(0.6);
    expect(run.filter.disagreements).toBe(0);
    run.imu = (sample) => run.filter.addImu(sample.time, stuck, sample.specificForce);
    run.advance(1.2);
    expect(run.filter.disagreements).toBeGreaterThan(0);
  });

  it("refuses what is not a number, what comes twice and what comes too late", () => {
    const run = new ShakenRun(12, 10);
    const { filter } = run;
    const [rate, force] = [vec3.create(), vec3.create(0, 0, 9.81)];
    expect(filter.addImu(0, rate, force)).toBe(SampleStatus.waiting);
    run.advance(1);
    const before = new HeadPoseEstimate();
    filter.estimate(0.95, before);
    const bad = vec3.create(0, Number.NaN, 0);
    expect(filter.addImu(1, bad, force)).toBe(SampleStatus.invalid);
    expect(filter.addImu(1, rate, bad)).toBe(SampleStatus.invalid);
    expect(filter.addImu(Number.NaN, rate, force)).toBe(SampleStatus.invalid);
    expect(filter.addImu(0.5, rate, force)).toBe(SampleStatus.tooLate);
    const place = pose.create();
    expect(filter.addKinematics(Number.NaN, place, 0)).toBe(SampleStatus.invalid);
    expect(filter.addKinematics(2, place, Number.NaN)).toBe(SampleStatus.invalid);
    place[3] = Number.POSITIVE_INFINITY;
    expect(filter.addKinematics(2, place, 0)).toBe(SampleStatus.invalid);
    const after = new HeadPoseEstimate();
    filter.estimate(0.95, after);
    expect(after).toEqual(before);
    expect(filter.estimate(Number.NaN, after)).toBe(PoseSource.none);
    expect(filter.estimate(0.2, after)).toBe(PoseSource.none);
  });

  it("keeps a sound covariance over a long time at rest, and its world with the joints", () => {
    const options = headPoseOptionsOf(robot);
    const filter = new HeadPoseFilter(options);
    const random = new Random("hour");
    const place = pose.fromRpyTranslation(0, 0, 0.3, 1, 2, 1.5, pose.create());
    const [rate, force] = [vec3.create(), vec3.create()];
    const estimate = new HeadPoseEstimate();
    const factor = new Float64Array(36);
    const count = deep(20_000, 1_000_000);
    const sigma = options.imu.gyroNoiseDensity * Math.sqrt(512);
    for (let k = 0; k < count; k++) {
      const time = k / 512;
      filter.addKinematics(time, place, 0);
      for (let i = 0; i < 3; i++) {
        rate[i] = sigma * random.normal() + 0.0005;
        force[i] = (i === 2 ? 9.81 : 0) + 0.03 * random.normal();
      }
      filter.addImu(time, rate, force);
      if (k % 5000 !== 4999) continue;
      expect(filter.estimate(time, estimate)).toBe(PoseSource.fused);
      expect(cholesky.factor(estimate.covariance, 6, factor)).toBe(cholesky.MatrixStatus.ok);
      const beside = pose.composeInverse(place, estimate.worldFromHead, pose.create());
      const error = lie.se3Log(beside, new Float64Array(6));
      expect(Math.hypot(...error)).toBeLessThan(0.01);
    }
  });

  it("does the same to the bit with the same seed", () => {
    const [a, b] = [new HeadPoseEstimate(), new HeadPoseEstimate()];
    for (const out of [a, b]) {
      const run = new ShakenRun(13, 0.3, fullChallenges);
      run.advance(0.7);
      run.filter.estimate(0.65, out);
    }
    expect(b).toEqual(a);
  });
});
