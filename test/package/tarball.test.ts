import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { deep } from "../support/deep.js";
import { UnpackedPackage } from "./unpacked.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let unpacked: UnpackedPackage;
beforeAll(() => {
  unpacked = new UnpackedPackage();
});
afterAll(() => unpacked.close());

const plainProgram = `
import { loadRobot, type PlanRequest, planCatch } from "flycatcher";
import { FlycatcherClient, ServiceProblem } from "flycatcher/client";
const request: PlanRequest = { robot: "lwr-arm", ball: { state: { position: [4.5, 0, 1.4], velocity: [-4.6, 0, 4.1] } } };
const answer = planCatch(request);
const client = new FlycatcherClient({ address: "http://127.0.0.1:9" });
const failed: unknown = await client.planCatch(request).catch((error: unknown) => error);
console.log(loadRobot("lwr-arm").name, answer.status, failed instanceof ServiceProblem);
`;
const simulation = `
import { loadRobot } from "flycatcher";
import { RobotWorld } from "flycatcher/simulation";
const world = await RobotWorld.create(loadRobot("lwr-arm"));
world.step(world.holdCommand());
console.log(world.q.length > 0);
world.close();
`;

/** Runs a program of Node in the project. */
function run(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: unpacked.project, encoding: "utf8" });
  return { stdout, stderr, status };
}

/** What the compiler says of a program that is built in the project, with the strictest of usual settings. */
function compile(program: string, ...options: string[]): string {
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
  const modules = ["--ignoreConfig", "--module", "nodenext", "--target", "es2023"];
  const tsc = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  return run(tsc, ...modules, ...strict, ...options, program).stdout;
}

describe("the package", () => {
  it("has less than 4 MB", () => {
    expect(unpacked.size).toBeLessThan(4e6);
  });

  it("has source maps only of sources that it has, and no sources or tests of its own", () => {
    const maps = unpacked.files.filter((file) => file.endsWith(".map"));
    for (const map of maps) {
      const { sources } = JSON.parse(unpacked.read(map)) as { readonly sources: readonly string[] };
      for (const source of sources) expect(existsSync(join(unpacked.root, dirname(map), source)), map).toBe(true);
    }
    const named = unpacked.files.filter(
      (file) => file.endsWith(".js") && /\n\/\/# sourceMappingURL=\S+\s*$/.test(unpacked.read(file)),
    );
    expect(named.filter((file) => !maps.includes(`${file}.map`))).toEqual([]);
    expect(unpacked.files.filter((file) => /^(src|test|bench|tools)\//.test(file))).toEqual([]);
  });

  it("has its licence, and those of what it contains and leads to", () => {
    for (const file of ["LICENSE", "licences/bundled.txt", "licences/Apache-2.0.txt", "licences/LGPL-2.1.txt"])
      expect(unpacked.files).toContain(file);
  });

  it("has a recording of each kind, and all files that package.json exports", () => {
    expect(unpacked.files.filter((file) => file.endsWith(".mcap")).length).toBeGreaterThan(5);
    const { exports, bin } = JSON.parse(unpacked.read("package.json")) as { exports: object; bin: object };
    const paths = JSON.stringify([exports, bin]).match(/dist\/[^"]+/g) ?? [];
    expect(paths.length).toBeGreaterThan(6);
    for (const path of paths) expect(unpacked.files).toContain(path);
  });

  it("compiles with its types checked, and runs; its dependencies are enough", () => {
    const program = unpacked.write("plain.ts", plainProgram);
    expect(compile(program, "--skipLibCheck", "false", "--lib", "es2023")).toBe("");
    expect(run("plain.js")).toEqual({ stdout: "lwr-arm solved false\n", stderr: "", status: 0 });
  });

  it("has no types of MuJoCo, and so compiles with its simulation, too", () => {
    const program = unpacked.write("world.ts", simulation);
    expect(compile(program, "--skipLibCheck", "false", "--lib", "es2023")).toBe("");
    expect(run("world.js")).toEqual({ stdout: "true\n", stderr: "", status: 0 });
  });

  it("has a command that plans", () => {
    const main = join(unpacked.root, "dist", "bundle", "cli", "main.js");
    expect(run(main, "plan", join(unpacked.root, "data", "requests", "lwr-arm.json"))).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  it("leads to packages that run on the oldest Node it promises, and to no program that must run at installation", () => {
    const folder = mkdtempSync(join(tmpdir(), "flycatcher-install-"));
    try {
      writeFileSync(join(folder, "package.json"), '{ "name": "project", "private": true }');
      const args = ["install", "--engine-strict", "--no-fund", "--no-audit", unpacked.tarball];
      // With the network: whatever is newest today. Without: what `npm ci` has brought here.
      const words =
        deep(0, 1) === 1 ? spawnSync("npm", args, { cwd: folder, encoding: "utf8" }).stderr : lockedWarnings();
      const warnings = words
        .split("\n")
        .filter((line) => /^npm (warn|error)/.test(line) && !line.includes("user config"));
      expect(warnings).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Packages of an installation, in the lock file, that need a newer Node or run something when they are installed. */
function lockedWarnings(): string {
  const lock = readFileSync(join(packageRoot, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { readonly packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([folder, { dev, optional, devOptional }]) => folder !== "" && !(dev || optional || devOptional))
    .filter(([, { engines, hasInstallScript }]) => hasInstallScript === true || !runsOnNode20(engines?.node ?? "*"))
    .map(([folder, { engines }]) => `npm warn ${folder} ${engines?.node}`)
    .join("\n");
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

/** Whether a range of versions has Node 20.15: each alternative names 20, or what is at most 20, as its least. */
function runsOnNode20(range: string): boolean {
  return range.split("||").some((part) => {
    const [, sign = "", major = "0"] = /^\s*(>=|\^|>|=)?\s*v?(\d+|\*)/.exec(part) ?? [];
    return major === "*" || (sign.startsWith(">") ? Number(major) <= 20 : Number(major) === 20);
  });
}
