import { describe, expect, it } from "vitest";
import { createChannel } from "../../../src/channels/channel.js";
import { Event } from "../../../src/messages/event.js";
import { HeadPose } from "../../../src/messages/head-pose.js";
import { Imu } from "../../../src/messages/imu.js";
import { JointState } from "../../../src/messages/joint-state.js";
import { HeadRig, type HeadSensorListener } from "../../../src/simulation/head-motion/head-rig.js";
import { HeadPoseModule } from "../../../src/tracking/pose/head-pose.module.js";
import { createHeadPoseEstimate, PoseSource } from "../../../src/tracking/pose/head-pose-estimate.js";
import { ready, robot } from "./shaken-run.js";

const standing = {
  evaluate(_time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    q.set(ready);
    qd.fill(0);
    qdd.fill(0);
  },
};

/** The module behind channels, and the drivers of a simulated head in front of them. */
function wire() {
  const [imu, joints] = [createChannel(Imu, { ringSize: 64 }), createChannel(JointState, { ringSize: 64 })];
  const [poses, events] = [createChannel(HeadPose, { ringSize: 16 }), createChannel(Event, { ringSize: 16 })];
  const ports = {
    imu: imu.openGetPort("every"),
    joints: joints.openGetPort("every"),
    poses: poses.openPutPort(),
    events: events.openPutPort(),
  };
  const module = new HeadPoseModule(robot, ports);
  const [imuPort, jointPort] = [imu.openPutPort(), joints.openPutPort()];
  const drivers: HeadSensorListener = {
    imu({ index, time, arrival, angularVelocity, specificForce }) {
      const packet = imuPort.reserve();
      packet.t.seconds = time;
      packet.tArrival.seconds = arrival;
      packet.sample = index;
      packet.angularVelocity.set(angularVelocity);
      packet.specificForce.set(specificForce);
      imuPort.publish();
    },
    joints({ time, arrival, q, qd }) {
      const packet = jointPort.reserve();
      packet.t.seconds = time;
      packet.tArrival.seconds = arrival;
      packet.cycle = Math.round(time * 1000);
      packet.count = q.length;
      packet.position.fill(0).set(q);
      packet.velocity.fill(0).set(qd);
      packet.effort.fill(0);
      jointPort.publish();
    },
  };
  return { module, drivers, poses: poses.openGetPort("every"), events: events.openGetPort("every") };
}

describe("HeadPoseModule", () => {
  it("turns Imu and JointState packets into HeadPose packets, and tells what the pose rests on", () => {
    const { module, drivers, poses, events } = wire();
    const rig = new HeadRig(robot, { seed: 1 });
    rig.start(0, ready);
    const run = (until: number, listener: HeadSensorListener): void => {
      while (rig.head.time < until) {
        rig.advance(rig.head.time + 0.01, standing, listener);
        module.receive();
      }
    };
    expect(module.publish(0)).toBe(false);
    run(0.5, drivers);
    expect(module.publish(0.46)).toBe(true);
    const packet = poses.tryReceive()!;
    const expected = createHeadPoseEstimate();
    expect(module.filter.estimate(0.46, expected)).toBe(PoseSource.fused);
    expect(packet.t.seconds).toBe(0.46);
    expect([...packet.worldFromHead]).toEqual([...expected.worldFromHead]);
    expect([...packet.twist]).toEqual([...expected.twist]);
    expect([...packet.covariance]).toEqual([...expected.covariance]);
    poses.release(packet);

    run(0.6, { ...drivers, imu: () => undefined });
    run(0.8, drivers);
    const codes: string[] = [];
    for (let event = events.tryReceive(); event !== null; event = events.tryReceive()) {
      codes.push(event.code.read());
      expect(event.source.read()).toBe("head-pose");
      expect(event.text.read().length).toBeGreaterThan(20);
      events.release(event);
    }
    expect(codes).toEqual(["head-pose.fused", "head-pose.imu-lost", "head-pose.fused"]);
    expect(module.refused).toBe(0);
    expect(module.accepted).toBeGreaterThan(1000);
  });

  it("refuses packets that hold no numbers and goes on", () => {
    const { module, drivers } = wire();
    const rig = new HeadRig(robot, { seed: 2 });
    rig.start(0, ready);
    rig.advance(0.03, standing, drivers);
    module.receive();
    const before = module.accepted;
    drivers.joints({ time: 0.031, arrival: 0.032, q: ready.map(() => Number.NaN), qd: ready });
    module.receive();
    expect(module.refused).toBe(1);
    rig.advance(0.06, standing, drivers);
    module.receive();
    expect(module.accepted).toBeGreaterThan(before);
  });
});
