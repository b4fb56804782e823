import type { Command } from "commander";
import type { MotionAnswer } from "../planning/motions/motion-answer.js";
import { MotionPlanner } from "../planning/motions/motion-planner.js";
import {
  assertMotionRequest,
  type ExportFormat,
  exportFormats,
  type MotionRequest,
} from "../planning/motions/motion-request.js";
import { LoadedRobots } from "../planning/request/loaded-robots.js";
import { choiceOption } from "./choice-option.js";
import { readRequest } from "./plan-command.js";
import { print } from "./terminal.js";

interface MoveOptions {
  readonly json?: true;
  readonly export?: ExportFormat;
}

const examples = `
Examples:
  flycatcher move data/requests/move-panda.json
  flycatcher move data/requests/move-panda.json --export csv
  flycatcher move data/requests/move-panda.json --json`;

/** `flycatcher move`: one motion, from a file or from the standard input. */
export function registerMoveCommand(program: Command): void {
  program
    .command("move")
    .description(
      "Plan a motion: to joints, a pose or something that moves, or why not. That there is none is a normal answer.",
    )
    .argument("<request>", "file with the request as JSON, or - for the standard input")
    .option("--json", "print the answer as JSON")
    .addOption(choiceOption("--export <format>", "print the motion alone, in this format", exportFormats))
    .addHelpText("after", examples)
    .action(async (file: string, options: MoveOptions) => print(await move(file, options)));
}

async function move(file: string, { json, export: format }: MoveOptions): Promise<string> {
  const request = await readRequest(file);
  assertMotionRequest(request);
  const wanted: MotionRequest = format === undefined ? request : { ...request, export: [format] };
  const answer = new MotionPlanner({ robots: new LoadedRobots() }).plan(wanted);
  if (format !== undefined && answer.exports !== undefined) return exported(answer, format);
  return json ? JSON.stringify(answer, null, 2) : formatMotion(answer);
}

function exported({ exports }: MotionAnswer, format: ExportFormat): string {
  const text = exports?.[format];
  return typeof text === "string" ? text.trimEnd() : JSON.stringify(text, null, 2);
}

/** The answer in a few lines. */
function formatMotion(answer: MotionAnswer): string {
  const { status, arrival, motion, statistics, reasons = [], toolSpeed, clearance } = answer;
  const head = `${status} (${statistics.planner}, ${statistics.milliseconds.toFixed(1)} ms)`;
  const why = reasons.map(({ sentence }) => `  ${sentence}`);
  if (motion === undefined || arrival === undefined) return [head, ...why].join("\n");
  const figures = [
    `arrives after ${arrival.toFixed(3)} s`,
    `tool ${(toolSpeed ?? 0).toFixed(2)} m/s at most`,
    clearance === undefined ? "nothing nearer than 0.15 m" : `${(100 * clearance).toFixed(1)} cm from the nearest body`,
  ];
  const rows = (answer.peaks ?? []).map(({ joint, velocity, torque, torqueRatio }, i) => {
    const share = torqueRatio === undefined ? "" : ` (${(100 * torqueRatio).toFixed(0)} %)`;
    return `  ${joint}: to ${answer.joints![i]!.toFixed(3)}, at most ${velocity.toFixed(2)} per second, ${torque.toFixed(1)} N·m${share}`;
  });
  return [head, figures.join(", "), ...rows, ...why].join("\n");
}
