import type { ThrowResult } from "../catching/run-summary.js";
import * as vec3 from "../math/vec3.js";
import type { ThrowOutcome } from "../messages/world.js";
import type { HoldOutcome } from "../simulation/catch-world.js";
import type { Miss } from "../simulation/verdict.js";

/** The result as a message. */
export function outcomeOf({ aim: [x = 0, y = 0, z = 0], ...result }: ThrowResult): ThrowOutcome {
  return { ...result, aim: vec3.create(x, y, z) };
}

/** The result of a message. */
export function resultOf({ aim, verdict, hold, ...outcome }: ThrowOutcome): ThrowResult {
  return {
    ...outcome,
    aim: Array.from(aim),
    verdict: verdict === null ? null : { ...verdict, misses: verdict.misses as readonly Miss[] },
    hold: hold as HoldOutcome | null,
  };
}
