import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { formatSidecar } from "../../src/cli/robot-init.js";
import { askChoices } from "../../src/cli/robot-init-questions.js";
import { standingHead } from "../../src/robot/kinematics/standing-head.js";
import { loadRobot, readUrdf } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { SetupChoices } from "../../src/setup/setup-choices.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-init-test-"));
const ur10e = join(packageRoot, "data", "urdf", "ur10e.urdf");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

/** Four joints, just enough to face a ball; shapes but no masses, no limits of speed. */
const crude = `<robot name="crude arm"><link name="base"/>
${["waist", "shoulder", "elbow", "wrist"]
  .map(
    (
      joint,
      k,
    ) => `<link name="l${k}"><collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision></link>
<joint name="${joint}" type="revolute"><parent link="${k === 0 ? "base" : `l${k - 1}`}"/><child link="l${k}"/>
<origin xyz="0 0 ${k === 0 ? 0.1 : 0.4}"/><axis xyz="${k === 0 ? "0 0 1" : "0 1 0"}"/><limit lower="-3" upper="3" velocity="0" effort="0"/></joint>`,
  )
  .join("\n")}</robot>`;

describe("flycatcher robot init", () => {
  it("makes a robot with what the URDF lacks, and says what it assumed", async () => {
    const file = join(folder, "crude.urdf");
    writeFileSync(file, crude);
    const out = join(folder, "crude");
    const { out: printed } = await capturedRun("robot", "init", file, "--catcher", "bucket", "-o", out, "--json");
    const { decisions, findings } = JSON.parse(printed) as {
      decisions: { subject: string; reason: string }[];
      findings: { severity: string; subject: string }[];
    };
    // An arm of four joints without known speeds may be too slow for most throws.
    const errors = findings.filter(({ severity, subject }) => severity === "error" && subject !== "reach");
    expect(errors).toEqual([]);
    expect(decisions.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(["mass", "speeds", "arm", "catcher", "stand", "accelerations", "bodies", "ready"]),
    );
    expect(decisions.find(({ subject }) => subject === "accelerations")!.reason).toContain("no torque limit");
    const robot = loadRobot(out);
    expect(robot.hands[0]!.mouth).not.toBeNull();
    expect([...robot.postures.keys()]).toEqual(["ready", "drop"]);
    // Nothing is replaced without being asked.
    const before = readFileSync(join(out, "robot.json"), "utf8");
    expect((await capturedRun("robot", "init", file, "-o", out, "--yes")).err).toMatch(/^FLY_SETUP_EXISTS/);
    expect(readFileSync(join(out, "robot.json"), "utf8")).toBe(before);
  }, 120_000);

  it("puts cameras on tripods, with which the robot sees and catches without an IMU", async () => {
    const out = join(folder, "seeing");
    const words = ["robot", "init", ur10e, "--catcher", "net", "--cameras", "tripods", "-o", out, "--json"];
    const { findings } = JSON.parse((await capturedRun(...words)).out) as { findings: { subject: string }[] };
    expect(findings).toEqual([]);
    const robot = loadRobot(out);
    expect(robot.imu).toBeUndefined();
    expect(standingHead(robot)).not.toBeNull();
    const run = await lockStepRun({ robot, world: "physics", perception: "circles", seed: 1 });
    try {
      const results = await run.throwBalls([0]);
      expect(results.map(({ outcome }) => outcome)).toEqual(["caught"]);
    } finally {
      await run.close();
    }
  }, 120_000);

  it.each([
    ["an unknown link", ["--tip", "armFlang"], /^FLY_LINK_UNKNOWN[\s\S]*Did you mean armFlange/],
    ["a tip that does not move", ["--tip", "armBase"], /^FLY_SETUP_NO_ARM/],
    ["a hand that is not there", ["--catcher", "hand"], /^FLY_SETUP_CATCHER/],
    ["a mouth that is too small", ["--catcher", "cup", "--mouth", "0.04"], /^FLY_SETUP_CATCHER[\s\S]*--mouth/],
  ])("refuses %s and writes nothing", async (_, flags, error) => {
    const out = join(folder, "refused");
    const { code, err } = await capturedRun("robot", "init", ur10e, "-o", out, "--yes", ...flags);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(error) });
    expect(existsSync(out)).toBe(false);
  });

  it("refuses a file that is not there, and a robot without joints", async () => {
    expect((await capturedRun("robot", "init", "nothing.urdf", "--yes")).err).toMatch(/^FLY_FILE_UNREADABLE/);
    const file = join(folder, "stone.urdf");
    writeFileSync(file, '<robot name="stone"><link name="stone"/></robot>');
    expect((await capturedRun("robot", "init", file, "-o", join(folder, "s"), "--yes")).err).toMatch(
      /^FLY_SETUP_NO_ARM/,
    );
  });
});

describe("its questions", () => {
  const usual: SetupChoices = {
    ...{ tips: [], base: null, catcher: "auto", size: {}, out: null, height: null, yaw: 0 },
    ...{ cameras: "none", ballRadius: 0.0425, seed: "init" },
  };
  const { urdf, files } = readUrdf(ur10e);
  const source = { name: "ur10e", urdf, files, urdfFile: "ur10e.urdf" };

  async function answered(...answers: string[]) {
    const said: string[] = [];
    const ask = async (question: string) => {
      said.push(question);
      return answers.shift() ?? "";
    };
    const choices = await askChoices(source, usual, { ask, say: (line) => said.push(line), close: () => {} });
    return { choices, said };
  }

  it("take the defaults, which they show, for empty lines", async () => {
    const { choices, said } = await answered();
    expect(choices).toEqual(usual);
    expect(said.join("\n")).toContain("tip links of the arms, with commas between (armFlange)");
  });

  it("ask again for what cannot be", async () => {
    const { choices, said } = await answered("nothing", "armLink6", "nets", "net", "9", "0.2", "", "", "", "0.5");
    expect(choices).toMatchObject({
      tips: ["armLink6"],
      catcher: "net",
      height: 0.5,
      size: { mouth: 0.2, depth: 0.28 },
    });
    expect(said.filter((line) => /There is no link nothing|One of auto|A number from/.test(line))).toHaveLength(3);
  });
});

it("formats a sidecar so that it reads as the same", () => {
  const { sidecar } = loadRobot("ur10e-net");
  expect(JSON.parse(formatSidecar(sidecar))).toEqual(JSON.parse(JSON.stringify(sidecar)));
});
