import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { trackPage } from "../report/track/track-page.js";
import { trackFileReport, trackReport } from "../report/track/track-report.js";
import { type TrackFileReport, type TruthKind, truthKinds } from "../report/track/track-types.js";
import type { TrackRunOptions } from "../run/track/track-run.js";
import { choiceOption } from "./choice-option.js";
import { addImportOptions } from "./import-options.js";
import { notNegative, replayInputs, trackerOptions } from "./replay-options.js";
import { print, withProgress } from "./terminal.js";
import { type BallFileWords, openBalls } from "./track-source.js";
import { formatTracking } from "./track-text.js";
import { addVideoOptions } from "./video-options.js";

interface TrackCommandOptions extends BallFileWords {
  readonly input?: (typeof replayInputs)[number];
  readonly tracker?: readonly string[];
  readonly truth?: TruthKind;
  readonly from?: number;
  readonly to?: number;
  readonly report?: string;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher track data/throws/two-balls/01.mcap
  flycatcher track mocap.csv --gravity 0,0,-9.72 --ball tennis --report balls.html
  flycatcher track left.mp4 --right right.mp4 --rig rig.json
  flycatcher track throw.mcap --input circles --tracker accelerationNoise=0.05 --json`;

/** `flycatcher track`: follows balls and predicts them, without a robot. */
export function registerTrackCommand(program: Command): void {
  const command = program
    .command("track")
    .argument(
      "<files...>",
      "recordings, files of positions (CSV, JSON, TUM), videos or folders of images of two cameras",
    )
    .description(
      "Follow the balls of recordings without a robot: confirmation, prediction errors, covariance, identities.",
    )
    .addOption(choiceOption("--input <kind>", "what balls are seen by; default: as recorded", replayInputs))
    .addOption(
      choiceOption("--truth <kind>", "raw: later samples; smoothed: the flight through all of them", truthKinds),
    )
    .option("--tracker <name=value...>", "settings of the tracker")
    .option("--from <seconds>", "begin here in the recording", notNegative)
    .option("--to <seconds>", "end there", notNegative);
  addVideoOptions(addImportOptions(command))
    .option("--report <file>", "write a web page with plots")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(track);
}

async function track(paths: readonly string[], options: TrackCommandOptions): Promise<void> {
  const files = await withProgress("tracking", async (show) => {
    const reports: TrackFileReport[] = [];
    for (const [k, path] of paths.entries()) {
      const { run, labels } = await openBalls(path, options, runOptions(options));
      reports.push(trackFileReport(run, { file: path, truth: options.truth, labels }));
      show((k + 1) / paths.length);
    }
    return reports;
  });
  const report = trackReport(files);
  if (options.report !== undefined) writeFileSync(options.report, trackPage(report));
  print(options.json ? JSON.stringify(report, null, 1) : formatTracking(report));
}

function runOptions({ input, tracker, from, to }: TrackCommandOptions): TrackRunOptions {
  const nanoseconds = (time: number | undefined) => (time === undefined ? undefined : Math.round(1e9 * time));
  return {
    input,
    tracker: tracker && trackerOptions(tracker),
    fromNs: nanoseconds(from),
    toNs: nanoseconds(to),
  };
}
