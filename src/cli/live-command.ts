import type { Command } from "commander";
import { summarize, type ThrowResult } from "../catching/run-summary.js";
import { catchModes } from "../planning/problem/objectives.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Robot } from "../robot/robot.js";
import { type LockStepHost, lockStepRun } from "../run/lock-step-host.js";
import { realTimeDefaults } from "../run/real-time-options.js";
import type { Run } from "../run/run.js";
import { runSettingsOf } from "../run/run-settings.js";
import type { Config } from "../runtime/config-schema.js";
import { addBallOptions, ballSettings } from "./ball-options.js";
import { choiceOption } from "./choice-option.js";
import { addConfigOptions, type ConfigOptions, configFrom, type NamedSettings } from "./config-command.js";
import { linkSettings } from "./link-settings.js";
import { type RealTimeDemo, runRealTimeDemo } from "./live-realtime.js";
import { formatFalseAlarms, formatSummary, formatThrow, type WallClock, wallClockOf } from "./live-report.js";
import { runServed } from "./live-service.js";
import {
  bodyUses,
  perceptionKind,
  perceptionKinds,
  type RunOptions,
  type SceneKinds,
  speedOf,
  throwKinds,
  worldKind,
  worldKinds,
} from "./live-world.js";
import { collect, MOST_BALLS, print, type TextOptions, wholeNumber } from "./terminal.js";

interface LiveOptions extends ConfigOptions, RunOptions, TextOptions<"body" | "host" | "port" | "token"> {
  readonly serve?: true;
  readonly foxglove?: true;
  readonly robotAddress?: readonly string[];
  readonly speed?: number | "auto";
  readonly throws?: number;
  readonly seconds?: number;
}

const DEFAULT_THROWS = 10;

const examples = `
Examples:
  flycatcher live --robot lwr-arm --perception truth --lockstep
  flycatcher live --robot agile-justin --throws 5
  flycatcher live --robot ur10e-net --robot-address "ur://192.168.1.10?listen=192.168.1.2"
  flycatcher live --serve
  flycatcher live --ball tennis --throws 5
  flycatcher live --robot agile-justin --lockstep --throws 5
  flycatcher live --robot agile-justin --perception circles --lockstep --throws 20 --balls 2 --mode cool
  flycatcher live --robot panda --perception truth --lockstep --throws 5 --seed 7 --json`;

/** `flycatcher live`: throws balls at a simulated robot and lets it catch them. */
export function registerLiveCommand(program: Command): void {
  addBallOptions(addConfigOptions(program.command("live"), "default"))
    .description("Throw balls at a simulated robot, let it catch them, and report the results.")
    .option("--robot <robot>", "robot that catches; default: the configuration's")
    .option(
      "--robot-address <address>",
      "drive a robot there: host:port (UDP), ur://host, or a driver's module, with ?key=value; may be repeated",
      collect,
    )
    .option("--group <name>", "the one arm that catches; default: all that can")
    .option("--balls <number>", "balls in the air at a time", wholeNumber(1, MOST_BALLS), 1)
    .addOption(
      choiceOption(
        "--body <use>",
        "rule: torso and platform help; stand: they do not; default: the configuration's",
        bodyUses,
      ),
    )
    .addOption(
      choiceOption(
        "--perception <kind>",
        "how balls are seen; default: images if the robot has eyes, else points",
        perceptionKinds,
      ),
    )
    .addOption(
      choiceOption(
        "--world <kind>",
        "physics: servos, fingers, contacts; kinematic: none; default: physics if a hand can hold",
        worldKinds,
      ),
    )
    .option("--lockstep", "on the simulation's clock: as fast as the machine allows, the same bits every time")
    .option(
      "--speed <share>",
      "how fast time goes, 1 being real time; default: auto, as fast as the machine holds, at most 1",
      speedOf,
    )
    .option("--throws <number>", "balls to throw; default: 10, with --serve until it is interrupted", wholeNumber(1))
    .addOption(
      choiceOption(
        "--throw-kind <kind>",
        "standard: balls begin in a hand, in images as hard as photographs; clean: they appear at their release; default: the configuration's",
        throwKinds,
      ),
    )
    .option(
      "--seconds <number>",
      "how long to wait for balls that cameras see; default: until it is interrupted",
      wholeNumber(1),
    )
    .option("--serve", "also run the service and the page: watch and control the run in a browser")
    .option("--host <address>", "with --serve: address to listen on; any but a loopback address needs a token")
    .option("--port <number>", "with --serve: port to listen on; if it is taken, the next free one is used")
    .option("--token <token>", "with --serve: bearer token that requests must carry")
    .option("--foxglove", "with --serve: also offer the run to Foxglove Studio")
    .addOption(choiceOption("--mode <mode>", "what the catch optimises", catchModes))
    .option("--seed <number>", "another series of throws")
    .option("--stay", "wait where the last ball was caught instead of going back")
    .option("--json", "print one JSON object; all but `wallClock` is the same in every run")
    .addHelpText("after", examples)
    .action(live);
}

