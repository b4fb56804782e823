import type { GetPort } from "../channels/get-port.js";
import type { PutPort } from "../channels/put-port.js";
import { ComponentHealth, type ComponentStatus } from "../messages/component-status.js";
import { type Event, Severity } from "../messages/event.js";
import { CommandMode } from "../messages/joint-command.js";
import type { MonitorState } from "../messages/monitor-state.js";
import type { Plan } from "../messages/plan.js";
import type { PlanHandover } from "../messages/plan-handover.js";
import type { RunClock } from "../runtime/clock.js";
import { writeMonitorState } from "../safety/monitor/monitor-packet.js";
import { BrakeReason, MonitorAction, MonitorPhase } from "../safety/monitor/monitor-words.js";
import type { ControlCycle } from "./control-cycle.js";
import type { ControlPanel } from "./control-panel.js";
import { DriverCommand, DriverState, type RobotDriver } from "./driver.js";
import type { Heartbeats } from "./heartbeats.js";
import type { LoopStatistics } from "./loop-statistics.js";
import { outcomeOf, ReceivedPlan } from "./plan-codec.module.js";
import { TickTimer } from "./tick-timer.js";
import { Reaction, Watchdog, type WatchedPart } from "./watchdog.js";

/** Where the loop's packets come from and go to. */
export interface ControlPorts {
  readonly plans: GetPort<Plan>;
  readonly handovers: PutPort<PlanHandover>;
  readonly monitor: PutPort<MonitorState>;
  readonly status: PutPort<ComponentStatus>;
  readonly events: PutPort<Event>;
}

