import * as vec3 from "../math/vec3.js";
import { Imu } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { roundImu } from "../simulation/driver-words.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import { DeliveryQueue } from "../simulation/head-motion/delivery-queue.js";
import {
  createImuSample,
  type ImuCarrier,
  type ImuSample,
  ImuSimulator,
} from "../simulation/head-motion/imu-simulator.js";
import type { Node } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";

export const simulatedImuPorts = { in: {}, out: { imu: Imu } } as const;

/** Samples on their way at most. */
const UNDERWAY = 64;

/** The inertial sensor of a simulated head: samples are handed over when they arrive, with the delays of the sidecar. */
export class SimulatedImuNode implements Node {
  readonly #ports: PortsOf<typeof simulatedImuPorts>;
  readonly #head: ImuCarrier;
  readonly #imu: ImuSimulator;
  readonly #queue = new DeliveryQueue<ImuSample>(UNDERWAY, createImuSample);
  readonly #tickNs: number;

  constructor(
    ports: PortsOf<typeof simulatedImuPorts>,
    robot: Robot,
    head: ImuCarrier,
    {
      challenges,
      seed,
      tickNs,
    }: { readonly challenges: Challenges; readonly seed: number | string; readonly tickNs: number },
  ) {
    this.#ports = ports;
    this.#head = head;
    this.#tickNs = tickNs;
    this.#imu = new ImuSimulator(robot, head, challenges, String(seed), 0);
  }

  step(nowNs: number): number {
    for (;;) {
      const sample = this.#queue.reserve();
      if (sample === null || !this.#imu.next(sample)) break;
      this.#queue.send(sample.arrival);
    }
    const { time } = this.#head;
    for (let sample = this.#queue.receive(time); sample !== null; sample = this.#queue.receive(time)) {
      const angularVelocity = vec3.copy(sample.angularVelocity, vec3.create());
      const specificForce = vec3.copy(sample.specificForce, vec3.create());
      roundImu(angularVelocity, specificForce);
      this.#ports.out.imu.put({ time: sample.time, sample: sample.index, angularVelocity, specificForce }, nowNs);
    }
    return nowNs + this.#tickNs;
  }
}
