import type { MessagePort } from "node:worker_threads";
import {
  failureOf,
  type JobMessage,
  type JobOutcome,
  type ResultMessage,
  reviveJob,
} from "../../planning/pool/job-messages.js";
import { JobRunner, type JobRunnerInput } from "../../planning/pool/job-runner.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { onStop, workerInput, workerReady } from "../../transport/workers/worker-context.js";
import { ResultBell, WorkerControl } from "./worker-control.js";

/** What a pool gives its workers. */
export interface PlannerThreadInput {
  readonly runner: JobRunnerInput;
  /** Jobs come in here, and results go out. */
  readonly port: MessagePort;
  readonly control: SharedArrayBuffer;
  /** Rung after each result. */
  readonly bell: SharedArrayBuffer;
  readonly clock: ClockOrigin;
}

const { runner: input, port, control: memory, bell: bellMemory, clock: origin } = workerInput<PlannerThreadInput>();
const control = new WorkerControl(memory);
const bell = new ResultBell(bellMemory);
const clock = clockFrom(origin);
let ticket = 0;
const runner = new JobRunner(
  input,
  () => clock.nowSeconds(),
  () => {
    control.beat();
    return control.isCancelled(ticket);
  },
);

function work(message: JobMessage): void {
  const begun = performance.now();
  ticket = message.ticket;
  control.beat();
  fail(message);
  const outcome = run(message);
  const seconds = (performance.now() - begun) / 1000;
  port.postMessage({ ticket, seconds, outcome } satisfies ResultMessage);
  bell.ring();
}

function run({ job }: JobMessage): JobOutcome {
  try {
    return { result: runner.run(reviveJob(job)) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** What is to go wrong in this job, on purpose. */
function fail({ drill, attempt }: JobMessage): void {
  if (drill === "die" || (drill === "exit" && attempt === 0)) process.exit(1);
  if (drill === "spin" && attempt === 0) for (;;);
}

onStop(() => port.close());
port.on("message", work);
workerReady();
