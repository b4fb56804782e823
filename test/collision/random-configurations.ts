import type { Random } from "../../src/math/random.js";

/** Uniform within the limits, and within ±π where there are none. */
export function randomWithin(
  lower: Float64Array,
  upper: Float64Array,
  random: Random,
  out: Float64Array = new Float64Array(lower.length),
): Float64Array {
  for (let i = 0; i < out.length; i++) {
    out[i] = random.uniformIn(Math.max(lower[i]!, -Math.PI), Math.min(upper[i]!, Math.PI));
  }
  return out;
}
