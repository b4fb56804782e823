import type { PlanMessage } from "../messages/page.js";
import { rampFields } from "../motion/joint-ramps.js";

/** Ramps of some joints, numbers for each field. */
type RampNumbers = Readonly<Record<keyof PlanMessage["ramps"], ArrayLike<number>>>;

/** The ramps of the first `count` joints, for the page. */
export function rampNumbers(ramps: RampNumbers, count = ramps.q0.length): PlanMessage["ramps"] {
  const fields = [...rampFields, "end"] as const;
  const numbers = fields.map((field) => [field, Array.from(ramps[field]).slice(0, count)]);
  return Object.fromEntries(numbers) as PlanMessage["ramps"];
}
