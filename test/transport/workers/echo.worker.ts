/** Answers each message with its input; ends when asked to. */
import { parentPort } from "node:worker_threads";
import { onStop, workerInput, workerReady } from "../../../src/transport/workers/worker-context.js";

const input = workerInput<{ greeting: string; log?: Int32Array }>();
parentPort?.on("message", (message: string) => {
  parentPort?.postMessage(`${input.greeting} ${message}`);
});
onStop(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  if (input.log !== undefined) Atomics.add(input.log, 0, 1);
});
workerReady();
