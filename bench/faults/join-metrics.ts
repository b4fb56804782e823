import type { Metrics } from "../harness.js";

/** Figures that count something. */
const counts = new Set(["faults_tried", "faults_unnoticed", "robot_not_at_rest", "descriptors_leaked", "exceptions"]);

/** Figures of the same name of several parts are joined: counts are added, the rest is the worst. */
export function joinMetrics(all: readonly Metrics[]): Metrics {
  const joined: Metrics = {};
  for (const metrics of all) {
    for (const [name, value] of Object.entries(metrics)) {
      const before = joined[name];
      if (before === undefined) joined[name] = value;
      else joined[name] = counts.has(name) ? before + value : Math.max(before, value);
    }
  }
  return joined;
}
