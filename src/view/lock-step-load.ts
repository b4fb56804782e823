import type { ComponentState } from "../messages/page.js";
import { ThreadLoads } from "../runtime/thread-load.js";
import { unmeasured } from "./components.js";

/** Ticks of the simulated control a second of simulated time. */
const TICKS = 1000;

/** How the threads of a lock-step run fare: the one that simulates, sees, plans and controls, and the service. */
export class LockStepLoad {
  readonly #thread: number;
  readonly #loads = new ThreadLoads();
  #last: { readonly time: number; readonly wallMs: number } | null = null;

  /** `thread`: the system's number of the run's thread. */
  constructor(thread: number) {
    this.#thread = thread;
  }

  /** Since the last look; the run's time is `time` [s]. */
  look(time: number, wallMs: number): ComponentState[] {
    const last = this.#last;
    this.#last = { time, wallMs };
    const pace = last === null || wallMs <= last.wallMs ? null : (1e3 * (time - last.time)) / (wallMs - last.wallMs);
    const text = pace === null ? "" : `${pace.toFixed(2)} times real time`;
    const rate = pace === null ? null : TICKS * pace;
    const nowNs = 1e6 * wallMs;
    return [
      { ...unmeasured, name: "lock-step run", rate, cpu: this.#loads.ofThread(this.#thread, nowNs), text },
      { ...unmeasured, name: "service", cpu: this.#loads.ofThread(process.pid, nowNs) },
    ];
  }
}
