import type { GetPort } from "../../channels/get-port.js";
import type { PutPort } from "../../channels/put-port.js";
import { type Event, Severity } from "../../messages/event.js";
import type { HeadPose } from "../../messages/head-pose.js";
import type { Imu } from "../../messages/imu.js";
import type { JointState } from "../../messages/joint-state.js";
import type { Robot } from "../../robot/robot.js";
import { HeadKinematics } from "./head-kinematics.js";
import { createHeadPoseEstimate, type HeadPoseEstimate, PoseSource } from "./head-pose-estimate.js";
import { disagreementEvent, eventOfSource, type HeadPoseEvent } from "./head-pose-event.js";
import { HeadPoseFilter } from "./head-pose-filter.js";
import { type HeadPoseTuning, headPoseOptionsOf } from "./head-pose-options.js";
import { SampleStatus } from "./time-ring.js";

/** Where the module's packets come from and go to; get-ports that deliver every packet. */
export interface HeadPosePorts {
  readonly imu: GetPort<Imu>;
  readonly joints: GetPort<JointState>;
  readonly poses: PutPort<HeadPose>;
  readonly events: PutPort<Event>;
}

/**
 * The head-pose filter between channels. The thread that owns it calls `receive` when samples have come and then
 * `publish` for each exposure, and as often as others want to know where the head is now.
 *
 * @example
 * pose.receive();
 * pose.publish(image.tExposure.seconds);
 */
export class HeadPoseModule {
  readonly filter: HeadPoseFilter;
  /** Samples used, and samples refused: not finite, too late, or twice. */
  accepted = 0;
  refused = 0;
  readonly #ports: HeadPosePorts;
  readonly #kinematics: HeadKinematics;
  readonly #estimate = createHeadPoseEstimate();
  #source: PoseSource = PoseSource.none;
  #disagreements = 0;

  constructor(robot: Robot, ports: HeadPosePorts, tuning: HeadPoseTuning = {}) {
    this.filter = new HeadPoseFilter(headPoseOptionsOf(robot, tuning));
    this.#kinematics = new HeadKinematics(robot);
    this.#ports = ports;
  }

  /** Takes everything that has come. Joints first: they are what a fresh IMU sample is held to. */
  receive(): void {
    const { imu, joints } = this.#ports;
    for (let packet = joints.tryReceive(); packet !== null; packet = joints.tryReceive()) {
      this.#takeJoints(packet);
      joints.release(packet);
    }
    for (let packet = imu.tryReceive(); packet !== null; packet = imu.tryReceive()) {
      this.#count(this.filter.addImu(packet.t.seconds, packet.angularVelocity, packet.specificForce));
      imu.release(packet);
    }
    this.#watch();
  }

  /** Sends the pose at `time` [s]; false if nothing is known of that time. */
  publish(time: number): boolean {
    if (this.filter.estimate(time, this.#estimate) === PoseSource.none) return false;
    writeHeadPose(this.#estimate, this.#ports.poses.reserve());
    this.#ports.poses.publish();
    return true;
  }

  #takeJoints({ t, position, velocity }: Readonly<JointState>): void {
    const kinematics = this.#kinematics;
    const time = t.seconds;
    kinematics.read(time, position, velocity);
    this.#count(this.filter.addJoints(time, kinematics));
  }

  #count(status: SampleStatus): void {
    if (status === SampleStatus.accepted || status === SampleStatus.late) this.accepted++;
    else if (status !== SampleStatus.waiting) this.refused++;
  }

  /** Tells when the pose comes to rest on something else, and when the filter started anew. */
  #watch(): void {
    const { source, disagreements } = this.filter;
    if (source !== this.#source) this.#tell(eventOfSource(source));
    if (disagreements !== this.#disagreements) this.#tell(disagreementEvent);
    this.#source = source;
    this.#disagreements = disagreements;
  }

  #tell({ code, severity, text }: HeadPoseEvent): void {
    const event = this.#ports.events.reserve();
    event.t.seconds = Math.max(0, this.filter.newest);
    event.severity = Severity[severity];
    event.source.write("head-pose");
    event.code.write(code);
    event.track = -1;
    event.plan = 0;
    event.text.write(text);
    this.#ports.events.publish();
  }
}

export function writeHeadPose(estimate: HeadPoseEstimate, packet: HeadPose): void {
  packet.t.seconds = estimate.time;
  packet.worldFromHead.set(estimate.worldFromHead);
  packet.twist.set(estimate.twist);
  packet.covariance.set(estimate.covariance);
}
