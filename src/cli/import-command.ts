import type { Command } from "commander";
import { knownBall } from "../flight/known-balls.js";
import { RecordingWriter } from "../recording/format/recording-writer.js";
import { type ImportSummary, importRecording } from "../recording/import/import-recording.js";
import { AUTOMATIC } from "./ball-options.js";
import { addImportOptions, type ImportWords, importOptions } from "./import-options.js";
import { print } from "./terminal.js";
import { addVideoOptions, isFolder, isVideo, openFolder, openVideoFile, type VideoWords } from "./video-options.js";

interface ImportCommandOptions extends ImportWords, VideoWords {
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher import trajectories.csv throw.mcap
  flycatcher import vicon.csv throw.mcap --time Timestamp --time-unit ms --unit mm --x TX --y TY --z TZ
  flycatcher import unity.json throw.mcap --axes z,-x,y --frame 0.2,0,1.1,0,0,1.5708
  flycatcher import mocap.csv throw.mcap --ball tennis --gravity 0,0,-9.72
  flycatcher import poses.tum throw.mcap
  flycatcher import left.mp4 throw.mcap --right right.mp4 --rig rig.json
  flycatcher import images/ throw.mcap --ball tennis`;

/** `flycatcher import`: makes a recording of 3-D ball positions, or of what two cameras saw. */
export function registerImportCommand(program: Command): void {
  const command = program
    .command("import <file> <recording>")
    .description(
      "Make a recording of 3-D ball positions (CSV, JSON, TUM poses), or of videos or images of two cameras. Replay runs tracker and planner on it.",
    );
  addVideoOptions(addImportOptions(command))
    .option("--title <text>", "what it is, in a line; default: the file's name")
    .option("--json", "print what was imported as JSON")
    .addHelpText("after", examples)
    .action(importFile);
}

async function importFile(file: string, recording: string, options: ImportCommandOptions): Promise<void> {
  if (options.ball === AUTOMATIC) knownBall(AUTOMATIC);
  if (isFolder(file) || isVideo(file, options)) {
    await importImages(file, recording, options);
    return;
  }
  const summary = await importRecording(file, recording, importOptions(options));
  print(options.json ? JSON.stringify(summary, null, 2) : describe(recording, summary));
}

/** Images as they are, with the cameras that took them. */
async function importImages(file: string, recording: string, options: ImportCommandOptions): Promise<void> {
  const source = isFolder(file) ? openFolder(file, options) : openVideoFile(file, options);
  const { ball = source.header.ball, tracker } = importOptions(options);
  const { title = source.header.title, json } = options;
  const header = { ...source.header, title, ball, ...(tracker !== undefined && { tracker }) };
  const writer = await RecordingWriter.create(recording, header);
  const summary = { images: 0, from: Number.NaN, to: Number.NaN };
  try {
    for await (const item of source.items()) {
      writer.write(item);
      summary.images++;
      summary.to = item.timeNs / 1e9;
      if (summary.images === 1) summary.from = summary.to;
    }
  } finally {
    writer.close();
  }
  const { images, from, to } = summary;
  const words = `${recording}: ${images} images from ${from.toFixed(3)} s to ${to.toFixed(3)} s`;
  print(json ? JSON.stringify(summary, null, 2) : words);
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