async function live(options: LiveOptions, command: Command): Promise<void> {
  const config = configFrom(options, namedSettings(options));
  if (options.serve) {
    await show(config, options);
    return;
  }
  if (config.run.clock !== "lock-step") {
    await runRealTimeDemo(realTimeDemo(config, options));
    return;
  }
  if (config.drivers.length > 0) command.error("error: --robot-address is for runs in real time");
  if (options.speed !== undefined) command.error("error: --speed is for runs in real time, and for --serve");
  const robot = loadRobot(config.robot);
  const kinds = { world: worldKind(options.world, robot), perception: perceptionKind(options.perception, robot) };
  const run = await createRun(config, options, robot, kinds);
  try {
    await play(run, kinds, config, options);
  } finally {
    await run.close();
  }
}

/** The demo with service and page. */
function show(config: Config, options: LiveOptions): Promise<void> {
  const isLockStep = config.run.clock === "lock-step";
  const robot = loadRobot(config.robot);
  const perception = perceptionKind(options.perception, robot);
  const lockStep = isLockStep ? { world: worldKind(options.world, robot), perception } : null;
  const demo = realTimeDemo(config, isLockStep ? { ...options, perception: "truth" } : options);
  return runServed({ config, demo, throws: options.throws ?? Number.POSITIVE_INFINITY, lockStep });
}

async function play(run: Run, kinds: SceneKinds, config: Config, options: LiveOptions): Promise<void> {
  const results: ThrowResult[] = [];
  const { throws = DEFAULT_THROWS } = options;
  for (let first = 0; first < throws; first += options.balls) {
    const count = Math.min(options.balls, throws - first);
    const thrown = await run.throwBalls(Array.from({ length: count }, (_, k) => first + k));
    results.push(...thrown);
    if (options.json === undefined) for (const result of thrown) print(formatThrow(result));
    // Lets what was printed reach a pipe before the next throw.
    await new Promise(setImmediate);
  }
  const wallClock = wallClockOf(run.timings);
  if (options.json) print(asJson(config, run, kinds, results, wallClock));
  else print(`\n${[formatSummary(summarize(results), wallClock), ...formatFalseAlarms(run.falseAlarms)].join("\n")}`);
}

function namedSettings(options: LiveOptions): NamedSettings {
  const { robot, mode, seed, lockstep, host, port, token, foxglove, body, stay, throwKind } = options;
  return {
    robot,
    drivers: options.robotAddress?.join(","),
    "planning.mode": mode,
    "catching.body": body,
    "catching.afterCatch": stay && "stay",
    "throws.kind": throwKind,
    ...ballSettings(options),
    "run.seed": seed,
    "run.clock": lockstep && "lock-step",
    "service.host": host,
    "service.port": port,
    "service.token": token,
    "service.foxglove": foxglove,
  };
}

/** The same in real time, in which the world is always physics, seen in images or as it is. */
function realTimeDemo(config: Config, options: LiveOptions): RealTimeDemo {
  const { group, balls, throws = DEFAULT_THROWS, json, perception, speed = realTimeDefaults.speed } = options;
  return {
    speed,
    ...runSettingsOf(config),
    ...linkSettings(config),
    // Balls that are thrown in the simulation are not seen by other cameras.
    ...(runSettingsOf(config).cameras.pipes !== undefined && { warmUpThrows: 0 }),
    robot: config.robot,
    ...{ throws, seconds: options.seconds },
    output: json ? "json" : "text",
    arms: group === undefined ? undefined : [group],
    perception: perceptionKind(perception, loadRobot(config.robot)),
    balls,
    seed: config.run.seed,
  };
}

function createRun(
  config: Config,
  { balls, group }: LiveOptions,
  robot: Robot,
  kinds: SceneKinds,
): Promise<Run<LockStepHost>> {
  const settings = runSettingsOf(config);
  return lockStepRun({
    ...settings,
    robot,
    ...kinds,
    balls,
    arms: group === undefined ? undefined : [group],
    seed: config.run.seed,
    planner: { ...settings.planner, stopwatch: () => performance.now() },
  });
}

function asJson(
  config: Config,
  { arms, falseAlarms }: Run,
  kinds: SceneKinds,
  results: readonly ThrowResult[],
  wallClock: WallClock,
): string {
  const { robot, planning, run } = config;
  const report = {
    robot,
    ...kinds,
    groups: arms,
    mode: planning.mode,
    seed: run.seed,
    throws: results,
    falseAlarms,
    summary: summarize(results),
    wallClock,
  };
  return JSON.stringify(report, null, 2);
}
