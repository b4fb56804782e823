/** Reads the run clock whenever it is asked to, through shared memory. */
import { type ClockOrigin, clockFrom } from "../../../src/runtime/clock.js";
import { stopRequested, workerInput, workerReady } from "../../../src/transport/workers/worker-context.js";

const { origin, turn, time } = workerInput<{ origin: ClockOrigin; turn: Int32Array; time: Float64Array }>();
const clock = clockFrom(origin);
time[1] = (clock as { uncertaintyNs?: number }).uncertaintyNs ?? 0;
workerReady();
while (!stopRequested()) {
  if (Atomics.wait(turn, 0, 0, 100) === "timed-out") continue;
  time[0] = clock.nowNs();
  Atomics.store(turn, 0, 0);
  Atomics.notify(turn, 0);
}
