import type { Socket } from "node:net";
import { attachChannel } from "../../channels/channel.js";
import type { PutPort } from "../../channels/put-port.js";
import { Imu } from "../../messages/imu.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { onStop, workerInput, workerReady } from "../../runtime/worker-context.js";
import { DeliveryQueue } from "../../simulation/head-motion/delivery-queue.js";
import { createImuSample, type ImuSample, ImuSimulator } from "../../simulation/head-motion/imu-simulator.js";
import { SharedChallenges } from "../../simulation/head-motion/shared-challenges.js";
import { InjectedFaults } from "../../simulation/injected-faults.js";
import type { RobotAddress } from "../../simulation/robot-sim/robot-process.module.js";
import { openSocket } from "../../simulation/robot-sim/world-client.module.js";
import { decodeMessage, encodeLine } from "../../simulation/robot-sim/world-protocol.js";
import { recordLength, WorldRecord } from "../../simulation/robot-sim/world-record.js";
import type { LiveHandles } from "./live-channels.module.js";
import { PartStatus } from "./part-status.module.js";
import { StreamedHead } from "./streamed-head.js";
import { TrueWorld } from "./true-world.module.js";

/** What the thread that hears of the simulated world is started with. */
export interface WorldLinkInput {
  readonly robot: string;
  readonly address: RobotAddress;
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  /** See `InjectedFaults`. */
  readonly faults: SharedArrayBuffer;
  /** See `SharedChallenges`. */
  readonly challenges: SharedArrayBuffer;
  readonly seed: number;
  readonly priority: number;
}

const LINE_END = 0x0a;
/** Samples of the IMU on their way at most. */
const UNDERWAY = 64;

/** The IMU of a simulated head, told over the wire; samples are handed out when they would arrive. */
class RemoteImu {
  readonly #head = new StreamedHead();
  readonly #queue = new DeliveryQueue<ImuSample>(UNDERWAY, createImuSample);
  readonly #create: (start: number) => ImuSimulator;
  readonly #port: PutPort<Imu>;
  readonly #faults: InjectedFaults;
  #imu: ImuSimulator | null = null;

  constructor(create: (head: StreamedHead, start: number) => ImuSimulator, port: PutPort<Imu>, faults: InjectedFaults) {
    this.#create = (start) => create(this.#head, start);
    this.#port = port;
    this.#faults = faults;
  }

  take(record: WorldRecord, time: number, now: number): void {
    this.#head.add(record, time);
    this.#imu ??= this.#create(time);
    for (;;) {
      const sample = this.#queue.reserve();
      if (sample === null || !this.#imu.next(sample)) break;
      this.#queue.send(sample.arrival);
    }
    for (let sample = this.#queue.receive(now); sample !== null; sample = this.#queue.receive(now)) {
      if (!this.#faults.isImuSilent(now)) this.#publish(sample, now);
    }
  }

  #publish(sample: ImuSample, now: number): void {
    const packet = this.#port.reserve();
    packet.t.seconds = sample.time;
    packet.tArrival.seconds = now;
    packet.sample = sample.index >>> 0;
    packet.angularVelocity.set(sample.angularVelocity);
    packet.specificForce.set(sample.specificForce);
    this.#port.publish();
  }
}

/** Hears of the true world, a record a step, and hands it to the simulated sensors. */
class WorldLink {
  readonly #clock;
  readonly #world: PutPort<TrueWorld>;
  readonly #imu: RemoteImu | null;
  /** The run's zero on the machine's clock [s]. */
  readonly #zero: number;
  readonly #status: PartStatus;
  #record: WorldRecord | null = null;
  #bytes: Buffer = Buffer.alloc(0);
  #steps = 0;

  constructor({ robot: name, clock, channels, faults, challenges, seed }: WorldLinkInput) {
    const robot = loadRobot(name);
    this.#clock = clockFrom(clock);
    this.#zero = clock.kind === "real-time" ? Number(clock.monotonicZeroNs) / 1e9 : 0;
    this.#world = attachChannel(channels.world, TrueWorld).openPutPort();
    this.#status = new PartStatus(channels.status, "world");
    const port = attachChannel(channels.imu, Imu).openPutPort();
    const strengths = new SharedChallenges(challenges);
    const create = (head: StreamedHead, start: number) => new ImuSimulator(robot, head, strengths, seed, start);
    this.#imu = robot.imu === undefined ? null : new RemoteImu(create, port, new InjectedFaults(faults));
  }

  listen(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => this.#take(bytes));
    socket.write(encodeLine({ type: "stream" }));
  }

  #take(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    if (this.#record === null) this.#readWelcome();
    while (this.#record !== null && this.#bytes.length >= this.#record.numbers.byteLength)
      this.#readRecord(this.#record);
  }

  #readWelcome(): void {
    const end = this.#bytes.indexOf(LINE_END);
    if (end < 0) return;
    const message = decodeMessage(this.#bytes.toString("utf8", 0, end));
    this.#bytes = this.#bytes.subarray(end + 1);
    if (message?.type === "welcome") this.#record = new WorldRecord(message.balls, message.joints);
  }

  #readRecord(record: WorldRecord): void {
    const begun = this.#clock.nowNs();
    const { numbers } = record;
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.#bytes.readDoubleLE(8 * i);
    this.#bytes = this.#bytes.subarray(numbers.byteLength);
    const time = record.time - this.#zero;
    const packet = this.#world.reserve();
    packet.t.seconds = time;
    packet.step = this.#steps++ >>> 0;
    packet.numbers.fill(-1, recordLength(record.ballCount));
    packet.numbers.set(numbers.subarray(0, recordLength(record.ballCount)));
    this.#world.publish();
    this.#imu?.take(record, time, this.#clock.nowSeconds());
    const now = this.#clock.nowNs();
    this.#status.worked((now - begun) / 1e9);
    this.#status.waiting = Math.floor(this.#bytes.length / numbers.byteLength);
    this.#status.step(now);
  }
}

const input = workerInput<WorldLinkInput>();
const link = new WorldLink(input);
const socket = await openSocket(input.address);
if (input.priority > 0) requestRealTime(input.priority);
link.listen(socket);
onStop(() => void socket.destroy());
workerReady();
