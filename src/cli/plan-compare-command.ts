import type { Command } from "commander";
import { MotionPlanner } from "../planning/motions/motion-planner.js";
import { assertMotionRequest, type MotionRequest, motionPlanners } from "../planning/motions/motion-request.js";
import { LoadedRobots } from "../planning/request/loaded-robots.js";
import { readRequest } from "./plan-command.js";
import { print } from "./terminal.js";

interface CompareOptions {
  readonly runs: string;
  readonly json?: true;
}

/** What one planner made of a scene. */
interface PlannerRow {
  readonly planner: string;
  readonly runs: number;
  readonly found: number;
  /** Medians over the runs that found a motion; NaN if none did. */
  readonly milliseconds: number;
  readonly samples: number;
  readonly length: number;
  readonly duration: number;
}

const MOST_RUNS = 1000;

/** `flycatcher plan-compare`: every planner on one scene, with several seeds. */
export function registerPlanCompareCommand(program: Command): void {
  program
    .command("plan-compare")
    .description("Plan one motion with every path planner, several times each, and print their table.")
    .argument("<request>", "file with the request for a motion as JSON, or - for the standard input")
    .option("--runs <count>", "seeds for each planner", "10")
    .option("--json", "print the table as JSON")
    .addHelpText("after", "\nExample:\n  flycatcher plan-compare data/requests/move-panda.json --runs 20")
    .action(async (file: string, { runs, json }: CompareOptions, command: Command) => {
      const count = Number(runs);
      if (!(Number.isInteger(count) && count >= 1 && count <= MOST_RUNS)) {
        command.error(`error: --runs: expected a whole number from 1 to ${MOST_RUNS}, found ${runs}`);
      }
      const request = await readRequest(file);
      assertMotionRequest(request);
      const rows = compare(request, count);
      print(json ? JSON.stringify(rows, null, 2) : formatRows(rows));
    });
}

function compare(request: MotionRequest, runs: number): PlannerRow[] {
  const planner = new MotionPlanner({ robots: new LoadedRobots() });
  // Robot and scene are loaded, and code is compiled, before the first planner is timed.
  planner.plan(request);
  return motionPlanners.map((name) => {
    const answers = Array.from({ length: runs }, (_, k) => {
      return planner.plan({ ...request, planner: name, seed: (request.seed ?? 1) + k });
    });
    const found = answers.filter(({ motion }) => motion !== undefined);
    return {
      planner: name,
      runs,
      found: found.length,
      milliseconds: median(found.map(({ statistics }) => statistics.milliseconds)),
      samples: median(found.map(({ statistics }) => statistics.samples)),
      length: median(found.map(({ pathLength }) => pathLength!)),
      duration: median(found.map(({ arrival }) => arrival!)),
    };
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function formatRows(rows: readonly PlannerRow[]): string {
  const head = ["planner", "found", "ms", "samples", "length [rad]", "duration [s]"];
  const figure = (value: number, digits: number) => (Number.isNaN(value) ? "–" : value.toFixed(digits));
  const cells = rows.map((row) => [
    row.planner,
    `${row.found}/${row.runs}`,
    figure(row.milliseconds, 2),
    figure(row.samples, 0),
    figure(row.length, 2),
    figure(row.duration, 3),
  ]);
  const widths = head.map((title, k) => Math.max(title.length, ...cells.map((row) => row[k]!.length)));
  return [head, ...cells]
    .map((row) =>
      row
        .map((cell, k) => cell.padEnd(widths[k]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
