import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Type, { type Static } from "typebox";
import { inspectRobot } from "../report/robot/inspect-robot.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { namedRobotFile, sidecarName } from "../robot/loading/robot-folders.js";
import type { Finding } from "../robot/report/finding.js";
import type { Robot } from "../robot/robot.js";
import { mostParts } from "../robot/sidecar/sidecar-parts.js";
import { FlycatcherError } from "../runtime/errors.js";
import { assertFits } from "../runtime/schema-problems.js";
import { parseStrictJson } from "./json-body.js";
import { sceneOf } from "./robot-scene.js";

const SIMPLE_NAME = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$";
/** Plain names with slashes between them: nothing that leads out of the robot's folder. */
const RELATIVE_PATH = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}(/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}){0,6}$";
const BASE64 = "^[A-Za-z0-9+/]*={0,2}$";
const MOST_FILES = 200;
/** Longest URDF and sidecar of an upload [characters]: the largest in common use have 0.3 MB and 20 kB. */
const MOST_URDF = 2 ** 20;
const MOST_SIDECAR = 2 ** 18;

export const urdfName = "robot.urdf";

export const UploadedRobotSchema = Type.Object(
  {
    name: Type.String({ pattern: SIMPLE_NAME, description: "By which requests name it." }),
    urdf: Type.String({ maxLength: MOST_URDF, description: "The URDF, as text." }),
    sidecar: Type.Object({}, { additionalProperties: true, description: "The content of `robot.json`." }),
    files: Type.Optional(
      Type.Record(Type.String({ pattern: RELATIVE_PATH }), Type.String({ pattern: BASE64 }), {
        additionalProperties: false,
        maxProperties: MOST_FILES,
        description: "Meshes and other files that the URDF names, by relative path, in Base64.",
      }),
    ),
  },
  { additionalProperties: false, title: "UploadedRobot" },
);
export type UploadedRobot = Static<typeof UploadedRobotSchema>;

/** What a thread that takes a robot in is given. */
export interface IntakeOrder {
  /** The request's body. */
  readonly body: Uint8Array;
  readonly depthLimit: number;
  /** An empty folder, for the robot's own folder and its scene. */
  readonly folder: string;
}

/** A robot as plain data; the files it consists of are found in its folder. */
export type PlainRobot = Omit<Robot, "files">;

export interface Intake {
  readonly robot: PlainRobot;
  /** What the robot still lacks. */
  readonly findings: readonly Finding[];
}

/** Where a robot that was taken in lies below the order's folder, and its scene as JSON. */
export const intakeFolder = (folder: string, name: string): string => join(folder, name);
export const intakeScene = (folder: string): string => join(folder, "scene.json");

/** The body of a request that adds a robot, if it is one. */
export function readUpload(body: Uint8Array, depthLimit: number): UploadedRobot {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const uploaded = parseStrictJson(text, depthLimit);
  assertFits(UploadedRobotSchema, uploaded, "FLY_HTTP_REQUEST_INVALID", "The request is wrong");
  if (namedRobotFile(uploaded.name) !== undefined) throw knownName(uploaded.name);
  return uploaded;
}

/** Reads the body of a request that adds a robot, writes its files, and loads it with all that a request may ask of it. */
export function takeIn({ body, depthLimit, folder }: IntakeOrder): Intake {
  const uploaded = readUpload(body, depthLimit);
  const { name } = uploaded;
  const own = intakeFolder(folder, name);
  writeFiles(own, uploaded);
  const robot = loadRobot(join(own, sidecarName));
  if (robot.model.linkCount > mostParts) {
    const details = { expected: `at most ${mostParts} links`, found: String(robot.model.linkCount) };
    throw new FlycatcherError("FLY_URDF_TOO_LARGE", "The robot has too many links", details);
  }
  const findings = inspectRobot(robot, 0).slice(0, mostParts);
  writeFileSync(intakeScene(folder), JSON.stringify(sceneOf(robot)));
  const { files: _, ...plain } = robot;
  return { robot: plain, findings };
}

export function knownName(name: string): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_EXISTS", "There is a robot of that name", { path: "/name", found: name });
}

function writeFiles(folder: string, { urdf, sidecar, files = {} }: UploadedRobot): void {
  const text = JSON.stringify({ ...sidecar, urdf: urdfName });
  if (text.length > MOST_SIDECAR) {
    const details = { path: "/sidecar", expected: `at most ${MOST_SIDECAR} characters`, found: String(text.length) };
    throw new FlycatcherError("FLY_FILE_TOO_LARGE", "The sidecar is too long", details);
  }
  write(folder, urdfName, urdf);
  write(folder, sidecarName, text);
  for (const [path, bytes] of Object.entries(files)) write(folder, path, Buffer.from(bytes, "base64"));
}

/** Codes of the system for a file where a folder is to be, and the reverse. */
const clashes: ReadonlySet<string | undefined> = new Set(["EEXIST", "ENOTDIR", "EISDIR"]);

function write(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: "wx" });
  } catch (cause) {
    if (!clashes.has((cause as NodeJS.ErrnoException).code)) throw cause;
    const details = { path: `/files/${path}`, expected: "a file that is not there", found: "one of that name" };
    throw new FlycatcherError("FLY_HTTP_REQUEST_INVALID", "Two files have one name", details, { cause });
  }
}
