import { existsSync } from "node:fs";
import { knownDelay } from "./hardware/known-delay.js";
import { urCatches } from "./hardware/ur-catches.js";
import { urFaults } from "./hardware/ur-faults.js";
import type { BenchContext, BenchPart, BenchSuite, Metrics } from "./harness.js";

/** The robot's half. */
const robotParts: readonly BenchPart[] = [urCatches, urFaults, knownDelay];

/** The cameras' half, of a module that exports `cameraParts`, in the same folder. */
async function cameraParts(): Promise<readonly BenchPart[]> {
  const module = new URL("./hardware/cameras.js", import.meta.url);
  if (!existsSync(module)) return [];
  return ((await import(module.href)) as { cameraParts: readonly BenchPart[] }).cameraParts;
}

/** A part alone, by its name: `FLYCATCHER_HARDWARE="ur faults"`. */
const only = process.env.FLYCATCHER_HARDWARE;

export const suite: BenchSuite = {
  name: "hardware",
  description:
    "robots and cameras at the graph's edge, against simulated controllers and senders over real sockets and pipes",
  async run(context: BenchContext): Promise<Metrics> {
    const metrics: Metrics = {};
    for (const part of [...robotParts, ...(await cameraParts())]) {
      if (only !== undefined && part.name !== only) continue;
      context.progress(part.name);
      Object.assign(metrics, await part.measure(context));
    }
    return metrics;
  },
};
