import type { CalibrationJobInput, CalibrationJobMessage } from "../nodes/calibration-job.module.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { type RunningWorker, startWorker } from "../transport/workers/start-worker.js";
import { type Job, JobList } from "./job-list.js";

/** A calibration that was asked for. */
export interface CalibrationJob extends Job {
  readonly input: CalibrationJobInput;
  state: Exclude<Job["state"], "cancelled">;
  calibration?: Overlay;
  /** A web page. */
  report?: string;
}

/** Runs calibrations, one at a time, each in a thread of its own. */
export class CalibrationJobs {
  readonly #logger: Logger;
  readonly #jobs = new JobList<CalibrationJob>("calibration", "FLY_CALIBRATION_UNKNOWN");
  #worker: RunningWorker | undefined;
  #isClosed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Starts one; refuses while another runs. */
  async start(input: CalibrationJobInput): Promise<CalibrationJob> {
    if (this.#jobs.running > 0) throw new FlycatcherError("FLY_CALIBRATION_BUSY", "another calibration is running");
    const job = this.#jobs.add((begun) => ({ ...begun, input }));
    try {
      await this.#launch(job);
    } catch (error) {
      this.#jobs.delete(job.id);
      throw error;
    }
    return job;
  }

  /** The one of this robot and seed that runs or went well, if it is remembered. */
  find({ robot, seed, configurations }: Omit<CalibrationJobInput, "date">): CalibrationJob | undefined {
    return this.#jobs.all.find(
      ({ input, state }) =>
        state !== "failed" && input.robot === robot && input.seed === seed && input.configurations === configurations,
    );
  }

  get(id: string): CalibrationJob {
    return this.#jobs.get(id);
  }

  /** Ends a calibration and forgets it. */
  async cancel(id: string): Promise<void> {
    const { state } = this.#jobs.get(id);
    if (state === "running") await this.#worker?.stop();
    this.#jobs.delete(id);
  }

  /** Ends the one that runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.stop();
  }

  async #launch(job: CalibrationJob): Promise<void> {
    const worker = await startWorker("nodes/calibration-job", {
      workerData: job.input,
      logger: this.#logger,
      stopTimeoutMs: 100,
      onExit: ({ error }) => this.#settle(job, error),
    });
    this.#worker = worker;
    worker.thread.on("message", (message: CalibrationJobMessage) => this.#handle(job, message));
    if (this.#isClosed) await worker.stop();
  }

  #handle(job: CalibrationJob, message: CalibrationJobMessage): void {
    if (message.kind === "progress") {
      job.progress = message.share;
    } else if (message.kind === "done") {
      job.state = "done";
      job.progress = 1;
      job.calibration = message.calibration;
      job.report = message.report;
    } else {
      job.state = "failed";
      job.problem = { code: message.code, detail: message.message };
    }
  }

  /** A thread that ended without a word has failed. */
  #settle(job: CalibrationJob, error: FlycatcherError | undefined): void {
    this.#worker = undefined;
    if (job.state !== "running") return;
    job.state = "failed";
    job.problem = { code: error?.code ?? "FLY_INTERNAL", detail: error?.message ?? "the calibration was ended" };
  }
}
