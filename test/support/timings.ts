import { relative, sep } from "node:path";

/** The part of vitest's JSON report that is read here. */
export interface TestRun {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly TestFileResult[];
}

export interface TestFileResult {
  readonly name: string;
  readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number }[];
}

/**
 * Seconds a part (the folder a test lies in, `planning/pool`) may take on two cores, so that the whole stays under five minutes.
 * Those in real time wait more than they compute.
 */
const budgets: Readonly<Record<string, number>> = { live: 60, run: 75, web: 60 };
const defaultBudget = 40;
const slowestShown = 10;

interface TimedTest {
  readonly part: string;
  readonly name: string;
  readonly seconds: number;
}

/** A line per part with its time against its budget, and the ten slowest tests of each part that exceeds it. */
export function formatTimings(run: TestRun, root: string): string {
  const tests = run.testResults.flatMap((file) => timedTests(file, root));
  const parts = [...new Set(tests.map((test) => test.part))].sort();
  return parts
    .flatMap((part) =>
      formatPart(
        part,
        tests.filter((test) => test.part === part),
      ),
    )
    .join("\n");
}

function timedTests(file: TestFileResult, root: string): TimedTest[] {
  const path = relative(root, file.name).split(sep).join("/");
  const part = path
    .replace(/^dist\//, "")
    .split("/")
    .slice(1, -1)
    .join("/");
  return file.assertionResults.map(({ fullName, duration = 0 }) => ({
    part,
    name: `${path}: ${fullName}`,
    seconds: duration / 1000,
  }));
}

function formatPart(part: string, tests: readonly TimedTest[]): string[] {
  const budget = budgets[part] ?? defaultBudget;
  const total = tests.reduce((sum, test) => sum + test.seconds, 0);
  const line = `${part.padEnd(26)} ${String(tests.length).padStart(5)} tests ${total.toFixed(1).padStart(6)} s of ${budget} s`;
  if (total <= budget) return [line];
  const slowest = [...tests].sort((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  return [`${line}  over budget; slowest:`, ...slowest.map((test) => `  ${test.seconds.toFixed(2)} s  ${test.name}`)];
}
