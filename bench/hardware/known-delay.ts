import { LATE_ROBOT, throwsWithDelay } from "../catching/command-delay.js";
import { throwsInSpace } from "../catching/throws-in-space.js";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";

/** Throws inside the catch space. */
const counts = { full: 100, short: 6 };
const FIRST_SEED = 2000;
/** What users measured on a UR10e [ms]. */
const DELAY_MS = 34;

/** What knowing the command delay is worth: lock-step, the same throws. */
export const knownDelay: BenchPart = {
  name: "known delay",
  async measure(context: BenchContext): Promise<Metrics> {
    const seed = FIRST_SEED + context.seed;
    const wanted = context.full ? counts.full : counts.short;
    const { throws } = await throwsInSpace({ robot: LATE_ROBOT, seed, balls: 1 }, wanted, context);
    const metrics: Metrics = {};
    for (const knowledge of ["known", "unknown"] as const) {
      const results = await throwsWithDelay(DELAY_MS, knowledge, { seed, throws });
      const caught = results.filter(({ outcome }) => outcome === "caught").length;
      metrics[`catch_rate_delay_${DELAY_MS}ms_${knowledge}`] = caught / results.length;
      context.progress(`delay of ${DELAY_MS} ms ${knowledge}: ${caught} of ${results.length} caught`);
    }
    return metrics;
  },
};
