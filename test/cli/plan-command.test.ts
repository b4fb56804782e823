import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createProgram, runCli } from "../../src/cli/program.js";
import { formatTable } from "../../src/cli/terminal.js";
import { BrailleCanvas, edgeFor, peakSpeed, plotVelocity, velocityAt } from "../../src/cli/velocity-plot.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { type PlanAnswer, PlanAnswerSchema, type RampDescription } from "../../src/planning/request/answer.js";
import { assertPlanRequest } from "../../src/planning/request/request.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { findProblems } from "../../src/runtime/schema-problems.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const ball = { state: { position: [4.5, 0.1, 1.4], velocity: [-4.6, 0, 4.1] } };
const quick = { robot: "lwr-arm", budget: { starts: 3 }, ball };
const shipped = (name: string) => join(packageRoot, "data", "requests", `${name}.json`);

/** Runs a command in this process and catches what it prints. */
async function run(...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
  try {
    return { status: await runCli(["node", "flycatcher", "plan", ...args]), ...printed };
  } finally {
    vi.restoreAllMocks();
  }
}

describe("flycatcher plan", () => {
  it("shows how the body helps", async () => {
    const request = {
      ...JSON.parse(readFileSync(shipped("agile-justin"), "utf8")),
      body: "rule",
      budget: { starts: 3 },
    };
    const { status, stdout, stderr } = await run(fileWith("body.json", request));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^body {7}torso and base help$/m);
    for (const joint of ["rightArm7", "torso3", "neckTilt"])
      expect(stdout).toMatch(new RegExp(`^${joint} +-?[\\d.]+`, "m"));
    expect(stdout).toMatch(/^baseY +-?[\d.]+ +-?[\d.]+ m +[\d.]+ m\/s/m);
  });

  it("prints what, when, where, a table of joints and their speeds", async () => {
    const { status, stdout, stderr } = await run(fileWith("quick.json", quick));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^lwr-arm arm, soft: solved in \d+\.\d ms \(3 starts, \d+ iterations of sqp\)\n/);
    expect(stdout).toMatch(/^catch {6}at 0\.\d{3} s$/m);
    expect(stdout).toMatch(/^hand {7}at [-\d.]+, [-\d.]+, [-\d.]+ m in the world$/m);
    for (let k = 1; k <= 7; k++) {
      const row = new RegExp(
        `^arm${k} +-?[\\d.]+ +-?[\\d.]+ rad +[\\d.]+ rad/s +\\d+ % +[\\d.]+ rad/s² +\\d+ % +[\\d.]+ N·m +\\d+ %$`,
        "m",
      );
      expect(stdout).toMatch(row);
      expect(stdout).toMatch(
        new RegExp(`^arm${k} +[+\\d.]+ ┤[\\u2800-\\u28ff]{56}│\\n +[−\\d.]+ ┤[\\u2800-\\u28ff]{56}│$`, "m"),
      );
    }
    for (const line of stdout.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
  });

  it("prints the answer itself with --json", async () => {
    const { stdout } = await run(fileWith("quick.json", quick), "--json");
    expect(findProblems(PlanAnswerSchema, JSON.parse(stdout))).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved", robot: "lwr-arm" });
  });

  it("says why for a ball out of reach, which is no failure", async () => {
    const { status, stdout } = await run(shipped("unreachable"));
    expect(status).toBe(0);
    expect(stdout).toMatch(/: unreachable in .*\n\n {2}out-of-reach {2}The ball stays out of reach\./);
  });

  it("marks what is above its limit, and shows scaled limits", async () => {
    const scaled = { ...quick, start: { velocity: { arm1: 0.6 } }, limits: { velocityScale: 0.3 } };
    const { stdout } = await run(fileWith("scaled.json", scaled));
    expect(stdout).toMatch(/^arm1 .* 115 % !/m);
    expect(stdout).toContain("the edges are 0 and the joints' limits");
  });

  it("plans with NLopt if told to", async () => {
    const { stdout } = await run(fileWith("quick.json", quick), "--solver", "nlopt", "--json");
    const answer = JSON.parse(stdout) as PlanAnswer;
    expect(answer.statistics.solver).toBe("nlopt");
    expect(answer.catch).toBeDefined();
  });

  it("reads the standard input", () => {
    const main = join(packageRoot, "dist", "bundle", "cli", "main.js");
    const { status, stdout } = spawnSync(process.execPath, [main, "plan", "-", "--json"], {
      input: JSON.stringify(quick),
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as PlanAnswer).status).toBe("solved");
    const broken = spawnSync(process.execPath, [main, "plan", "-"], { input: "{", encoding: "utf8" });
    expect(broken.status).toBe(1);
    expect(broken.stderr).toMatch(/^FLY_JSON_MALFORMED: The standard input is not JSON/);
  });

  it.each([
    ["nothing to plan", [], /no request; give a file, - or --example/],
    ["a file that is not there", ["nobody.json"], /^FLY_FILE_UNREADABLE: /],
    ["what is no JSON", [fileWith("torn.json", "{")], /^FLY_JSON_MALFORMED: /],
    [
      "what breaks the schema",
      [fileWith("wrong.json", { ball, mode: "brave" })],
      /^FLY_PLAN_REQUEST_INVALID: .*\/mode.*\n.*--example/,
    ],
    ["an unknown robot", [fileWith("who.json", { ...quick, robot: "nobody" })], /^FLY_ROBOT_UNKNOWN: .*at \/robot/],
    [
      "a ball under the floor",
      [fileWith("low.json", { ...quick, ball: { state: { ...ball.state, position: [4, 0, -1] } } })],
      /^FLY_PLAN_BALL_UNDER_FLOOR: /,
    ],
    ["an unknown solver", [shipped("lwr-arm"), "--solver", "luck"], /Expected one of sqp, nlopt/],
  ])("refuses %s in plain words", async (_, args, words) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: stderr.startsWith("FLY_") ? 1 : 2, stdout: "" });
    expect(stderr).toMatch(words);
  });
});

