/**
 * `npm test`: everything that must hold before a change lands, in the order in which it is quickest to fail.
 * The build (which is the type check) has run before this file exists.
 *
 *   node dist/test/run.js            lint and format, then all tests on their seeded slices
 *   node dist/test/run.js --deep     the same with the full random counts
 *   node dist/test/run.js --check    lint, format and layers only
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/runtime/package-root.js";
import { formatTimings, type TestRun } from "./support/timings.js";

function runTool(tool: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean {
  const executable = join(packageRoot, "node_modules", ".bin", tool);
  const { status } = spawnSync(executable, args, {
    cwd: packageRoot,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

function lint(): boolean {
  return runTool("biome", ["check", "--error-on-warnings", "."]);
}

/** From the build: `vitest.compiled.config.ts`. */
function runTests(args: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean {
  return runTool("vitest", ["run", "--config", "vitest.compiled.config.ts", ...args], environment);
}

function layerCheck(): boolean {
  return runTests(["test/architecture"]);
}

function allTests(counts: "slice" | "whole"): boolean {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-test-"));
  const file = join(folder, "results.json");
  const passed = runTests(["--reporter=default", "--reporter=json", `--outputFile.json=${file}`], {
    FLYCATCHER_DEEP: counts === "whole" ? "1" : "0",
  });
  const results = JSON.parse(readFileSync(file, "utf8")) as TestRun;
  rmSync(folder, { recursive: true });
  process.stdout.write(`${formatTimings(results, packageRoot)}\n`);
  process.stdout.write(`${results.numPassedTests} passed, ${results.numFailedTests} failed\n`);
  return passed && results.numPassedTests > 0;
}

const flags = new Set(process.argv.slice(2));
const sound = lint() && (flags.has("--check") ? layerCheck() : allTests(flags.has("--deep") ? "whole" : "slice"));
process.exitCode = sound ? 0 : 1;
