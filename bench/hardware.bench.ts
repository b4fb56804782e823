import { cameraParts } from "./hardware/cameras.js";
import { knownDelay } from "./hardware/known-delay.js";
import { urCatches } from "./hardware/ur-catches.js";
import { urFaults } from "./hardware/ur-faults.js";
import type { BenchContext, BenchPart, BenchSuite, Metrics } from "./harness.js";

/** The robot's half. */
const robotParts: readonly BenchPart[] = [urCatches, urFaults, knownDelay];

export const suite: BenchSuite = {
  name: "hardware",
  description:
    "robots and cameras at the graph's edge, against simulated controllers and senders over real sockets and pipes",
  async run(context: BenchContext): Promise<Metrics> {
    const metrics: Metrics = {};
    const { only = [] } = context;
    for (const part of [...robotParts, ...cameraParts]) {
      if (only.length > 0 && !only.includes(part.name)) continue;
      context.progress(part.name);
      Object.assign(metrics, await part.measure(context));
    }
    return metrics;
  },
};
