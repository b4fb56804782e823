import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Type, { type Static } from "typebox";
import { loadRobot } from "../robot/loading/load-robot.js";
import { addRobotFolders, namedRobotFile, removeRobotFolder, sidecarName } from "../robot/loading/robot-folders.js";
import { FlycatcherError } from "../runtime/errors.js";
import { makeTemporaryFolder } from "./temporary-folder.js";

const SIMPLE_NAME = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$";
/** Plain names with slashes between them: nothing that leads out of the robot's folder. */
const RELATIVE_PATH = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}(/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}){0,6}$";
const BASE64 = "^[A-Za-z0-9+/]*={0,2}$";
const MOST_FILES = 200;

export const UploadedRobotSchema = Type.Object(
  {
    name: Type.String({ pattern: SIMPLE_NAME, description: "By which requests name it." }),
    urdf: Type.String({ description: "The URDF, as text." }),
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

/**
 * Robots that came over HTTP, in a folder of the service's own that is deleted when it ends. The folder is one of those in which
 * robots are known by name, so all that the service starts finds them.
 */
export class RobotStore {
  readonly #most: number;
  readonly #names = new Set<string>();
  #folder: string | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Makes the folder, before threads and processes start that are to know it. */
  open(): void {
    this.#folder = makeTemporaryFolder("robots");
    addRobotFolders([this.#folder]);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Takes a robot in that can be loaded; of any other nothing is kept. */
  add({ name, urdf, sidecar, files = {} }: UploadedRobot): void {
    if (namedRobotFile(name) !== undefined) {
      throw new FlycatcherError("FLY_ROBOT_EXISTS", "There is a robot of that name", { path: "/name", found: name });
    }
    if (this.#names.size >= this.#most) {
      throw new FlycatcherError("FLY_ROBOTS_FULL", "no more robots can be uploaded", {
        expected: `at most ${this.#most}`,
      });
    }
    // A folder in a folder is not known by name until it is complete.
    const trial = mkdtempSync(join(this.#root, "trial-"));
    try {
      const folder = join(trial, name);
      write(join(folder, "robot.urdf"), urdf);
      for (const [path, bytes] of Object.entries(files)) write(join(folder, path), Buffer.from(bytes, "base64"));
      write(join(folder, sidecarName), JSON.stringify({ ...sidecar, urdf: "robot.urdf" }));
      loadRobot(join(folder, sidecarName));
      renameSync(folder, join(this.#root, name));
      this.#names.add(name);
    } finally {
      rmSync(trial, { recursive: true, force: true });
    }
  }

  delete(name: string): void {
    if (!this.#names.has(name)) {
      const details = { expected: "a robot that was uploaded", found: name };
      throw new FlycatcherError("FLY_ROBOT_NOT_UPLOADED", "The robot was not uploaded", details);
    }
    this.#names.delete(name);
    rmSync(join(this.#root, name), { recursive: true, force: true });
  }

  close(): void {
    if (this.#folder === null) return;
    removeRobotFolder(this.#folder);
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  get #root(): string {
    if (this.#folder === null) this.open();
    return this.#folder!;
  }
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { flag: "wx" });
}
