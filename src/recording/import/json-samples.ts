import { FlycatcherError } from "../../runtime/errors.js";
import { parseJson } from "../../runtime/json-file.js";
import { BadLines, type Sample, type SampleTable, shown } from "./samples.js";

/**
 * Samples of a JSON file: an array, or an object with an array `samples`, of `[t, x, y, z]` or of objects
 * `{ "t": …, "x": …, "y": …, "z": …, "marker": … }` (`time` and `position: [x, y, z]` are understood as well). Coordinates
 * that are null were not seen. "Lines" in messages are entries, from 1.
 */
export function readJson(text: string, file: string): SampleTable {
  const entries = entriesOf(parseJson(text, file), file);
  const bad = new BadLines(file);
  const samples = entries.flatMap((entry, k) => sampleOf(entry, k + 1, bad));
  bad.refuse();
  return { samples, timeUnit: null, lengthUnit: null };
}

function entriesOf(json: unknown, file: string): readonly unknown[] {
  const entries = Array.isArray(json) ? json : (json as { samples?: unknown } | null)?.samples;
  if (Array.isArray(entries)) return entries;
  throw new FlycatcherError("FLY_IMPORT_LINE", "the samples are not there", {
    path: file,
    expected: "an array, or an object with an array `samples`",
    found: shown(JSON.stringify(json)),
  });
}

/** A sample under the names it may have. */
interface NamedSample {
  readonly t?: unknown;
  readonly time?: unknown;
  readonly x?: unknown;
  readonly y?: unknown;
  readonly z?: unknown;
  readonly position?: unknown;
  readonly marker?: unknown;
}

function sampleOf(entry: unknown, line: number, bad: BadLines): Sample[] {
  if (typeof entry !== "object" || entry === null) {
    bad.add(line, "1", "an array or an object", shown(JSON.stringify(entry) ?? "nothing"));
    return [];
  }
  const {
    t,
    time = t,
    x,
    y,
    z,
    position = [x, y, z],
    marker = "",
  }: NamedSample = Array.isArray(entry) ? { t: entry[0], position: entry.slice(1) } : entry;
  if (!(typeof time === "number" && Number.isFinite(time))) {
    bad.add(line, "t", "a finite number", shown(JSON.stringify(time) ?? "nothing"));
    return [];
  }
  const coordinates = coordinatesOf(position, line, bad);
  return [{ line, time, marker: String(marker), position: coordinates }];
}

function coordinatesOf(position: unknown, line: number, bad: BadLines): Sample["position"] {
  if (position === null) return null;
  if (!Array.isArray(position) || position.length !== 3) {
    bad.add(line, "position", "three coordinates", shown(JSON.stringify(position) ?? "nothing"));
    return null;
  }
  for (const [k, value] of position.entries()) {
    const isGood = value === null || (typeof value === "number" && Number.isFinite(value));
    if (!isGood)
      bad.add(line, ["x", "y", "z"][k]!, "a finite number or null", shown(JSON.stringify(value) ?? "nothing"));
  }
  const [x, y, z] = position as (number | null)[];
  return typeof x === "number" && typeof y === "number" && typeof z === "number" ? [x, y, z] : null;
}
