import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { parseSync } from "vite";

/**
 * The folders of `src/` in rows, lowest first. A file may import its own folder and any folder of its own or a lower row. No two
 * folders import each other: `findMutualFolders` and the search for cycles see to that.
 */
export const layers: readonly (readonly string[])[] = [
  ["math", "runtime"],
  ["transport"],
  ["messages", "motion", "flight", "camera"],
  ["robot"],
  ["collision", "optimisation"],
  ["safety"],
  ["tracking", "planning", "calibration"],
  ["control"],
  ["catching", "simulation", "recording"],
  ["nodes"],
  ["run"],
  ["report", "view"],
  ["setup"],
  ["service", "client"],
  ["cli"],
];

/** Folders that know channels; `runtime` has the shared memory of clocks and logs. */
const channelFolders = new Set(["transport", "messages", "nodes", "run", "runtime"]);

/** Where `node:worker_threads` may be imported. What starts a worker elsewhere does so through `transport/workers`. */
const threadFolders = new Set(["transport", "nodes", "run"]);

export interface SourceFile {
  /** Path below `src/`, with forward slashes: `robot/urdf.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Every sentence says one thing that is wrong; an empty list is a sound tree. */
export function findLayerViolations(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
  return [
    ...files.flatMap((file) =>
      folderViolations(
        file,
        (graph.get(file.path) ?? []).map(({ target }) => target),
      ),
    ),
    ...findCycles(graph).map((cycle) => `import cycle: ${cycle.join(" → ")}`),
    ...files.flatMap(truthViolations),
  ];
}

export function readSourceTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(root, file).split(sep).join("/"), text: readFileSync(file, "utf8") }));
}

function rankOf(folder: string): number {
  return layers.findIndex((row) => row.includes(folder));
}

function folderOf(path: string): string | undefined {
  const slash = path.indexOf("/");
  return slash < 0 ? undefined : path.slice(0, slash);
}

interface Import {
  /** A path below `src/` as `.ts`, or a bare module name as it stands. */
  readonly target: string;
  /** Whether it brings in types alone, which are gone at run time. */
  readonly isType: boolean;
}

export function importsOf(file: SourceFile): Import[] {
  const { module, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new Error(`${file.path} does not parse: ${errors[0]?.message}`);
  const imports = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      target: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ target: moduleRequest.value, isType }] : [])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const literal = /^["'](.*)["']$/.exec(file.text.slice(moduleRequest.start, moduleRequest.end));
      return literal?.[1] === undefined ? [] : [{ target: literal[1], isType: false }];
    }),
  ];
  return imports.map(({ target, isType }) => ({
    target: target.startsWith(".") ? resolveRelative(file.path, target) : target,
    isType,
  }));
}

function resolveRelative(from: string, request: string): string {
  return normalize(join(dirname(from), request))
    .split(sep)
    .join("/")
    .replace(/\.js$/, ".ts");
}

function folderViolations(file: SourceFile, imports: readonly string[]): string[] {
  const folder = folderOf(file.path);
  if (folder === undefined) return [];
  const rank = rankOf(folder);
  if (rank < 0) return [`${file.path} lies in src/${folder}, which is not a folder of the design`];
  return imports.flatMap((target) => {
    if (target === "node:worker_threads") {
      return threadFolders.has(folder) ? [] : [`${file.path} imports ${target}: an algorithm knows no threads`];
    }
    if (target.startsWith("transport/channels/") && !channelFolders.has(folder)) {
      return [`${file.path} imports ${target}: an algorithm knows no channels`];
    }
    if (!target.endsWith(".ts")) return [];
    const targetFolder = folderOf(target);
    if (targetFolder === folder || (targetFolder !== undefined && isReachable(targetFolder, rank))) return [];
    return [`${file.path} imports ${target}: src/${folder} may import only its own and lower rows`];
  });
}

function isReachable(folder: string, rank: number): boolean {
  const other = rankOf(folder);
  return other >= 0 && other <= rank;
}

/** Only the simulator may know how the robot really is. */
function truthViolations(file: SourceFile): string[] {
  if (file.path.startsWith("simulation/") || file.path.startsWith("robot/")) return [];
  return /loadRobot\([^)]*\btruth\b/s.test(file.text)
    ? [`${file.path} passes \`truth\` to loadRobot: only src/simulation may`]
    : [];
}

/**
 * Cycles among files, each once, by depth-first search. Imports of types alone do not count: two files may well speak of
 * one another's types (a matrix of a quaternion, a quaternion of a matrix).
 */
function findCycles(graph: ReadonlyMap<string, readonly Import[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) {
      cycles.push([...path.slice(seenAt), node]);
      return;
    }
    if (finished.has(node)) return;
    path.push(node);
    for (const { target, isType } of graph.get(node) ?? []) if (!isType && graph.has(target)) visit(target);
    path.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

/**
 * Pairs of folders that import each other, at every depth, types included: `robot ↔ robot/dynamics`, and rooms of one row as
 * wholes: `catching ↔ simulation`. A folder that holds another counts like any other.
 */
export function findMutualFolders(files: readonly SourceFile[]): string[] {
  const edges = new Set(
    files.flatMap(({ path, text }) =>
      importsOf({ path, text }).flatMap(({ target }) => {
        const [from, to] = [folderOf(path), folderOf(target)];
        if (from === undefined || to === undefined) return [];
        return from === to ? [`${dirname(path)} → ${dirname(target)}`] : [`${from} → ${to}`];
      }),
    ),
  );
  return [...edges]
    .map((edge) => edge.split(" → ") as [string, string])
    .filter(([from, to]) => from < to && edges.has(`${to} → ${from}`))
    .map((pair) => pair.join(" ↔ "))
    .sort();
}

/**
 * Names of types, interfaces and classes that two or more files export, each with these files. The types of `client` are written
 * from the service's schemas: the client imports nothing of the service, so it has its own.
 */
export function findDoubleTypes(files: readonly SourceFile[]): Record<string, string[]> {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    if (path === "client/schemas.ts") continue;
    for (const [, name] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)) {
      places.set(name!, (places.get(name!) ?? new Set()).add(path));
    }
  }
  return Object.fromEntries([...places].filter(([, { size }]) => size > 1).map(([name, paths]) => [name, [...paths]]));
}
