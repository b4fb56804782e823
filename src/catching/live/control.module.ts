import { parentPort } from "node:worker_threads";
import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import { ChannelDriver } from "../../control/channel-driver.module.js";
import { ControlCycle, type FollowedJoints } from "../../control/control-cycle.js";
import { ControlLoop } from "../../control/control-loop.module.js";
import { ControlPanel } from "../../control/control-panel.js";
import { DriverState } from "../../control/driver.js";
import { GentleJoints } from "../../control/gentle-joints.js";
import type { HistorySnapshot } from "../../control/history-ring.js";
import { LinkStatus } from "../../control/udp/link-status.js";
import { faultName, RobotMode } from "../../control/udp/robot-session.js";
import { Reaction } from "../../control/watchdog.js";
import { BallPrediction } from "../../messages/ball-prediction.js";
import { ComponentStatus } from "../../messages/component-status.js";
import { Event, Severity } from "../../messages/event.js";
import { MonitorState } from "../../messages/monitor-state.js";
import { Plan } from "../../messages/plan.js";
import { PlanHandover } from "../../messages/plan-handover.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { collectGarbage } from "../../runtime/collect-garbage.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import type { MonitorOptions } from "../../safety/monitor/monitor-options.js";
import { Heartbeats } from "../../transport/heartbeats.js";
import { LoopStatistics } from "../../transport/loop-statistics.js";
import { NeckFollower } from "../seeing/neck-follower.js";
import { type StoppedDirector, StopRecovery } from "../stop-recovery.js";
import { Gaze } from "./gaze.js";
import type { LiveHandles } from "./live-channels.module.js";
import { watchedParts } from "./live-input.js";
import { livePartsOf } from "./live-parts.js";
import { readPrediction } from "./prediction-codec.module.js";
import { rehearse } from "./rehearsal.js";

/** What the control thread is started with. */
export interface ControlInput {
  readonly robot: string;
  readonly arms: readonly string[];
  readonly posture: Float64Array;
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  readonly states: ChannelHandle;
  readonly commands: ChannelHandle;
  readonly link: SharedArrayBuffer;
  readonly panel: SharedArrayBuffer;
  readonly statistics: SharedArrayBuffer;
  readonly heartbeats: SharedArrayBuffer;
  /** See `Gaze`. */
  readonly gaze: SharedArrayBuffer;
  readonly spinMs: number;
  /** Real-time priority to ask for; 0: none. */
  readonly priority: number;
  readonly monitor: MonitorOptions;
  /** Whether the neck keeps balls in view, or stands. */
  readonly neck: "follows" | "stands";
}

/** What the thread tells when the robot stands after a brake. */
export interface BrakeReport {
  readonly reason: string;
  readonly history: HistorySnapshot;
}

const PERIOD_MS = 1;
/** Ticks kept for the time something goes wrong. */
const HISTORY = 2000;
/** Ticks of practice before the first one that counts: the optimiser has settled by then. */
const PRACTICE = 1500;
/** Throws to rehearse before that. */
const REHEARSAL = 4;
/** Longest a robot takes to come to rest when the run ends [ticks]. */
const STOPPING = 1500;

const input = workerInput<ControlInput>();
const robot = loadRobot(input.robot);
const { parts, waiting } = livePartsOf(robot, input.arms);
const clock = clockFrom(input.clock);
const { channels } = input;
const predictions = attachChannel(channels.predictions, BallPrediction).openGetPort("every");
const events = attachChannel(channels.events, Event).openPutPort();
const link = new LinkStatus(input.link);

/** Made anew with each cycle: the neck, and what follows when the monitor stops the robot. */
let neck: NeckFollower | null = null;
let recovery: StopRecovery | null = null;
const panel = new ControlPanel(input.panel);
const gaze = new Gaze(input.gaze);
/** The director is in another thread: it is told over the panel. */
const director: StoppedDirector = {
  halt: () => panel.countHalt(),
  release: (share) => panel.countRelease(share),
};

