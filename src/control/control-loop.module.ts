import { Severity } from "../messages/event.js";
import { CommandMode } from "../messages/joint-command.js";
import type { RunClock } from "../runtime/clock.js";
import { BrakeReason, MonitorAction, MonitorPhase } from "../safety/monitor/monitor-words.js";
import type { Heartbeats } from "../transport/heartbeats.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import { TickTimer } from "../transport/tick-timer.js";
import type { ControlCycle } from "./control-cycle.js";
import type { ControlPanel } from "./control-panel.js";
import { ControlReporter, type ReportPorts } from "./control-reporter.module.js";
import { DriverCommand, DriverState, type RobotDriver } from "./driver.js";
import { PlanIntake, type PlanPorts } from "./plan-intake.module.js";
import { RobotCare, RobotFaultWatch, type RobotLink } from "./robot-fault.js";
import { Reaction, Watchdog, type WatchedPart } from "./watchdog.js";

/** Where the loop's packets come from and go to. */
export type ControlPorts = PlanPorts & ReportPorts;

export interface ControlLoopOptions {
  readonly clock: RunClock;
  readonly driver: RobotDriver;
  readonly link: RobotLink;
  readonly ports: ControlPorts;
  readonly panel: ControlPanel;
  readonly statistics: LoopStatistics;
  readonly heartbeats: Heartbeats;
  /** The parts control listens to, in the order of their heartbeats. */
  readonly watched: readonly WatchedPart[];
  readonly periodMs: number;
  /** See `TickTimer`. */
  readonly spinMs: number;
  /** A control cycle at rest in `posture`: the first one, and another one after the robot has stopped by itself. */
  readonly createCycle: (posture: Float64Array) => ControlCycle;
  readonly posture: Float64Array;
  /** Called when nobody waits for control. */
  readonly collectGarbage: () => void;
  /** Called after each tick, its command being on its way. */
  readonly afterTick: (cycle: ControlCycle, time: number) => void;
  /** Called when the robot is being stopped by the monitor and when it stopped by itself, with the reason. */
  readonly onBrake: (cycle: ControlCycle, reason: string) => void;
}

/** Ticks that are made up for when the loop was kept from its time; beyond them the robot is stopped. */
const MOST_MADE_UP = 20;
/** Ticks of rehearsal, with all but the sending of commands, before the first that counts: the optimiser settles. */
const REHEARSAL_TICKS = 600;
/** Share of its speed at which a robot may move that had stopped by itself. */
const CAREFUL = 0.25;

/**
 * Control in real time: a `ControlCycle` at every tick of a timer, between a driver and channels. A tick that comes late
 * makes up for those before it, so that what is commanded is always what the plans say for the time of the tick, and the
 * monitor has looked at every step.
 */
export class ControlLoop {
  cycle: ControlCycle;
  readonly #options: ControlLoopOptions;
  readonly #timer: TickTimer;
  readonly #watchdog: Watchdog;
  readonly #robotFault: RobotFaultWatch;
  readonly #intake: PlanIntake;
  readonly #reporter: ControlReporter;
  readonly #state: DriverState;
  readonly #held: DriverCommand;
  #hasState = false;
  #rehearsal = REHEARSAL_TICKS;
  #phase: MonitorPhase = MonitorPhase.safe;
  #missedBefore = 0;
  /** Whether all began anew in the last tick, which took its time: nothing is to be made up for. */
  #isFresh = true;
  #overdue = 0;
  /** Holds that the tick knew of, and those for which a braking command has left. */
  #holds = 0;
  #brakedHolds = 0;

  constructor(options: ControlLoopOptions) {
    const { clock, periodMs, spinMs, posture, ports, statistics } = options;
    this.#options = options;
    this.cycle = options.createCycle(posture);
    this.#timer = new TickTimer({ periodMs, spinMs }, () => clock.nowNs() / 1e6);
    this.#watchdog = new Watchdog(options.watched);
    this.#robotFault = new RobotFaultWatch(options.link);
    this.#intake = new PlanIntake(ports, this.cycle.motion.parts);
    this.#reporter = new ControlReporter(ports, statistics);
    this.#state = new DriverState(posture.length);
    this.#held = new DriverCommand(posture.length);
  }

