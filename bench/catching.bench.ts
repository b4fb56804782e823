import type { ThrowResult } from "../src/catching/run-summary.js";
import { errorFigures, missCauses, wilsonLow } from "./catching/figures.js";
import { playInParallel } from "./catching/parallel-series.js";
import { throwsInSpace } from "./catching/throws-in-space.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Throws inside the catch space that are played; each pair of balls counts once. */
const counts = { full: { one: 400, two: 200 }, short: { one: 20, two: 10 } };

/** Seeds of this suite begin here: smaller ones were used for tuning. */
const FIRST_SEED = 1000;

export const suite: BenchSuite = {
  name: "catching",
  description: "agile-justin in physics, from rendered images, all challenges at their defaults, in lock-step",
  async run(context: BenchContext): Promise<Metrics> {
    const wanted = context.full ? counts.full : counts.short;
    return {
      ...(await measureRate(context, 1, wanted.one, "one_ball")),
      ...(await measureRate(context, 2, wanted.two, "two_balls")),
    };
  },
};

/** The share of what could be caught that is caught; of two balls both count. */
async function measureRate(context: BenchContext, balls: number, wanted: number, name: string): Promise<Metrics> {
  const base = { robot: "agile-justin", seed: FIRST_SEED + context.seed };
  const { throws, tried } = await throwsInSpace({ ...base, balls }, wanted, context);
  const results = await playInParallel({ ...base, world: "physics", perception: "images", throws }, (done) =>
    context.progress(`${name}: ${done} of ${throws.length}`),
  );
  const caught = results.filter((balls) => balls.every(({ outcome }) => outcome === "caught")).length;
  const all = results.flat();
  const figures = Object.entries({ ...errorFigures(all), ...missCauses(all) });
  const suffixed = figures.map(([key, value]) => [balls === 1 ? key : `${key}_${name}`, value] as const);
  return {
    [`throws_${name}`]: throws.length,
    [balls === 1 ? "catch_space_ratio" : `catch_space_ratio_${name}`]: throws.length / tried,
    [`catch_rate_${name}`]: caught / throws.length,
    [`catch_rate_${name}_wilson95_low`]: wilsonLow(caught, throws.length),
    [`catch_rate_${name}_of_all`]: caught / tried,
    [`gate_rate_${name}`]: gateRate(results),
    [`single_rate_${name}`]: all.filter(({ outcome }) => outcome === "caught").length / all.length,
    ...Object.fromEntries(suffixed),
  };
}

function gateRate(results: readonly (readonly ThrowResult[])[]): number {
  const passed = results.filter((throws) => throws.every(({ verdict }) => verdict?.caught === true));
  return passed.length / results.length;
}
