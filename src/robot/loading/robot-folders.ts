import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { FlycatcherError } from "../../runtime/errors.js";
import { didYouMean } from "../../runtime/nearest-name.js";
import { packageRoot } from "../../runtime/package-root.js";

/** Folder of the robots shipped with Flycatcher. */
export const robotsFolder: string = join(packageRoot, "data", "robots");

export const sidecarName = "robot.json";

/** The variable that names further folders of robots. Threads and processes that start later inherit it. */
const VARIABLE = "FLYCATCHER_ROBOTS";
/** A name of a robot: no path, and nothing that a file system or an address could misread. */
const robotName = /^[\w-][\w.-]{0,99}$/;

export function isRobotName(text: string): boolean {
  return robotName.test(text);
}

/**
 * Where robots are known by name, the first before the later ones: the folders of `FLYCATCHER_ROBOTS`, then those shipped. Each is a
 * folder of robots, or the folder of one.
 */
export function robotFolders(): readonly string[] {
  const given = (process.env[VARIABLE] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...given, robotsFolder];
}

/** Further folders, before those known so far; for this process and what it starts from now on. */
export function addRobotFolders(folders: readonly string[]): void {
  const known = robotFolders();
  const added = folders.map((folder) => existing(resolve(folder))).filter((folder) => !known.includes(folder));
  if (added.length === 0) return;
  process.env[VARIABLE] = [...added, ...known.filter((folder) => folder !== robotsFolder)].join(delimiter);
}

/** The folder is known no longer. */
export function removeRobotFolder(folder: string): void {
  const left = robotFolders().filter((other) => other !== folder && other !== robotsFolder);
  process.env[VARIABLE] = left.join(delimiter);
}

function existing(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new FlycatcherError("FLY_ROBOT_FOLDER", "There is no such folder of robots", {
    expected: "a folder with a folder for each robot, or that of one robot",
    found: folder,
  });
}

/** Names of the robots in some folders, sorted; by default all that are known. */
export function listRobots(folders: readonly string[] = robotFolders()): string[] {
  return Array.from(new Set(folders.flatMap(robotsIn)))
    .filter(isRobotName)
    .sort();
}

function robotsIn(folder: string): string[] {
  if (existsSync(join(folder, sidecarName))) return [basename(folder)];
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, sidecarName)));
}

/** The `robot.json` of a robot that is known by name; undefined if none is. */
export function namedRobotFile(name: string, folders: readonly string[] = robotFolders()): string | undefined {
  if (!isRobotName(name)) return undefined;
  for (const folder of folders) {
    const files = [join(folder, name, sidecarName), ...(basename(folder) === name ? [join(folder, sidecarName)] : [])];
    const file = files.find((candidate) => existsSync(candidate));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The `robot.json`, `.urdf` or `.xacro` that a name or path means. */
export function findRobotFile(nameOrPath: string, folders: readonly string[] = robotFolders()): string {
  const named = namedRobotFile(nameOrPath, folders);
  if (named !== undefined) return named;
  const inFolder = join(nameOrPath, sidecarName);
  if (existsSync(inFolder)) return inFolder;
  if (/\.(json|urdf|xacro)$/.test(nameOrPath) && existsSync(nameOrPath)) return nameOrPath;
  throw unknownRobot(nameOrPath, folders, ", or a robot.json, .urdf or .xacro file");
}

/** The name of the robot that a name or the path of its folder or `robot.json` means, by which it is known from here on. */
export function nameRobot(nameOrPath: string): string {
  if (namedRobotFile(nameOrPath) !== undefined) return nameOrPath;
  const path = resolve(nameOrPath);
  const folder = basename(path) === sidecarName ? dirname(path) : path;
  if (!isRobotName(basename(folder)) || !existsSync(join(folder, sidecarName))) return nameOrPath;
  addRobotFolders([folder]);
  return basename(folder);
}

/** There is no robot of that name; `path` is the JSON pointer of the name in a request. */
export function unknownRobot(
  name: string,
  folders: readonly string[] = robotFolders(),
  or = "",
  path?: string,
): FlycatcherError {
  const names = listRobots(folders);
  return new FlycatcherError("FLY_ROBOT_UNKNOWN", "There is no such robot", {
    expected: `one of ${names.join(", ")}${or}`,
    found: JSON.stringify(name),
    suggestion: didYouMean(name, names),
    ...(path !== undefined && { path }),
  });
}
