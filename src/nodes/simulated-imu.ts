import * as vec3 from "../math/vec3.js";
import { Imu } from "../messages/sensing.js";
import { TrueWorld } from "../messages/world.js";
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
import type { StreamedScene } from "../simulation/streamed-scene.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";
import { TrueWorldReader } from "./true-world-reader.js";

export const simulatedImuPorts = { in: { world: TrueWorld }, out: { imu: Imu } } as const;

export interface SimulatedImuOptions {
  readonly challenges: Challenges;
  readonly seed: number | string;
  readonly tickNs: number;
  /** The world that comes over a wire; null where it is simulated in the same thread. */
  readonly stream?: StreamedScene | null;
  /** Whether a fault keeps the sensor from speaking at a time [s]. */
  readonly isSilent?: (time: number) => boolean;
}

/** Samples on their way at most. */
const UNDERWAY = 64;

/** The inertial sensor of a simulated head: samples are handed over when they arrive, with the delays of the sidecar. */
export class SimulatedImuNode implements Node {
  readonly #ports: PortsOf<typeof simulatedImuPorts>;
  readonly #head: ImuCarrier;
  readonly #create: (start: number) => ImuSimulator;
  readonly #world: TrueWorldReader;
  readonly #isSilent: (time: number) => boolean;
  readonly #queue = new DeliveryQueue<ImuSample>(UNDERWAY, createImuSample);
  readonly #tickNs: number;
  #imu: ImuSimulator | null = null;

  constructor(
    ports: PortsOf<typeof simulatedImuPorts>,
    robot: Robot,
    head: ImuCarrier,
    { challenges, seed, tickNs, stream = null, isSilent = () => false }: SimulatedImuOptions,
  ) {
    this.#ports = ports;
    this.#head = head;
    this.#tickNs = tickNs;
    this.#world = new TrueWorldReader(ports.in.world, stream);
    this.#isSilent = isSilent;
    this.#create = (start) => new ImuSimulator(robot, head, challenges, String(seed), start);
    if (stream === null) this.#imu = this.#create(0);
  }

  step(nowNs: number): number {
    this.#world.take(nowNs);
    // A stream may begin late: samples count from there.
    if (this.#imu === null && !Number.isNaN(this.#head.time)) this.#imu = this.#create(this.#head.time);
    for (;;) {
      const sample = this.#queue.reserve();
      if (sample === null || this.#imu?.next(sample) !== true) break;
      this.#queue.send(sample.arrival);
    }
    const time = this.#world.isStreamed ? nowNs / 1e9 : this.#head.time;
    for (let sample = this.#queue.receive(time); sample !== null; sample = this.#queue.receive(time)) {
      if (this.#isSilent(time)) continue;
      const angularVelocity = vec3.copy(sample.angularVelocity, vec3.create());
      const specificForce = vec3.copy(sample.specificForce, vec3.create());
      roundImu(angularVelocity, specificForce);
      this.#ports.out.imu.put({ time: sample.time, sample: sample.index, angularVelocity, specificForce }, nowNs);
    }
    return this.#world.isStreamed ? WHEN_CALLED : nowNs + this.#tickNs;
  }
}