  /** Sleeps until the next tick and does its work. */
  tick(): void {
    const { clock, statistics } = this.#options;
    const dueMs = this.#timer.wait();
    const begun = clock.nowNs();
    const missed = this.#isFresh ? 0 : this.#timer.missed - this.#missedBefore;
    this.#missedBefore = this.#timer.missed;
    this.#isFresh = false;
    this.#work(dueMs / 1e3, missed);
    // A tick in which all was made anew is none of the loop's: the robot stands by itself and nobody waits.
    if (this.#isFresh) return;
    const workMs = (clock.nowNs() - begun) / 1e6;
    statistics.record(this.#timer.lateness, workMs, missed);
    this.#reporter.ticked(this.cycle, dueMs / 1e3, workMs);
  }

  #work(time: number, missed: number): void {
    const { driver } = this.#options;
    if (driver.receive(this.#state)) this.#hasState = true;
    if (this.#rehearsal > 0) {
      this.#rehearse(time);
      return;
    }
    this.#watchRobot(time);
    if (!this.#hasState || this.#robotFault.isAtFault) return;
    this.#listen(time, missed);
    this.#makeUp(time, missed);
    this.#intake.take(this.cycle, time);
    this.cycle.tick(this.#state, time);
    if (this.cycle.monitor.action !== MonitorAction.withhold) driver.send(this.cycle.command);
    this.#noteHeldBrake();
    this.#options.afterTick(this.cycle, time);
    this.#watchMonitor(time);
  }

  /** Leads the robot in thought. At the end all begins anew. */
  #rehearse(time: number): void {
    if (!this.#hasState) return;
    this.#rehearsal--;
    this.cycle.tick(this.#state, time);
    this.#intake.take(this.cycle, time);
    this.#options.afterTick(this.cycle, time);
    if (this.#rehearsal === 0) this.#beginAnew(this.#options.posture);
  }

  /** A cycle at rest in `posture`; that takes some time. */
  #beginAnew(posture: Float64Array): void {
    this.cycle = this.#options.createCycle(posture);
    this.#options.collectGarbage();
    this.#isFresh = true;
  }

  /** A robot that has stopped by itself is led again after a while, from where it stands. */
  #watchRobot(time: number): void {
    const { panel, driver } = this.#options;
    const care = this.#robotFault.tick();
    if (care === RobotCare.lost) this.#lose(time);
    if (care === RobotCare.reset) this.#reset();
    if (care === RobotCare.reset || care === RobotCare.hold) driver.send(this.#held);
    if (care === RobotCare.resumed) this.#restart(time);
    panel.showRobot(this.#hasState && !this.#robotFault.isAtFault, this.#robotFault.isAtFault);
  }

  #lose(time: number): void {
    const { panel, link } = this.#options;
    panel.countHalt();
    const text = `the robot has stopped by itself (${link.fault}) and waits for a reset`;
    this.#reporter.tell(time, Severity.error, "robot-stopped", text);
    this.#options.onBrake(this.cycle, "robot-stopped");
  }

  /**
   * Asks for a reset; commands that come with it must begin where the robot stands. The new cycle is made before, while
   * nobody waits for commands.
   */
  #reset(): void {
    this.#held.q.set(this.#state.q);
    this.#held.mode = CommandMode.hold;
    this.#beginAnew(Float64Array.from(this.#held.q));
    this.#options.link.requestReset();
  }

  #restart(time: number): void {
    this.#phase = MonitorPhase.safe;
    this.#options.panel.countRelease(CAREFUL);
    this.#reporter.tell(time, Severity.info, "resumed", "the robot is led again, from where it stands");
  }

  /** Hears who is alive. A loop that was kept from its time for too long stops the robot itself. */
  #listen(time: number, missed: number): void {
    const { heartbeats, watched, panel } = this.#options;
    for (let k = 0; k < watched.length; k++) if (heartbeats.takeBeat(k)) this.#watchdog.sign(k, time);
    let reaction = this.#watchdog.check(time);
    if (missed > MOST_MADE_UP) {
      reaction = Reaction.brake;
      this.#reporter.tell(time, Severity.error, "late-tick", `control was kept from its time for ${missed} ticks`);
    }
    this.#holds = panel.holds;
    if (panel.isHeld) reaction = Reaction.brake;
    this.#tellOverdue(time);
    if (panel.takeResume() && this.cycle.monitor.phase === MonitorPhase.stopped) this.#resume(time);
    else this.cycle.reaction = reaction;
  }

  /** Tells who pressed the button when the robot was told to brake: the time now, not that of the tick. */
  #noteHeldBrake(): void {
    if (this.#holds === this.#brakedHolds || this.cycle.command.mode !== CommandMode.brake) return;
    this.#brakedHolds = this.#holds;
    this.#options.panel.noteHeldBrake(this.#holds, this.#options.clock.nowSeconds());
  }

  #resume(time: number): void {
    this.cycle.resume();
    this.#reporter.tell(time, Severity.info, "resumed", "motions begin anew from where the robot stands");
  }

  #tellOverdue(time: number): void {
    let overdue = 0;
    for (let k = 0; k < this.#watchdog.overdue.length; k++) overdue |= this.#watchdog.overdue[k]! << k;
    if (overdue === this.#overdue) return;
    for (let k = 0; k < this.#watchdog.overdue.length; k++) {
      const was = (this.#overdue >> k) & 1;
      const { name } = this.#watchdog.parts[k]!;
      if (this.#watchdog.overdue[k] === 1 && was === 0)
        this.#reporter.tell(time, Severity.warning, "silent", `${name} fell silent`);
      if (this.#watchdog.overdue[k] === 0 && was === 1)
        this.#reporter.tell(time, Severity.info, "heard", `${name} is back`);
    }
    this.#overdue = overdue;
  }

  #makeUp(time: number, missed: number): void {
    const period = this.#options.periodMs / 1e3;
    for (let k = Math.min(missed, MOST_MADE_UP); k >= 1; k--) this.cycle.tick(this.#state, time - k * period);
  }

  #watchMonitor(time: number): void {
    const { monitor } = this.cycle;
    const { panel } = this.#options;
    panel.show(monitor.phase, monitor.reason, monitor.brakes);
    if (monitor.phase === this.#phase) return;
    const before = this.#phase;
    this.#phase = monitor.phase;
    const reason = nameOf(BrakeReason, monitor.reason);
    const wasMoving = before === MonitorPhase.safe || before === MonitorPhase.recovering;
    if (wasMoving && this.cycle.isStopped)
      this.#reporter.tell(time, Severity.error, "brake", `the monitor brakes: ${reason}`);
    if (monitor.phase === MonitorPhase.stopped) this.#options.onBrake(this.cycle, reason);
  }
}

function nameOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(words).find((name) => words[name] === value) ?? String(value);
}
