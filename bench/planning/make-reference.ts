/**
 * Makes `bench/reference/planning.json`: for each case of the planning suite the best verified catch that long searches
 * find. Takes about an hour of processor time; the file says with which command and from which robot it was made.
 *
 *   node dist/bench/planning/make-reference.js [--cases 1000] [--processes 2]
 *   node dist/bench/planning/make-reference.js --again sure     only the cases of one mode, the rest as they are stored
 *   node dist/bench/planning/make-reference.js --again refused  only those whose best catch is no longer verified
 *   node dist/bench/planning/make-reference.js --again relaxed  for a robot that has more room than before: cases without a catch are
 *                                                               searched again, the others improved from where they were
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { makeCases, type PlanningCase } from "./cases.js";
import { type PlanningReference, type ReferenceCase, referenceFile, robotHash } from "./reference.js";
import { type ReferenceCatch, ReferenceSearch } from "./reference-search.js";
import { PlanningSetting } from "./setting.js";

/** Costs that differ by no more are the same. */
const SAME_COST = 2e-4;

/** Cases per process: nlopt-js leaks and dies after some 60,000 solves. */
const BATCH = 20;

interface Batch {
  readonly cases: readonly PlanningCase[];
  readonly best: (ReferenceCatch | null)[];
}

async function searchBatch(file: string): Promise<void> {
  const { cases, best } = JSON.parse(readFileSync(file, "utf8")) as Batch;
  const setting = new PlanningSetting();
  const tasks = cases.map((entry) => setting.caseTask(entry));
  const search = await ReferenceSearch.create(setting, tasks[0]!);
  tasks.forEach((task, k) => void best.push(search.find(task, `reference ${cases[k]!.throwId}`)));
  writeFileSync(file, JSON.stringify({ cases, best }));
}

async function makeReference(count: number, processes: number): Promise<void> {
  const cases = makeCases(new PlanningSetting(), count);
  writeReference(await search(cases, processes));
}

/**
 * Searches some cases again: those of one mode, whose objective has changed, or those whose best catch the verifier, grown
 * stricter, now refuses. The other cases keep their best: a stricter verifier allows no better one.
 */
async function searchAgain(which: string, processes: number): Promise<void> {
  const stored = (JSON.parse(readFileSync(referenceFile, "utf8")) as PlanningReference).cases;
  const known = which === "relaxed" ? improvedCases(stored) : stored;
  const concerned = concernedBy(which, known);
  process.stderr.write(`${concerned.length} cases to be searched again\n`);
  const searched = await search(concerned, processes);
  const byThrow = new Map(searched.map((entry) => [entry.throwId, entry]));
  writeReference(known.map((entry) => byThrow.get(entry.throwId) ?? entry));
}

function concernedBy(which: string, stored: readonly ReferenceCase[]): readonly ReferenceCase[] {
  if (which === "refused") return refusedCases(stored);
  if (which === "relaxed") return stored.filter(({ best }) => best === null);
  return stored.filter((entry) => entry.mode === which);
}

/** The cases with what a local solve from each best catch finds better, now that there is more room. */
function improvedCases(stored: readonly ReferenceCase[]): ReferenceCase[] {
  const setting = new PlanningSetting();
  const solver = new CatchSolver(setting.arm, setting.caseTask(stored[0]!));
  const solution = solver.createSolution();
  const nothing = new Float64Array(solution.warmStart.length);
  return stored.map((entry) => {
    if (entry.best === null) return entry;
    solver.warm(setting.caseTask(entry), Float64Array.from(entry.best.x), nothing, iterationBudget(200), solution);
    const isBetter = solution.found && solution.cost < entry.best.cost;
    if (!isBetter) return entry;
    const { source } = entry.best;
    return { ...entry, best: { source, cost: solution.cost, x: [...solution.x] } };
  });
}

/** The cases whose best catch cannot be found again from where it was. */
function refusedCases(stored: readonly ReferenceCase[]): ReferenceCase[] {
  const setting = new PlanningSetting();
  const solver = new CatchSolver(setting.arm, setting.caseTask(stored[0]!));
  const solution = solver.createSolution();
  const nothing = new Float64Array(solution.warmStart.length);
  return stored.filter((entry) => {
    if (entry.best === null) return false;
    solver.warm(setting.caseTask(entry), Float64Array.from(entry.best.x), nothing, iterationBudget(200), solution);
    return !(solution.found && solution.cost <= entry.best.cost + SAME_COST);
  });
}

async function search(cases: readonly PlanningCase[], processes: number): Promise<ReferenceCase[]> {
  const folder = mkdtempSync(join(tmpdir(), "planning-reference-"));
  const files: string[] = [];
  for (let from = 0; from < cases.length; from += BATCH) {
    const file = join(folder, `${from}.json`);
    writeFileSync(file, JSON.stringify({ cases: cases.slice(from, from + BATCH), best: [] }));
    files.push(file);
  }
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const k = next++;
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--batch", files[k]!], {
        stdio: "inherit",
      });
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) throw new Error(`the search of ${files[k]} failed`);
      process.stderr.write(`${k + 1} of ${files.length} batches\n`);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  const batches = files.map((file) => JSON.parse(readFileSync(file, "utf8")) as Batch);
  return batches.flatMap((batch) => batch.cases.map((entry, k) => ({ ...entry, best: batch.best[k] ?? null })));
}

function writeReference(cases: readonly ReferenceCase[]): void {
  const command = "node dist/bench/planning/make-reference.js";
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(referenceFile, `${formatReference({ command, date, robotHash: robotHash(), cases })}\n`);
}

/** One case a line, so that a change shows as such. */
function formatReference({ cases, ...head }: PlanningReference): string {
  const lines = cases.map((entry) => JSON.stringify(entry)).join(",\n");
  return `${JSON.stringify(head).slice(0, -1)},"cases":[\n${lines}\n]}`;
}

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    processes: { type: "string", default: "2" },
    batch: { type: "string" },
    again: { type: "string" },
  },
});
if (values.batch !== undefined) await searchBatch(values.batch);
else if (values.again !== undefined) await searchAgain(values.again, Number(values.processes));
else await makeReference(Number(values.cases), Number(values.processes));
