import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { catchModes } from "../planning/problem/objectives.js";
import { findRecordings, replayFiles, throwsFolder } from "../report/jobs/replay-files.js";
import { reportPage } from "../report/report-page.js";
import type { ReplayReport } from "../report/report-types.js";
import { choiceOption } from "./choice-option.js";
import { bodyUses } from "./live-world.js";
import {
  monitorUses,
  notNegative,
  orderingsOf,
  positive,
  type ReplayWords,
  replayInputs,
  workersFor,
} from "./replay-options.js";
import { formatReplay } from "./replay-text.js";
import { print, wholeNumber, withProgress } from "./terminal.js";

interface ReplayCommandOptions extends ReplayWords {
  readonly report?: string;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher replay data/throws/single --report report.html
  flycatcher replay throw.mcap --mode latest --json > latest.json
  flycatcher replay throw.mcap --speed 1 --monitor full
  flycatcher replay points.mcap --robot lwr-arm`;

/** `flycatcher replay`: runs tracker, planner and safety on recordings. */
export function registerReplayCommand(program: Command): void {
  program
    .command("replay")
    .argument("[files...]", "recordings, or folders of them; default: the throws that are shipped")
    .description("Run the pipeline on recorded throws, unchanged or with other settings, and report.")
    .addOption(choiceOption("--mode <mode>", "what the catch optimises; default: as recorded", catchModes))
    .addOption(
      choiceOption("--body <use>", "rule: torso and platform help; stand: they do not; default: as recorded", bodyUses),
    )
    .option("--robot <robot>", "another robot to catch")
    .option("--starts <number>", "starts of the planner's global search", wholeNumber(1))
    .option("--tracker <name=value...>", "settings of the tracker")
    .addOption(
      choiceOption("--input <kind>", "how balls are seen; default: the first of them that was recorded", replayInputs),
    )
    .addOption(
      choiceOption(
        "--monitor <use>",
        "motion: check each plan as a whole; full: also each command, at 1 kHz",
        monitorUses,
      ).default("motion"),
    )
    .option("--from <seconds>", "begin here in the recording", notNegative)
    .option("--to <seconds>", "end there", notNegative)
    .option("--speed <factor>", "relative to the recording; 1 is real time; default: as fast as possible", positive)
    .option("--workers <number>", "files in parallel; default: one per core", wholeNumber(1))
    .option("--report <file>", "write a web page about it")
    .option("--json", "print one JSON object; all but `wallClock` and `planningHere` is the same every time")
    .addHelpText("after", examples)
    .action(replay);
}

async function replay(paths: readonly string[], options: ReplayCommandOptions): Promise<void> {
  const files = findRecordings(paths.length === 0 ? [throwsFolder] : paths);
  const orderings = orderingsOf(options, options.report !== undefined ? "full" : "brief");
  const workers = workersFor(options, files.length);
  const report = await withProgress("replaying", (onProgress) =>
    replayFiles(files, orderings, { workers, onProgress }),
  );
  if (options.report !== undefined) writeFileSync(options.report, reportPage(report));
  print(options.json ? JSON.stringify(report, null, 1) : formatReplay(report));
  process.exitCode = exitCode(report);
}

/** A recording that could not be replayed makes the command fail; balls that were not caught do not. */
function exitCode({ failures }: ReplayReport): number {
  return failures.length === 0 ? 0 : 1;
}
