import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { capturedRun } from "./captured-run.js";

const main = join(packageRoot, "dist", "bundle", "cli", "main.js");

function flycatcher(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  return spawnSync(process.execPath, [main, ...args], {
    cwd: packageRoot,
    env: { ...inherited, ...env },
    encoding: "utf8",
  });
}

/** Starts a command, takes the first text of a stream, and goes. */
async function readOneLine(stream: "stdout" | "stderr", ...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd: packageRoot, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  await once(child[stream], "data");
  child.stdout.destroy();
  const [code] = await once(child, "exit");
  return { code, stderr };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an error of the command line", () => {
  it.each([
    ["a command", ["lvie"], ["Did you mean live?", "Commands: plan, move, ", "`flycatcher --help`"]],
    ["a sub-command", ["robot", "lits"], ["Did you mean list?", "pairs, hulls, ", "`flycatcher robot --help`"]],
    ["an option", ["live", "--lokcstep"], ["Did you mean --lockstep?", "`flycatcher live --help`"]],
    ["an option with =", ["live", "--sede=1"], ["Did you mean --seed?", "`flycatcher live --help`"]],
    ["a mode", ["live", "--mode", "sotf"], ["one of soft, latest, cool, sure. Did you mean soft?", "live --help`"]],
    ["a perception", ["graph", "--perception", "pionts"], ["Did you mean points?", "`flycatcher graph --help`"]],
    ["a value far from all", ["live", "--mode", "whatever"], ["cool, sure.\nSee `flycatcher live --help`."]],
    ["a missing argument", ["compare", "a.json"], ["missing required argument 'fileB'", "`flycatcher compare --help`"]],
  ])("names what is wrong with %s, what was meant, and the right help", async (_, args, texts) => {
    const { code, out, err } = await capturedRun(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    for (const text of texts) expect(err).toContain(text);
  });

  it.each([
    ["a robot", ["robot", "show", "agile-jsutin"], "Did you mean agile-justin?"],
    ["a profile", ["config", "show", "--profile", "tabeltop"], "Did you mean tabletop?"],
    ["a key", ["config", "show", "--set", "planning.mdoe=soft"], "Did you mean mode?\n"],
    ["a key's value", ["config", "show", "--set", "planning.mode=sotf"], "Did you mean soft?\n"],
    ["a section", ["live", "--set", "plannign.mode=soft"], "Did you mean planning?\n"],
    ["an arm", ["live", "--lockstep", "--robot", "agile-justin", "--group", "leftarm"], "Did you mean leftArm?"],
    ["a tracker's setting", ["replay", "--tracker", "carryTmie=1"], "Did you mean carryTime?"],
  ])("says what was meant by %s", async (_, args, text) => {
    const { code, err } = await capturedRun(...args);
    expect(code).toBe(1);
    expect(err).toContain(text);
  });

  it("names the help of the command that failed, for a setting of it", async () => {
    const live = await capturedRun("live", "--seed", "x");
    expect(live.err).toMatch(/See `flycatcher live --help`\.\n$/);
    const record = await capturedRun("record", "a.mcap", "--set", "x=1");
    expect(record.err).toMatch(/See `flycatcher record --help`\.\n$/);
  });

  it("is the process's, too", () => {
    const { status, stdout, stderr } = flycatcher(["lvie"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Did you mean live?");
  });
});

describe("help", () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

  it.each(all(createProgram()).map((command) => [command.name(), command] as const))(
    "of %s has examples",
    (_, command) => {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect(help).toMatch(/^Examples?:\n {2}\S+/m);
      expect(help).toMatch(/^ {2}(source <\()?flycatcher /m);
    },
  );

  it("of the program has the exit codes", () => {
    const { status, stdout } = flycatcher(["--help"]);
    expect(status).toBe(0);
    for (const code of ["0", "1", "2", "141"]) expect(stdout).toMatch(new RegExp(`^ {2}${code} +\\S`, "m"));
  });
});

describe("colours", () => {
  const sequence = "\u001b[";

  it("are there on demand, and not in a pipe", () => {
    const plan = ["plan", "data/requests/lwr-arm.json"];
    expect(flycatcher(plan).stdout).not.toContain(sequence);
    expect(flycatcher(plan, { FORCE_COLOR: "1" }).stdout).toContain(`${sequence}32msolved${sequence}39m`);
    expect(flycatcher(["live", "--help"], { FORCE_COLOR: "1" }).stdout).toContain(`${sequence}1mExamples:`);
    expect(flycatcher(["lvie"], { FORCE_COLOR: "1" }).stderr).toContain(`${sequence}31merror: unknown command`);
  });

  it("are never in JSON", () => {
    const { stdout } = flycatcher(["plan", "data/requests/lwr-arm.json", "--json"], { FORCE_COLOR: "1" });
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved" });
    expect(stdout).not.toContain(sequence);
  });

  it("are there in a terminal, unless it is dumb or NO_COLOR is set", () => {
    const inTerminal = (env: NodeJS.ProcessEnv) => {
      const program = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))";
      const { stdout } = spawnSync("python3", ["-c", program, process.execPath, main, "robot", "list"], {
        env: { PATH: process.env.PATH, ...env },
        encoding: "utf8",
      });
      return stdout;
    };
    expect(inTerminal({ TERM: "xterm" })).toContain(`${sequence}36mpanda`);
    expect(inTerminal({ TERM: "dumb" })).toMatch(/^panda/m);
    expect(inTerminal({ TERM: "xterm", NO_COLOR: "1" })).toMatch(/^panda/m);
  });
});

describe("a reader that goes", () => {
  it("ends a series of throws quietly", async () => {
    const args = [
      "--robot",
      "lwr-arm",
      "--world",
      "kinematic",
      "--perception",
      "truth",
      "--lockstep",
      "--throws",
      "500",
    ];
    expect(await readOneLine("stdout", "live", ...args)).toEqual({ code: 141, stderr: "" });
  });

  it("lets a robot in real time come to rest first", async () => {
    const run = ["live", "--robot", "lwr-arm", "--perception", "truth", "--throws", "50"];
    const { code, stderr } = await readOneLine("stderr", ...run);
    expect(code).toBe(141);
    // Control brakes on request before its thread ends.
    expect(stderr).toMatch(/control: .*brak/);
    expect(stderr).not.toMatch(/EPIPE|^ +at /m);
  }, 240_000);

  it.each(["robot pairs agile-justin --samples 200 --json", "replay data/throws/points --json", "completion fish"])(
    "%s | head -n 1",
    (command) => {
      const line = `${process.execPath} ${main} ${command} | head -n 1; exit "\${PIPESTATUS[0]}"`;
      const { status, stdout, stderr } = spawnSync("bash", ["-c", line], { cwd: packageRoot, encoding: "utf8" });
      expect(stdout.split("\n")).toHaveLength(2);
      expect(stderr).toBe("");
      // What fits into the pipe's buffer was written before the reader went.
      expect([0, 141]).toContain(status);
    },
  );

  it("of the errors does not keep a command from ending", () => {
    const line = `${process.execPath} ${main} lvie 2>&1 >/dev/null | true; exit "\${PIPESTATUS[0]}"`;
    expect([2, 141]).toContain(spawnSync("bash", ["-c", line]).status);
  });
});
