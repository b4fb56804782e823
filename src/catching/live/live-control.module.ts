import type { Channel } from "../../channels/channel.js";
import { ControlPanel } from "../../control/control-panel.js";
import { robotFingerprint } from "../../control/udp/fingerprint.js";
import { UdpRobot } from "../../control/udp/udp-driver.module.js";
import type { JointState } from "../../messages/joint-state.js";
import type { Robot } from "../../robot/robot.js";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import type { RobotAddress } from "../../simulation/robot-sim/robot-process.module.js";
import { Heartbeats } from "../../transport/heartbeats.js";
import { LoopStatistics } from "../../transport/loop-statistics.js";
import { waitingPosture } from "../waiting-posture.js";
import type { BrakeReport, ControlInput } from "./control.module.js";
import { Gaze } from "./gaze.js";
import type { LiveChannels } from "./live-channels.module.js";
import { watchedParts } from "./live-input.js";

export interface LiveControlOptions {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly clock: RunClock;
  readonly channels: LiveChannels;
  readonly link: LiveRobotLink;
  /** Cycles without a command after which the robot brakes by itself. */
  readonly missedCycles: number;
  readonly spinMs: number;
  /** Real-time priority of the loop; 0: none. */
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

/** A robot over UDP, and memory that control shares with the other threads of a run. */
export class LiveRobotLink {
  readonly udp: UdpRobot;
  /** Where the robot stood when it was connected, in model order. */
  readonly posture: Float64Array;
  readonly panel = ControlPanel.memory();
  readonly statistics = LoopStatistics.memory();
  readonly heartbeats = Heartbeats.memory(watchedParts.length);
  readonly gaze = Gaze.memory();

  static async connect(robot: Robot, clock: RunClock, address: RobotAddress, priority: number): Promise<LiveRobotLink> {
    const udp = await UdpRobot.connect({
      host: address.host,
      port: address.udp,
      count: robot.model.dofCount,
      fingerprint: robotFingerprint(robot.model),
      clock: clock.origin,
      latency: 0,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      priority,
    });
    try {
      return new LiveRobotLink(udp, await standing(robot, udp.states));
    } catch (error) {
      await udp.close();
      throw error;
    }
  }

  private constructor(udp: UdpRobot, posture: Float64Array) {
    this.udp = udp;
    this.posture = posture;
  }
}

/**
 * Control on its own thread. It is to be started when all other threads of the process run: to load a thread's program the
 * system holds locks that control's thread, for all its priority, has to wait for.
 */
export class LiveControl {
  readonly panel: ControlPanel;
  readonly statistics: LoopStatistics;
  readonly gaze: Gaze;
  readonly #worker: RunningWorker;

  static async start(options: LiveControlOptions): Promise<LiveControl> {
    const { link, robot, arms, clock, channels, missedCycles, spinMs, priority, neck, onBrake } = options;
    const { udp, posture, panel, statistics, heartbeats, gaze } = link;
    const workerData: ControlInput = {
      robot: robot.name,
      arms,
      posture,
      clock: clock.origin,
      channels: channels.handles,
      states: udp.states.handle,
      commands: udp.commands.handle,
      link: udp.statusMemory,
      panel,
      statistics,
      heartbeats,
      gaze,
      spinMs,
      priority,
      monitor: { maxStateAge: STATE_AGE, braking: { reactionTime: reactionTime(missedCycles) } },
      neck,
    };
    const worker = await startWorker("catching/live/control", { workerData, stopTimeoutMs: 4000 });
    worker.thread.on("message", (report: BrakeReport) => onBrake(report));
    const control = new LiveControl(worker, link);
    await control.#ready();
    return control;
  }

  private constructor(worker: RunningWorker, { panel, statistics, gaze }: LiveRobotLink) {
    this.#worker = worker;
    this.panel = new ControlPanel(panel);
    this.statistics = new LoopStatistics(statistics);
    this.gaze = new Gaze(gaze);
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

  /** The robot comes to rest, then the thread ends. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }
}

/** From a command until the robot brakes by itself if no other comes [s]: the tick, and the cycles it lets pass. */
export function reactionTime(missedCycles: number): number {
  return (missedCycles + 1) / 1e3;
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
