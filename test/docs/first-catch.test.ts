import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { documentedCode } from "./code-blocks.js";

const cli = join(packageRoot, "dist", "bundle", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "flycatcher-first-catch-"));
symlinkSync(join(packageRoot, "data"), join(folder, "data"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = documentedCode(packageRoot)
  .filter(({ place, language }) => place.startsWith("docs/first-catch.md:") && language === "sh")
  .map(({ code }) => code.trim());

function wordsOf(line: string): string[] {
  return line.split(" ").slice(2);
}

function run(line: string, ...more: string[]) {
  return spawnSync(process.execPath, [cli, ...wordsOf(line), ...more], { cwd: folder, encoding: "utf8" });
}

it("has five commands", () => {
  expect(lines.map((line) => wordsOf(line).slice(0, 2).join(" "))).toEqual([
    "robot init",
    "robot check",
    "live --robot",
    "live --robot",
    "serve --robots",
  ]);
});

it("makes, checks and catches with the robot, command by command", () => {
  const [init, check, lockStep] = lines as [string, string, string];
  const made = run(init);
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
  // The page shows what is printed.
  const shown = documentedCode(packageRoot).find(
    ({ place, language }) => place.startsWith("docs/first-catch.md:") && language === "text",
  )!;
  expect(made.stdout).toContain(shown.code.replace(/…\n$/, ""));
  expect(run(check)).toMatchObject({ status: 0, stdout: expect.stringContaining("0 errors") });
  const caught = run(lockStep, "--json");
  expect(caught.status).toBe(0);
  expect(caught.stdout.match(/"outcome": ?"caught"/g)).toHaveLength(2);
}, 300_000);

it("catches in real time", () => {
  const { status, stdout } = run(lines[3]!);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^throw {3}0/m);
}, 300_000);

it("plans over HTTP, and the page has the robot's scene", async () => {
  const example = run(`npx flycatcher plan --example robots/my-ur10e`).stdout;
  const service = spawn(process.execPath, [cli, ...wordsOf(lines[4]!), "--port", "0"], { cwd: folder });
  try {
    const address = await printedAddress(service.stdout);
    const headers = { "content-type": "application/json" };
    const plan = await fetch(`${address}/v1/plan`, { method: "POST", headers, body: example });
    // `feasible`: it may be that a better catch was not found in time.
    expect(["solved", "feasible"]).toContain(((await plan.json()) as { status: string }).status);
    const scene = await fetch(`${address}/v1/robots/my-ur10e/scene`);
    expect(await scene.text()).toContain("netHandle");
  } finally {
    service.kill("SIGINT");
  }
  await once(service, "exit");
}, 300_000);

async function printedAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`serve ended without an address: ${text}`);
}
