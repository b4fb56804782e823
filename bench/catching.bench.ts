import { cpus } from "node:os";
import type { ThrowResult } from "../src/catching/run-summary.js";
import { errorFigures, missCauses, wilsonLow } from "./catching/figures.js";
import { playInParallel } from "./catching/parallel-series.js";
import type { SeriesRequest } from "./catching/series.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Throws inside the catch space that are played; each pair of balls counts once. */
const counts = { full: { one: 400, two: 200 }, short: { one: 40, two: 20 } };

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
  const seed = FIRST_SEED + context.seed;
  const base = { robot: "agile-justin", seed };
  const { inside, tried } = await catchSpace(base, balls, wanted, context);
  const request: SeriesRequest = { ...base, world: "physics", perception: "images", throws: inside };
  const results = await playInParallel(request, cpus().length, (done) =>
    context.progress(`${name}: ${done} of ${inside.length}`),
  );
  const caught = results.filter((throws) => throws.every(({ outcome }) => outcome === "caught")).length;
  const all = results.flat();
  const figures = Object.entries({ ...errorFigures(all), ...missCauses(all) });
  const suffixed = figures.map(([key, value]) => [balls === 1 ? key : `${key}_${name}`, value] as const);
  return {
    [`throws_${name}`]: inside.length,
    [`catch_space_ratio_${name}`]: inside.length / tried,
    [`catch_rate_${name}`]: caught / inside.length,
    [`catch_rate_${name}_wilson95_low`]: wilsonLow(caught, inside.length),
    [`catch_rate_${name}_of_all`]: caught / tried,
    [`gate_rate_${name}`]: gateRate(results),
    ...Object.fromEntries(suffixed),
  };
}

function gateRate(results: readonly (readonly ThrowResult[])[]): number {
  const passed = results.filter((throws) => throws.every(({ verdict }) => verdict?.caught === true));
  return passed.length / results.length;
}

/**
 * The first throws, or pairs, that can be caught by who knows the true flight from the third frame on, with the same arms,
 * body and delays; and how many were tried to find them.
 */
async function catchSpace(
  base: Pick<SeriesRequest, "robot" | "seed">,
  balls: number,
  wanted: number,
  { progress }: BenchContext,
): Promise<{ inside: (readonly number[])[]; tried: number }> {
  const inside: (readonly number[])[] = [];
  let tried = 0;
  while (inside.length < wanted) {
    const throws = Array.from({ length: wanted }, (_, k) =>
      Array.from({ length: balls }, (_, ball) => (tried + k) * balls + ball),
    );
    const request: SeriesRequest = { ...base, world: "kinematic", perception: "truth", throws };
    const results = await playInParallel(request, cpus().length);
    for (const [k, result] of results.entries()) {
      if (inside.length === wanted) break;
      tried++;
      if (result.every(({ outcome }) => outcome === "caught")) inside.push(throws[k]!);
    }
    progress(`catch space, ${balls} balls: ${inside.length} of ${tried}`);
  }
  return { inside, tried };
}
