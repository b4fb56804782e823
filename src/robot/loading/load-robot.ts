import { existsSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { readJsonFile } from "../../runtime/json-file.js";
import { assertFits } from "../../runtime/schema-problems.js";
import { RobotFiles } from "../files/robot-files.js";
import type { Robot } from "../robot.js";
import { type Overlay, OverlaySchema } from "../sidecar/overlay-schema.js";
import { type Sidecar, SidecarSchema } from "../sidecar/sidecar-schema.js";
import { parseUrdf } from "../urdf/urdf.js";
import type { UrdfRobot } from "../urdf/urdf-document.js";
import { maxUrdfLength } from "../urdf/urdf-xml.js";
import { expandXacro } from "../xacro/expand-xacro.js";
import { assembleRobot, type RobotSources } from "./assemble-robot.js";
import { findRobotFile, sidecarName } from "./robot-folders.js";

export interface LoadRobotOptions {
  /** What calibration found: a file, or the overlay itself. Default: `calibration.json` beside `robot.json`, if any. */
  readonly calibration?: "none" | (string & {}) | Overlay;
  /** How a simulated robot really is; for the simulator alone. */
  readonly truth?: string | Overlay;
  /** Folder of the robots known by name; default: all folders that are known. */
  readonly root?: string;
  /** Folders of ROS packages, or folders that contain some: for `package://` and `$(find …)`. */
  readonly packages?: readonly string[];
  /** Arguments of a xacro file, instead of their defaults. */
  readonly arguments?: Readonly<Record<string, string>>;
}

const calibrationName = "calibration.json";

/** Longest sidecar or overlay that is read [B]; ours have some 20 kB. */
const maxJsonBytes = 8 * 2 ** 20;

/**
 * Loads a robot: URDF ← sidecar ← calibration overlay ← truth overlay.
 *
 *     loadRobot("agile-justin")          // shipped, or in a folder of FLYCATCHER_ROBOTS
 *     loadRobot("my-robot/robot.json")   // your own, with sidecar (its folder works too)
 *     loadRobot("my-robot.urdf")         // the URDF alone: no groups, no hands
 *     loadRobot("ur.urdf.xacro", { arguments: { ur_type: "ur10e", name: "ur" } })   // xacro is expanded
 *
 * A name that comes from outside (a request) must be one of `listRobots()`: paths are read wherever they lead.
 */
export function loadRobot(nameOrPath: string, options: LoadRobotOptions = {}): Robot {
  const file = findRobotFile(nameOrPath, options.root === undefined ? undefined : [options.root]);
  const overlays = overlaysOf(file, options);
  if (!file.endsWith(".json")) {
    const { urdf, files } = readUrdf(file, options);
    return assembleRobot({ name: urdf.name, urdf, files, sidecar: emptySidecar(file), overlays });
  }
  const sidecar = parseSidecar(readJson(file), file);
  const { urdf, files } = readUrdf(join(dirname(file), sidecar.urdf), options);
  const name = basename(dirname(resolve(file)));
  return assembleRobot({ name, urdf, files, sidecar, overlays });
}

/** A URDF, or a xacro file expanded, with the files it may refer to. */
export function readUrdf(
  file: string,
  options: Pick<LoadRobotOptions, "packages" | "arguments"> = {},
): { urdf: UrdfRobot; files: RobotFiles } {
  checkFile(file, 4 * maxUrdfLength, "FLY_URDF_TOO_LARGE");
  const files = new RobotFiles(file, options.packages);
  return { urdf: parseUrdf(urdfText(file, files, options.arguments)), files };
}

/** The text of a URDF; of a xacro file what it expands to. */
export function urdfText(file: string, files: RobotFiles, given: LoadRobotOptions["arguments"] = {}): string {
  return file.endsWith(".xacro") ? expandXacro(resolve(file), { files, arguments: given }) : readText(file);
}

/** A sidecar from JSON, checked against its schema; `source` names it in errors. */
export function parseSidecar(value: unknown, source = sidecarName): Sidecar {
  assertFits(SidecarSchema, value, "FLY_SIDECAR_INVALID", `${source} does not follow its schema`);
  return value;
}

/** An overlay from JSON, checked against its schema; `source` names it in errors. */
export function parseOverlay(value: unknown, source = "overlay"): Overlay {
  assertFits(OverlaySchema, value, "FLY_OVERLAY_INVALID", `${source} does not follow its schema`);
  return value;
}

/** The sidecar of a robot that has none. */
export function emptySidecar(urdfFile: string): Sidecar {
  return { schemaVersion: 1, urdf: basename(urdfFile), description: "" };
}

function overlaysOf(file: string, { calibration, truth }: LoadRobotOptions): RobotSources["overlays"] & {} {
  const beside = join(dirname(file), calibrationName);
  const hasOwn = file.endsWith(".json") && existsSync(beside);
  const chosen = calibration ?? (hasOwn ? beside : "none");
  return [
    ...(chosen === "none" ? [] : [{ kind: "calibration" as const, overlay: overlayFrom(chosen, "calibration") }]),
    ...(truth === undefined ? [] : [{ kind: "truth" as const, overlay: overlayFrom(truth, "truth") }]),
  ];
}

function overlayFrom(given: string | Overlay, source: string): Overlay {
  return typeof given === "string" ? parseOverlay(readJson(given), given) : parseOverlay(given, source);
}

function readJson(file: string): unknown {
  checkFile(file, maxJsonBytes, "FLY_FILE_TOO_LARGE");
  return readJsonFile(file);
}

function readText(file: string): string {
  checkFile(file, 4 * maxUrdfLength, "FLY_URDF_TOO_LARGE");
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Refuses what is not a plain file of a sensible size before it is read: a pipe or a device would never end. */
function checkFile(file: string, maxBytes: number, tooLarge: ErrorCode): void {
  const stats = fileStats(file);
  if (!stats.isFile()) {
    throw new FlycatcherError("FLY_FILE_UNREADABLE", "not a plain file", { path: file });
  }
  if (stats.size > maxBytes) {
    const details = { path: file, expected: `at most ${maxBytes} bytes`, found: String(stats.size) };
    throw new FlycatcherError(tooLarge, "the file is too large", details);
  }
}

function fileStats(file: string): Stats {
  try {
    return statSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): FlycatcherError {
  const { code } = cause as NodeJS.ErrnoException;
  return new FlycatcherError("FLY_FILE_UNREADABLE", `the file cannot be read (${code})`, { path: file }, { cause });
}