/** The link to the robot, as far as control must know of it. */
export interface RobotLink {
  /** Whether the robot has stopped by itself and waits for a reset. */
  readonly isAtFault: boolean;
  requestReset(): void;
}

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
/** Ticks between two monitor packets, and between two states of health. */
const MONITOR_TICKS = 10;
const STATUS_TICKS = 1000;
/** Ticks of rehearsal, with all but the sending of commands, before the first that counts: the optimiser settles. */
const REHEARSAL_TICKS = 600;
/** Ticks a robot that stopped by itself is left alone, and ticks it must then answer without fault before it is led again. */
const STANDING_TICKS = 300;
const SETTLING_TICKS = 20;
/** Share of its speed at which it may move then. */
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
  readonly #state: DriverState;
  readonly #plans: readonly ReceivedPlan[];
  #hasState = false;
  #rehearsal = REHEARSAL_TICKS;
  #phase: MonitorPhase = MonitorPhase.safe;
  #isRobotAtFault = false;
  #faultTicks = 0;
  #settling = 0;
  readonly #held: DriverCommand;
  #missedBefore = 0;
  /** Whether all began anew in the last tick, which took its time: nothing is to be made up for. */
  #isFresh = true;
  #overdue = 0;
  #workMax = 0;
  #workSum = 0;

  constructor(options: ControlLoopOptions) {
    const { clock, periodMs, spinMs, posture } = options;
    this.#options = options;
    this.cycle = options.createCycle(posture);
    this.#timer = new TickTimer({ periodMs, spinMs }, () => clock.nowNs() / 1e6);
    this.#watchdog = new Watchdog(options.watched);
    this.#state = new DriverState(posture.length);
    this.#held = new DriverCommand(posture.length);
    this.#plans = this.cycle.motion.parts.map((part) => new ReceivedPlan(part));
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
    const workMs = (clock.nowNs() - begun) / 1e6;
    statistics.record(this.#timer.lateness, workMs, missed);
    this.#report(dueMs / 1e3, workMs);
  }

  #work(time: number, missed: number): void {
    const { driver } = this.#options;
    if (driver.receive(this.#state)) this.#hasState = true;
    if (this.#rehearsal > 0) {
      this.#rehearse(time);
      return;
    }
    this.#watchRobot(time);
    if (!this.#hasState || this.#isRobotAtFault) return;
    this.#listen(time, missed);
    this.#makeUp(time, missed);
    this.#takePlans(time);
    this.cycle.tick(this.#state, time);
    if (this.cycle.monitor.action !== MonitorAction.withhold) driver.send(this.cycle.command);
    this.#options.afterTick(this.cycle, time);
    this.#watchMonitor(time);
  }

  /** Leads the robot in thought. At the end all begins anew. */
  #rehearse(time: number): void {
    if (!this.#hasState) return;
    this.#rehearsal--;
    this.cycle.tick(this.#state, time);
    this.#takePlans(time);
    this.#options.afterTick(this.cycle, time);
    if (this.#rehearsal > 0) return;
    this.cycle = this.#options.createCycle(this.#options.posture);
    this.#options.collectGarbage();
    this.#isFresh = true;
  }

  /** A robot that has stopped by itself is led again after a while, from where it stands. */
  #watchRobot(time: number): void {
    const { link, panel } = this.#options;
    if (link.isAtFault) {
      if (!this.#isRobotAtFault) this.#lose(time);
      this.#settling = 0;
      if (++this.#faultTicks % STANDING_TICKS === 0) this.#reset();
    } else if (this.#isRobotAtFault && ++this.#settling > SETTLING_TICKS) {
      this.#restart(time);
    }
    if (this.#isRobotAtFault && this.#faultTicks >= STANDING_TICKS) this.#options.driver.send(this.#held);
    panel.showRobot(this.#hasState && !this.#isRobotAtFault, this.#isRobotAtFault);
  }

  #lose(time: number): void {
    this.#isRobotAtFault = true;
    this.#faultTicks = 0;
    this.#options.panel.countHalt();
    this.#tell(time, Severity.error, "robot-stopped", "the robot has stopped by itself and waits for a reset");
    this.#options.onBrake(this.cycle, "robot-stopped");
  }

  /**
   * Asks for a reset; commands that come with it must begin where the robot stands. The new cycle is made before, while
   * nobody waits for commands: that takes some time.
   */
  #reset(): void {
    this.#held.q.set(this.#state.q);
    this.#held.mode = CommandMode.hold;
    this.cycle = this.#options.createCycle(Float64Array.from(this.#held.q));
    this.#options.collectGarbage();
    this.#isFresh = true;
    this.#options.link.requestReset();
  }

  #restart(time: number): void {
    this.#isRobotAtFault = false;
    this.#phase = MonitorPhase.safe;
    this.#options.panel.countRelease(CAREFUL);
    this.#tell(time, Severity.info, "resumed", "the robot is led again, from where it stands");
  }

  /** Hears who is alive. A loop that was kept from its time for too long stops the robot itself. */
  #listen(time: number, missed: number): void {
    const { heartbeats, watched, panel } = this.#options;
    for (let k = 0; k < watched.length; k++) if (heartbeats.takeBeat(k)) this.#watchdog.sign(k, time);
    let reaction = this.#watchdog.check(time);
    if (missed > MOST_MADE_UP) {
      reaction = Reaction.brake;
      this.#tell(time, Severity.error, "late-tick", `control was kept from its time for ${missed} ticks`);
    }
    this.#tellOverdue(time);
    if (panel.takeResume() && this.cycle.monitor.phase === MonitorPhase.stopped) this.#resume(time);
    else this.cycle.reaction = reaction;
  }

  #resume(time: number): void {
    this.cycle.resume();
    this.#tell(time, Severity.info, "resumed", "motions begin anew from where the robot stands");
  }

  #tellOverdue(time: number): void {
    let overdue = 0;
    for (let k = 0; k < this.#watchdog.overdue.length; k++) overdue |= this.#watchdog.overdue[k]! << k;
    if (overdue === this.#overdue) return;
    for (let k = 0; k < this.#watchdog.overdue.length; k++) {
      const was = (this.#overdue >> k) & 1;
      const { name } = this.#watchdog.parts[k]!;
      if (this.#watchdog.overdue[k] === 1 && was === 0)
        this.#tell(time, Severity.warning, "silent", `${name} fell silent`);
      if (this.#watchdog.overdue[k] === 0 && was === 1) this.#tell(time, Severity.info, "heard", `${name} is back`);
    }
    this.#overdue = overdue;
  }

  #makeUp(time: number, missed: number): void {
    const period = this.#options.periodMs / 1e3;
    for (let k = Math.min(missed, MOST_MADE_UP); k >= 1; k--) this.cycle.tick(this.#state, time - k * period);
  }

  #takePlans(time: number): void {
    const { plans, handovers } = this.#options.ports;
    for (let packet = plans.tryReceive(); packet !== null; packet = plans.tryReceive()) {
      const plan = this.#planOf(packet.group.read());
      if (plan !== null) {
        plan.read(packet);
        const handover = this.cycle.offer(plan.part.name, plan);
        const answer = handovers.reserve();
        answer.t.seconds = time;
        answer.plan = packet.id;
        answer.group.write(plan.part.name);
        answer.outcome = outcomeOf(handover);
        handovers.publish();
      }
      plans.release(packet);
    }
  }

  #planOf(part: string): ReceivedPlan | null {
    for (let k = 0; k < this.#plans.length; k++) if (this.#plans[k]!.part.name === part) return this.#plans[k]!;
    return null;
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
    if (wasMoving && this.cycle.isStopped) this.#tell(time, Severity.error, "brake", `the monitor brakes: ${reason}`);
    if (monitor.phase === MonitorPhase.stopped) this.#options.onBrake(this.cycle, reason);
  }

  #report(time: number, workMs: number): void {
    const { cycle } = this.cycle;
    this.#workSum += workMs;
    if (workMs > this.#workMax) this.#workMax = workMs;
    if (cycle % MONITOR_TICKS === 0) this.#tellMonitor(time, workMs);
    if (cycle % STATUS_TICKS === 0) this.#tellStatus(time);
  }

  #tellMonitor(time: number, workMs: number): void {
    const { monitor } = this.#options.ports;
    const packet = monitor.reserve();
    writeMonitorState(this.cycle.monitor, packet);
    packet.t.seconds = time;
    packet.cycle = this.cycle.cycle >>> 0;
    packet.duration = workMs / 1e3;
    monitor.publish();
  }

  #tellStatus(time: number): void {
    const { ports, statistics } = this.#options;
    const packet = ports.status.reserve();
    packet.t.seconds = time;
    packet.component.write("control");
    packet.health = this.cycle.isStopped ? ComponentHealth.degraded : ComponentHealth.running;
    packet.cycles = statistics.ticks >>> 0;
    packet.lost = statistics.missed >>> 0;
    packet.behind = 0;
    packet.cycleMean = this.#workSum / STATUS_TICKS / 1e3;
    packet.cycleMax = this.#workMax / 1e3;
    packet.detail.write("");
    ports.status.publish();
    this.#workSum = 0;
    this.#workMax = 0;
  }

  #tell(time: number, severity: Severity, code: string, text: string): void {
    const event = this.#options.ports.events.reserve();
    event.t.seconds = time;
    event.severity = severity;
    event.source.write("control");
    event.code.write(code);
    event.track = -1;
    event.plan = 0;
    event.text.write(text);
    this.#options.ports.events.publish();
  }
}

function nameOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(words).find((name) => words[name] === value) ?? String(value);
}
