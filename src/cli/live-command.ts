import { type Command, InvalidArgumentError } from "commander";
import type { BodyUse } from "../catching/body-helper.js";
import { CatchRun } from "../catching/catch-run.js";
import { summarize, type ThrowResult } from "../catching/run-summary.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { addConfigOptions, type ConfigOptions, configFrom } from "./config-options.js";
import { formatSummary, formatThrow, type WallClock, wallClockOf } from "./live-report.js";

interface LiveOptions extends ConfigOptions {
  readonly robot?: string;
  readonly group?: string;
  readonly balls: number;
  readonly body: string;
  readonly perception: string;
  readonly lockstep?: true;
  readonly throws: number;
  readonly mode?: string;
  readonly seed?: string;
  readonly stay?: true;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher live --robot lwr-arm --perception truth --lockstep
  flycatcher live --robot agile-justin --perception truth --lockstep --throws 20 --mode cool
  flycatcher live --robot panda --perception truth --lockstep --throws 5 --seed 7 --json`;

/** `flycatcher live`: throws balls at a simulated robot and lets it catch them. */
export function registerLiveCommand(program: Command): void {
  addConfigOptions(program.command("live"), "default")
    .description("Throw balls at a simulated robot, let it catch them, and tell how it went.")
    .option("--robot <name>", "robot that catches; default: the configuration's")
    .option("--group <name>", "the one arm that catches; default: all that can")
    .option("--balls <number>", "balls in the air at a time", wholeNumber, 1)
    .option("--body <use>", "rule: torso and platform help; stand: they do not", "rule")
    .option("--perception <kind>", "how balls are seen: `truth` knows them exactly", "images")
    .option("--lockstep", "on the simulation's clock: as fast as the machine allows, the same bits every time")
    .option("--throws <number>", "balls to throw", wholeNumber, 10)
    .option("--mode <mode>", "what the catch optimises: soft, latest, cool or sure")
    .option("--seed <number>", "another series of throws")
    .option("--stay", "wait where the last ball was caught instead of going back")
    .option("--json", "print one JSON object; all but `wallClock` is the same in every run")
    .addHelpText("after", examples)
    .action(live);
}

async function live(options: LiveOptions): Promise<void> {
  const config = configFrom(options, namedSettings(options));
  refuseUnavailable(config, options);
  const run = createRun(config, options);
  const results: ThrowResult[] = [];
  for (let first = 0; first < options.throws; first += options.balls) {
    const count = Math.min(options.balls, options.throws - first);
    const thrown = run.throwBalls(Array.from({ length: count }, (_, k) => first + k));
    results.push(...thrown);
    if (options.json === undefined) for (const result of thrown) print(formatThrow(result));
    // Lets what was printed reach a pipe before the next throw.
    await new Promise(setImmediate);
  }
  const wallClock = wallClockOf(run.timings);
  print(options.json ? asJson(config, run, results, wallClock) : `\n${formatSummary(summarize(results), wallClock)}`);
}

function namedSettings({ robot, mode, seed, lockstep }: LiveOptions): string[] {
  const settings = { robot, "planning.mode": mode, "run.seed": seed, "run.clock": lockstep && "lock-step" };
  return Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
}

function refuseUnavailable({ run }: Config, { perception }: LiveOptions): void {
  if (perception !== "truth") {
    throw new FlycatcherError("FLY_LIVE_UNAVAILABLE", "the live demo cannot see balls this way yet", {
      path: "--perception",
      expected: "truth",
      found: perception,
    });
  }
  if (run.clock !== "lock-step") {
    throw new FlycatcherError("FLY_LIVE_UNAVAILABLE", "the live demo does not run in real time yet", {
      path: "run.clock",
      expected: "lock-step (--lockstep)",
      found: run.clock,
    });
  }
}

function createRun({ robot, planning, run }: Config, { group, body, stay }: LiveOptions): CatchRun {
  return new CatchRun({
    robot: loadRobot(robot),
    ...(group !== undefined && { arms: [group] }),
    body: bodyUse(body),
    mode: planning.mode,
    seed: run.seed,
    afterCatch: stay ? "stay" : "return",
    latestCatch: planning.tMax,
    times: { coldBudgetNs: Math.round(planning.budgetMs * 1e6) },
    planner: { starts: planning.starts, stopwatch: () => performance.now() },
  });
}

function bodyUse(text: string): BodyUse {
  if (text === "rule" || text === "stand") return text;
  throw new FlycatcherError("FLY_LIVE_OPTION", "the body cannot be used this way", {
    path: "--body",
    expected: "rule or stand",
    found: text,
  });
}

function asJson(config: Config, { arms }: CatchRun, results: readonly ThrowResult[], wallClock: WallClock): string {
  const { robot, planning, run } = config;
  const report = {
    robot,
    groups: arms.map(({ group }) => group.name),
    mode: planning.mode,
    seed: run.seed,
    throws: results,
    summary: summarize(results),
    wallClock,
  };
  return JSON.stringify(report, null, 2);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("expected a whole number above 0");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
