import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import { allocatePacket } from "../../channels/packet.js";
import type { PutPort } from "../../channels/put-port.js";
import { Random } from "../../math/random.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import type { MergedSolution } from "../search/merged-solution.js";
import { loadNlopt } from "../solver/nlopt-library.js";
import { writeJob, writeResult } from "./job-codec.module.js";
import { JobSolver, type JobWatch } from "./job-solver.module.js";
import { loadArms, type PlannerArm } from "./planner-arm.js";
import { Drill, JobKind, JobState, modeNames, PlannerJob, PlannerResult } from "./planner-packets.module.js";
import { Practice } from "./practice.js";
import { WorkerControl } from "./worker-control.js";

/** What a pool gives its workers. */
export interface PlannerInput {
  readonly index: number;
  readonly arms: readonly PlannerArm[];
  /** Jobs for this worker alone. */
  readonly jobs: ChannelHandle;
  /** Results of all workers. */
  readonly results: ChannelHandle;
  /** The best so far of the job in hand, for a deadline that comes before the result. */
  readonly progress: ChannelHandle;
  readonly control: SharedArrayBuffer;
  readonly clock: ClockOrigin;
  /** Rounds of practice before the first job. */
  readonly practice: number;
}

/** A planner worker: waits for a job, solves it, answers, until it is asked to stop. */
class PlannerWorkerThread implements JobWatch {
  readonly clock = (): number => this.#time();
  readonly #index: number;
  readonly #control: WorkerControl;
  readonly #now: () => number;
  readonly #solver: JobSolver;
  readonly #results: PutPort<PlannerResult>;
  readonly #progress: PutPort<PlannerResult>;
  /** Set while a job is in hand. */
  #ticket = 0;
  #hasDeadline = false;
  #drill = doNothing;

  constructor(input: PlannerInput) {
    this.#index = input.index;
    this.#control = new WorkerControl(input.control);
    const clock = clockFrom(input.clock);
    this.#now = () => clock.nowSeconds();
    this.#solver = new JobSolver(loadArms(input.arms));
    this.#practise(input.practice);
    this.#results = attachChannel(input.results, PlannerResult).openPutPort();
    this.#progress = attachChannel(input.progress, PlannerResult).openPutPort();
  }

  async run(jobs: ChannelHandle): Promise<void> {
    const port = attachChannel(jobs, PlannerJob).openGetPort("every");
    workerReady();
    while (!stopRequested()) {
      const job = port.receive()!;
      if (job.kind !== JobKind.wake) await this.#work(job);
      port.release(job);
    }
  }

  async #work(job: Readonly<PlannerJob>): Promise<void> {
    const begun = performance.now();
    this.#ticket = job.ticket;
    this.#hasDeadline = job.deadline < Number.POSITIVE_INFINITY;
    this.#drill = await prepareDrill(job);
    this.#control.beat();
    let failure = "";
    let best: MergedSolution | null = null;
    try {
      if (this.#solver.needsPreparing(job)) await this.#solver.prepare(job);
      if (job.kind === JobKind.seeds) {
        this.#answerSeeds(job, begun);
        return;
      }
      best = this.#solver.solve(job, this);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    this.#answer(best, failure, begun);
  }

  #answer(best: MergedSolution | null, failure: string, begun: number): void {
    const result = this.#results.reserve();
    if (best !== null) writeResult(best, result);
    result.state = best === null ? JobState.failed : JobState.done;
    result.message.write(failure);
    this.#publish(result, begun);
  }

  #answerSeeds(job: Readonly<PlannerJob>, begun: number): void {
    const result = this.#results.reserve();
    result.seedCount = this.#solver.findSeeds(job, result.seeds);
    result.state = JobState.done;
    this.#publish(result, begun);
  }

  #publish(result: PlannerResult, begun: number): void {
    result.ticket = this.#ticket;
    result.worker = this.#index;
    result.exhausted = this.#solver.isExhausted;
    result.seconds = (performance.now() - begun) / 1000;
    this.#results.publish();
  }

  polished(best: MergedSolution, improved: boolean): void {
    this.#control.beat();
    if (improved && this.#hasDeadline) this.#publishProgress(best);
    this.#drill();
  }

  #publishProgress(best: MergedSolution): void {
    const result = this.#progress.reserve();
    writeResult(best, result);
    result.ticket = this.#ticket;
    this.#progress.publish();
  }

  #time(): number {
    this.#control.beat();
    if (this.#control.isCancelled(this.#ticket)) return Number.NaN;
    return this.#hasDeadline ? this.#now() : 0;
  }

  /** The arms in turn and the modes in turn, so that the first real job finds compiled code. */
  #practise(rounds: number): void {
    const job = allocatePacket(PlannerJob);
    const watch: JobWatch = { clock: null, polished: () => undefined };
    const order = { solver: "sqp", deadline: Number.POSITIVE_INFINITY, drill: "none" } as const;
    const practices = this.#solver.arms.map(({ arm }, index) => new Practice(index, arm));
    const random = new Random("practice");
    for (let round = 0; round < rounds; round++) {
      const mode = modeNames[Math.floor(round / practices.length) % modeNames.length]!;
      const question = practices[round % practices.length]!.question(mode, random);
      writeJob(question, { ...order, search: { kind: "cold", starts: 8, iterations: 50 } }, job);
      const { x: start, warmStart } = this.#solver.solve(job, watch);
      writeJob(question, { ...order, search: { kind: "warm", start, warmStart, iterations: 50 } }, job);
      for (let k = 0; k < 8; k++) this.#solver.solve(job, watch);
    }
  }
}

function doNothing(): void {}

/** What is to go wrong in this job, on purpose. */
async function prepareDrill({ drill, attempt, part }: Readonly<PlannerJob>): Promise<() => void> {
  if (part !== 0 || (attempt > 0 && drill !== Drill.die)) return doNothing;
  switch (drill) {
    case Drill.none:
      return doNothing;
    case Drill.spin:
      return () => {
        for (;;);
      };
    case Drill.exit:
    case Drill.die:
      return () => process.exit(1);
    case Drill.exhaust: {
      const library = await loadNlopt();
      return () => library.countVectors(1, 2 ** 24);
    }
  }
}

const input = workerInput<PlannerInput>();
const thread = new PlannerWorkerThread(input);
await thread.run(input.jobs);
