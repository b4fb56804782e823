import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { measureProfiles } from "./motions/profiles.js";

/** The parts of the suite; each gives metrics of its own names. */
const parts: readonly ((context: BenchContext) => Promise<Metrics>)[] = [measureProfiles];

async function run(context: BenchContext): Promise<Metrics> {
  const metrics: Metrics = {};
  for (const measure of parts) Object.assign(metrics, await measure(context));
  return metrics;
}

export const suite: BenchSuite = {
  name: "motions",
  description: "Motions: jerk-limited profiles against Ruckig's durations, and how long they take",
  run,
};
