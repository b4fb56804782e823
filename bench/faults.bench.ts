import { type FaultPart, joinMetrics } from "./faults/fault-part.js";
import { lockStepFaults } from "./faults/lock-step-faults.js";
import { measureLoopBlocking } from "./faults/loop-blocking.js";
import { realTimeFaults } from "./faults/real-time-faults.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Requests that once held the event loop. */
const loopBlocking: FaultPart = {
  name: "loop blocking",
  async measure() {
    const blocked = await measureLoopBlocking();
    return { loop_blocked_ms_max: Math.max(...blocked.map(({ blockedMs }) => blockedMs)) };
  },
};

/** Each part measures what it is about; figures of the same name are joined. */
const parts: readonly FaultPart[] = [lockStepFaults, realTimeFaults, loopBlocking];

export const suite: BenchSuite = {
  name: "faults",
  description:
    "every node killed, hung and slowed, the robot, its link and its clock disturbed: what is noticed, and what follows",
  async run(context: BenchContext): Promise<Metrics> {
    const all: Metrics[] = [];
    for (const part of parts) {
      context.progress(part.name);
      all.push(await part.measure(context));
    }
    return joinMetrics(all);
  },
};
