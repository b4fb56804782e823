import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { catchGroups } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder, sidecarName } from "../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../src/runtime/package-root.js";

/**
 * Folder of the public robots, one folder each with the maker's URDF and meshes, such as `flycatcher robot convert`
 * writes it. None of these files is part of the project.
 */
const publicFolder = process.env.FLYCATCHER_PUBLIC_ROBOTS;

/** The public robots of the suite; docs/benchmarks.md says where each is from. `robot init` gets the flags. */
const publicRobots: Readonly<Record<string, readonly string[]>> = {
  alex: [],
  "gen3-2f85": [],
  "gen3-lite": [],
  kinova: [],
  pr2: [],
  romeo: [],
  talos: [],
  tiago: [],
  "tiago-pro": [],
  ur5: [],
  ur5e: [],
  xarm7: [],
};

/** A robot that `robot init` needs longer for has none [ms]. */
const MOST_INIT_MS = 600_000;

/** A robot of the suite. */
export interface NamedRobot {
  /** Its name in metrics. */
  readonly name: string;
  readonly isShipped: boolean;
  /** The maker's URDF, of a public robot that is present. */
  readonly urdf: string | null;
  /** What loads it: a name or a `robot.json`; null where its files are not present, or `robot init` makes none. */
  readonly source: string | null;
}

/** Names of all robots of the suite. */
export function robotNames(): string[] {
  return [...listRobots([robotsFolder]), ...Object.keys(publicRobots)];
}

/** The robots shipped, then the public ones; `robot init` writes the sidecar of each that has none, into a temporary folder. */
export function namedRobots(
  isWanted: (name: string) => boolean,
  progress: (message: string) => void,
): { robots: NamedRobot[]; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-robots-"));
  const shipped = listRobots([robotsFolder])
    .filter(isWanted)
    .map((name) => ({ name, isShipped: true, urdf: null, source: name }));
  const wanted = Object.entries(publicRobots).filter(([name]) => isWanted(name));
  const others = wanted.map(([name, flags]): NamedRobot => {
    const urdf = urdfOf(name);
    const source = urdf === null ? null : sidecarOf(name, urdf, { flags, out: join(folder, name), progress });
    return { name, isShipped: false, urdf, source };
  });
  return { robots: [...shipped, ...others], close: () => rmSync(folder, { recursive: true, force: true }) };
}

function urdfOf(name: string): string | null {
  const folder = join(publicFolder ?? "", name);
  if (publicFolder === undefined || !existsSync(folder)) return null;
  const file = readdirSync(folder).find((entry) => entry.endsWith(".urdf"));
  return file === undefined ? null : join(folder, file);
}

/** Its own `robot.json`, or the one that `flycatcher robot init` writes without a question; null if it cannot. */
function sidecarOf(
  name: string,
  urdf: string,
  { flags, out, progress }: { flags: readonly string[]; out: string; progress: (message: string) => void },
): string | null {
  const own = join(dirname(urdf), sidecarName);
  if (existsSync(own)) return own;
  const command = join(packageRoot, "dist", "bundle", "cli", "main.js");
  const words = ["robot", "init", urdf, "--out", out, "--yes", ...flags];
  const begun = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    encoding: "utf8",
    timeout: MOST_INIT_MS,
  });
  progress(`${name}: robot init took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const made = join(out, sidecarName);
  if (existsSync(made)) return made;
  progress(`${name}: robot init made no robot: ${`${stderr}${stdout}`.trim().split("\n", 1)[0]}`);
  return null;
}

/** The arm that is measured: the right one of two. */
export function measuredArm(source: string): string {
  const names = catchGroups(loadRobot(source)).map(({ name }) => name);
  return names.find((name) => /right/i.test(name)) ?? names[0]!;
}
