import { Command, CommanderError } from "commander";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { registerCalibrateCommand } from "./calibrate-command.js";
import { registerCompareCommand } from "./compare-command.js";
import { registerConfigCommand } from "./config-command.js";
import { registerGraphCommand } from "./graph-command.js";
import { registerImportCommand } from "./import-command.js";
import { registerLiveCommand } from "./live-command.js";
import { registerPlanCommand } from "./plan-command.js";
import { registerRecordCommand } from "./record-command.js";
import { registerReplayCommand } from "./replay-command.js";
import { registerRobotCommand } from "./robot-command.js";
import { registerRobotSimCommand } from "./robot-sim-command.js";
import { registerServeCommand } from "./serve-command.js";

const examples = `
Examples:
  flycatcher live --lockstep --perception truth   throw balls at a simulated arm and watch it catch
  flycatcher plan request.json            one catch: where, when and how, or why not
  flycatcher serve                        the planning service on loopback
  flycatcher calibrate                    calibrate a miscalibrated simulated robot
  flycatcher robot list                   the shipped robots
  flycatcher robot check my-robot.urdf    what is still missing in your own robot
  flycatcher config show                  the active configuration`;

export function createProgram(): Command {
  const program = new Command("flycatcher")
    .description("Realtime ball catching and kinematically optimal motion planning.")
    .version(packageVersion)
    .addHelpText("after", examples)
    .showHelpAfterError("(flycatcher --help lists all commands)")
    .exitOverride();
  registerPlanCommand(program);
  registerServeCommand(program);
  registerLiveCommand(program);
  registerRecordCommand(program);
  registerImportCommand(program);
  registerCalibrateCommand(program);
  registerReplayCommand(program);
  registerCompareCommand(program);
  registerRobotCommand(program);
  registerRobotSimCommand(program);
  registerGraphCommand(program);
  registerConfigCommand(program);
  return program;
}

/** Runs the command line and says in plain words what went wrong, if anything did; the process's exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${describeError(error)}\n`);
    return 1;
  }
}

function describeError(error: unknown): string {
  if (error instanceof FlycatcherError) return `${error.code}: ${error.message}\n${error.remedy}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
