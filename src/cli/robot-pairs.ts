import { readFileSync, writeFileSync } from "node:fs";
import { type PairFinding, type PairReason, searchPairs } from "../collision/pair-search.js";
import { Random } from "../math/random.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { findRobotFile } from "../robot/loading/robot-folders.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { completeNumbers } from "../safety/monitor/monitor-options.js";
import { findMember } from "./json-members.js";
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
export function requireSidecar(name: string, what = "the pairs"): string {
  const file = findRobotFile(name);
  if (file.endsWith(".json")) return file;
  throw new FlycatcherError("FLY_SIDECAR_INVALID", `there is no sidecar to write ${what} to`, {
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
  const hulls = findMember(text, "collision", "hulls");
  if (hulls === null) return text;
  const lines = pairs.map(([a, b]) => `      [${JSON.stringify(a)}, ${JSON.stringify(b)}]`);
  const value = pairs.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n    ]`;
  const old = findMember(text, "collision", "pairs");
  if (old !== null) return text.slice(0, old.start) + value + text.slice(old.end);
  return `${text.slice(0, hulls.end)},\n    "pairs": ${value}${text.slice(hulls.end)}`;
}

const reasonTexts: Readonly<Record<PairReason, string>> = {
  checked: "to be checked",
  rigid: "one rigid body",
  adjacent: "joined by one joint",
  unmoved: "nothing that moves between them",
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
