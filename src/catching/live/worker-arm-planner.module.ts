import { ComponentHealth } from "../../messages/component-status.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest } from "../arm-planner.js";
import type { PlannerTimings } from "../inline-arm-planner.js";
import type { PartStatus } from "./part-status.module.js";
import { type PlannerReply, reviveAnswer } from "./plan-messages.js";
import type { PlannerInput } from "./planner.module.js";

/** What is told of a planner thread beside its answers. */
export interface PlannerWatcher {
  /** A global search was answered, so long after it was asked [ns]. */
  searched(durationNs: number): void;
  ended(arm: string): void;
  restarted(arm: string): void;
}

/**
 * An arm's planner in a thread of its own. When the thread dies, the question it had is answered with that, and another
 * thread is started.
 */
export class WorkerArmPlanner implements ArmPlanner {
  readonly #input: PlannerInput;
  readonly #timings: PlannerTimings;
  readonly #now: () => number;
  readonly #watcher: PlannerWatcher;
  #worker: RunningWorker | null = null;
  #open: ArmPlanRequest | null = null;
  #askedNs = 0;
  #answer: ArmPlanAnswer | null = null;
  #isStopped = false;
  readonly #status: PartStatus;

  static async start(
    input: PlannerInput,
    timings: PlannerTimings,
    now: () => number,
    watcher: PlannerWatcher,
    status: PartStatus,
  ): Promise<WorkerArmPlanner> {
    const planner = new WorkerArmPlanner(input, timings, now, watcher, status);
    await planner.#start();
    return planner;
  }

  private constructor(
    input: PlannerInput,
    timings: PlannerTimings,
    now: () => number,
    watcher: PlannerWatcher,
    status: PartStatus,
  ) {
    this.#input = input;
    this.#timings = timings;
    this.#now = now;
    this.#watcher = watcher;
    this.#status = status;
    status.thread = 0;
  }

  /** Tells how the planner fares, if it is time. */
  step(nowNs: number): void {
    this.#status.health = this.#worker === null ? ComponentHealth.failed : ComponentHealth.running;
    this.#status.waiting = this.#open === null ? 0 : 1;
    this.#status.step(nowNs);
  }

  async #start(): Promise<void> {
    const worker = await startWorker("catching/live/planner", { workerData: this.#input });
    this.#worker = worker;
    worker.thread.on("message", (reply: PlannerReply) => this.#receive(reply));
    void worker.exited.then(() => this.#ended());
  }

  #receive({ answer, planningMs, thread }: PlannerReply): void {
    this.#status.thread = thread;
    this.#status.worked(planningMs / 1e3);
    if (this.#open?.id !== answer.id) return;
    const { coldMs, fruitlessMs, warmMs } = this.#timings;
    const kind = this.#open.previous !== null ? warmMs : answer.plan === null ? fruitlessMs : coldMs;
    kind.push(planningMs);
    const nowNs = this.#now();
    if (this.#open.previous === null) this.#watcher.searched(nowNs - this.#askedNs);
    this.#open = null;
    this.#answer = reviveAnswer(answer, nowNs);
  }

  #ended(): void {
    this.#worker = null;
    this.#status.thread = 0;
    this.#giveUp();
    if (this.#isStopped) return;
    this.#watcher.ended(this.#input.arm);
    // A planner that cannot start again is missed by every question: each is answered at once.
    this.#start().then(
      () => this.#watcher.restarted(this.#input.arm),
      () => undefined,
    );
  }

  /** Answers the open question, if there is one, without a plan. */
  #giveUp(): void {
    if (this.#open === null) return;
    const { id } = this.#open;
    this.#open = null;
    this.#answer = { id, plan: null, reason: "the planner died", approach: null, answeredNs: this.#now() };
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    this.#open = request;
    this.#askedNs = nowNs;
    this.#answer = null;
    if (this.#worker === null) this.#giveUp();
    else this.#worker.thread.postMessage(request);
  }

  collect(): ArmPlanAnswer | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }

  /** Ends the thread amid whatever it does, as a fault would: for tests of what follows. */
  kill(): void {
    void this.#worker?.thread.terminate();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.stop();
  }
}
