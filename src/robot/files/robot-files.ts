import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** A file called `package.xml` marks the folder of a ROS package. */
const packageFile = "package.xml";

/** How many folders above a robot's file its ROS package may begin. */
const packageLevels = 4;

/** Longest package.xml that is looked at [B]. */
const maxPackageBytes = 2 ** 20;

/**
 * The files a robot may consist of: those in its own folder (or the ROS package it lies in), and in the package folders
 * that the user gave. Meshes, includes and YAML files are found and read here and nowhere else; a reference that leads
 * anywhere else, by `..`, an absolute path or a symbolic link, is refused.
 *
 *     const files = new RobotFiles("ur_description/urdf/ur10.urdf", ["/opt/ros/share"]);
 *     files.read("package://ur_description/meshes/base.stl", 1e8);
 */
export class RobotFiles {
  /** The robot's folder. */
  readonly folder: string;
  /** The URDF's own folder, in which relative references begin. */
  readonly base: string;
  readonly #packages: readonly string[];

  /** `packages` are folders of ROS packages, or folders that contain some. */
  constructor(robotFile: string, packages: readonly string[] = []) {
    this.base = realFolder(dirname(resolve(robotFile)));
    this.folder = ownPackage(this.base) ?? this.base;
    this.#packages = packages.map((folder) => realFolder(resolve(folder)));
  }

  /** Where a package lies; undefined if it is not among the folders given. */
  findPackage(name: string): string | undefined {
    if (!/^[\w.-]+$/.test(name) || name === "." || name === "..") return undefined;
    if (packageName(this.folder) === name) return this.folder;
    for (const folder of this.#packages) {
      if (packageName(folder) === name) return folder;
      const inside = join(folder, name);
      if (existsSync(inside) && statSync(inside).isDirectory()) return inside;
    }
    const beside = join(this.folder, name);
    return existsSync(beside) ? beside : undefined;
  }

  /** The real path of a reference: `package://…`, `file:…`, or a path; relative ones begin in `from`. */
  locate(reference: string, from: string = this.base): string {
    const candidates = this.#candidates(reference, from);
    const found = candidates.find((path) => existsSync(path));
    if (found === undefined) throw fileError("FLY_ROBOT_FILE_MISSING", reference, "a file that is there", "none");
    const path = realpathSync(found);
    if (!this.#isInside(path)) {
      const allowed = "a file in the robot's folder or in a package folder that was given";
      throw fileError("FLY_ROBOT_FILE_OUTSIDE", reference, allowed, "one elsewhere");
    }
    return path;
  }

  /** The bytes of a file, which must be a plain one of at most `maxBytes`. */
  read(reference: string, maxBytes: number, from: string = this.base): { path: string; bytes: Buffer } {
    const path = this.locate(reference, from);
    const stats = statSync(path);
    if (!stats.isFile()) throw fileError("FLY_ROBOT_FILE_MISSING", reference, "a plain file", "something else");
    if (stats.size > maxBytes) {
      throw fileError("FLY_FILE_TOO_LARGE", reference, `at most ${maxBytes} bytes`, String(stats.size));
    }
    return { path, bytes: readFileSync(path) };
  }

  #candidates(reference: string, from: string): string[] {
    const plain = reference.replaceAll("\\", "/");
    if (plain.includes("\0") || plain === "")
      throw fileError("FLY_ROBOT_FILE_MISSING", reference, "a file name", "none");
    const scheme = /^([a-z][a-z0-9+.-]+):(?:\/\/)?(.*)$/is.exec(plain);
    if (scheme === null) return isAbsolute(plain) ? [plain] : [join(from, plain), join(this.folder, plain)];
    const [kind, rest] = [scheme[1]!.toLowerCase(), decoded(scheme[2]!)];
    if (kind === "file") return isAbsolute(rest) ? [rest] : [join(from, rest)];
    // `package:///name/…` with a slash too many is in use, too.
    if (kind === "package" || kind === "model") return this.#inPackage(reference, rest.replace(/^\/+/, ""));
    throw fileError("FLY_ROBOT_FILE_OUTSIDE", reference, "package://, file: or a path", `${kind}:`);
  }

  #inPackage(reference: string, rest: string): string[] {
    const slash = rest.indexOf("/");
    const name = slash < 0 ? rest : rest.slice(0, slash);
    const folder = this.findPackage(name);
    const inside = slash < 0 ? "" : rest.slice(slash + 1);
    if (folder !== undefined) return [join(folder, inside)];
    const copied = join(this.folder, inside);
    if (inside !== "" && existsSync(copied)) return [copied];
    const expected = `the folder of package ${name}: give it with --packages`;
    throw fileError("FLY_ROBOT_FILE_MISSING", reference, expected, "none");
  }

  #isInside(path: string): boolean {
    return [this.folder, ...this.#packages].some((folder) => path === folder || path.startsWith(withSlash(folder)));
  }
}

function withSlash(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}

function realFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/** The ROS package in which a folder lies. */
function ownPackage(folder: string): string | undefined {
  let candidate = folder;
  for (let level = 0; level < packageLevels; level++) {
    if (existsSync(join(candidate, packageFile))) return candidate;
    const above = dirname(candidate);
    if (above === candidate) return undefined;
    candidate = above;
  }
  return undefined;
}

/** The name in a folder's package.xml, or the folder's own. */
function packageName(folder: string): string {
  const file = join(folder, packageFile);
  const stats = existsSync(file) ? statSync(file) : undefined;
  if (stats === undefined || !stats.isFile() || stats.size > maxPackageBytes) return basename(folder);
  return /<name>\s*([\w.-]+)\s*<\/name>/.exec(readFileSync(file, "utf8"))?.[1] ?? basename(folder);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fileError(code: ErrorCode, reference: string, expected: string, found: string): FlycatcherError {
  const path = reference.length <= 200 ? reference : `${reference.slice(0, 197)}…`;
  return new FlycatcherError(code, "a file of the robot cannot be used", { path, expected, found });
}
