/** Blocks its thread, and does not end when asked. */
import { workerReady } from "../../../src/transport/workers/worker-context.js";

workerReady();
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
