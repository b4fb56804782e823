import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { registerRobotCommand } from "../../src/cli/robot-command.js";
import { withPairs } from "../../src/cli/robot-pairs.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../src/runtime/package-root.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-cli-"));
const smallArm = join(packageRoot, "test", "robot", "fixtures", "small-arm");
const smallArmUrdf = join(smallArm, "small-arm.urdf");

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  process.exitCode = 0;
});

/** Runs `flycatcher robot …` and gives what it printed and its exit code. */
function run(...args: string[]): { output: string; exitCode: number } {
  let output = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  try {
    const program = new Command("flycatcher").exitOverride();
    registerRobotCommand(program);
    program.parse(["robot", ...args], { from: "user" });
  } finally {
    write.mockRestore();
  }
  return { output, exitCode: Number(process.exitCode ?? 0) };
}

describe("flycatcher robot check", () => {
  it("says of a whole robot that nothing is missing", () => {
    expect(run("check", "agile-justin")).toEqual({ output: "agile-justin: nothing is missing\n", exitCode: 0 });
  });

  it("says in words what a URDF alone lacks, and exits with 1", () => {
    const { output, exitCode } = run("check", smallArmUrdf);
    expect(output).toMatch(/: 4 errors, 2 warnings\n/);
    expect(output).toContain("error    groups\n           No group of joints is named");
    expect(output).toContain("warning  cameras\n");
    expect(exitCode).toBe(1);
  });

  it("exits with 0 where there are warnings only", () => {
    const { output, exitCode } = run("check", "panda");
    expect(output).toMatch(/^panda: 0 errors, 1 warning\n/);
    expect(exitCode).toBe(0);
  });

  it("prints one JSON object on demand", () => {
    const { output, exitCode } = run("check", smallArmUrdf, "--json");
    const report = JSON.parse(output);
    expect(report).toMatchObject({ robot: smallArmUrdf, ok: false });
    expect(report.findings[0]).toEqual({
      severity: "error",
      subject: "joints rail, shoulder, elbow, wrist, gripA",
      sentence: expect.stringContaining("acceleration"),
      repair: `flycatcher robot init ${smallArmUrdf}`,
    });
    expect(exitCode).toBe(1);
    const whole = JSON.parse(run("check", "agile-justin", "--json").output);
    expect(whole).toEqual({ robot: "agile-justin", ok: true, findings: [] });
  });

  it("says of a robot that no ball reaches it in time, and what repairs it", () => {
    const { output, exitCode } = run("check", smallArm);
    expect(output).toContain("Of 24 throws at the robot 0 can be caught");
    expect(output).toContain(`repair: flycatcher robot posture ${smallArm} --at`);
    expect(exitCode).toBe(1);
  });

  it("reports what keeps a robot from loading as findings", () => {
    const urdf = join(folder, "broken.urdf");
    writeFileSync(urdf, `<robot name="r"><link name="a"/><link name="a"/></robot>`);
    expect(run("check", urdf).output).toContain("error    robot/link[a]\n           FLY_URDF_DUPLICATE");
    const sidecar = join(folder, "robot.json");
    writeFileSync(sidecar, JSON.stringify({ schemaVersion: 1, urdf: "broken.urdf", colour: "red" }));
    const { output, exitCode } = run("check", sidecar);
    expect(output).toContain("/colour\n           FLY_SIDECAR_INVALID: expected one of the keys");
    expect(output).toContain("/description\n");
    expect(exitCode).toBe(1);
    writeFileSync(sidecar, "{");
    expect(run("check", folder).output).toContain("FLY_JSON_MALFORMED");
  });

  it("throws for a robot that is not there", () => {
    expect(() => run("check", "nobody")).toThrow(expect.objectContaining({ code: "FLY_ROBOT_UNKNOWN" }));
  });
});

describe("flycatcher robot show and list", () => {
  it("prints the tree", () => {
    expect(run("show", smallArm).output).toMatch(/^small-arm: 10 links.*└─ eye/s);
  });

  it("lists the shipped robots with what they are", () => {
    const lines = run("list").output.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(listRobots());
    for (const line of lines) expect(line).toMatch(/ \d+ dofs {2}\S+/);
  });
});

describe("help", () => {
  it("has an example for every command, and each runs as it stands", () => {
    const program = new Command("flycatcher");
    registerRobotCommand(program);
    const robot = program.commands[0]!;
    for (const command of robot.commands) {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      const examples = [...help.matchAll(/^ {2}flycatcher robot (.*)$/gm)].map((match) => match[1]!.split(" "));
      expect(examples.length).toBeGreaterThan(0);
      const shipped = examples.filter(([, name]) => name === undefined || !name.includes("my-robot"));
      for (const example of shipped) expect(run(...example).exitCode).toBe(0);
    }
  });
});

