import type { Command } from "commander";
import type { BodyUse } from "../catching/arm-surroundings.js";
import { summarize, type ThrowResult } from "../catching/run-summary.js";
import { catchModes } from "../planning/problem/objectives.js";
import { RecordingWriter } from "../recording/format/recording-writer.js";
import type { RecorderReport } from "../recording/recorder/prioritised-writer.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { recordRealTimeRun } from "../run/record-real-time.js";
import { runSettingsOf } from "../run/run-settings.js";
import { recordSimulatedThrows } from "../run/simulated-recording.js";
import type { Config } from "../runtime/config-schema.js";
import { defined } from "../runtime/defined.js";
import { addBallOptions, ballSettings } from "./ball-options.js";
import { choiceOption } from "./choice-option.js";
import { ExitCode } from "./cli-command.js";
import { addConfigOptions, type ConfigOptions, configFrom } from "./config-command.js";
import { formatSummary, formatThrow } from "./live-report.js";
import {
  bodyUses,
  perceptionKind,
  perceptionKinds,
  type RunOptions,
  throwKinds,
  worldKind,
  worldKinds,
} from "./live-world.js";
import { collect, interruption, MOST_BALLS, print, wholeNumber } from "./terminal.js";

interface RecordOptions extends ConfigOptions, RunOptions {
  readonly body: BodyUse;
  readonly throws: number;
  readonly images?: true;
  readonly jointsMs?: number;
  readonly title?: string;
  readonly label: readonly string[];
}

const examples = `
Examples:
  flycatcher record throws.mcap --throws 5
  flycatcher record throws.mcap --lockstep --perception circles --throws 5
  flycatcher record images.mcap --lockstep --perception images --images --throws 1
  flycatcher record exact.mcap --lockstep --joints-ms 1 --label "two balls" --balls 2 --throws 2`;

/** `flycatcher record`: the live demo, written to a file. */
export function registerRecordCommand(program: Command): void {
  addBallOptions(addConfigOptions(program.command("record <file>"), "default"))
    .description("Throw balls at a simulated robot as `live` does, and record all that a replay needs, as MCAP.")
    .option("--robot <robot>", "robot that catches; default: the configuration's")
    .option("--group <name>", "the one arm that catches; default: all that can")
    .option("--balls <number>", "balls in the air at a time", wholeNumber(1, MOST_BALLS), 1)
    .addOption(
      choiceOption("--body <use>", "rule: torso and platform help; stand: they do not", bodyUses).default("rule"),
    )
    .addOption(choiceOption("--perception <kind>", "how balls are seen, as for `live`", perceptionKinds))
    .addOption(choiceOption("--world <kind>", "as for `live`; in real time always physics", worldKinds))
    .option("--lockstep", "on the simulation's clock: the same bits every time, and nothing is ever dropped")
    .option("--throws <number>", "balls to throw", wholeNumber(1), 5)
    .addOption(choiceOption("--throw-kind <kind>", "as for `live`", throwKinds))
    .addOption(choiceOption("--mode <mode>", "what the catch optimises", catchModes))
    .option("--seed <number>", "another series of throws")
    .option("--stay", "wait where the last ball was caught instead of going back")
    .option("--images", "with --lockstep: also record the images; about 10 MB per second")
    .option(
      "--joints-ms <period>",
      "time between two records of all joints; 1 makes the monitor's replay exact",
      wholeNumber(1),
    )
    .option("--title <text>", "what it is, in a line")
    .option("--label <text>", "a label to find it by; may be repeated", collect, [])
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(record);
}

async function record(file: string, options: RecordOptions): Promise<void> {
  const { robot, mode, seed, lockstep, throwKind } = options;
  const settings = {
    ...{ robot, "planning.mode": mode, "run.seed": seed },
    ...{ "run.clock": lockstep && "lock-step", "throws.kind": throwKind },
    ...ballSettings(options),
  };
  const config = configFrom(options, settings);
  if (config.run.clock === "lock-step") await recordLockStep(file, config, options);
  else await recordRealTime(file, config, options);
}

/** What both kinds of run are told. */
function runOptions(config: Config, options: RecordOptions) {
  const { group, balls, body, stay, throws, title, label, jointsMs } = options;
  const settings = runSettingsOf(config);
  return defined({
    ...settings,
    ...{ robot: config.robot, seed: config.run.seed, balls, throws, labels: label, title },
    body,
    afterCatch: stay ? ("stay" as const) : settings.afterCatch,
    arms: group === undefined ? undefined : [group],
    jointPeriodNs: jointsMs === undefined ? undefined : 1e6 * jointsMs,
  });
}

async function recordLockStep(file: string, config: Config, options: RecordOptions): Promise<void> {
  const robot = loadRobot(config.robot);
  const kinds = { world: worldKind(options.world, robot), perception: perceptionKind(options.perception, robot) };
  const writers: RecordingWriter[] = [];
  const images = options.images ? ("kept" as const) : ("dropped" as const);
  try {
    const results = await recordSimulatedThrows(
      { ...runOptions(config, options), ...kinds, images, configuration: config },
      async (header) => {
        const writer = await RecordingWriter.create(file, header);
        writers.push(writer);
        return writer;
      },
    );
    for (const writer of writers) writer.close();
    const bytes = writers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (options.json === undefined) for (const result of results) print(formatThrow(result));
    printOutcome(file, results, { bytes, drops: [], failure: null }, options);
  } finally {
    // A run that fails leaves what was recorded until then.
    for (const writer of writers) writer.close();
  }
}

async function recordRealTime(path: string, config: Config, options: RecordOptions): Promise<void> {
  const { results, recorder } = await recordRealTimeRun({
    ...runOptions(config, options),
    path,
    perception: perceptionKind(options.perception, loadRobot(config.robot)),
    interrupted: interruption(),
    onThrow: (result) => {
      if (options.json === undefined) print(formatThrow(result));
    },
  });
  printOutcome(path, results, recorder, options);
  // The signals' listeners would keep the process alive.
  process.exit(recorder.failure === null ? process.exitCode : ExitCode.failed);
}

function printOutcome(
  file: string,
  results: readonly ThrowResult[],
  { bytes, drops, failure }: Pick<RecorderReport, "bytes" | "drops" | "failure">,
  { json }: RecordOptions,
): void {
  const summary = summarize(results);
  if (json) {
    print(JSON.stringify({ file, bytes, drops, failure, throws: results, summary }, null, 2));
    return;
  }
  print(`\n${formatSummary(summary, null)}\n${file}: ${(bytes / 1e6).toFixed(2)} MB`);
  for (const { topic, messages } of drops) print(`  ${messages} messages of ${topic} were dropped`);
  if (failure !== null) print(`  the recording ended early: ${failure}`);
}
