import { joinMetrics } from "./faults/join-metrics.js";
import { lockStepFaults } from "./faults/lock-step-faults.js";
import { measureLoopBlocking } from "./faults/loop-blocking.js";
import { mixedLoad } from "./faults/mixed-load.js";
import { networkFaultPart, realTimeFaults, sensorFaultPart } from "./faults/real-time-faults.js";
import { stopsUnderAbuse } from "./faults/stops-under-abuse.js";
import type { BenchContext, BenchPart, BenchSuite, Metrics } from "./harness.js";

/** Requests that once held the event loop. */
const loopBlocking: BenchPart = {
  name: "loop blocking",
  async measure() {
    const blocked = await measureLoopBlocking();
    return { loop_blocked_ms_max: Math.max(...blocked.map(({ blockedMs }) => blockedMs)) };
  },
};

/** Each part measures what it is about; figures of the same name are joined. */
const parts: readonly BenchPart[] = [
  lockStepFaults,
  realTimeFaults,
  networkFaultPart,
  sensorFaultPart,
  loopBlocking,
  stopsUnderAbuse,
  mixedLoad,
];

export const suite: BenchSuite = {
  name: "faults",
  description:
    "every node killed, hung, slowed and out of memory; robot, link, network, sensors and disk disturbed; stops under abuse; mixed load",
  async run(context: BenchContext): Promise<Metrics> {
    const { only = [] } = context;
    const all: Metrics[] = [];
    for (const part of parts) {
      if (only.length > 0 && !only.includes(part.name)) continue;
      context.progress(part.name);
      all.push(await part.measure(context));
    }
    return joinMetrics(all);
  },
};
