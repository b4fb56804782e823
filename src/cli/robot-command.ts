import { type Command, InvalidArgumentError } from "commander";
import { robotFingerprint } from "../control/udp/frame.js";
import { inspectRobot } from "../report/robot/inspect-robot.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { listRobots } from "../robot/loading/robot-folders.js";
import { findingsOf } from "../robot/report/check.js";
import type { Finding } from "../robot/report/finding.js";
import { formatTree } from "../robot/report/show.js";
import type { Robot } from "../robot/robot.js";
import { colour } from "../runtime/colours.js";
import { FlycatcherError } from "../runtime/errors.js";
import { describeRobot as robotDescription } from "../service/robot-description.js";
import { registerRobotFileCommands } from "./robot-file-commands.js";
import { type FileOptions, loadOptions, withFileOptions } from "./robot-file-options.js";
import { registerInit } from "./robot-init.js";
import { type PairsOptions, runPairs } from "./robot-pairs.js";
import { registerPose, registerPosture } from "./robot-pose.js";
import { print } from "./terminal.js";

const robotArgument = "a shipped robot's name, a folder with robot.json, a robot.json, a .urdf or a .xacro file";

/** `flycatcher robot check|show|pairs|list`. */
export function registerRobotCommand(program: Command): void {
  const robot = program
    .command("robot")
    .description("List, show and check robots.")
    .addHelpText("after", "\nExamples:\n  flycatcher robot list\n  flycatcher robot show panda");
  withFileOptions(robot.command("check"))
    .description("Report what is missing in a robot; the exit code is 1 if it cannot catch.")
    .argument("<robot>", robotArgument)
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  flycatcher robot check my-robot.urdf\n  flycatcher robot check panda --json")
    .action((name: string, options: FileOptions & { json?: true }) =>
      runCheck(name, options, options.json ? printJson : printText),
    );
  withFileOptions(robot.command("show"))
    .description("Print a robot's tree of links, its joints with their limits, and its parts.")
    .argument("<robot>", robotArgument)
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot show agile-justin\n  flycatcher robot show my-robot/robot.json --json",
    )
    .option("--json", "print one JSON object, as `GET /v1/robots/:name` answers it")
    .action((name: string, options: FileOptions & { json?: true }) => {
      const shown = loadRobot(name, loadOptions(options));
      const fingerprint = Buffer.from(robotFingerprint(shown.model)).toString("hex");
      if (options.json) print(JSON.stringify(robotDescription(shown), null, 2));
      else print(`${formatTree(shown)}\nFingerprint in the UDP protocol: ${fingerprint}`);
    });
  registerInit(robot);
  registerPose(robot, robotArgument);
  registerPosture(robot, robotArgument);
  registerPairs(robot);
  registerRobotFileCommands(robot);
  robot
    .command("list")
    .description("List the shipped robots.")
    .addHelpText("after", "\nExample:\n  flycatcher robot list")
    .action(() => print(listRobots().map(describeRobot).join("\n")));
}

function registerPairs(robot: Command): void {
  robot
    .command("pairs")
    .description(
      "Find which pairs of collision bodies must be checked, by sampling and by proof, and why the others need not.",
    )
    .argument("<robot>", robotArgument)
    .option("--samples <n>", "random configurations to look at", parseCount, 20_000)
    .option("--seed <text>", "seed of the random configurations", "pairs")
    .option("--json", "print one JSON object")
    .option("--write", "write the pairs to check into the robot's robot.json")
    .addHelpText("after", "\nExamples:\n  flycatcher robot pairs panda\n  flycatcher robot pairs my-robot --write")
    .action((name: string, options: PairsOptions) => runPairs(name, options));
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= 100_000_000) return count;
  throw new InvalidArgumentError("Expected a whole number from 1 to 100,000,000.");
}

type Report = (name: string, findings: readonly Finding[]) => void;

function runCheck(name: string, options: FileOptions, report: Report): void {
  const findings = findingsFor(name, options);
  report(name, findings);
  if (findings.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

/** A robot that is there but does not load has that as its finding. */
function findingsFor(name: string, options: FileOptions): Finding[] {
  try {
    // Repairs name the robot as it was named.
    return inspectRobot({ ...loadRobot(name, loadOptions(options)), name });
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    if (error.code === "FLY_ROBOT_UNKNOWN" || error.code === "FLY_FILE_UNREADABLE") throw error;
    return findingsOf(error);
  }
}

const printJson: Report = (name, findings) => {
  const ok = findings.every(({ severity }) => severity !== "error");
  print(JSON.stringify({ robot: name, ok, findings }, null, 2));
};

const printText: Report = (name, findings) => {
  if (findings.length === 0) return print(`${name}: ${colour("good", "nothing is missing")}`);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const lines = findings.map(
    ({ severity, subject, sentence, repair }) =>
      `  ${colour(severity === "error" ? "bad" : "doubtful", severity.padEnd(8))} ${subject}\n           ${sentence}` +
      (repair === undefined ? "" : `\n           ${colour("secondary", "repair:")} ${repair}`),
  );
  print([`${name}: ${count(errors, "error")}, ${count(findings.length - errors, "warning")}`, ...lines].join("\n"));
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function describeRobot(name: string): string {
  const { model, sidecar }: Robot = loadRobot(name);
  const firstSentence = sidecar.description.split(/(?<=[.:;])\s/, 1)[0] ?? "";
  return `${colour("name", name.padEnd(14))} ${String(model.dofCount).padStart(3)} dofs  ${firstSentence}`;
}
