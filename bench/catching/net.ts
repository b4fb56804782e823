/**
 * The net under changes of structure: results of lock-step throws, stored once and compared bit by bit afterwards.
 *
 *   node dist/bench/catching/net.js --store file.json [--slice] [--perception circles] [--throw-kind standard]
 *   node dist/bench/catching/net.js --compare file.json [--slice] [--perception circles]
 *
 * Throws are clean unless another kind is asked for. A slice is the first chunks of each series: 40 single balls and 20 pairs.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import type { ThrowKind } from "../../src/simulation/world/thrower.js";
import { playInParallel } from "./parallel-series.js";
import { throwsInSpace } from "./throws-in-space.js";

/** What is kept of one ball: enough to judge a change by, and a digest of all the rest. */
export interface NetRow {
  readonly id: number;
  readonly outcome: ThrowResult["outcome"];
  /** Distance of the hand from the ball's line [mm], error in time [ms]; null without a grasp. */
  readonly lateralMm: number | null;
  readonly timingMs: number | null;
  readonly reason: string | null;
  readonly digest: string;
}

export interface NetSeries {
  readonly perception: "images" | "circles";
  readonly balls: number;
  readonly throws: readonly (readonly number[])[];
  readonly rows: readonly (readonly NetRow[])[];
}

export interface Net {
  readonly seed: number;
  readonly robot: string;
  readonly series: readonly NetSeries[];
}

const SEED = 1001;
const ROBOT = "agile-justin";
const counts = { 1: { whole: 400, slice: 40 }, 2: { whole: 200, slice: 20 } } as const;

export function netRow(result: ThrowResult): NetRow {
  const { id, outcome, reason, verdict } = result;
  const digest = createHash("sha256").update(JSON.stringify(result)).digest("hex").slice(0, 16);
  const isGrasped = verdict !== null && Number.isFinite(verdict.lateral);
  const round = (value: number): number => Math.round(value * 1e6) / 1e3;
  return {
    id,
    outcome,
    lateralMm: isGrasped ? round(verdict.lateral) : null,
    timingMs: isGrasped ? round(verdict.timing) : null,
    reason,
    digest,
  };
}

/** Plays the throws of a series, in the same chunks as ever: a run's throws are not independent of each other. */
export async function playNet(
  perception: NetSeries["perception"],
  throws: NetSeries["throws"],
  progress: (text: string) => void = () => undefined,
  throwKind: ThrowKind = "clean",
): Promise<NetRow[][]> {
  const request = { robot: ROBOT, seed: SEED, world: "physics", perception, throws, throwKind } as const;
  const results = await playInParallel(request, (done) =>
    progress(`${perception}, ${throws[0]!.length} ball(s): ${done} of ${throws.length}`),
  );
  return results.map((balls) => balls.map(netRow));
}

async function store(
  file: string,
  perceptions: readonly NetSeries["perception"][],
  extent: "whole" | "slice",
  throwKind: ThrowKind,
): Promise<void> {
  const series: NetSeries[] = [];
  for (const balls of [1, 2] as const) {
    const space = { robot: ROBOT, seed: SEED, balls };
    const { throws } = await throwsInSpace(space, counts[balls][extent], { progress });
    for (const perception of perceptions) {
      series.push({ perception, balls, throws, rows: await playNet(perception, throws, progress, throwKind) });
      const net: Net = { seed: SEED, robot: ROBOT, series };
      writeFileSync(file, formatNet(net));
    }
  }
}

/** A ball a line. */
function formatNet(net: Net): string {
  const lines = JSON.stringify(net).replaceAll(/(\[\[?\{"id")/g, "\n$1");
  return `${lines}\n`;
}

/** What differs between two series, in words; nothing if they are equal bit by bit. */
export function differences(stored: readonly (readonly NetRow[])[], now: readonly (readonly NetRow[])[]): string[] {
  const told: string[] = [];
  for (const [k, balls] of now.entries()) {
    for (const [b, row] of balls.entries()) {
      const before = stored[k]?.[b];
      if (before === undefined || before.digest === row.digest) continue;
      const brief = ({ outcome, lateralMm, reason }: NetRow): string =>
        `${outcome} ${lateralMm ?? "–"} mm ${reason ?? ""}`;
      told.push(`throw ${row.id}: ${brief(before).trim()} → ${brief(row).trim()}`);
    }
  }
  return told;
}

async function compare(
  file: string,
  perceptions: readonly string[],
  extent: "whole" | "slice",
  throwKind: ThrowKind,
): Promise<number> {
  const net = JSON.parse(readFileSync(file, "utf8")) as Net;
  let count = 0;
  for (const { perception, balls, throws, rows } of net.series) {
    if (!perceptions.includes(perception)) continue;
    const chosen = extent === "slice" ? throws.slice(0, counts[balls as 1 | 2].slice) : throws;
    const now = await playNet(perception, chosen, progress, throwKind);
    const found = differences(rows, now);
    count += found.length;
    const caught = (series: readonly (readonly NetRow[])[]): number =>
      series.filter((pair) => pair.every(({ outcome }) => outcome === "caught")).length;
    const stored = rows.slice(0, chosen.length);
    process.stdout.write(
      `${perception}, ${balls} ball(s): ${found.length} of ${chosen.length * balls} differ; caught ${caught(stored)} → ${caught(now)} of ${chosen.length}\n`,
    );
    for (const line of found) process.stdout.write(`  ${line}\n`);
  }
  return count;
}

function progress(text: string): void {
  process.stderr.write(`\r${text}\x1b[K`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: {
      store: { type: "string" },
      compare: { type: "string" },
      slice: { type: "boolean", default: false },
      perception: { type: "string" },
      "throw-kind": { type: "string", default: "clean" },
    },
  });
  const perceptions = (values.perception?.split(",") ?? ["images", "circles"]) as NetSeries["perception"][];
  const extent = values.slice ? "slice" : "whole";
  const kind = values["throw-kind"] as ThrowKind;
  if (values.store !== undefined) await store(values.store, perceptions, extent, kind);
  if (values.compare !== undefined)
    process.exitCode = (await compare(values.compare, perceptions, extent, kind)) > 0 ? 1 : 0;
}
