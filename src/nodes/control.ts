import { StopRecovery } from "../catching/stop-recovery.js";
import { ControlCycle, type FollowedJoints } from "../control/control-cycle.js";
import { DriverCommand, DriverState } from "../control/driver.js";
import { GentleJoints } from "../control/joint-limiter.js";
import { NeckFollower } from "../control/neck/neck-follower.js";
import { RobotCare, RobotFaultWatch } from "../control/robot-fault.js";
import { Reaction, Watchdog } from "../control/watchdog.js";
import { CommandMode } from "../messages/command-mode.js";
import {
  ControlState,
  JointCommand,
  MonitorState,
  OperatorCommand,
  phases,
  RobotRequest,
  RobotStatus,
  Stop,
} from "../messages/control.js";
import { Gaze, Handover, Motion } from "../messages/planning.js";
import { Predictions } from "../messages/prediction.js";
import { Event } from "../messages/report.js";
import { createJointState, JointState } from "../messages/sensing.js";
import { asRamps } from "../motion/joint-ramps.js";
import type { Robot } from "../robot/robot.js";
import { brakeWords, MonitorPhase } from "../safety/monitor/monitor-words.js";
import { MessagePool } from "../transport/message-pool.js";
import type { Node } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import type { ControlNodeOptions } from "./control-options.js";

export const controlPorts = {
  in: {
    state: JointState,
    motions: Motion,
    predictions: Predictions,
    gaze: Gaze,
    operator: OperatorCommand,
    status: RobotStatus,
  },
  out: {
    commands: JointCommand,
    handovers: Handover,
    stops: Stop,
    monitor: MonitorState,
    control: ControlState,
    requests: RobotRequest,
    events: Event,
  },
} as const;

/** Ticks that are made up for when control was kept from its time; beyond them the robot is stopped. */
const MOST_MADE_UP = 20;
/** Share of its speed at which a robot may move that had stopped by itself. */
const CAREFUL = 0.25;
/** Time between two states of the monitor, unless its phase changes [ns]. */
const MONITOR_NS = 40_000_000;

/**
 * Control: motions → ramps → limiter → safety monitor → command, once a tick, and what follows when the robot is stopped. It is the
 * only node that commands joints. A step that comes late makes up for the ticks before it, so that the monitor has looked at
 * every command.
 */
export class ControlNode implements Node {
  readonly #ports: PortsOf<typeof controlPorts>;
  readonly #robot: Robot;
  readonly #options: ControlNodeOptions;
  readonly #watchdog: Watchdog;
  readonly #state: DriverState;
  readonly #held: DriverCommand;
  readonly #scratch: JointState;
  readonly #pool: MessagePool<JointCommand>;
  readonly #fault: RobotFaultWatch;
  readonly #link = { isAtFault: false, fault: "", requestReset: () => this.#request("reset") };
  #cycle!: ControlCycle;
  #neck: NeckFollower | null = null;
  #recovery!: StopRecovery;
  #gaze: Gaze = { isBusy: false, grasped: new Float64Array(0) };
  #hasState = false;
  #sent: JointCommand | null = null;
  #lastNs = Number.NaN;
  #phase: MonitorPhase = MonitorPhase.safe;
  #isHeld = false;
  #brakedHold = 0;
  #holdTime = 0;
  #overdue = 0;
  #told: ControlState | null = null;
  #warmUpTicks: number;
  /** Whether all began again in the last tick, which took its time: nothing is to be made up for. */
  #isFresh = false;
  #isEnding = false;

  constructor(ports: PortsOf<typeof controlPorts>, robot: Robot, options: ControlNodeOptions) {
    const count = robot.model.dofCount;
    this.#ports = ports;
    this.#robot = robot;
    this.#options = options;
    this.#warmUpTicks = options.warmUpTicks ?? 0;
    this.#watchdog = new Watchdog(options.watched);
    this.#fault = new RobotFaultWatch(this.#link);
    this.#state = new DriverState(count);
    this.#held = new DriverCommand(count);
    this.#scratch = createJointState(count);
    this.#pool = new MessagePool(() => this.#createCommand());
    this.#begin(options.posture);
  }

  #createCommand(): JointCommand {
    const { dofCount } = this.#robot.model;
    const joints = () => new Float64Array(dofCount);
    const closedAt = new Float64Array(this.#robot.hands.length);
    return { time: 0, cycle: 0, mode: "hold", q: joints(), qd: joints(), qdd: joints(), closedAt };
  }

