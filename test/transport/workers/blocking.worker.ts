/** Blocks its thread, as a control loop does, and watches the stop signal. */
import { stopRequested, stopSignal, workerReady } from "../../../src/transport/workers/worker-context.js";

workerReady();
while (!stopRequested()) Atomics.wait(stopSignal(), 0, 0);
