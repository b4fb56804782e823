import * as pose from "../math/pose.js";
import { Event } from "../messages/report.js";
import { Circles, HeadPose, HeadState, Imu, JointState } from "../messages/sensing.js";
import type { CarriedDofs } from "../planning/body/carried-dofs.js";
import type { Robot } from "../robot/robot.js";
import {
  disagreementEvent,
  HeadPoseEstimate,
  type HeadPoseEvent,
  PoseSource,
  sourceEvents,
} from "../tracking/pose/head-pose-estimate.js";
import { HeadPoseEstimator } from "../tracking/pose/head-pose-estimator.js";
import type { Node } from "../transport/node.js";
import { type InPort, type PortsOf, takeEach } from "../transport/port.js";

export const headPosePorts = {
  in: { joints: JointState, imu: Imu, left: Circles, right: Circles },
  out: { head: HeadState, poses: HeadPose, events: Event },
} as const;

/** Readings come so often that none of them needs a step of its own [ns]. */
const LOOK_NS = 2_000_000;

/**
 * Where the head is: joints and IMU in; out the newest pose that rests on both, with neck and body of the same moment, and the
 * pose at each exposure whose circles have come.
 */
export class HeadPoseNode implements Node {
  readonly #ports: PortsOf<typeof headPosePorts>;
  readonly #estimator: HeadPoseEstimator;
  readonly #estimate = new HeadPoseEstimate();
  #source: PoseSource = PoseSource.none;
  #disagreements = 0;
  #lastExposureNs = Number.NEGATIVE_INFINITY;

  constructor(ports: PortsOf<typeof headPosePorts>, robot: Robot, carried: CarriedDofs) {
    this.#ports = ports;
    this.#estimator = new HeadPoseEstimator(robot, carried);
  }

  step(nowNs: number): number {
    const { in: from } = this.#ports;
    let isNews = false;
    // Joints first: they are what a fresh IMU sample is held to.
    for (let state = from.joints.take(nowNs); state !== null; state = from.joints.take(nowNs)) {
      this.#estimator.addJoints(state);
      isNews = true;
    }
    for (let sample = from.imu.take(nowNs); sample !== null; sample = from.imu.take(nowNs)) {
      this.#estimator.addImu(sample.time, sample.angularVelocity, sample.specificForce);
      isNews = true;
    }
    if (isNews) this.#publish(nowNs);
    this.#poseFor(from.left, nowNs);
    this.#poseFor(from.right, nowNs);
    return nowNs + LOOK_NS;
  }

  #publish(nowNs: number): void {
    const { filter } = this.#estimator;
    if (filter.source !== this.#source) this.#report(sourceEvents[filter.source], nowNs);
    if (filter.disagreements !== this.#disagreements) this.#report(disagreementEvent, nowNs);
    this.#source = filter.source;
    this.#disagreements = filter.disagreements;
    if (this.#estimator.isKnown) this.#ports.out.head.offer(this.#makeHead, nowNs);
  }

  readonly #makeHead = (): HeadState => {
    const { worldFromHead, neck, body, estimate } = this.#estimator.measurement()!;
    return { time: estimate.time, worldFromHead, neck, body, twist: estimate.twist.slice() };
  };

  /** The head at each exposure, once for both cameras. */
  #poseFor(port: InPort<Circles>, nowNs: number): void {
    takeEach(port, nowNs, ({ exposureNs }) => {
      if (exposureNs <= this.#lastExposureNs) return;
      this.#lastExposureNs = exposureNs;
      const time = exposureNs / 1e9;
      if (this.#estimator.filter.estimate(time, this.#estimate) === PoseSource.none) return;
      this.#ports.out.poses.put(messageOf(this.#estimate), nowNs);
    });
  }

  #report({ code, severity, text }: HeadPoseEvent, nowNs: number): void {
    this.#ports.out.events.put({ severity, source: "head-pose", code, track: -1, text }, nowNs);
  }
}

function messageOf({ time, worldFromHead, twist, covariance }: HeadPoseEstimate): HeadPose {
  const copy = pose.copy(worldFromHead, pose.create());
  return { time, worldFromHead: copy, twist: twist.slice(), covariance: covariance.slice() };
}