  /** All that leads joints begins at rest in `posture`. */
  #begin(posture: Float64Array): void {
    const { waiting, tickNs, parts, history, monitor, idleMonitor, neck } = this.#options;
    const robot = this.#robot;
    const period = tickNs / 1e9;
    this.#neck = neck?.follows === true ? new NeckFollower(robot, waiting, period, neck) : null;
    const followed: FollowedJoints[] = this.#neck === null ? [] : [this.#neck];
    if (neck?.gentle === true && this.#neck !== null) {
      followed[0] = new GentleJoints(robot, this.#neck, posture, period);
    }
    const guard = idleMonitor === null ? "monitor" : { idle: idleMonitor };
    this.#cycle = new ControlCycle(robot, posture, parts, { period, history, monitor, guard }, followed);
    this.#recovery = new StopRecovery(robot, this.#cycle, {
      halt: (reason, nowNs) => this.#stop("halt", reason, 0, nowNs),
      release: (share, nowNs) => this.#stop("release", "", share, nowNs),
      fail: (reason, nowNs) => this.#stop("fail", reason, 0, nowNs),
    });
  }

  get cycle(): ControlCycle {
    return this.#cycle;
  }

  step(nowNs: number): number {
    const { tickNs } = this.#options;
    const tick = nowNs - (nowNs % tickNs);
    if (tick > this.#lastNs || Number.isNaN(this.#lastNs)) {
      const isFirst = this.#isFresh || Number.isNaN(this.#lastNs);
      const missed = isFirst ? 0 : Math.round((tick - this.#lastNs) / tickNs) - 1;
      this.#lastNs = tick;
      this.#isFresh = false;
      this.#tick(tick, missed, nowNs);
    }
    return tick + tickNs;
  }

  #tick(tickNs: number, missed: number, nowNs: number): void {
    const time = tickNs / 1e9;
    this.#takeState(nowNs);
    if (this.#warmUpTicks > 0) {
      this.#warmUpTick(time, nowNs);
      return;
    }
    this.#takeOperator(nowNs);
    this.#watchRobot(tickNs);
    if (this.#hasState && !this.#fault.isAtFault) {
      this.#listen(tickNs, missed);
      this.#makeUp(time, missed);
      this.#takeGaze(nowNs);
      const { motions } = this.#ports.in;
      if (motions.waiting > 0) takeEach(motions, nowNs, (motion) => this.#offer(motion, tickNs));
      this.#cycle.tick(this.#state, time);
      this.#noteHeldBrake(time);
      if (!this.#cycle.isWithheld) this.#send(this.#cycle.command, tickNs);
      this.#recovery.isHeld = this.#isHeld;
      this.#recovery.step(tickNs);
      this.#watchMonitor(tickNs);
    }
    this.#publishState(tickNs);
  }

  /** Everything but what leaves the node; at the end all begins again. */
  #warmUpTick(time: number, nowNs: number): void {
    if (!this.#hasState) return;
    this.#cycle.tick(this.#state, time);
    this.#takeGaze(nowNs);
    takeEach(this.#ports.in.motions, nowNs, () => undefined);
    if (--this.#warmUpTicks === 0) this.#beginAgain(this.#options.posture);
  }

  #beginAgain(posture: Float64Array): void {
    this.#begin(posture);
    this.#options.onBegin?.();
    this.#isFresh = true;
  }

  windDown(): boolean {
    this.#isEnding = true;
    return !this.#hasState || (this.#cycle.isStopped && this.#cycle.monitor.command.qd.every((speed) => speed === 0));
  }

  #takeState(nowNs: number): void {
    const { state: port } = this.#ports.in;
    for (let got = port.take(nowNs, this.#scratch); got !== null; got = port.take(nowNs, this.#scratch)) {
      this.#state.time = got.time;
      this.#state.cycle = got.cycle;
      this.#state.q.set(got.q);
      this.#state.qd.set(got.qd);
      this.#hasState = true;
    }
    const status = takeNewest(this.#ports.in.status, nowNs);
    if (status === null) return;
    this.#link.isAtFault = status.isAtFault;
    this.#link.fault = status.fault;
  }

  #takeOperator(nowNs: number): void {
    this.#isHeld = this.#options.stopLine.isHeld;
    if (this.#ports.in.operator.waiting === 0) return;
    takeEach(this.#ports.in.operator, nowNs, () => {
      if (this.#fault.isAtFault) this.#request("release");
      if (!this.#isHeld && this.#cycle.monitor.phase === MonitorPhase.stopped) {
        this.#cycle.resume();
        this.#report("info", "resumed", "motions begin from where the robot stands", nowNs);
      }
    });
  }

  /** The neck follows the balls, and moves for its own sake only while the arms wait. */
  #takeGaze(nowNs: number): void {
    this.#gaze = takeNewest(this.#ports.in.gaze, nowNs) ?? this.#gaze;
    const neck = this.#neck;
    const { isBusy, grasped } = this.#gaze;
    if (neck !== null) neck.idle = isBusy ? "stay" : "rest";
    if (this.#ports.in.predictions.waiting === 0) return;
    takeEach(this.#ports.in.predictions, nowNs, ({ balls }) => {
      for (const ball of balls) {
        if (grasped.includes(ball.track)) neck?.forget(ball.track);
        else neck?.watch([ball]);
      }
    });
  }

  #offer({ part, id, tStart, ramps, closeHandAt }: Motion, tickNs: number): void {
    if (!this.#options.parts.some(({ name }) => name === part)) return;
    const plan = { id, tStart, ramps: asRamps(ramps), closeHandAt: closeHandAt ?? Number.POSITIVE_INFINITY };
    const outcome = this.#cycle.offer(part, plan);
    this.#ports.out.handovers.put({ part, id, timeNs: tickNs, outcome }, tickNs);
  }

  #send({ time, cycle, mode, q, qd, qdd }: DriverCommand, tickNs: number): void {
    const { commands } = this.#ports.out;
    if (this.#cycle.isUnchanged && this.#sent !== null) {
      this.#sent = { ...this.#sent, time, cycle };
      commands.put(this.#sent, tickNs);
      return;
    }
    const command = this.#pool.next();
    command.time = time;
    command.cycle = cycle;
    command.mode = modes[mode]!;
    command.q.set(q);
    command.qd.set(qd);
    command.qdd.set(qdd);
    for (let h = 0; h < command.closedAt.length; h++) command.closedAt[h] = this.#cycle.handClosedAt(h);
    this.#sent = command;
    commands.put(command, tickNs);
  }

  /** Hears who is alive. A loop that was kept from its time for too long stops the robot itself. */
  #listen(tickNs: number, missed: number): void {
    const { watched, takeBeat } = this.#options;
    const time = tickNs / 1e9;
    for (let k = 0; k < watched.length; k++) if (takeBeat(k)) this.#watchdog.sign(k, time);
    let reaction = this.#watchdog.check(time);
    if (missed > MOST_MADE_UP) {
      reaction = Reaction.brake;
      this.#report("error", "late-tick", `control missed ${missed} ticks`, tickNs);
    }
    if (this.#isHeld || this.#isEnding) reaction = Reaction.brake;
    this.#reportOverdue(tickNs);
    this.#cycle.reaction = reaction;
  }

  #reportOverdue(tickNs: number): void {
    let overdue = 0;
    for (let k = 0; k < this.#watchdog.overdue.length; k++) overdue |= this.#watchdog.overdue[k]! << k;
    if (overdue === this.#overdue) return;
    for (const [k, { name }] of this.#watchdog.parts.entries()) {
      const [was, is] = [(this.#overdue >> k) & 1, (overdue >> k) & 1];
      if (is > was) this.#report("warning", "silent", `${name} fell silent`, tickNs);
      if (is < was) this.#report("info", "heard", `${name} is back`, tickNs);
    }
    this.#overdue = overdue;
  }

  #makeUp(time: number, missed: number): void {
    const period = this.#options.tickNs / 1e9;
    for (let k = Math.min(missed, MOST_MADE_UP); k >= 1; k--) this.#cycle.tick(this.#state, time - k * period);
  }

  /** A robot that has stopped by itself is led again after a while, from where it stands. */
  #watchRobot(tickNs: number): void {
    const care = this.#fault.tick();
    if (care === RobotCare.lost) this.#lose(tickNs);
    if (care === RobotCare.reset) this.#reset();
    if (care === RobotCare.reset || care === RobotCare.hold) this.#send(this.#held, tickNs);
    if (care === RobotCare.resumed) {
      this.#phase = MonitorPhase.safe;
      this.#stop("release", "", CAREFUL, tickNs);
      this.#report("info", "resumed", "control commands the robot again, from where it stands", tickNs);
    }
  }

  #lose(tickNs: number): void {
    const text = `the robot has stopped by itself (${this.#link.fault}) and waits for a reset`;
    this.#stop("halt", text, 0, tickNs);
    this.#report("error", "robot-stopped", text, tickNs);
    this.#options.onBrake?.(this.#cycle, "robot-stopped");
  }

  /** Asks for a reset; commands that come with it must begin where the robot stands. */
  #reset(): void {
    this.#held.q.set(this.#state.q);
    this.#held.mode = CommandMode.hold;
    this.#beginAgain(Float64Array.from(this.#held.q));
    this.#link.requestReset();
  }

  #request(action: RobotRequest["action"]): void {
    this.#ports.out.requests.put({ action }, this.#lastNs);
  }

  #stop(kind: Stop["kind"], reason: string, share: number, nowNs: number): void {
    const posture = this.#cycle.command.q.slice();
    this.#ports.out.stops.put({ kind, timeNs: nowNs, reason, share, posture }, nowNs);
  }

  #noteHeldBrake(time: number): void {
    if (!this.#isHeld || this.#cycle.isWithheld || this.#cycle.command.mode !== CommandMode.brake) return;
    const { stopLine } = this.#options;
    const { asked } = stopLine;
    if (asked === this.#brakedHold) return;
    this.#brakedHold = asked;
    this.#holdTime = time;
    stopLine.noteBraked(asked);
  }

  #watchMonitor(tickNs: number): void {
    const { monitor } = this.#cycle;
    const isNews = monitor.phase !== this.#phase;
    if (!this.#cycle.isWithheld && (isNews || tickNs % MONITOR_NS === 0)) this.#publishMonitor(tickNs);
    if (!isNews) return;
    const wasMoving = this.#phase === MonitorPhase.safe || this.#phase === MonitorPhase.recovering;
    this.#phase = monitor.phase;
    const reason = brakeWords(monitor.reason);
    if (wasMoving && this.#cycle.isStopped) this.#report("error", "brake", `the monitor brakes: ${reason}`, tickNs);
    if (monitor.phase === MonitorPhase.stopped) this.#options.onBrake?.(this.#cycle, reason);
  }

  #publishMonitor(tickNs: number): void {
    const { phase, distance, nearestPair, pairs, reason } = this.#cycle.monitor;
    const name = (body: number): string => this.#robot.hulls[body]?.name ?? String(body);
    this.#ports.out.monitor.put(
      {
        phase: phases[phase]!,
        reason: phase === MonitorPhase.safe ? null : brakeWords(reason),
        distance: Number.isFinite(distance) ? distance : null,
        bodies: nearestPair < 0 ? null : { a: name(pairs.bodyA[nearestPair]!), b: name(pairs.bodyB[nearestPair]!) },
      },
      tickNs,
    );
  }

  /** What others must know of control, when it changes. */
  #publishState(tickNs: number): void {
    const { phase, reason, brakes } = this.#cycle.monitor;
    const told = this.#told;
    const isReady = this.#hasState && !this.#fault.isAtFault;
    const isNeckResting = this.#neck?.isResting ?? true;
    const isSame =
      told !== null &&
      told.isReady === isReady &&
      told.isAtFault === this.#fault.isAtFault &&
      told.isNeckResting === isNeckResting &&
      told.phase === phases[phase] &&
      told.hold === this.#brakedHold;
    if (isSame) return;
    this.#told = {
      isReady,
      isAtFault: this.#fault.isAtFault,
      isNeckResting,
      phase: phases[phase]!,
      reason: phase === MonitorPhase.safe ? null : brakeWords(reason),
      brakes,
      hold: this.#brakedHold,
      holdTime: this.#holdTime,
    };
    this.#ports.out.control.put(this.#told, tickNs);
  }

  #report(severity: Event["severity"], code: string, text: string, nowNs: number): void {
    this.#ports.out.events.put({ severity, source: "control", code, track: -1, text }, nowNs);
  }
}

const modes = ["hold", "follow", "brake"] as const;
