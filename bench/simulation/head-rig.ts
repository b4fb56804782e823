import type { Robot } from "../../src/robot/robot.js";
import { type Challenges, fullChallenges } from "../../src/simulation/head-motion/challenges.js";
import { DeliveryQueue } from "../../src/simulation/head-motion/delivery-queue.js";
import { EncoderSimulator } from "../../src/simulation/head-motion/encoder-simulator.js";
import { createImuSample, type ImuSample, ImuSimulator } from "../../src/simulation/head-motion/imu-simulator.js";
import { TrueHead } from "../../src/simulation/head-motion/true-head.js";
import type { JointMotion } from "./reaching-motion.js";

/** What the encoders said once. */
export interface JointSample {
  /** When they were read, and when the driver had it [s]. */
  time: number;
  arrival: number;
  /** Model order. */
  readonly q: Float64Array;
  readonly qd: Float64Array;
}

/** Who is told of samples as they arrive. */
export interface HeadSensorListener {
  imu(sample: ImuSample): void;
  joints(sample: JointSample): void;
}

export interface HeadRigOptions {
  readonly seed: number | string;
  readonly challenges?: Challenges;
  /** How far back the true motion is remembered [s]. */
  readonly memory?: number;
  /** A head that somebody else moves, as a simulated world does; its challenges and memory are its own. */
  readonly head?: TrueHead;
}

/** More samples than are ever on their way at once, even with the delays turned up. */
const QUEUE_SIZE = 64;

/**
 * A robot's head with its sensors, in simulated time: moves it, takes samples and hands each over when it arrives, with
 * the delays of the sidecar and their jitter.
 *
 * @example
 * const rig = new HeadRig(robot, { seed: 1 });
 * rig.start(0, ready);
 * rig.advance(1.5, motion, listener);
 */
export class HeadRig {
  readonly head: TrueHead;
  readonly #robot: Robot;
  readonly #seed: string;
  readonly #challenges: Challenges;
  readonly #movesHead: boolean;
  readonly #encoders: EncoderSimulator;
  readonly #imuQueue = new DeliveryQueue<ImuSample>(QUEUE_SIZE, createImuSample);
  readonly #jointQueue: DeliveryQueue<JointSample>;
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;
  #imu: ImuSimulator | null = null;

  constructor(robot: Robot, options: HeadRigOptions) {
    const { seed, challenges = fullChallenges, memory = 2 } = options;
    const { dofCount } = robot.model;
    this.#robot = robot;
    this.#seed = String(seed);
    this.#challenges = challenges;
    this.#movesHead = options.head === undefined;
    this.head = options.head ?? new TrueHead(robot, { challenges, seed, memory });
    this.#encoders = new EncoderSimulator(robot, challenges, seed);
    this.#jointQueue = new DeliveryQueue(QUEUE_SIZE, () => ({
      time: 0,
      arrival: 0,
      q: new Float64Array(dofCount),
      qd: new Float64Array(dofCount),
    }));
    this.#q = new Float64Array(dofCount);
    this.#qd = new Float64Array(dofCount);
    this.#qdd = new Float64Array(dofCount);
  }

  /** The IMU, once started. */
  get imu(): ImuSimulator | null {
    return this.#imu;
  }

  /** At rest in `q` at `time` [s]. */
  start(time: number, q: Float64Array): void {
    if (this.#movesHead) this.head.start(time, q);
    this.#imu = new ImuSimulator(this.#robot, this.head, this.#challenges, this.#seed, time);
  }

  /** On to `until` [s], the joints moving as `motion` says. */
  advance(until: number, motion: JointMotion, listener: HeadSensorListener): void {
    const { head } = this;
    // Half a step of tolerance: times are sums of steps.
    while (head.time + 0.5 * head.period < until) {
      const time = head.time + head.period;
      motion.evaluate(time, this.#q, this.#qd, this.#qdd);
      head.step(this.#q, this.#qd, this.#qdd);
      this.#sense(listener);
    }
  }

  /** Reads the sensors of a head that somebody else has moved by one period, the joints being as given. */
  sense(q: Float64Array, qd: Float64Array, listener: HeadSensorListener): void {
    this.#q.set(q);
    this.#qd.set(qd);
    this.#sense(listener);
  }

  #sense(listener: HeadSensorListener): void {
    const { time } = this.head;
    this.#readJoints(time);
    this.#readImu();
    this.#deliver(time, listener);
  }

  #readJoints(time: number): void {
    const sample = this.#jointQueue.reserve();
    if (sample === null) return;
    sample.time = time;
    sample.arrival = time + this.#robot.encoders.latency;
    this.#encoders.read(this.#q, this.#qd, sample.q, sample.qd);
    this.#jointQueue.send(sample.arrival);
  }

  #readImu(): void {
    for (;;) {
      const sample = this.#imuQueue.reserve();
      if (sample === null || this.#imu === null || !this.#imu.next(sample)) return;
      this.#imuQueue.send(sample.arrival);
    }
  }

  #deliver(time: number, listener: HeadSensorListener): void {
    for (let sample = this.#jointQueue.receive(time); sample !== null; sample = this.#jointQueue.receive(time)) {
      listener.joints(sample);
    }
    for (let sample = this.#imuQueue.receive(time); sample !== null; sample = this.#imuQueue.receive(time)) {
      listener.imu(sample);
    }
  }
}
