/**
 * `npm run test:node -- 22`: the tests on the newest release of another major version of Node. It comes from the npm registry
 * into a temporary folder, which is removed in the end.
 *
 *   node dist/test/on-node.js 22              lint and all tests
 *   node dist/test/on-node.js 24 test/math    the tests of a folder
 *
 * Packages stay as they are installed: their native parts use Node-API, which is the same in all versions.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { packageRoot } from "../src/runtime/package-root.js";
import { type NodeTestRun, nodePackage, parseNodeTestRun } from "./support/node-release.js";

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(command, args, { cwd: packageRoot, stdio: "inherit", env: environment }).status === 0;
}

/** Installs Node into a folder; the folder of its executable. */
function installNode(folder: string, major: string): string {
  const name = nodePackage(process.platform, process.arch);
  const quiet = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (!run("npm", ["install", "--prefix", folder, ...quiet, `${name}@${major}`])) {
    throw new Error(`npm could not install ${name}@${major}`);
  }
  return join(folder, "node_modules", name, "bin");
}

function runTests(bin: string, { filters }: NodeTestRun): boolean {
  const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const node = join(bin, "node");
  if (!run(node, ["-p", '"tests run on Node " + process.version'])) throw new Error(`${node} does not start`);
  const all = [join(packageRoot, "dist", "test", "run.js")];
  const some = [
    join(packageRoot, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--config",
    "vitest.compiled.config.ts",
    ...filters,
  ];
  return run(node, filters.length === 0 ? all : some, environment);
}

function main(args: readonly string[]): number {
  let folder: string | null = null;
  try {
    const wanted = parseNodeTestRun(args);
    folder = mkdtempSync(join(tmpdir(), "flycatcher-node-"));
    return runTests(installNode(folder, wanted.major), wanted) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

// Ctrl-C ends the tests, which are waited for; the folder is removed then, too.
process.on("SIGINT", () => undefined);
process.exitCode = main(process.argv.slice(2));
