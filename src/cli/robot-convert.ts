import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { RobotFiles } from "../robot/files/robot-files.js";
import { readUrdf } from "../robot/loading/load-robot.js";
import { writeStl } from "../robot/meshes/write-stl.js";
import { formatUrdf } from "../robot/urdf/format-urdf.js";
import type { UrdfLink, UrdfRobot, UrdfShape } from "../robot/urdf/urdf-document.js";
import { readMjcf } from "../simulation/mujoco/read-mjcf.js";
import { type FileOptions, loadOptions } from "./robot-file-options.js";
import { print } from "./terminal.js";

export interface ConvertOptions extends FileOptions {
  readonly out: string;
}

/** `flycatcher robot convert`: a folder with a plain URDF and its meshes, out of xacro, MJCF, or a URDF elsewhere. */
export async function runConvert(file: string, options: ConvertOptions): Promise<void> {
  const { urdf, target } = await convertRobot(file, options);
  for (const { path, sentence } of urdf.repairs ?? []) print(`warning  ${path}\n         ${sentence}`);
  print(`${urdf.links.length} links and ${urdf.joints.length} joints written to ${target}`);
}

/** Writes the folder: `robot.urdf`, and its meshes in `meshes/`. */
export async function convertRobot(
  file: string,
  options: ConvertOptions,
): Promise<{ urdf: UrdfRobot; target: string }> {
  const urdf = extname(file) === ".xml" ? await convertMjcf(file, options) : convertUrdf(file, options);
  const target = join(options.out, "robot.urdf");
  writeFileSync(target, formatUrdf(urdf));
  return { urdf, target };
}

async function convertMjcf(file: string, { out, packages }: ConvertOptions): Promise<UrdfRobot> {
  const { urdf, meshes } = await readMjcf(basename(file), new RobotFiles(file, packages));
  mkdirSync(join(out, "meshes"), { recursive: true });
  for (const [name, mesh] of meshes) writeFileSync(join(out, name), writeStl(mesh));
  return urdf;
}

/** Copies every mesh beside the URDF, under a name of its own. */
function convertUrdf(file: string, options: ConvertOptions): UrdfRobot {
  const { urdf, files } = readUrdf(file, loadOptions(options));
  const meshFolder = join(options.out, "meshes");
  mkdirSync(meshFolder, { recursive: true });
  const names = new Map<string, string>();
  const copied = (shape: UrdfShape): UrdfShape => {
    const { geometry } = shape;
    if (geometry.type !== "mesh") return shape;
    const source = files.locate(geometry.filename);
    const known = names.get(source);
    const name = known ?? unusedName(basename(source), new Set(names.values()));
    if (known === undefined) {
      names.set(source, name);
      copyFileSync(source, join(meshFolder, name));
    }
    return { ...shape, geometry: { ...geometry, filename: `meshes/${name}` } };
  };
  const links = urdf.links.map(
    (link): UrdfLink => ({ ...link, visuals: link.visuals.map(copied), collisions: link.collisions.map(copied) }),
  );
  return { ...urdf, links };
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  let candidate = name;
  for (let k = 2; taken.has(candidate); k++) candidate = `${stem}-${k}${ending}`;
  return candidate;
}
