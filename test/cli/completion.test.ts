import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bashCompletion } from "../../src/cli/bash-completion.js";
import { CliCommand } from "../../src/cli/cli-command.js";
import { type CompletedCommand, completedCommand, withDescendants } from "../../src/cli/completion-tree.js";
import { fishCompletion } from "../../src/cli/fish-completion.js";
import { createProgram } from "../../src/cli/program.js";
import { zshCompletion } from "../../src/cli/zsh-completion.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { type Complete, completeInBash, completeInFish, completeInZsh, isInstalled } from "./shells.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tree = completedCommand(createProgram());

function completion(shell: string, render: (program: CompletedCommand, name: string) => string, complete: Complete) {
  const file = join(folder, `flycatcher.${shell}`);
  writeFileSync(file, render(tree, "flycatcher"));
  return (line: string) => [...new Set(complete(file, line))].sort();
}

describe("the tree of commands", () => {
  it("has every command and option that help lists", () => {
    const names = withDescendants(tree).map(({ path }) => path.join(" "));
    expect(names).toEqual(expect.arrayContaining(["", "live", "robot show", "config profiles", "completion"]));
    for (const command of createProgram().commands) {
      const own = tree.commands.find(({ path }) => path[0] === command.name())!;
      const flags = own.options.flatMap((option) => option.flags);
      for (const { long } of command.options) expect(flags).toContain(long);
    }
  });

  it("takes a new option in from its first day", () => {
    const program = new CliCommand("flycatcher");
    program.command("fly <file>").option("--wings <robot>", "whose. More").option("--far", "or not");
    expect(completedCommand(program).commands[0]).toMatchObject({
      path: ["fly"],
      options: [
        { flags: ["--wings"], description: "whose", value: { words: listRobots(), takesFiles: true } },
        { flags: ["--far"], value: null },
        { flags: ["-h", "--help"], value: null },
      ],
      arguments: [{ name: "file", takesFiles: true, words: [] }],
    });
  });
});

const shells = [
  ["bash", bashCompletion, completeInBash],
  ["zsh", zshCompletion, completeInZsh],
  ["fish", fishCompletion, completeInFish],
] as const;

describe.each(shells)("completion in %s", (shell, render, complete) => {
  // bash is asked for always; the others where they are installed.
  const check = shell === "bash" || isInstalled(shell) ? it : it.skip;
  const completed = completion(shell, render, complete);

  check.each([
    ["flycatcher re", ["record", "replay"]],
    ["flycatcher robot ", ["check", "convert", "hulls", "inertia", "init", "list", "pairs", "pose", "posture", "show"]],
    ["flycatcher live --mode ", ["cool", "latest", "soft", "sure"]],
    ["flycatcher live --lockstep --perception tr", ["truth"]],
    ["flycatcher live --robot agile-justin --world k", ["kinematic"]],
    ["flycatcher live --lo", ["--lockstep"]],
    ["flycatcher robot show pan", ["panda"]],
    ["flycatcher robot pairs panda --sa", ["--samples"]],
    ["flycatcher completion ", ["bash", "fish", "zsh"]],
    ["flycatcher live --throws ", []],
  ])("%j", (line, words) => {
    expect(completed(line)).toEqual(words);
  });

  check("files where a file is expected, and robots beside them", () => {
    expect(completed("flycatcher plan pack")).toEqual(["package-lock.json", "package.json"]);
    expect(completed("flycatcher live --robot lwr")).toEqual(["lwr-arm"]);
    expect(completed("flycatcher calibrate --recording packa")).toEqual(["package-lock.json", "package.json"]);
  });

  check("settings and their values", () => {
    const words = completed("flycatcher serve --set log.level=");
    const names = words.map((word) => word.replace("log.level=", ""));
    expect(names).toEqual(["debug", "error", "fatal", "info", "silent", "trace", "warn"]);
    expect(completed("flycatcher serve --set service.po")).toEqual(["service.port=", "service.portTries="]);
  });
});

describe("bash", () => {
  const completed = completion("bash", bashCompletion, completeInBash);

  it("completes behind the = of an option", () => {
    expect(completed("flycatcher live --mode=s")).toEqual(["soft", "sure"]);
  });

  it("goes on after an option with several values", () => {
    expect(completed("flycatcher replay --tracker carryTime=2 scanD")).toEqual(["scanDepth="]);
    expect(completed("flycatcher replay --tracker carryTime=2 --mo")).toEqual(["--mode", "--monitor"]);
  });
});
