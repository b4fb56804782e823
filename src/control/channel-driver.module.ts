import { attachChannel, type ChannelHandle } from "../channels/channel.js";
import type { GetPort } from "../channels/get-port.js";
import type { PutPort } from "../channels/put-port.js";
import { CommandMode, JointCommand } from "../messages/joint-command.js";
import { JointState } from "../messages/joint-state.js";
import { DriverCommand, type DriverState, type RobotDriver } from "./driver.js";

/** Where the robot at the other end reads and writes. */
export interface ChannelDriverOptions {
  readonly name: string;
  readonly count: number;
  readonly states: ChannelHandle;
  readonly commands: ChannelHandle;
}

/**
 * A robot at the other end of two channels: a simulated one in this process, or the thread that talks to a real one.
 * The same code therefore serves every robot; what differs is who sits at the other end.
 */
export class ChannelDriver implements RobotDriver {
  readonly name: string;
  readonly #count: number;
  readonly #states: GetPort<JointState>;
  readonly #commands: PutPort<JointCommand>;
  readonly #last: DriverCommand;

  constructor({ name, count, states, commands }: ChannelDriverOptions) {
    this.name = name;
    this.#count = count;
    this.#states = attachChannel(states, JointState).openGetPort("newest");
    this.#commands = attachChannel(commands, JointCommand).openPutPort();
    this.#last = new DriverCommand(count);
  }

  async open(): Promise<void> {}

  async start(): Promise<void> {}

  receive(out: DriverState): boolean {
    const packet = this.#states.tryReceive();
    if (packet === null) return false;
    out.time = packet.t.seconds;
    out.cycle = packet.cycle;
    for (let i = 0; i < this.#count; i++) {
      out.q[i] = packet.position[i]!;
      out.qd[i] = packet.velocity[i]!;
      out.effort[i] = packet.effort[i]!;
    }
    this.#states.release(packet);
    return true;
  }

  send(command: DriverCommand): void {
    const packet = this.#commands.reserve();
    packet.t.seconds = command.time;
    packet.cycle = command.cycle >>> 0;
    packet.plan = command.plan;
    packet.mode = command.mode;
    packet.count = this.#count;
    for (let i = 0; i < this.#count; i++) {
      packet.position[i] = command.q[i]!;
      packet.velocity[i] = command.qd[i]!;
      packet.effort[i] = command.effort[i]!;
    }
    this.#commands.publish();
    this.#last.q.set(command.q);
  }

  /** Tells the robot to stay where it was last sent. */
  async stop(): Promise<void> {
    this.#last.mode = CommandMode.hold;
    this.send(this.#last);
  }

  async close(): Promise<void> {
    this.#states.close();
    this.#commands.close();
  }
}