describe("flycatcher robot pairs", () => {
  it("prints a line for each pair with its least distance and the reason, and the sums", () => {
    const { output } = run("pairs", "lwr-arm", "--samples", "500");
    expect(output).toMatch(/arm2 – arm4 +\d+ mm +0\.00 % +proven never to touch\n/);
    expect(output).toMatch(/table – hand +contact +[\d.]+ % +to be checked\n/);
    expect(output).toContain("lwr-arm: 45 pairs of 10 bodies, of which\n");
    expect(output).toContain("    9 joined by one joint\n");
  });

  it("prints one JSON object on demand", () => {
    const report = JSON.parse(run("pairs", "lwr-arm", "--samples", "500", "--json").output);
    expect(report.pairs).toHaveLength(45);
    expect(report.checked).toBe(report.pairs.filter(({ reason }: { reason: string }) => reason === "checked").length);
  });

  it("writes the pairs into the sidecar, changing nothing else of it, and again over what it wrote", () => {
    const copy = join(folder, "pairs-arm");
    cpSync(join(packageRoot, "data", "robots", "lwr-arm"), copy, { recursive: true });
    const file = join(copy, "robot.json");
    const before = readFileSync(file, "utf8");
    const { output } = run("pairs", copy, "--samples", "500", "--write");
    expect(output).toContain(`written to ${file}`);
    const once = readFileSync(file, "utf8");
    const { collision, ...rest } = JSON.parse(once);
    const { collision: plain, ...same } = JSON.parse(before);
    expect(rest).toEqual(same);
    expect(collision).toEqual({ ...plain, pairs: collision.pairs });
    expect(before.split("\n").every((line) => once.includes(line.replace(/,$/, "")))).toBe(true);
    expect(loadRobot(copy).pairs).toHaveLength(collision.pairs.length);
    run("pairs", copy, "--samples", "500", "--write");
    expect(readFileSync(file, "utf8")).toBe(once);
  });

  it("refuses to write without a sidecar, and samples that are no number", () => {
    expect(() => run("pairs", smallArmUrdf, "--write")).toThrow(/no sidecar to write/);
    expect(() => run("pairs", "panda", "--samples", "many")).toThrow();
  });

  it("finds its place in any JSON", () => {
    const text = `{"a": {"collision": {"hulls": []}}, "s": "\\"}{", "n": -1e-3, "collision": {"pairs":[["x","y"]],"hulls":[]}}`;
    expect(JSON.parse(withPairs(text, [["p", "q"]])).collision.pairs).toEqual([["p", "q"]]);
    expect(JSON.parse(withPairs(`{"collision":{"hulls":[{"x":1}]}}`, [])).collision.pairs).toEqual([]);
  });
});

describe("flycatcher robot pose", () => {
  it("prints where links are and which bodies are nearest", () => {
    const { output } = run("pose", "panda");
    expect(output).toMatch(/^catch\s+0\.600 m\s+-?0\.000 m\s+1\.300 m/m);
    expect(output).toContain("nearest bodies: arm5 and arm7, 82 mm");
    const { links, joints, clearance } = JSON.parse(run("pose", "panda", "--link", "armLink4", "--json").output);
    expect(Object.keys(links)).toEqual(["armLink4"]);
    expect(joints.arm4).toBe(-1.785);
    expect(clearance.bodies).toEqual(["arm5", "arm7"]);
  });

  it("refuses an unknown link or posture with a suggestion", () => {
    expect(() => run("pose", "panda", "--link", "catc")).toThrow("Did you mean catch?");
    expect(() => run("pose", "panda", "--posture", "redy")).toThrow(/one of ready, drop/);
  });
});

describe("flycatcher robot posture", () => {
  const own = join(folder, "posed");
  cpSync(join(packageRoot, "data", "robots", "panda"), own, { recursive: true });

  it("writes a posture that holds what was asked for, and changes nothing else", () => {
    const before = readFileSync(join(own, "robot.json"), "utf8");
    run("posture", own, "--at", "0.5,0.1,1.25", "--facing", "1,0,0.3", "--write", "left");
    const after = readFileSync(join(own, "robot.json"), "utf8");
    expect(JSON.parse(after).postures).toMatchObject(JSON.parse(before).postures);
    const { links } = JSON.parse(run("pose", own, "--posture", "left", "--link", "catch", "--json").output);
    expect(links.catch.position).toEqual([0.5, 0.1, 1.25].map((value) => expect.closeTo(value, 4)));
    expect(links.catch.zAxis).toEqual([0.958, 0, 0.287].map((value) => expect.closeTo(value, 3)));
    expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), postures: JSON.parse(after).postures });
  });

  it("says which bodies are in the way, or that the place is out of reach", () => {
    expect(() => run("posture", own, "--at", "4,0,1")).toThrow("no joint positions that bring it there");
    expect(() => run("posture", own, "--at", "0.5,0.1,1.25", "--clearance", "2")).toThrow(/ and .* apart/);
  });
});

describe("flycatcher robot show --json", () => {
  it("prints what the service answers", () => {
    const { joints, groups, postures } = JSON.parse(run("show", "panda", "--json").output);
    expect(joints).toHaveLength(7);
    expect(groups[0].tipLink).toBe("catch");
    expect(Object.keys(postures)).toEqual(["ready", "drop"]);
  });
});
