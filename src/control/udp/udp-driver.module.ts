import { type Channel, createChannel } from "../../channels/channel.js";
import { JointCommand } from "../../messages/joint-command.js";
import { JointState } from "../../messages/joint-state.js";
import type { ClockOrigin } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import { ClientMode } from "./client-session.js";
import { LinkStatus } from "./link-status.js";
import type { UdpLinkInput } from "./udp-link.module.js";

export interface UdpRobotOptions {
  readonly host: string;
  readonly port: number;
  readonly count: number;
  readonly fingerprint: Uint8Array;
  readonly clock: ClockOrigin;
  readonly latency: number;
  /** How long the robot may take to welcome us [ms]. */
  readonly connectTimeoutMs: number;
  /** Real-time priority for the thread that talks to the robot, where permitted; 0, the default: none. */
  readonly priority?: number;
}

const POLL_MS = 5;

/**
 * A robot at the other end of UDP: two channels that `ChannelDriver` attaches to, and the thread that carries them over
 * the wire.
 */
export class UdpRobot {
  readonly states: Channel<JointState>;
  readonly commands: Channel<JointCommand>;
  readonly status: LinkStatus;
  /** The memory of `status`, for other threads. */
  readonly statusMemory: SharedArrayBuffer;
  readonly #worker: RunningWorker;

  /** Connects; settles once the robot has welcomed us. */
  static async connect(options: UdpRobotOptions): Promise<UdpRobot> {
    const { host, port, count, fingerprint, clock, latency, priority = 0 } = options;
    const states = createChannel(JointState, { ringSize: 64 });
    const commands = createChannel(JointCommand, { ringSize: 64 });
    const memory = LinkStatus.memory();
    const workerData: UdpLinkInput = {
      host,
      port,
      count,
      fingerprint,
      states: states.handle,
      commands: commands.handle,
      status: memory,
      clock,
      latency,
      priority,
    };
    const worker = await startWorker("control/udp/udp-link", { workerData });
    const robot = new UdpRobot(states, commands, memory, worker);
    await robot.#welcomed(options);
    return robot;
  }

  private constructor(
    states: Channel<JointState>,
    commands: Channel<JointCommand>,
    statusMemory: SharedArrayBuffer,
    worker: RunningWorker,
  ) {
    this.states = states;
    this.commands = commands;
    this.status = new LinkStatus(statusMemory);
    this.statusMemory = statusMemory;
    this.#worker = worker;
  }

  async #welcomed({ host, port, connectTimeoutMs }: UdpRobotOptions): Promise<void> {
    const end = performance.now() + connectTimeoutMs;
    while (this.status.clientMode !== ClientMode.connected) {
      if (performance.now() > end) {
        const isMistaken = this.status.clientMode === ClientMode.mistaken;
        await this.close();
        const why = isMistaken
          ? "is another robot than the one configured"
          : `does not answer in ${connectTimeoutMs} ms`;
        throw new FlycatcherError("FLY_ROBOT_UNREACHABLE", `the robot at ${host}:${port} ${why}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Says goodbye, so that the robot stands still, and ends the thread. */
  async close(): Promise<void> {
    await this.#worker.stop();
  }
}