describe("flycatcher plan --example", () => {
  it.each(listRobots())("%s: prints the shipped request, ready to be planned", async (name) => {
    const { status, stdout } = await run("--example", name);
    expect(status).toBe(0);
    expect(stdout).toBe(readFileSync(shipped(name), "utf8"));
    expect(() => assertPlanRequest(JSON.parse(stdout))).not.toThrow();
  });

  it("is for Agile Justin by default, and for a robot of one's own by its path", async () => {
    expect(JSON.parse((await run("--example")).stdout)).toMatchObject({ robot: "agile-justin" });
    const path = join(packageRoot, "data", "robots", "panda", "robot.json");
    expect(JSON.parse((await run("--example", path)).stdout)).toMatchObject({ robot: "panda" });
  });

  it("refuses a robot that is not there", async () => {
    expect((await run("--example", "nobody")).stderr).toMatch(/^FLY_ROBOT_UNKNOWN/);
  });
});

describe("help", () => {
  it("has examples that name shipped files", () => {
    const command = createProgram().commands.find((entry) => entry.name() === "plan")!;
    let help = "";
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    const files = [...help.matchAll(/data\/requests\/\S+\.json/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(() => readFileSync(join(packageRoot, file))).not.toThrow();
  });
});

describe("the plot of speeds", () => {
  const ramp: RampDescription = {
    joint: "a",
    q0: 0,
    w0: 3,
    ab: -10,
    tb: 0.1,
    a: -4,
    t1: 0.8,
    t2: 1.2,
    T: 1.4,
    q: 0,
    peakTorque: 1,
  };

  it("follows the ramps, as motion itself evaluates them", () => {
    const ramps = new JointRamps(1);
    for (const field of ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T"] as const) ramps[field][0] = ramp[field];
    ramps.restoreEnds();
    const [q, qd, qdd] = [new Float64Array(1), new Float64Array(1), new Float64Array(1)];
    for (let t = -0.1; t < 1.6; t += 0.01) {
      ramps.evaluate(t, q, qd, qdd);
      expect(velocityAt(ramp, t)).toBeCloseTo(qd[0]!, 12);
    }
    expect(peakSpeed(ramp)).toBe(3);
  });

  it("spans the sides a joint moves to", () => {
    const labels = (shape: Partial<RampDescription>) =>
      plotVelocity({ ...ramp, w0: 0, ab: 0, tb: 0, ...shape }, 2, 1.4).map((line) => line.split(" ┤")[0]!.trim());
    expect(labels({ a: 1, t1: 0.7, t2: 0.7 })).toEqual(["+2.00", "0"]);
    expect(labels({ a: -1, t1: 0.7, t2: 0.7 })).toEqual(["0", "−2.00"]);
    expect(labels({ w0: 1, a: -2, t1: 0.7, t2: 1.2 })).toEqual(["+2.00", "−2.00"]);
    expect(labels({ a: 0, t1: 0, t2: 1.4 })).toEqual(["+2.00", "0"]);
  });

  it("ends at the least round share of the limits that holds all speeds", () => {
    expect([0, 0.02, 0.021, 0.17, 0.99, 1, 1.3].map(edgeFor)).toEqual([0.02, 0.02, 0.05, 0.2, 1, 1, 1]);
  });
});

describe("BrailleCanvas", () => {
  it("sets the dots of Unicode's Braille patterns", () => {
    const canvas = new BrailleCanvas(2, 2);
    canvas.dot(0, 0);
    canvas.dot(1, 3);
    canvas.column(2, 7, 4);
    canvas.dot(9, 9);
    canvas.dot(Number.NaN, 0);
    expect(canvas.lines()).toEqual(["\u2881\u2800", "\u2800\u2847"]);
  });
});

describe("formatTable", () => {
  it("aligns columns", () => {
    expect(formatTable(["a", "bb"], [["ccc", "d"]])).toBe("a    bb\nccc   d");
  });
});