function createCycle(posture: Float64Array): ControlCycle {
  neck = input.neck === "follows" ? new NeckFollower(robot, waiting, PERIOD_MS / 1e3) : null;
  const followed: FollowedJoints[] = neck === null ? [] : [new GentleJoints(robot, neck, posture, PERIOD_MS / 1e3)];
  const options = { period: PERIOD_MS / 1e3, history: HISTORY, monitor: input.monitor };
  const cycle = new ControlCycle(robot, posture, parts, options, followed);
  recovery = new StopRecovery(robot, cycle, director);
  return cycle;
}

/** Lets the neck see what is predicted, and the robot go on after a stop, when the tick's command is on its way. */
function afterTick(_: ControlCycle, time: number): void {
  if (recovery !== null) recovery.isHeld = panel.isHeld;
  recovery?.step(Math.round(time * 1e9));
  for (let packet = predictions.tryReceive(); packet !== null; packet = predictions.tryReceive()) {
    if (gaze.isGrasped(packet.track)) neck?.forget(packet.track);
    else neck?.watch([readPrediction(packet)]);
    predictions.release(packet);
  }
  if (neck === null) return;
  neck.idle = gaze.areArmsBusy ? "stay" : "rest";
  gaze.isResting = neck.isResting;
}

function onBrake(cycle: ControlCycle, reason: string): void {
  const report: BrakeReport = { reason, history: cycle.history.snapshot() };
  parentPort?.postMessage(report);
}

/** Runs a cycle of its own on a robot that does at once what it is told. */
function practise({ model }: Robot): void {
  const cycle = createCycle(input.posture);
  const state = new DriverState(model.dofCount);
  state.q.set(input.posture);
  for (let k = 1; k <= PRACTICE; k++) {
    state.time = (k - 1) / 1e3;
    cycle.tick(state, k / 1e3);
    state.q.set(cycle.command.q);
    state.qd.set(cycle.command.qd);
  }
}

function tellGrant(): void {
  if (input.priority === 0) return;
  const { granted, text } = requestRealTime(input.priority);
  const event = events.reserve();
  event.t.seconds = Math.max(0, clock.nowSeconds());
  event.severity = granted ? Severity.info : Severity.warning;
  event.source.write("control");
  event.code.write("scheduling");
  event.track = -1;
  event.plan = 0;
  event.text.write(text);
  events.publish();
}

await rehearse({ robot, perception: "truth", throws: REHEARSAL });
practise(robot);
tellGrant();
const loop = new ControlLoop({
  clock,
  driver: new ChannelDriver({
    name: "udp",
    count: robot.model.dofCount,
    states: input.states,
    commands: input.commands,
  }),
  link: {
    get isAtFault() {
      return link.robotMode === RobotMode.fault;
    },
    get fault() {
      return faultName(link.robotFault);
    },
    requestReset: () => link.requestReset(),
  },
  ports: {
    plans: attachChannel(channels.plans, Plan).openGetPort("every"),
    handovers: attachChannel(channels.handovers, PlanHandover).openPutPort(),
    monitor: attachChannel(channels.monitor, MonitorState).openPutPort(),
    status: attachChannel(channels.status, ComponentStatus).openPutPort(),
    events,
  },
  panel,
  statistics: new LoopStatistics(input.statistics),
  heartbeats: new Heartbeats(input.heartbeats),
  watched: watchedParts,
  periodMs: PERIOD_MS,
  spinMs: input.spinMs,
  createCycle,
  posture: input.posture,
  afterTick,
  collectGarbage,
  onBrake,
});
workerReady();
while (!stopRequested()) loop.tick();
// The robot comes to rest before the loop ends.
for (
  let k = 0;
  k < STOPPING && !(loop.cycle.isStopped && loop.cycle.monitor.command.qd.every((speed) => speed === 0));
  k++
) {
  loop.cycle.reaction = Reaction.brake;
  loop.tick();
}
