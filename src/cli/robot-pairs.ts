import { readFileSync, writeFileSync } from "node:fs";
import { type PairFinding, type PairReason, searchPairs } from "../collision/pair-search.js";
import { Random } from "../math/random.js";
import { findRobotFile, loadRobot } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { completeNumbers } from "../safety/monitor/monitor-options.js";
import { formatTable, ProgressBar, print } from "./terminal.js";

export interface PairsOptions {
  readonly samples: number;
  readonly seed: string;
  readonly json?: true;
  readonly write?: true;
}

/** `flycatcher robot pairs`: which pairs of collision bodies to check; into the sidecar with `write`. */
export function runPairs(name: string, options: PairsOptions): void {
  const robot = loadRobot(name);
  const file = options.write ? requireSidecar(name) : null;
  const bar = new ProgressBar("pairs");
  const findings = searchPairs(robot, {
    random: new Random(options.seed),
    samples: options.samples,
    limitTolerance: completeNumbers({}).limitTolerance,
    progress: (share) => bar.show(share),
  });
  bar.clear();
  print(options.json ? formatJson(name, robot, findings) : formatText(name, robot, findings));
  if (file === null) return;
  writeFileSync(file, withPairs(readFileSync(file, "utf8"), checkedNames(robot, findings)));
  if (!options.json) print(`written to ${file}`);
}

/** The sidecar to write to, which a URDF alone does not have. */
function requireSidecar(name: string): string {
  const file = findRobotFile(name);
  if (file.endsWith(".json")) return file;
  throw new FlycatcherError("FLY_SIDECAR_INVALID", "there is no sidecar to write the pairs to", {
    path: file,
    expected: "a folder with robot.json, or a robot.json",
    found: "a URDF alone",
  });
}

type NamePair = readonly [string, string];

function checkedNames({ hulls }: Robot, findings: readonly PairFinding[]): NamePair[] {
  return findings
    .filter(({ reason }) => reason === "checked")
    .map(({ a, b }): NamePair => [hulls[a]!.name, hulls[b]!.name]);
}

/** A sidecar's text with `collision.pairs` replaced or added behind `collision.hulls`, and all else as it was. */
export function withPairs(text: string, pairs: readonly NamePair[]): string {
  const collision = findMember(text, skipBlank(text, 0), "collision");
  const hulls = collision === null ? null : findMember(text, collision.start, "hulls");
  if (collision === null || hulls === null) return text;
  const lines = pairs.map(([a, b]) => `      [${JSON.stringify(a)}, ${JSON.stringify(b)}]`);
  const value = pairs.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n    ]`;
  const old = findMember(text, collision.start, "pairs");
  if (old !== null) return text.slice(0, old.start) + value + text.slice(old.end);
  return `${text.slice(0, hulls.end)},\n    "pairs": ${value}${text.slice(hulls.end)}`;
}

const reasonTexts: Readonly<Record<PairReason, string>> = {
  checked: "to be checked",
  rigid: "one rigid body",
  adjacent: "joined by one joint",
  "always-touching": "overlap in every configuration",
  "proven-apart": "proven never to touch",
  "far-apart": "never seen near, not proven",
};

function formatJson(name: string, robot: Robot, findings: readonly PairFinding[]): string {
  const pairs = findings.map(({ a, b, reason, least, touching }) => ({
    bodies: [robot.hulls[a]!.name, robot.hulls[b]!.name],
    reason,
    least: Number.isFinite(least) ? least : null,
    touching: Number.isFinite(touching) ? touching : null,
  }));
  return JSON.stringify({ robot: name, checked: checkedNames(robot, findings).length, pairs }, null, 2);
}

/** A line for each pair that is neither rigid nor adjacent, the nearest first, and how many there are of each reason. */
function formatText(name: string, { hulls }: Robot, findings: readonly PairFinding[]): string {
  const rows = findings
    .filter(({ reason }) => reason !== "rigid" && reason !== "adjacent")
    .sort((p, q) => p.least - q.least || q.touching - p.touching)
    .map(({ a, b, reason, least, touching }) => [
      `${hulls[a]!.name} – ${hulls[b]!.name}`,
      least > 0 ? `${(1000 * least).toFixed(0)} mm` : "contact",
      `${(100 * touching).toFixed(2)} %`,
      reasonTexts[reason],
    ]);
  const counts = (Object.keys(reasonTexts) as PairReason[]).flatMap((reason) => {
    const count = findings.filter((finding) => finding.reason === reason).length;
    return count === 0 ? [] : [`${String(count).padStart(5)} ${reasonTexts[reason]}`];
  });
  const table = formatTable(["pair", "nearest", "touching", "so"], rows);
  return `${table}\n\n${name}: ${findings.length} pairs of ${hulls.length} bodies, of which\n${counts.join("\n")}`;
}

/**
 * Changing one value of a JSON file and nothing else of it: layout, order and numbers as written stay. The text must be
 * valid JSON; parse it first.
 */

/** Where a value stands in a text: from `start` up to, not including, `end`. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The value of `key` in the object that begins at `objectStart`; null if it has none. */
function findMember(text: string, objectStart: number, key: string): TextSpan | null {
  let at = skipBlank(text, objectStart + 1);
  while (text[at] === '"') {
    const keyEnd = skipValue(text, at);
    const start = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (JSON.parse(text.slice(at, keyEnd)) === key) return { start, end };
    at = skipBlank(text, end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return null;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/** Behind the value that begins at `from`. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const sign = text[at]!;
    if (sign === '"') at = skipString(text, at);
    else {
      if (sign === "{" || sign === "[") depth++;
      else if (sign === "}" || sign === "]") depth--;
      at++;
      // A number or a word goes on until something that cannot belong to it.
      if (depth === 0 && /[\w.+-]/.test(sign)) while (/[\w.+-]/.test(text[at] ?? "")) at++;
    }
  } while (depth > 0);
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
