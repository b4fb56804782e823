import { JointCommand } from "../messages/control.js";
import { Event } from "../messages/report.js";
import { createJointState, JointState } from "../messages/sensing.js";
import { RemoveBall, ThrowBall, TrueFlight, TrueWorld } from "../messages/world.js";
import { FlycatcherError } from "../runtime/errors.js";
import { roundJoints } from "../simulation/driver-words.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import { DeliveryQueue } from "../simulation/head-motion/delivery-queue.js";
import { EncoderSimulator } from "../simulation/head-motion/encoder-simulator.js";
import { LateCommands } from "../simulation/late-commands.js";
import type { SimulatedWorld } from "../simulation/simulated-world.js";
import { droppedEvent, throwOf, trueFlightOf } from "../simulation/true-flight.js";
import type { RobotCommand } from "../simulation/world/catch-world.js";
import { MessagePool } from "../transport/message-pool.js";
import type { Node } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import type { StopLine } from "../transport/stop-line.js";

export const simulatedRobotPorts = {
  in: { commands: JointCommand, throws: ThrowBall, removals: RemoveBall },
  out: {
    state: JointState,
    joints: JointState,
    flights: TrueFlight,
    world: TrueWorld,
    dropped: RemoveBall,
    events: Event,
  },
} as const;

export interface SimulatedRobotOptions {
  readonly tickNs: number;
  readonly challenges: Challenges;
  readonly seed: number | string;
  /** When the run begins [ns]. */
  readonly startNs: number;
  readonly posture: Float64Array;
  /** Braking commands are noted in it: the robot does at once what it is commanded. */
  readonly stopLine: StopLine;
}

/** Ticks whose commands are kept until the encoders' reading of them has arrived. */
const COMMANDS_KEPT = 64;
/** Readings on their way at most. */
const READINGS = 64;

/** What the encoders said once. */
interface Reading {
  time: number;
  readonly q: Float64Array;
  readonly qd: Float64Array;
}

/**
 * The simulated robot and the world about it, in the thread of the run: moves by one tick as commanded, lets balls go, reads
 * its encoders. `state` is what its controller knows of the joints, `joints` the readings as they arrive over the wire.
 */
export class SimulatedRobotNode implements Node {
  readonly #ports: PortsOf<typeof simulatedRobotPorts>;
  readonly #scene: SimulatedWorld;
  readonly #options: SimulatedRobotOptions;
  /** What was commanded last. */
  readonly #command: RobotCommand;
  readonly #qdd: Float64Array;
  /** What the joints follow: commands of a while ago, where the robot is late. */
  readonly #late: LateCommands;
  readonly #followed: RobotCommand;
  readonly #commands: readonly Float64Array[];
  readonly #states: MessagePool<JointState>;
  readonly #encoders: EncoderSimulator;
  readonly #readings: DeliveryQueue<Reading>;
  readonly #latency: number;
  #cycle = 0;
  #nowNs = 0;

  constructor(ports: PortsOf<typeof simulatedRobotPorts>, scene: SimulatedWorld, options: SimulatedRobotOptions) {
    const { robot } = scene.world;
    const count = robot.model.dofCount;
    const { posture, challenges, seed } = options;
    this.#ports = ports;
    this.#scene = scene;
    this.#options = options;
    // Its fingers follow their joints' commands.
    const closing = new Float64Array(robot.hands.length).fill(Number.NaN);
    this.#command = { q: posture.slice(), qd: new Float64Array(count), closing };
    this.#qdd = new Float64Array(count);
    this.#late = new LateCommands(robot, posture, options.tickNs / 1e9);
    this.#followed = { q: this.#late.q, qd: this.#late.qd, closing };
    this.#commands = Array.from({ length: COMMANDS_KEPT }, () => posture.slice());
    this.#encoders = new EncoderSimulator(robot, challenges, seed);
    this.#latency = robot.encoders.latency;
    this.#readings = new DeliveryQueue(READINGS, () => ({
      time: 0,
      q: new Float64Array(count),
      qd: new Float64Array(count),
    }));
    this.#states = new MessagePool(() => createJointState(count));
    options.stopLine.attachDriver();
    // What its controller says before the first command.
    ports.out.state.put(this.#stateAt(options.startNs), options.startNs);
  }

  step(nowNs: number): number {
    this.#nowNs = nowNs;
    const { world } = this.#scene;
    const { in: from, out } = this.#ports;
    if (from.removals.waiting > 0) takeEach(from.removals, nowNs, ({ id }) => world.take(id));
    if (from.throws.waiting > 0) takeEach(from.throws, nowNs, (ball) => this.#release(ball, nowNs));
    const command = takeNewest(from.commands, nowNs);
    if (command !== null) {
      this.#command.q.set(command.q);
      this.#command.qd.set(command.qd);
      this.#qdd.set(command.qdd);
      if (command.mode === "brake") this.#noteStop();
    }
    this.#late.step(this.#command.q, this.#command.qd, this.#qdd);
    this.#scene.step(this.#followed, this.#late.qdd);
    this.#commands[this.#place(nowNs)]!.set(this.#late.q);
    out.state.put(this.#stateAt(nowNs), nowNs);
    out.world.offer(this.#makeWorld, nowNs);
    if (this.#scene.head !== null && out.joints.isJoined) this.#read(world.q, world.qd, this.#scene.head.time, nowNs);
    return nowNs + this.#options.tickNs;
  }

  #noteStop(): void {
    const { stopLine } = this.#options;
    stopLine.noteSent(stopLine.braked);
    stopLine.noteConfirmed(stopLine.braked);
  }

  readonly #makeWorld = (): TrueWorld => this.#scene.snapshot(this.#nowNs / 1e9);

  #place(timeNs: number): number {
    return Math.round(timeNs / this.#options.tickNs) % COMMANDS_KEPT;
  }

  /** The joints after the tick at `nowNs`: they count as read when the next tick begins, which acts upon them. */
  #stateAt(nowNs: number): JointState {
    const { q, qd } = this.#scene.world;
    const state = this.#states.next();
    state.time = (nowNs + this.#options.tickNs) / 1e9;
    state.cycle = this.#cycle++;
    state.q.set(q);
    state.qd.set(qd);
    state.commanded.set(this.#late.q);
    return state;
  }

  #read(q: Float64Array, qd: Float64Array, time: number, nowNs: number): void {
    const reading = this.#readings.reserve();
    if (reading !== null) {
      reading.time = time;
      this.#encoders.read(q, qd, reading.q, reading.qd);
      this.#readings.send(time + this.#latency);
    }
    for (let sent = this.#readings.receive(time); sent !== null; sent = this.#readings.receive(time)) {
      const commanded = this.#commands[this.#place(sent.time * 1e9)]!.slice();
      const state = { time: sent.time, cycle: this.#cycle, q: sent.q.slice(), qd: sent.qd.slice(), commanded };
      roundJoints(state.q, state.qd, state.commanded);
      this.#ports.out.joints.put(state, nowNs);
    }
  }

  /** A ball that cannot be thrown is dropped, and the run goes on. */
  #release(thrown: ThrowBall, nowNs: number): void {
    const { flights, dropped, events } = this.#ports.out;
    try {
      flights.put(trueFlightOf(this.#scene.world.release(throwOf(thrown)), thrown), nowNs);
    } catch (error) {
      if (!(error instanceof FlycatcherError)) throw error;
      dropped.put({ id: thrown.id }, nowNs);
      events.put(droppedEvent(thrown.id, error.message), nowNs);
    }
  }

  close(): void {
    this.#scene.close();
  }
}
