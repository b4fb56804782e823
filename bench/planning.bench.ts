import { NloptSolver } from "../src/optimisation/nlopt-backend.js";
import { iterationBudget } from "../src/optimisation/solver-interface.js";
import { CatchSolver, type SearchBudget } from "../src/planning/search/catch-solver.js";
import { briefSearch } from "../src/planning/search/search-patience.js";
import { defaultSeedGrid } from "../src/planning/search/seeds.js";
import { type BenchContext, type BenchSuite, type Metrics, percentiles, summarize } from "./harness.js";
import { measureHttp } from "./planning/http-load.js";
import { measurePool } from "./planning/pool-load.js";
import { type ReferenceCase, readReference } from "./planning/reference.js";
import { PlanningSetting } from "./planning/setting.js";
import { makeWarmCases, type WarmCase } from "./planning/warm-sequences.js";

/** Cases of the default run, evenly over the reference; `--full` takes all 1,000. */
const SLICE = 200;
/** The planner's normal cold search, as the service runs it, and that of a robot that catches. */
const COLD = { starts: 12, solve: iterationBudget(100) };
const BRIEF = { ...COLD, patience: briefSearch };
const WARM = iterationBudget(100);
const WARM_ROUNDS = 4;
/** Solves of the search for growing memory. */
const ENDURANCE = 100_000;
/** Difference of objectives that is none: an arm that is there already in mode `cool` has an objective of some 1e-5 s. */
const NEGLIGIBLE = 2e-4;
/** Two searches agree if their objectives differ by less than this share. */
const SAME = 1e-3;

async function run({ full, progress }: BenchContext): Promise<Metrics> {
  const reference = readReference();
  const every = full ? 1 : Math.ceil(reference.cases.length / SLICE);
  const cases = reference.cases.filter((_, k) => k % every === 0);
  const setting = new PlanningSetting();
  const solver = new CatchSolver(setting.arm, setting.caseTask(cases[0]!));
  progress(`cold searches of ${cases.length} cases`);
  const cold = measureCold(setting, solver, cases, COLD);
  const brief = measureCold(setting, solver, cases, BRIEF);
  progress("warm solves");
  const warmCases = makeWarmCases(setting, solver, cases);
  const warm = measureWarm(solver, warmCases);
  progress("the same warm problems with nlopt-js");
  const nlopt = await measureNlopt(setting, warmCases);
  progress("memory");
  const heap = measureHeap(solver, warmCases, full ? ENDURANCE : ENDURANCE / 10);
  progress("the pool");
  const pool = await measurePool(setting, cases);
  progress("HTTP");
  const http = await measureHttp();
  return {
    cases: cases.length,
    feasible_in_reference: cases.filter(({ best }) => best !== null).length,
    ...cold,
    brief_ms_p50: brief.cold_inline_ms_p50!,
    brief_ms_p95: brief.cold_inline_ms_p95!,
    brief_found_ratio: brief.found_ratio!,
    brief_within_1pct_ratio: brief.within_1pct_ratio!,
    ...warm.metrics,
    ...nlopt.metrics,
    speedup_vs_nlopt: (nlopt.metrics.nlopt_warm_us_p50 ?? Number.NaN) / (warm.metrics.warm_us_p50 ?? Number.NaN),
    nlopt_agree_ratio: agreement(warm.costs, nlopt.costs),
    ...heap,
    ...pool,
    ...http,
  };
}

function measureCold(
  setting: PlanningSetting,
  solver: CatchSolver,
  cases: readonly ReferenceCase[],
  budget: SearchBudget,
): Metrics {
  const solution = solver.createSolution();
  const times = new Float64Array(cases.length);
  let feasible = 0;
  let found = 0;
  let within = 0;
  let better = 0;
  for (const entry of cases.slice(0, 40)) solver.cold(setting.caseTask(entry), budget, solution);
  cases.forEach((entry, k) => {
    const task = setting.caseTask(entry);
    const start = performance.now();
    solver.cold(task, budget, solution);
    times[k] = performance.now() - start;
    if (entry.best === null) return;
    feasible++;
    if (!solution.found) return;
    found++;
    const best = solver.problem.reportObjective(entry.best.cost);
    const difference = solution.objective - best;
    if (difference <= 0.01 * Math.abs(best) + NEGLIGIBLE) within++;
    if (difference < -1e-3 * Math.abs(best)) better++;
  });
  return {
    ...percentiles("cold_inline_ms", times),
    found_ratio: found / feasible,
    within_1pct_ratio: within / feasible,
    better_than_reference: better,
  };
}

interface WarmResult {
  readonly metrics: Metrics;
  /** Cost of each case, Infinity where no catch was found. */
  readonly costs: Float64Array;
}

function measureWarm(solver: CatchSolver, cases: readonly WarmCase[], prefix = "warm_us"): WarmResult {
  const solution = solver.createSolution();
  const times = new Float64Array(cases.length);
  const costs = new Float64Array(cases.length);
  let found = 0;
  // All but the last are the warm-up.
  for (let round = 0; round < WARM_ROUNDS; round++) {
    found = 0;
    cases.forEach(({ task, start, warmStart }, k) => {
      const begin = performance.now();
      solver.warm(task, start, warmStart, WARM, solution);
      times[k] = (performance.now() - begin) * 1e3;
      costs[k] = solution.found ? solution.cost : Number.POSITIVE_INFINITY;
      if (solution.found) found++;
    });
  }
  const ratio = prefix === "warm_us" ? { warm_found_ratio: found / cases.length } : {};
  return { metrics: { ...percentiles(prefix, times), ...ratio }, costs };
}

async function measureNlopt(setting: PlanningSetting, cases: readonly WarmCase[]): Promise<WarmResult> {
  const { problem } = new CatchSolver(setting.arm, cases[0]!.task);
  const nlopt = await NloptSolver.create(problem);
  return measureWarm(new CatchSolver(setting.arm, cases[0]!.task, defaultSeedGrid, nlopt), cases, "nlopt_warm_us");
}

function agreement(ours: Float64Array, theirs: Float64Array): number {
  let both = 0;
  let same = 0;
  ours.forEach((cost, k) => {
    const other = theirs[k]!;
    if (!Number.isFinite(cost) || !Number.isFinite(other)) return;
    both++;
    if (Math.abs(cost - other) <= SAME * (1e-3 + Math.abs(cost))) same++;
  });
  return same / both;
}

function measureHeap(solver: CatchSolver, cases: readonly WarmCase[], solves: number): Metrics {
  const solution = solver.createSolution();
  const solve = (k: number): void => {
    const { task, start, warmStart } = cases[k % cases.length]!;
    solver.warm(task, start, warmStart, WARM, solution);
  };
  for (let k = 0; k < 2000; k++) solve(k);
  const perSolve = new Float64Array(20).map((_, round) => heapOf(() => solve(round), 200));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < solves; k++) solve(k);
  globalThis.gc?.();
  return {
    heap_bytes_per_warm_solve: summarize(perSolve).p50,
    [`heap_growth_bytes_after_${solves}_solves`]: process.memoryUsage().heapUsed - before,
  };
}

function heapOf(work: () => void, calls: number): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < calls; k++) work();
  return (process.memoryUsage().heapUsed - before) / calls;
}

export const suite: BenchSuite = {
  name: "planning",
  description: "Catch planning of Agile Justin's right arm against the stored reference, nlopt-js and HTTP load",
  run,
};
