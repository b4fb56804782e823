import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { BringupProtocol } from "../../src/setup/bringup/bringup-protocol.js";
import { RobotProcess } from "../../src/simulation/robot-sim/robot-process.module.js";
import { deep } from "../support/deep.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-bringup-"));
const robot = join(folder, "my-ur10e");
const out = join(folder, "protocol");
let controller: RobotProcess;

beforeAll(async () => {
  cpSync(join(packageRoot, "data", "robots", "ur10e-net"), robot, { recursive: true });
  const settings = { seed: 1, ball: defaultBall, balls: 1, challenges: "none", missedCycles: 12, priority: 0 } as const;
  controller = await RobotProcess.start({ ...settings, robot: "ur10e-net", protocol: "ur" });
}, 120_000);

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});
afterAll(async () => {
  await controller.stop();
  rmSync(folder, { recursive: true, force: true });
});

function bringup(...words: readonly string[]) {
  const address = `${controller.link}&reverse=0`;
  return capturedRun("bringup", "default", "--robot", robot, "--robot-address", address, "--out", out, ...words);
}

describe("flycatcher bringup", () => {
  it("reads a robot, compares it and measures its states; nothing moves", { timeout: 60_000 }, async () => {
    const { code, out: text } = await bringup("--yes", "--listen", "1", "--until", "timing", "--json");
    const protocol = JSON.parse(text) as BringupProtocol;
    expect(protocol.steps.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["connect", "passed"],
      ["compare", "passed"],
      ["timing", "passed"],
    ]);
    expect(code).toBe(0);
    expect(protocol.operator).toBe("unattended");
    expect(JSON.stringify(protocol)).not.toContain(new URL(controller.link).searchParams.get("secret"));
    const [timing] = protocol.steps[2]!.figures.devices as { rateHz: number }[];
    expect(timing!.rateHz).toBeGreaterThan(400);
    expect(readFileSync(join(out, "protocol.md"), "utf8")).toContain("## [x] Compare joints");
    expect(readdirSync(robot)).not.toContain("calibration.json");
  });

  it("skips what moves without --arm, and ends where a question has no answer", { timeout: 60_000 }, async () => {
    const unarmed = await bringup("--confirmed", "--listen", "1", "--until", "motion", "--json");
    expect((JSON.parse(unarmed.out) as BringupProtocol).steps.at(-1)).toMatchObject({
      ...{ name: "motion", verdict: "skipped" },
      lines: ["nothing moves without --arm"],
    });
    vi.restoreAllMocks();
    const unanswered = await bringup("--arm", "--listen", "1", "--json");
    expect((JSON.parse(unanswered.out) as BringupProtocol).steps.at(-1)).toMatchObject({
      ...{ name: "compare", verdict: "failed" },
    });
    expect(unanswered.code).toBe(1);
  });

  it.each([
    ["FLY_BRINGUP_UNATTENDED", ["--robot", "ur10e-net", "--robot-address", "ur://127.0.0.1", "--yes"]],
    ["FLY_BRINGUP_ROBOT", ["--robot", "ur10e-net", "--robot-address", "127.0.0.1:7700"]],
    ["FLY_BRINGUP_ROBOT", ["--robot", "ur10e-net", "--robot-address", "ur://127.0.0.1", "--arm"]],
    ["FLY_BRINGUP_ROBOT", ["--robot", "ur10e-net"]],
  ])("refuses with %s: %s", async (code, words) => {
    const { code: exit, err } = await capturedRun("bringup", "default", ...words, "--out", out);
    expect(err).toContain(code);
    expect(exit).toBe(1);
  });

  it.runIf(deep(0, 1) === 1)("goes through all steps with a simulated controller", { timeout: 900_000 }, async () => {
    const { out: text } = await bringup("--arm", "--yes", "--listen", "2", "--throws", "2", "--json");
    const protocol = JSON.parse(text) as BringupProtocol;
    expect(protocol.steps.map(({ name, verdict, lines }) => ({ name, verdict, lines }))).toEqual(
      [
        ...["connect", "compare", "timing", "motion", "brakes", "ceiling"],
        ...["calibrate", "dry-catch", "catch-25", "catch-50", "catch-100"],
      ].map((name) => ({ name, verdict: name === "calibrate" ? "skipped" : "passed", lines: expect.anything() })),
    );
    const overlay = JSON.parse(readFileSync(join(robot, "calibration.json"), "utf8"));
    expect(overlay.speedCeiling).toBe(1);
    // Four milliseconds and a look-ahead of thirty.
    expect(overlay.commandDelays.arm).toBeGreaterThan(0.03);
    expect(overlay.commandDelays.arm).toBeLessThan(0.04);
    for (const name of ["motion", "brakes", "dry-catch", "catch-100"])
      expect(readdirSync(out)).toContain(`${name}.mcap`);
  });
});
