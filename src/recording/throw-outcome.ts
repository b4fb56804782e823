import type { ThrowResult } from "../catching/run-summary.js";
import * as vec3 from "../math/vec3.js";
import type { ThrowOutcome } from "../messages/world.js";

/** The result as a message. */
export function outcomeOf({ aim, ...result }: ThrowResult): ThrowOutcome {
  return { ...result, aim: vec3.create(...aim) };
}

/** The result of a message. */
export function resultOf({ aim, ...outcome }: ThrowOutcome): ThrowResult {
  return { ...outcome, aim: [aim[0], aim[1], aim[2]] };
}
