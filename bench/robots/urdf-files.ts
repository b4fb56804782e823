import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { MujocoRobot } from "../../test/support/mujoco.js";
import type { BenchContext, Metrics } from "../harness.js";

/** Folder of checkouts of public repositories, whose URDF files are loaded, each as it is. */
const publicUrdfs = process.env.FLYCATCHER_PUBLIC_URDFS;

/** How many URDF files load here and in MuJoCo, shapes apart. */
export async function measureUrdfFiles({ progress }: BenchContext): Promise<Metrics> {
  if (publicUrdfs === undefined) return {};
  const files = readdirSync(publicUrdfs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".urdf"))
    .sort();
  const packages = packageFolders(publicUrdfs);
  let [loaded, byMujoco, onlyMujoco] = [0, 0, 0];
  for (const path of files) {
    const file = join(publicUrdfs, path);
    const problem = problemOf(() => loadRobot(file, { packages }));
    const peers = await loadsInMujoco(readFileSync(file, "utf8"));
    if (problem === null) loaded++;
    else progress(`${path}: ${problem} (MuJoCo ${peers ? "loads it" : "refuses it, too"})`);
    if (peers) byMujoco++;
    if (peers && problem !== null) onlyMujoco++;
  }
  return {
    urdf_files: files.length,
    urdf_files_loaded: loaded,
    urdf_files_loaded_by_mujoco: byMujoco,
    urdf_files_only_mujoco_loads: onlyMujoco,
  };
}

/** The folders that hold ROS packages. */
function packageFolders(root: string): string[] {
  const manifests = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => basename(path) === "package.xml",
  );
  return [root, ...new Set(manifests.flatMap((path) => [join(root, path, ".."), join(root, path, "..", "..")]))];
}

function problemOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Without its shapes, whose files MuJoCo would want to read. */
async function loadsInMujoco(urdf: string): Promise<boolean> {
  const bare = urdf.replace(/<!--[\s\S]*?-->/g, "").replace(/<(visual|collision)\b[\s\S]*?<\/\1>/g, "");
  try {
    (await MujocoRobot.load(bare)).delete();
    return true;
  } catch {
    return false;
  }
}
