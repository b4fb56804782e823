import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measurePlanning } from "./motions/planning.js";
import { measureProfiles } from "./motions/profiles.js";
import { measureReaches } from "./motions/reach.js";

/** The parts of the suite; each gives metrics of its own names. */
const parts: readonly ((context: BenchContext) => Promise<Metrics>)[] = [
  measureProfiles,
  measureReaches,
  measurePlanning,
];

async function run(context: BenchContext): Promise<Metrics> {
  const metrics: Metrics = {};
  for (const measure of parts) Object.assign(metrics, await measure(context));
  return metrics;
}

export const suite: BenchSuite = {
  name: "motions",
  description:
    "Motions: jerk-limited profiles against Ruckig, reaches at a time, and planning among obstacles against OMPL",
  run,
};
