import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { RobotFiles } from "../robot/files/robot-files.js";
import { addRobotFolders, namedRobotFile, removeRobotFolder } from "../robot/loading/robot-folders.js";
import type { Finding } from "../robot/report/finding.js";
import type { Robot } from "../robot/robot.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import {
  type Intake,
  type IntakeOrder,
  intakeFolder,
  intakeScene,
  knownName,
  readUpload,
  urdfName,
} from "./robot-intake.js";
import { makeTemporaryFolder } from "./temporary-folder.js";
import { UploadReader } from "./upload-reader.js";

type RobotLimits = Pick<Config["service"], "maxRobots" | "jsonDepthLimit" | "uploadReadTimeoutMs">;

/** Bodies of this length are read at once [bytes]. */
const SHORT_BODY = 65_536;

/** A robot that was taken in, and what it still lacks. */
export interface AddedRobot {
  readonly robot: Robot;
  readonly findings: readonly Finding[];
}

/**
 * Robots that came over HTTP, in a folder of the service's own that is deleted when it ends. The folder is one of those in which
 * robots are known by name, so all that the service starts finds them. Each is read in a thread of its own.
 */
export class RobotStore {
  readonly #limits: RobotLimits;
  readonly #reader: UploadReader<IntakeOrder, Intake>;
  readonly #names = new Set<string>();
  #folder: string | null = null;
  /** Uploads under way. */
  #arriving = 0;

  constructor(limits: RobotLimits, logger: Logger) {
    this.#limits = limits;
    this.#reader = new UploadReader({
      ...{ program: "service/robot-intake", threads: 1, budgetCode: "FLY_ROBOT_BUDGET", logger },
      timeoutMs: limits.uploadReadTimeoutMs,
    });
  }

  /** Makes the folder, before threads and processes start that are to know it. */
  open(): void {
    this.#folder = makeTemporaryFolder("robots");
    addRobotFolders([this.#folder]);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Takes a robot in that can be loaded; of any other nothing is kept. `signal` ends the work. */
  async add(body: Uint8Array, signal: AbortSignal): Promise<AddedRobot> {
    const { maxRobots, jsonDepthLimit: depthLimit } = this.#limits;
    if (this.#names.size + this.#arriving >= maxRobots) {
      throw new FlycatcherError("FLY_ROBOTS_FULL", "no more robots can be uploaded", {
        expected: `at most ${maxRobots}`,
      });
    }
    // A short one that is wrong needs no thread.
    if (body.length <= SHORT_BODY) readUpload(body, depthLimit);
    this.#arriving++;
    // A folder in a folder is not known by name until it is complete.
    const folder = mkdtempSync(join(this.#root, "trial-"));
    try {
      const own = ownMemory(body);
      const { robot, findings } = await this.#reader.read({ body: own, depthLimit, folder }, signal, [own.buffer]);
      const { name } = robot;
      // Another one of that name may have come meanwhile.
      if (namedRobotFile(name) !== undefined) throw knownName(name);
      renameSync(intakeScene(folder), this.#sceneOf(name));
      renameSync(intakeFolder(folder, name), join(this.#root, name));
      this.#names.add(name);
      return { robot: { ...robot, files: new RobotFiles(join(this.#root, name, urdfName)) }, findings };
    } finally {
      this.#arriving--;
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The file with what is needed to draw a robot, as JSON; undefined for one that was not uploaded. */
  sceneFile(name: string): string | undefined {
    return this.#names.has(name) ? this.#sceneOf(name) : undefined;
  }

  delete(name: string): void {
    if (!this.#names.has(name)) {
      const details = { expected: "a robot that was uploaded", found: name };
      throw new FlycatcherError("FLY_ROBOT_NOT_UPLOADED", "The robot was not uploaded", details);
    }
    this.#names.delete(name);
    rmSync(join(this.#root, name), { recursive: true, force: true });
    rmSync(this.#sceneOf(name), { force: true });
  }

  close(): void {
    if (this.#folder === null) return;
    removeRobotFolder(this.#folder);
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  #sceneOf(name: string): string {
    return join(this.#root, `${name}.scene.json`);
  }

  get #root(): string {
    if (this.#folder === null) this.open();
    return this.#folder!;
  }
}

/** Bytes whose memory can be handed over: long bodies have one of their own. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
