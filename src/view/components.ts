import type { ComponentState } from "../messages/page.js";
import type { ComponentStatus } from "../messages/report.js";
import { ThreadLoads } from "../runtime/thread-load.js";

/** Of a part that does not report how it fares; in lock-step none does: all are one thread, and wait for each other. */
export const unmeasured = {
  health: "running",
  rate: null,
  queue: 0,
  lost: 0,
  meanMs: null,
  maxMs: null,
  text: "",
} as const;

interface Observed {
  readonly timeNs: number;
  readonly cycles: number;
  readonly thread: number;
  readonly state: ComponentState;
}

/** How the nodes of a run in real time fare: what they report, and what the system says of their threads. */
export class Components {
  readonly #observed = new Map<string, Observed>();
  readonly #loads = new ThreadLoads();
  readonly #robotProcess: () => number | null;

  /** `robotProcess`: the system's number of the simulated robot's process; null if it is not ours, or not yet there. */
  constructor(robotProcess: () => number | null) {
    this.#robotProcess = robotProcess;
  }

  add(status: ComponentStatus, nowNs: number): void {
    const { component: name, thread, health, cycles, behind, lost, cycleMean, cycleMax, detail } = status;
    const before = this.#observed.get(name);
    const span = before === undefined ? 0 : (nowNs - before.timeNs) / 1e9;
    const rate = span > 0 ? (cycles - before!.cycles) / span : null;
    const meanMs = cycleMean > 0 ? 1e3 * cycleMean : null;
    const times = { meanMs, maxMs: 1e3 * cycleMax };
    const state: ComponentState = { name, health, rate, cpu: null, queue: behind, lost, ...times, text: detail };
    this.#observed.set(name, { timeNs: nowNs, cycles, thread, state });
  }

  list(nowNs: number): ComponentState[] {
    const nodes = Array.from(this.#observed.values(), ({ thread, state }) => {
      return { ...state, cpu: this.#loads.ofThread(thread, nowNs) };
    });
    const service = { ...unmeasured, name: "service", cpu: this.#loads.ofThread(process.pid, nowNs) };
    const pid = this.#robotProcess();
    if (pid === null) return [...nodes, service];
    return [...nodes, service, { ...unmeasured, name: "simulated robot", cpu: this.#loads.ofProcess(pid, nowNs) }];
  }
}
