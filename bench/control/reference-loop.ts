import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { priorities } from "../../src/run/real-time-options.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { Metrics } from "../harness.js";

/** The loop in C, if there is a compiler; its lateness when it has run. */
export function startReference(duration: number): Promise<Metrics> {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-"));
  const program = join(folder, "nanosleep-loop");
  const source = join(packageRoot, "bench", "reference", "nanosleep-loop.c");
  if (spawnSync("cc", ["-O2", "-o", program, source]).status !== 0) {
    rmSync(folder, { recursive: true });
    return Promise.resolve({});
  }
  const hasPriority = spawnSync("chrt", ["-f", String(priorities.control), "true"]).status === 0;
  const ticks = String(1000 * duration);
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  const child = hasPriority
    ? spawn("chrt", ["-f", String(priorities.control), program, ticks], { stdio })
    : spawn(program, [ticks], { stdio });
  return latenessOf(child).finally(() => rmSync(folder, { recursive: true }));
}

async function latenessOf(child: ChildProcess): Promise<Metrics> {
  let output = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    output += bytes.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  const sorted = output
    .trim()
    .split("\n")
    .map(Number)
    .sort((a, b) => a - b);
  const at = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] ?? Number.NaN;
  return { c_jitter_us_p50: at(0.5), c_jitter_us_p99: at(0.99), c_jitter_us_p999: at(0.999), c_jitter_us_max: at(1) };
}
