import type { ThrowResult } from "../src/catching/run-summary.js";
import { fullChallenges, noChallenges } from "../src/simulation/head-motion/challenges.js";
import { LATE_ROBOT, throwsWithDelay } from "./catching/command-delay.js";
import { errorFigures, missCauses } from "./catching/figures.js";
import { calibrateOnce } from "./catching/miscalibrated.js";
import { playInParallel } from "./catching/parallel-series.js";
import type { SeriesRequest } from "./catching/series.js";
import { throwsInSpace } from "./catching/throws-in-space.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";

/** Throws inside the catch space for each setting. */
const counts = { full: 100, short: 6 };

/** The throws of the suite `catching`. */
const FIRST_SEED = 1000;

/** How late a robot follows its commands, with its planner knowing it and not [ms]. */
const DELAYS = [0, 10, 20, 34, 50];

/** What of a run is changed. */
type Setting = Partial<Pick<SeriesRequest, "perception" | "challenges" | "chest" | "truth" | "calibration">>;

const still = { deflection: 0, slip: 0 };

export const suite: BenchSuite = {
  name: "catching-ablation",
  description: "what each challenge costs: the same throws with each of them off, and all; by truth; miscalibrated",
  async run(context: BenchContext): Promise<Metrics> {
    const base = { robot: "agile-justin", seed: FIRST_SEED + context.seed };
    const { throws } = await throwsInSpace({ ...base, balls: 1 }, context.full ? counts.full : counts.short, context);
    const metrics: Metrics = { throws: throws.length };
    const settings = await settingsFor(context);
    for (const [name, setting] of Object.entries(settings)) {
      const request: SeriesRequest = { ...base, world: "physics", perception: "images", throws, ...setting };
      const results = (await playInParallel(request)).flat();
      const figures = figuresOf(name, results);
      Object.assign(metrics, figures);
      context.progress(summaryOf(name, figures));
    }
    return { ...metrics, ...growth(metrics), ...(await delayFigures(context)) };
  },
};

/** The catch rate of a robot that follows its commands late: the same throws of a UR10e with a net. */
async function delayFigures(context: BenchContext): Promise<Metrics> {
  const base = { robot: LATE_ROBOT, seed: FIRST_SEED + context.seed };
  const { throws } = await throwsInSpace({ ...base, balls: 1 }, context.full ? counts.full : counts.short, context);
  const metrics: Metrics = { delay_throws: throws.length };
  for (const delay of DELAYS) {
    for (const kind of delay === 0 ? (["known"] as const) : (["known", "unknown"] as const)) {
      const results = await throwsWithDelay(delay, kind, { seed: base.seed, throws });
      const name = `delay_${delay}ms_${kind}`;
      const figures = figuresOf(name, results);
      Object.assign(metrics, figures);
      context.progress(summaryOf(name, figures));
    }
  }
  return metrics;
}

/** Every setting by its name. */
async function settingsFor({ seed, progress }: BenchContext): Promise<Record<string, Setting>> {
  progress("calibration");
  const { truth, calibration } = await calibrateOnce("agile-justin", FIRST_SEED + seed);
  const without = Object.keys(fullChallenges).map((name) => [`without_${snake(name)}`, { challenges: { [name]: 0 } }]);
  return {
    all_challenges: {},
    ...(Object.fromEntries(without) as Record<string, Setting>),
    no_challenges: { challenges: noChallenges },
    perfect_perception: { perception: "truth" },
    miscalibrated: { truth },
    calibrated: { truth, calibration },
    stiff: { challenges: still },
    chest_planned: { chest: "planned" },
    chest_planned_stiff: { chest: "planned", challenges: still },
  };
}

function figuresOf(name: string, results: readonly ThrowResult[]): Metrics {
  const caught = results.filter(({ outcome }) => outcome === "caught").length;
  const { hand_error_cm_p50, hand_error_cm_p95, prediction_mm_p50, calibration_mm_p50 } = errorFigures(results);
  const figures = {
    hand_error_cm_p50,
    hand_error_cm_p95,
    prediction_mm_p50,
    calibration_mm_p50,
    ...missCauses(results),
  };
  const named = Object.entries({ catch_rate: caught / results.length, ...figures });
  return Object.fromEntries(named.flatMap(([key, value]) => (value === undefined ? [] : [[`${key}_${name}`, value]])));
}

/** A setting in a line, for whoever watches: the whole takes half an hour. */
function summaryOf(name: string, figures: Metrics): string {
  const millimetres = (key: string): string => {
    const centimetres = figures[`${key}_${name}`] ?? Number.NaN;
    return Number.isNaN(centimetres) ? "–" : (10 * centimetres).toFixed(2);
  };
  const rate = (100 * (figures[`catch_rate_${name}`] ?? 0)).toFixed(0);
  return `${name}: ${rate} % caught, off by ${millimetres("hand_error_cm_p50")} / ${millimetres("hand_error_cm_p95")} mm`;
}

/** By how much torso deflection and base slip make the hand's median error grow [mm]: with the chest from the measured
 * head, as it is meant to be, and from the platform's kinematics. */
function growth(metrics: Metrics): Metrics {
  const error = (name: string): number => 10 * (metrics[`hand_error_cm_p50_${name}`] ?? Number.NaN);
  return {
    deflection_and_slip_mm_p50_chest_measured: error("all_challenges") - error("stiff"),
    deflection_and_slip_mm_p50_chest_planned: error("chest_planned") - error("chest_planned_stiff"),
  };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
