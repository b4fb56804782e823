import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";
import type { BodyUse } from "../catching/arm-surroundings.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { type ReplayOrderings, replayOrderings } from "../report/jobs/replay-files.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type TrackerOptions, trackerRanges } from "../tracking/hypotheses/tracker-options.js";
import { oneOf } from "./terminal.js";

export const monitorUses = ["motion", "full"] as const;
export const replayInputs = ["images", "circles", "points"] as const;

/** What the command line says of a replay. */
export interface ReplayWords {
  readonly robot?: string;
  readonly mode?: CatchMode;
  readonly body?: BodyUse;
  readonly monitor: (typeof monitorUses)[number];
  readonly input?: (typeof replayInputs)[number];
  readonly from?: number;
  readonly to?: number;
  readonly speed?: number;
  readonly starts?: number;
  readonly tracker?: readonly string[];
  readonly workers?: number;
}

const refusal = ["FLY_REPLAY_OPTION", "an option has none of its values"] as const;

/** The same, checked, for every file. */
export function orderingsOf(words: ReplayWords, detail: ReplayOrderings["detail"]): ReplayOrderings {
  const { robot, mode, body, monitor, input, from, to, speed, starts, tracker } = words;
  if (from !== undefined && to !== undefined && !(to > from)) {
    throw new FlycatcherError("FLY_REPLAY_OPTION", "there is nothing between these times", {
      path: "--to",
      expected: `more than ${from} s, which is --from`,
      found: `${to} s`,
    });
  }
  return replayOrderings({
    ...{ robot, from, to, speed, starts, detail },
    ...{ mode, body, monitor, input },
    tracker: tracker && trackerOptions(tracker),
  });
}

/** The tracker's settings that are a number. */
export const trackerNames: readonly string[] = [...trackerRanges.keys()];

/** `name=value` pairs of numbers; which values there are is the tracker's business. */
export function trackerOptions(settings: readonly string[]): TrackerOptions {
  const entries = settings.map((setting) => {
    const [name = "", value = ""] = setting.split("=", 2);
    const number = Number(value);
    if (name === "" || value.trim() === "" || !Number.isFinite(number)) {
      throw new FlycatcherError("FLY_REPLAY_OPTION", "a setting of the tracker cannot be understood", {
        path: "--tracker",
        expected: "name=number, as detectionProbability=0.9",
        found: setting,
      });
    }
    return [oneOf(name, trackerNames, "--tracker", refusal), number] as const;
  });
  return Object.fromEntries(entries);
}

export function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("expected a number above 0");
}

export function notNegative(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("expected a number of seconds, 0 or more");
}

/** One thread a core; a single file, or one after the other in its own time, needs none beside this one. */
export function workersFor({ workers, speed }: ReplayWords, files: number): number {
  if (speed !== undefined || files === 1 || workers === 1) return 0;
  return workers ?? availableParallelism();
}
