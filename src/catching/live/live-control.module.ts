import type { Channel } from "../../channels/channel.js";
import { ControlPanel } from "../../control/control-panel.js";
import { Heartbeats } from "../../control/heartbeats.js";
import { LoopStatistics } from "../../control/loop-statistics.js";
import { robotFingerprint } from "../../control/udp/fingerprint.js";
import { UdpRobot } from "../../control/udp/udp-driver.module.js";
import type { JointState } from "../../messages/joint-state.js";
import type { Robot } from "../../robot/robot.js";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import type { BrakeReport, ControlInput } from "./control.module.js";
import type { LiveChannels } from "./live-channels.module.js";
import { watchedParts } from "./live-input.js";
import { waitingPosture } from "./live-parts.js";
import type { RobotAddress } from "./robot-process.module.js";

export interface LiveControlOptions {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly clock: RunClock;
  readonly channels: LiveChannels;
  readonly address: RobotAddress;
  /** Cycles without a command after which the robot brakes by itself. */
  readonly missedCycles: number;
  readonly spinMs: number;
  /** Real-time priority of the loop; the thread that talks to the robot has one less. 0: none. */
  readonly priority: number;
  readonly neck: ControlInput["neck"];
  readonly onBrake: (report: BrakeReport) => void;
}

const CONNECT_TIMEOUT_MS = 5000;
const FIRST_STATE_TIMEOUT_MS = 3000;
/** A robot this near to its posture is in it: what differs is noise [rad or m]. */
const IN_POSTURE = 0.005;
/** Oldest state that control acts upon [s]. */
const STATE_AGE = 0.02;
const READY_TIMEOUT_MS = 5000;

/** Control on its own thread, connected to a robot over UDP. */
export class LiveControl {
  readonly robot: UdpRobot;
  readonly panel: ControlPanel;
  readonly statistics: LoopStatistics;
  readonly heartbeats: SharedArrayBuffer;
  readonly panelMemory: SharedArrayBuffer;
  /** Where the robot stood, in model order. */
  readonly posture: Float64Array;
  readonly #worker: RunningWorker;

  static async start(options: LiveControlOptions): Promise<LiveControl> {
    const { robot, clock, address, priority } = options;
    const udp = await UdpRobot.connect({
      host: address.host,
      port: address.udp,
      count: robot.model.dofCount,
      fingerprint: robotFingerprint(robot.model),
      clock: clock.origin,
      latency: 0,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      priority: Math.max(0, priority - 1),
    });
    try {
      return await LiveControl.#startThread(options, udp);
    } catch (error) {
      await udp.close();
      throw error;
    }
  }

  static async #startThread(options: LiveControlOptions, udp: UdpRobot): Promise<LiveControl> {
    const { robot, arms, clock, channels, missedCycles, spinMs, priority, neck, onBrake } = options;
    const posture = await standing(robot, udp.states);
    const memory = {
      panel: ControlPanel.memory(),
      statistics: LoopStatistics.memory(),
      heartbeats: Heartbeats.memory(watchedParts.length),
    };
    const reactionTime = (missedCycles + 1) / 1e3;
    const workerData: ControlInput = {
      robot: robot.name,
      arms,
      posture,
      clock: clock.origin,
      channels: channels.handles,
      states: udp.states.handle,
      commands: udp.commands.handle,
      link: udp.statusMemory,
      ...memory,
      spinMs,
      priority,
      monitor: { maxStateAge: STATE_AGE, braking: { reactionTime } },
      neck,
    };
    const worker = await startWorker("catching/live/control", { workerData, stopTimeoutMs: 4000 });
    worker.thread.on("message", (report: BrakeReport) => onBrake(report));
    const control = new LiveControl(udp, worker, memory, posture);
    await control.#ready();
    return control;
  }

  private constructor(
    robot: UdpRobot,
    worker: RunningWorker,
    memory: Pick<ControlInput, "panel" | "statistics" | "heartbeats">,
    posture: Float64Array,
  ) {
    this.robot = robot;
    this.#worker = worker;
    this.panelMemory = memory.panel;
    this.panel = new ControlPanel(memory.panel);
    this.statistics = new LoopStatistics(memory.statistics);
    this.heartbeats = memory.heartbeats;
    this.posture = posture;
  }

  async #ready(): Promise<void> {
    const end = performance.now() + READY_TIMEOUT_MS;
    while (!this.panel.isReady) {
      if (performance.now() > end) throw silent();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.statistics.reset();
  }

  /** Settles when the thread has ended, whatever the reason. */
  get exited(): RunningWorker["exited"] {
    return this.#worker.exited;
  }

  /** The robot comes to rest, then the thread ends, then the robot is let go. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.robot.close();
  }
}

/** Where the robot stands: exactly its waiting posture, if it differs from that by noise alone. */
async function standing(robot: Robot, states: Channel<JointState>): Promise<Float64Array> {
  const port = states.openGetPort("newest");
  try {
    const state = await port.receiveAsync(FIRST_STATE_TIMEOUT_MS);
    if (state === null) throw silent();
    const posture = Float64Array.from(state.position.subarray(0, robot.model.dofCount));
    port.release(state);
    const waiting = waitingPosture(robot);
    return posture.every((q, i) => Math.abs(q - waiting[i]!) <= IN_POSTURE) ? waiting : posture;
  } finally {
    port.close();
  }
}

function silent(): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_UNREACHABLE", "the robot answered but does not tell its state");
}
