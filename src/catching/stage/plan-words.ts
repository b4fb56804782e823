import type { PlanMessage } from "./stage-messages.js";

/** Ramps of some joints, each field indexed by place in the joint vector. */
type RampNumbers = Readonly<Record<keyof PlanMessage["ramps"], ArrayLike<number>>>;

const fields = ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T", "end"] as const;

/** Picks the ramps of `joints` from `ramps`, whose entry for joint i of the list is at `at(i)`. */
export function pickRamps(ramps: RampNumbers, indices: readonly number[]): PlanMessage["ramps"] {
  const picked = fields.map((field) => [field, indices.map((index) => ramps[field][index]!)] as const);
  return Object.fromEntries(picked) as unknown as PlanMessage["ramps"];
}
