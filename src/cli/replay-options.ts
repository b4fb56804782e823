import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";
import { catchModes } from "../planning/problem/objectives.js";
import type { ReplayOrderings } from "../report/jobs/replay-files.js";
import type { ReplayChanges } from "../run/replay/replay-settings.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type TrackerOptions, trackerDefaults } from "../tracking/hypotheses/tracker-options.js";

/** What the command line says of a replay. */
export interface ReplayWords {
  readonly robot?: string;
  readonly mode?: string;
  readonly body?: string;
  readonly monitor: string;
  readonly input?: string;
  readonly from?: number;
  readonly to?: number;
  readonly speed?: number;
  readonly starts?: number;
  readonly tracker?: readonly string[];
  readonly workers?: number;
}

/** The same, checked, for every file. */
export function orderingsOf(words: ReplayWords, detail: ReplayOrderings["detail"]): ReplayOrderings {
  const { robot, from, to, speed } = words;
  if (from !== undefined && to !== undefined && !(to > from)) {
    throw new FlycatcherError("FLY_REPLAY_OPTION", "there is nothing between these times", {
      path: "--to",
      expected: `more than ${from} s, which is --from`,
      found: `${to} s`,
    });
  }
  return {
    changes: changesOf(words),
    monitor: oneOf(words.monitor, ["motion", "full"], "--monitor"),
    detail,
    ...(robot !== undefined && { robot }),
    ...(words.input !== undefined && { input: oneOf(words.input, ["images", "circles", "points"], "--input") }),
    ...(from !== undefined && { fromNs: Math.round(1e9 * from) }),
    ...(to !== undefined && { toNs: Math.round(1e9 * to) }),
    ...(speed !== undefined && { speed }),
  };
}

function changesOf({ mode, body, starts, tracker }: ReplayWords): ReplayChanges {
  return {
    ...(mode !== undefined && { mode: oneOf(mode, catchModes, "--mode") }),
    ...(body !== undefined && { body: oneOf(body, ["rule", "stand"], "--body") }),
    ...(starts !== undefined && { planner: { starts } }),
    ...(tracker !== undefined && { tracker: trackerOptions(tracker) }),
  };
}

/** The tracker's settings that are a number. */
const trackerNames = Object.entries(trackerDefaults).flatMap(([name, value]) =>
  typeof value === "number" ? [name] : [],
);

/** `name=value` pairs of numbers; which values there are is the tracker's business. */
function trackerOptions(settings: readonly string[]): TrackerOptions {
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
    return [oneOf(name, trackerNames, "--tracker"), number] as const;
  });
  return Object.fromEntries(entries);
}

export function oneOf<Name extends string>(found: string, names: readonly Name[], path: string): Name {
  const name = names.find((candidate) => candidate === found);
  if (name !== undefined) return name;
  throw new FlycatcherError("FLY_REPLAY_OPTION", "an option has none of its values", {
    path,
    expected: names.join(", "),
    found,
  });
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

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("expected a whole number above 0");
}

/** One thread a core; a single file, or one after the other in its own time, needs none beside this one. */
export function workersFor({ workers, speed }: ReplayWords, files: number): number {
  if (speed !== undefined || files === 1 || workers === 1) return 0;
  return workers ?? availableParallelism();
}
