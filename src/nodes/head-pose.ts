import * as pose from "../math/pose.js";
import { Event } from "../messages/report.js";
import { Circles, HeadPose, Imu, JointState } from "../messages/sensing.js";
import type { CarriedDofs } from "../planning/body/carried-dofs.js";
import type { Robot } from "../robot/robot.js";
import { createHeadPoseEstimate, type HeadPoseEstimate, PoseSource } from "../tracking/pose/head-pose-estimate.js";
import { HeadPoseEstimator } from "../tracking/pose/head-pose-estimator.js";
import { disagreementEvent, eventOfSource, type HeadPoseEvent } from "../tracking/pose/head-pose-event.js";
import type { Node } from "../transport/node.js";
import { WHEN_CALLED } from "../transport/node.js";
import { type InPort, type PortsOf, takeEach } from "../transport/port.js";

export const headPosePorts = {
  in: { joints: JointState, imu: Imu, left: Circles, right: Circles },
  out: { head: HeadPose, poses: HeadPose, events: Event },
} as const;

/**
 * Where the head is: joints and IMU in; out the newest pose that rests on both, with neck and body of the same moment, and the
 * pose at each exposure whose circles have come.
 */
export class HeadPoseNode implements Node {
  readonly #ports: PortsOf<typeof headPosePorts>;
  readonly #estimator: HeadPoseEstimator;
  readonly #estimate = createHeadPoseEstimate();
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
    return WHEN_CALLED;
  }

  #publish(nowNs: number): void {
    const { filter } = this.#estimator;
    if (filter.source !== this.#source) this.#report(eventOfSource(filter.source), nowNs);
    if (filter.disagreements !== this.#disagreements) this.#report(disagreementEvent, nowNs);
    this.#source = filter.source;
    this.#disagreements = filter.disagreements;
    const measured = this.#estimator.measurement();
    if (measured !== null) this.#ports.out.head.put(messageOf(measured.estimate, measured.neck, measured.body), nowNs);
  }

  /** The head at each exposure, once for both cameras. */
  #poseFor(port: InPort<Circles>, nowNs: number): void {
    takeEach(port, nowNs, ({ exposureNs }) => {
      if (exposureNs <= this.#lastExposureNs) return;
      this.#lastExposureNs = exposureNs;
      const time = exposureNs / 1e9;
      if (this.#estimator.filter.estimate(time, this.#estimate) === PoseSource.none) return;
      this.#ports.out.poses.put(messageOf(this.#estimate, NONE, NONE), nowNs);
    });
  }

  #report({ code, severity, text }: HeadPoseEvent, nowNs: number): void {
    this.#ports.out.events.put({ severity, source: "head-pose", code, track: -1, text }, nowNs);
  }
}

const NONE = new Float64Array(0);

function messageOf(estimate: HeadPoseEstimate, neck: Float64Array, body: Float64Array): HeadPose {
  return {
    time: estimate.time,
    worldFromHead: pose.copy(estimate.worldFromHead, pose.create()),
    neck,
    body,
    twist: estimate.twist.slice(),
    covariance: estimate.covariance.slice(),
  };
}
