import type { PutPort } from "../channels/put-port.js";
import { ComponentHealth, type ComponentStatus } from "../messages/component-status.js";
import type { Event, Severity } from "../messages/event.js";
import type { MonitorState } from "../messages/monitor-state.js";
import { systemThread } from "../runtime/thread-load.js";
import { writeMonitorState } from "../safety/monitor/monitor-packet.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import type { ControlCycle } from "./control-cycle.js";

/** Where control's reports go. */
export interface ReportPorts {
  readonly monitor: PutPort<MonitorState>;
  readonly status: PutPort<ComponentStatus>;
  readonly events: PutPort<Event>;
}

/** Ticks between two monitor packets, and between two states of health. */
const MONITOR_TICKS = 10;
const STATUS_TICKS = 1000;

/** Tells what control does: the monitor's state, its own health, and what happens. */
export class ControlReporter {
  readonly #ports: ReportPorts;
  readonly #statistics: LoopStatistics;
  readonly #thread = systemThread();
  #workMax = 0;
  #workSum = 0;

  constructor(ports: ReportPorts, statistics: LoopStatistics) {
    this.#ports = ports;
    this.#statistics = statistics;
  }

  /** After a tick at `time` [s] that took `workMs`. */
  ticked(control: ControlCycle, time: number, workMs: number): void {
    this.#workSum += workMs;
    if (workMs > this.#workMax) this.#workMax = workMs;
    if (control.cycle % MONITOR_TICKS === 0) this.#tellMonitor(control, time, workMs);
    if (control.cycle % STATUS_TICKS === 0) this.#tellStatus(control, time);
  }

  #tellMonitor(control: ControlCycle, time: number, workMs: number): void {
    const { monitor } = this.#ports;
    const packet = monitor.reserve();
    writeMonitorState(control.monitor, packet);
    packet.t.seconds = time;
    packet.cycle = control.cycle >>> 0;
    packet.duration = workMs / 1e3;
    monitor.publish();
  }

  #tellStatus(control: ControlCycle, time: number): void {
    const { status } = this.#ports;
    const packet = status.reserve();
    packet.t.seconds = time;
    packet.component.write("control");
    packet.thread = this.#thread;
    packet.health = control.isStopped ? ComponentHealth.degraded : ComponentHealth.running;
    packet.cycles = this.#statistics.ticks >>> 0;
    packet.lost = this.#statistics.missed >>> 0;
    packet.behind = 0;
    packet.cycleMean = this.#workSum / STATUS_TICKS / 1e3;
    packet.cycleMax = this.#workMax / 1e3;
    packet.detail.write("");
    status.publish();
    this.#workSum = 0;
    this.#workMax = 0;
  }

  /** Something a person can follow happened at `time` [s]. */
  tell(time: number, severity: Severity, code: string, text: string): void {
    const { events } = this.#ports;
    const event = events.reserve();
    event.t.seconds = time;
    event.severity = severity;
    event.source.write("control");
    event.code.write(code);
    event.track = -1;
    event.plan = 0;
    event.text.write(text);
    events.publish();
  }
}
