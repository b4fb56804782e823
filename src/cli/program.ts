import { type Command, CommanderError } from "commander";
import { addRobotFolders } from "../robot/loading/robot-folders.js";
import { colour } from "../runtime/colours.js";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { printable } from "../runtime/printable-text.js";
import { registerBringupCommand } from "./bringup-command.js";
import { registerCalibrateCommand } from "./calibrate-command.js";
import { CliCommand, ExitCode, seeHelp } from "./cli-command.js";
import { registerCompareCommand } from "./compare-command.js";
import { registerCompletionCommand } from "./completion-command.js";
import { registerConfigCommand } from "./config-command.js";
import { registerFramesCommand } from "./frames-command.js";
import { registerGraphCommand } from "./graph-command.js";
import { registerIdentifyCommand } from "./identify-command.js";
import { registerImportCommand } from "./import-command.js";
import { registerLiveCommand } from "./live-command.js";
import { registerMoveCommand } from "./move-command.js";
import { registerPlanCommand } from "./plan-command.js";
import { registerPlanCompareCommand } from "./plan-compare-command.js";
import { registerRecordCommand } from "./record-command.js";
import { registerReplayCommand } from "./replay-command.js";
import { registerRobotCommand } from "./robot-command.js";
import { registerRobotSimCommand } from "./robot-sim-command.js";
import { registerServeCommand } from "./serve-command.js";
import { collect } from "./terminal.js";
import { registerTrackCommand } from "./track-command.js";

const examples = `
Examples:
  flycatcher live --lockstep --perception truth   throw balls at a simulated arm and watch it catch
  flycatcher plan request.json            one catch: where, when and how, or why not
  flycatcher move request.json            one motion, to a pose or something that moves
  flycatcher serve                        the planning service on loopback
  flycatcher calibrate                    calibrate a miscalibrated simulated robot
  flycatcher robot list                   the shipped robots
  flycatcher robot check my-robot.urdf    what is still missing in your own robot
  flycatcher config show                  the active configuration

Exit codes:
  0    done, or stopped with Ctrl-C after a robot came to rest
  1    the command failed; the first line of the error has its code
  2    the command line is not understood
  141  the reader of the output has gone, as in \`flycatcher replay | head\``;

export function createProgram(): Command {
  const program = new CliCommand("flycatcher")
    .description("Realtime ball catching and kinematically optimal motion planning.")
    .version(packageVersion)
    .addHelpText("after", examples)
    // Options behind the name of a command are those of that command.
    .enablePositionalOptions()
    .exitOverride();
  registerPlanCommand(program);
  registerMoveCommand(program);
  registerPlanCompareCommand(program);
  registerServeCommand(program);
  registerLiveCommand(program);
  registerRecordCommand(program);
  registerImportCommand(program);
  registerTrackCommand(program);
  registerIdentifyCommand(program);
  registerBringupCommand(program);
  registerCalibrateCommand(program);
  registerReplayCommand(program);
  registerCompareCommand(program);
  registerRobotCommand(program);
  registerRobotSimCommand(program);
  registerFramesCommand(program);
  registerGraphCommand(program);
  registerConfigCommand(program);
  registerCompletionCommand(program);
  addRobotsOption(program);
  return program;
}

/** Every command knows further folders of robots; they are known before it runs. */
function addRobotsOption(command: Command): void {
  for (const inner of command.commands) addRobotsOption(inner);
  // A command with options of its own does something, whether or not there are others below it.
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  if (isGroup || command.parent === null) return;
  command.option("--robots <folder>", "a folder of your own robots, known by name then; may be repeated", collect, []);
  command.hook("preAction", (_, acting) => {
    if (acting === command) addRobotFolders(acting.opts<{ robots: string[] }>().robots);
  });
}

/** Runs the command line and says in plain words what went wrong, if anything did; the process's exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let failing: Command | undefined;
  const program = createProgram().hook("preAction", (_, command) => {
    failing = command;
  });
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.misused;
    process.stderr.write(`${printable(describeError(error, failing))}\n`);
    return ExitCode.failed;
  }
}

function describeError(error: unknown, failing: Command | undefined): string {
  if (error instanceof FlycatcherError) {
    const head = `${colour("bad", error.code, process.stderr)}: ${error.message}`;
    return [head, error.remedy, ...(failing !== undefined && isAboutOptions(error) ? [seeHelp(failing)] : [])].join(
      "\n",
    );
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isAboutOptions({ code, details }: FlycatcherError): boolean {
  return details.path?.startsWith("--") === true || code.startsWith("FLY_CONFIG_");
}
