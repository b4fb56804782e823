import type { Command } from "commander";
import { knownBall } from "../flight/known-balls.js";
import { type ImportSummary, importRecording } from "../recording/import/import-recording.js";
import { AUTOMATIC } from "./ball-options.js";
import { addImportOptions, type ImportWords, importOptions } from "./import-options.js";
import { print } from "./terminal.js";

interface ImportCommandOptions extends ImportWords {
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher import trajectories.csv throw.mcap
  flycatcher import vicon.csv throw.mcap --time Timestamp --time-unit ms --unit mm --x TX --y TY --z TZ
  flycatcher import unity.json throw.mcap --axes z,-x,y --frame 0.2,0,1.1,0,0,1.5708
  flycatcher import mocap.csv throw.mcap --ball tennis --gravity 0,0,-9.72
  flycatcher import poses.tum throw.mcap`;

/** `flycatcher import`: makes a recording of 3-D ball positions. */
export function registerImportCommand(program: Command): void {
  const command = program
    .command("import <file> <recording>")
    .description(
      "Make a recording of 3-D ball positions: CSV, JSON or TUM poses. Replay runs tracker and planner on it.",
    );
  addImportOptions(command)
    .option("--title <text>", "what it is, in a line; default: the file's name")
    .option("--json", "print what was imported as JSON")
    .addHelpText("after", examples)
    .action(importFile);
}

async function importFile(file: string, recording: string, options: ImportCommandOptions): Promise<void> {
  if (options.ball === AUTOMATIC) knownBall(AUTOMATIC);
  const summary = await importRecording(file, recording, importOptions(options));
  print(options.json ? JSON.stringify(summary, null, 2) : describe(recording, summary));
}

function describe(recording: string, summary: ImportSummary): string {
  const { samples, times, missing, markers, from, to, rate, zero } = summary;
  const lines = [
    `${recording}: ${samples} samples from ${from.toFixed(3)} s to ${to.toFixed(3)} s`,
    ...(rate === null ? [] : [`  ${rate.toFixed(1)} a second in the median, ${times} times in all`]),
    ...(missing > 0 ? [`  ${missing} samples without a position`] : []),
    ...(markers.length > 1 ? [`  ${markers.length} markers: ${markers.join(", ")}`] : []),
    ...(zero !== 0 ? [`  time zero is ${zero} s of the file`] : []),
  ];
  return lines.join("\n");
}
