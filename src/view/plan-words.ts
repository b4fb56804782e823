import type { PlanMessage } from "./page-messages.js";

/** Ramps of some joints, a list of numbers for each field. */
type RampNumbers = Readonly<Record<keyof PlanMessage["ramps"], ArrayLike<number>>>;

const fields = ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T", "end"] as const;

/** The ramps at the given places. */
export function pickRamps(ramps: RampNumbers, indices: readonly number[]): PlanMessage["ramps"] {
  const picked = fields.map((field) => [field, indices.map((index) => ramps[field][index]!)] as const);
  return Object.fromEntries(picked) as unknown as PlanMessage["ramps"];
}
