import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type LinkHulls, makeHulls, makeHullsDefaults } from "../collision/making/make-hulls.js";
import { compareVolumes } from "../collision/making/solid-volume.js";
import { emptySidecar, loadRobot, parseSidecar } from "../robot/loading/load-robot.js";
import { findRobotFile } from "../robot/loading/robot-folders.js";
import { FlycatcherError } from "../runtime/errors.js";
import { withMember, withoutMember } from "./json-members.js";
import { type FileOptions, loadOptions } from "./robot-file-options.js";
import { formatTable, ProgressBar, print } from "./terminal.js";

export interface HullsOptions extends FileOptions {
  readonly points: number;
  readonly pieces: number;
  readonly json?: true;
  readonly write?: true;
}

/** `flycatcher robot hulls`: collision bodies from the URDF's shapes and meshes; into the sidecar with `write`. */
export function runHulls(name: string, options: HullsOptions): void {
  const robot = loadRobot(name, loadOptions(options));
  const bar = new ProgressBar("hulls");
  let done = 0;
  const links = makeHulls(robot, {
    ...makeHullsDefaults,
    maxPoints: options.points,
    maxPieces: options.pieces,
    progress: () => bar.show(done++ / robot.model.linkCount),
  });
  bar.clear();
  const rows = links.map(rowOf);
  print(options.json ? formatJson(name, rows) : formatText(name, rows));
  if (!options.write) return;
  const file = writeHulls(name, links);
  if (!options.json)
    print(`written to ${file}; \`flycatcher robot pairs ${dirname(file)} --write\` finds the pairs to check`);
}

interface HullRow {
  readonly link: string;
  readonly bodies: number;
  readonly points: number;
  /** [m³] */
  readonly volume: number;
  /** Volume of the bodies over that of the mesh, less one; null where the shapes are not meshes. */
  readonly overhead: number | null;
  /** By how much the nearest vertex lies inside [m]. */
  readonly margin: number | null;
}

function rowOf({ link, bodies, surface, outside }: LinkHulls): HullRow {
  const points = bodies.reduce((sum, body) => sum + body.points.length / 3, 0);
  if (surface.length === 0) {
    const volume = bodies.reduce((sum, body) => sum + body.volume, 0);
    return { link, bodies: bodies.length, points, volume, overhead: null, margin: null };
  }
  const compared = compareVolumes(surface, bodies);
  const overhead = compared.solid > 0 ? compared.bodies / compared.solid - 1 : null;
  return { link, bodies: bodies.length, points, volume: compared.bodies, overhead, margin: -outside };
}

function meanOverhead(rows: readonly HullRow[]): number | null {
  const known = rows.flatMap(({ overhead }) => overhead ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function formatJson(robot: string, links: readonly HullRow[]): string {
  const isContained = links.every(({ margin }) => margin === null || margin >= 0);
  return JSON.stringify({ robot, contained: isContained, meanOverhead: meanOverhead(links), links }, null, 2);
}

function formatText(name: string, rows: readonly HullRow[]): string {
  const percent = (value: number | null) => (value === null ? "–" : `${(100 * value).toFixed(0)} %`);
  const table = formatTable(
    ["link", "bodies", "points", "volume", "overhead", "contains"],
    rows.map(({ link, bodies, points, volume, overhead, margin }) => [
      link,
      String(bodies),
      String(points),
      `${(1000 * volume).toFixed(2)} l`,
      percent(overhead),
      margin === null ? "the shapes as they are" : margin >= 0 ? "every vertex" : "NOT every vertex",
    ]),
  );
  const count = rows.reduce((sum, { bodies }) => sum + bodies, 0);
  return `${table}\n\n${name}: ${count} bodies; mean overhead over the meshes ${percent(meanOverhead(rows))}`;
}

/** Puts the bodies into the sidecar, which is begun if there is none; pairs of other bodies go. */
function writeHulls(name: string, links: readonly LinkHulls[]): string {
  const found = findRobotFile(name);
  const file = found.endsWith(".json") ? found : join(dirname(found), "robot.json");
  const text = existsSync(file) ? readFileSync(file, "utf8") : newSidecar(found);
  const sidecar = parseSidecar(JSON.parse(text), file);
  if (!found.endsWith(".json") && sidecar.urdf !== basename(found)) {
    throw new FlycatcherError("FLY_SIDECAR_INVALID", "the sidecar in this folder is of another robot", {
      path: file,
      expected: basename(found),
      found: sidecar.urdf,
    });
  }
  const hulls = withMember(withoutMember(text, ["collision", "pairs"]), ["collision", "hulls"], formatHulls(links));
  parseSidecar(JSON.parse(hulls), file);
  writeFileSync(file, hulls);
  return file;
}

function newSidecar(urdfFile: string): string {
  const description = "Begun by `flycatcher robot hulls`.";
  return `${JSON.stringify({ ...emptySidecar(urdfFile), description }, null, 2)}\n`;
}

function formatHulls(links: readonly LinkHulls[]): string {
  const lines = links.flatMap(({ link, bodies }) =>
    bodies.map(({ name, radius, points }) => {
      const corners = Array.from({ length: points.length / 3 }, (_, i) => [...points.subarray(3 * i, 3 * i + 3)]);
      const written = corners.map((corner) => `[${corner.join(", ")}]`).join(", ");
      return `      { "name": ${JSON.stringify(name)}, "link": ${JSON.stringify(link)}, "radius": ${radius}, "points": [${written}] }`;
    }),
  );
  return lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n    ]`;
}
