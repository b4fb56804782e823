import type { CatchMode } from "../../planning/request/request.js";
import type { RunningWorker } from "../../runtime/start-worker.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import type { ArmState } from "../../messages/report.js";
import type { CoordinatorReport } from "./attempt-report.js";
import type { CoordinatorMessage, CoordinatorRequest } from "./coordinator.module.js";

/** The coordinator's thread as the rest of a run talks to it; whichever thread it is at present. */
export class CoordinatorClient {
  readonly #reports: ((report: CoordinatorReport) => void)[] = [];
  readonly #disclosures: ((arms: readonly ArmState[]) => void)[] = [];
  #worker: RunningWorker | null = null;
  #lastReport: CoordinatorReport | null = null;

  /** From now on it is this thread. */
  attach(worker: RunningWorker): void {
    this.#worker = worker;
    worker.thread.on("message", (message: CoordinatorMessage) => this.#receive(message));
  }

  #receive(message: CoordinatorMessage): void {
    if ("disclosure" in message) {
      for (const resolve of this.#disclosures.splice(0)) resolve(message.disclosure);
      return;
    }
    this.#lastReport = message;
    for (const resolve of this.#reports.splice(0)) resolve(message);
  }

  #ask(request: CoordinatorRequest): void {
    this.#worker?.thread.postMessage(request);
  }

  /** How long planning took, as of the last report. */
  get timings(): PlannerTimings {
    return this.#lastReport?.timings ?? { coldMs: [], fruitlessMs: [], warmMs: [] };
  }

  /** What the arms are about. */
  report(): Promise<CoordinatorReport> {
    return new Promise((resolve) => {
      this.#reports.push(resolve);
      this.#ask("report");
    });
  }

  /** The arms' state machines. */
  disclose(): Promise<readonly ArmState[]> {
    return new Promise((resolve) => {
      this.#disclosures.push(resolve);
      this.#ask("disclose");
    });
  }

  /** What planning took until now does not count. */
  forgetTimings(): void {
    this.#ask("forget");
  }

  /** How balls are to be caught from now on. */
  setMode(mode: CatchMode): void {
    this.#ask({ mode });
  }

  /** Lets the planner of an arm die, as a fault would. */
  killPlanner(arm: string): void {
    this.#ask({ kill: arm });
  }
}
