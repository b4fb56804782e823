import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";

/** A project that has the package as `npm pack` makes it, and its dependencies and no others. */
export class UnpackedPackage {
  /** The project's folder. */
  readonly project = mkdtempSync(join(tmpdir(), "flycatcher-package-"));
  readonly root = join(this.project, "node_modules", "flycatcher");
  readonly tarball: string;

  constructor() {
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", this.project];
    execFileSync("npm", args, { cwd: packageRoot, stdio: ["ignore", "ignore", "inherit"] });
    this.tarball = join(this.project, readdirSync(this.project).find((file) => file.endsWith(".tgz"))!);
    mkdirSync(this.root, { recursive: true });
    execFileSync("tar", ["-xzf", this.tarball, "-C", this.root, "--strip-components=1"]);
    const { dependencies } = JSON.parse(this.read("package.json")) as { readonly dependencies: object };
    for (const name of Object.keys(dependencies)) this.#link(name);
    writeFileSync(join(this.project, "package.json"), '{ "name": "project", "private": true, "type": "module" }');
  }

  /** Bytes of the tarball. */
  get size(): number {
    return statSync(this.tarball).size;
  }

  /** All files, by their paths in the package. */
  get files(): string[] {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** Writes a program into the project, and gives its path. */
  write(name: string, text: string): string {
    const path = join(this.project, name);
    writeFileSync(path, text);
    return path;
  }

  close(): void {
    rmSync(this.project, { recursive: true, force: true });
  }

  #link(name: string): void {
    const place = join(this.project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(packageRoot, "node_modules", name), place);
  }
}
