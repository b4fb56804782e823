import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it, vi } from "vitest";
import { catchTransitions } from "../../src/catching/catch-states.js";
import { registerLiveCommand } from "../../src/cli/live-command.js";
import { formatThrow } from "../../src/cli/live-report.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { extractCodeBlocks } from "../docs/code-blocks.js";
import { deep } from "../support/deep.js";

/** Runs `flycatcher live …` and gives what it printed. */
async function live(...args: string[]): Promise<string> {
  let output = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  try {
    const program = new Command("flycatcher").exitOverride().configureOutput({ writeErr: () => undefined });
    registerLiveCommand(program);
    for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
    await program.parseAsync(["live", ...args], { from: "user" });
  } finally {
    write.mockRestore();
  }
  return output;
}

const lockstep = ["--perception", "truth", "--lockstep"];

describe("flycatcher live", () => {
  it("prints a line a throw and a table", async () => {
    const args = ["--robot", "lwr-arm", "--world", "kinematic", ...lockstep, "--throws", "3"];
    const lines = (await live(...args)).trimEnd().split("\n");
    for (const line of lines.slice(0, 3)) {
      expect(line).toMatch(
        /^throw {3}\d {2}caught {3}off by {2}0\.\d\d mm [+−]0\.\d\d ms {2}at \d\.\d{3} s .*replans {2}objective/,
      );
    }
    expect(lines[3]).toBe("");
    const table = lines.slice(4).join("\n");
    expect(table).toMatch(/^throws +3$/m);
    expect(table).toMatch(/^reachable +3 of 3: 100\.0 % \(95 %: 43\.9 % to 100\.0 %\)$/m);
    expect(table).toMatch(/^caught of the reachable +3 of 3/m);
    expect(table).toMatch(/^error at the catch +p50 0\.\d\d mm, p95 /m);
    expect(table).toMatch(/^refused plans +0$/m);
    expect(table).toMatch(/^planning, warm +p50 .* by the wall clock$/m);
  });

  it("lets physics decide, with the gate beside it, if the robot has fingers or a basket", async () => {
    const output = await live("--robot", "lwr-arm", ...lockstep, "--throws", "2");
    expect(output).toMatch(/^throw {3}0 {2}caught {3}gate passed {2}off by {2}0\.\d\d mm/m);
    expect(output).toMatch(/^through the gate +2 of 2/m);
    expect(output).toMatch(/^in the hand +2 held$/m);
    const basket = JSON.parse(await live("--robot", "iiwa-14", ...lockstep, "--throws", "1", "--json"));
    expect(basket).toMatchObject({ world: "physics", throws: [{ hold: "held" }] });
    await expect(live(...lockstep, "--world", "flat")).rejects.toMatchObject({ code: "commander.invalidArgument" });
  });

  it("prints JSON whose every part but the wall clock repeats", async () => {
    const throws = deep(1, 2);
    const args = [
      "--robot",
      "agile-justin",
      ...lockstep,
      "--throws",
      `${throws}`,
      "--seed",
      "5",
      "--mode",
      "cool",
      "--json",
    ];
    const [first, second] = [JSON.parse(await live(...args)), JSON.parse(await live(...args))];
    expect({ ...first, wallClock: null }).toEqual({ ...second, wallClock: null });
    expect(first).toMatchObject({ robot: "agile-justin", groups: ["leftArm", "rightArm"], mode: "cool", seed: 5 });
    expect(first.throws).toHaveLength(throws);
    expect(first.summary.throws).toBe(throws);
  });

  it("takes what it is not told from the configuration", async () => {
    const args = ["--profile", "lockstep", "--set", "robot=lwr-arm", "--set", "planning.mode=latest", "--throws", "1"];
    expect(JSON.parse(await live(...args, "--perception", "truth", "--json"))).toMatchObject({
      robot: "lwr-arm",
      mode: "latest",
      seed: 1,
    });
  });

  it("sees as it is told, by default with what the robot has", async () => {
    const points = JSON.parse(await live("--robot", "lwr-arm", "--lockstep", "--throws", "1", "--json"));
    expect(points).toMatchObject({ perception: "points", throws: [{ outcome: "caught" }] });
    const args = ["--robot", "agile-justin", "--lockstep", "--perception", "circles", "--throws", "1", "--json"];
    expect(JSON.parse(await live(...args))).toMatchObject({ perception: "circles", throws: [{ outcome: "caught" }] });
    await expect(live("--lockstep", "--perception", "radar")).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
  });

  it("refuses what makes no sense", async () => {
    await expect(live(...lockstep, "--throws", "0")).rejects.toMatchObject({ code: "commander.invalidArgument" });
    await expect(live(...lockstep, "--throws", "many")).rejects.toMatchObject({ code: "commander.invalidArgument" });
    await expect(live(...lockstep, "--mode", "hard")).rejects.toMatchObject({ code: "commander.invalidArgument" });
    await expect(live(...lockstep, "--seed", "-1")).rejects.toMatchObject({ code: "FLY_CONFIG_INVALID" });
    await expect(live(...lockstep, "--robot", "nobody")).rejects.toMatchObject({ code: "FLY_ROBOT_UNKNOWN" });
  });
});

describe("the line of a throw", () => {
  const verdict = { caught: false, misses: [], lateral: 0.0321, timing: -0.0123, facing: 0, handSpeed: 0 };
  const missed = {
    id: 7,
    aim: [0, 0, 0] as const,
    flightTime: 1,
    speed: 7,
    arm: null,
    outcome: "missed" as const,
    reason: "position, timing",
    reactionTime: 0.25,
    catchTime: 0.8,
    verdict,
    hold: null,
    errors: null,
    firstObjective: 0.1,
    objective: 0.2,
    searches: 1,
    replans: 12,
    unsolved: 0,
    refused: 0,
  };

  it("tells by how much a ball was missed", () => {
    expect(formatThrow(missed)).toBe(
      "throw   7  missed   off by   3.2 cm −12.30 ms  at 0.800 s  12 replans  objective 0.200  (position, timing)",
    );
  });

  it("tells what physics and the gate say", () => {
    const bounced = { ...missed, hold: "bounced out" as const, verdict: { ...verdict, caught: true } };
    expect(formatThrow({ ...bounced, reason: "bounced out" })).toMatch(
      /^throw {3}7 {2}missed {3}gate passed {2}off by .*\(bounced out\)$/,
    );
  });

  it("tells why there was no plan", () => {
    const unplanned = { ...missed, outcome: "no-plan" as const, verdict: null, reason: "out of reach by 4.0 cm" };
    expect(formatThrow(unplanned)).toBe("throw   7  no plan  out of reach by 4.0 cm");
  });
});

describe("docs/live.md", () => {
  const page = readFileSync(join(packageRoot, "docs", "live.md"), "utf8");

  it("has commands that run", async () => {
    const commands = extractCodeBlocks("live.md", page)
      .filter(({ language }) => language === "sh")
      .flatMap(({ code }) => code.trimEnd().split("\n"));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [npx, flycatcher, name, ...args] = command.split(" ");
      expect([npx, flycatcher, name]).toEqual(["npx", "flycatcher", "live"]);
      // The last word on a repeated option is the last one's: a single throw shows that the command is right.
      expect(await live(...args, "--throws", "1")).toMatch(/caught|no plan/);
    }
  });

  it("lists the transitions that there are", () => {
    const rows = [...page.matchAll(/^\| (\w+) \| (\w+) \| (\w+) \| .* \|$/gm)].slice(1);
    const documented = rows.map(([, from, event, to]) => ({ from, event, to }));
    expect(documented).toEqual(catchTransitions);
  });
});
