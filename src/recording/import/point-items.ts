import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ItemOf } from "../recording.js";
import { assertNearInTime } from "../time-limits.js";
import { type FileFrame, toWorld } from "./file-frame.js";
import { type LengthUnit, lengthUnits, type Sample, type TimeUnit, timeUnits } from "./samples.js";

export interface PointOptions {
  readonly timeUnit: TimeUnit;
  readonly lengthUnit: LengthUnit;
  readonly frame: FileFrame;
  /** Standard deviation of a coordinate [m]. */
  readonly sigma: number;
  /** From a measurement to its being known [s]. */
  readonly latency: number;
  /**
   * Most times a second; those between are left out. The tracker takes every sample's error for one of its own, which those of
   * high rates are not.
   */
  readonly rate: number;
}

type PointsItem = ItemOf<"points">;

/** Points in time, and where their zero is. */
export interface ImportedPoints {
  readonly items: readonly PointsItem[];
  /** The file's time at the recording's zero [s]. */
  readonly zero: number;
  /** Markers of each item's points, by its exposure [ns]. */
  readonly labels: ReadonlyMap<number, readonly string[]>;
}

/** Times from zero up to this are kept as they are [s]; others, as seconds since 1970, begin at zero with the first sample. */
const LONGEST = 1e6;
const NANOSECONDS = 1e9;

/**
 * Samples as items of a recording, one for each time: several markers at the same time are one item, a marker that was not
 * seen leaves a gap in it. Times must increase for each marker.
 */
export function pointItems(samples: readonly Sample[], file: string, options: PointOptions): ImportedPoints {
  checkTimes(samples, file);
  const sorted = [...samples].sort((a, b) => a.time - b.time);
  const unit = timeUnits[options.timeUnit];
  const [first, last] = [sorted[0]!.time * unit, sorted.at(-1)!.time * unit];
  const zero = first >= 0 && last < LONGEST ? 0 : first;
  const origin = zero === 0 ? 0 : sorted[0]!.time;
  const items: PointsItem[] = [];
  const labels = new Map<number, readonly string[]>();
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]!.time === sorted[start]!.time) end++;
    const seconds = (sorted[start]!.time - origin) * unit;
    const together = sorted.slice(start, end);
    const item = pointsAt(seconds, items.length, together, options);
    items.push(item);
    const seen = together.filter(({ position }) => position !== null);
    labels.set(
      item.exposureNs,
      seen.map(({ marker }) => marker),
    );
    start = end;
  }
  checkSpacing(items, file);
  checkGaps(items);
  return { items: thinned(items, options.rate), zero, labels };
}

/** Of each period of `rate` the first item. */
function thinned(items: readonly PointsItem[], rate: number): readonly PointsItem[] {
  if (rate === Number.POSITIVE_INFINITY) return items;
  const period = ({ exposureNs }: PointsItem): number => Math.floor((exposureNs * rate) / NANOSECONDS + ROUNDING);
  const kept = items.filter((item, k) => k === 0 || period(item) > period(items[k - 1]!));
  return kept.map((item, frame) => ({ ...item, frame }));
}

/** Part of a period by which a time may be before it and counts as in it: times of files are rounded. */
const ROUNDING = 1e-3;

function pointsAt(seconds: number, frame: number, samples: readonly Sample[], options: PointOptions): PointsItem {
  const scale = lengthUnits[options.lengthUnit];
  const variance = options.sigma ** 2;
  const exposureNs = Math.round(seconds * NANOSECONDS);
  const arrivalNs = exposureNs + Math.round(options.latency * NANOSECONDS);
  const world = vec3.create();
  const seen = samples.flatMap(({ position }) => (position === null ? [] : [position.map((value) => value * scale)]));
  return {
    topic: "points",
    timeNs: arrivalNs,
    frame,
    exposureNs,
    arrivalNs,
    position: Float64Array.from(seen.flatMap((point) => [...toWorld(options.frame, point, world)])),
    covariance: Float64Array.from(seen.flatMap(() => [variance, 0, 0, 0, variance, 0, 0, 0, variance])),
  };
}

function checkTimes(samples: readonly Sample[], file: string): void {
  const latest = new Map<string, Sample>();
  for (const sample of samples) {
    const before = latest.get(sample.marker);
    if (before !== undefined && !(sample.time > before.time)) {
      const whose = sample.marker === "" ? "" : ` of ${sample.marker}`;
      throw new FlycatcherError("FLY_IMPORT_TIME", `the times${whose} do not increase`, {
        path: `${file}, line ${sample.line}`,
        expected: `more than ${before.time} (line ${before.line})`,
        found: String(sample.time),
      });
    }
    latest.set(sample.marker, sample);
  }
}

/** Sensors of balls give from 25 to 500 samples a second: a median far from it is a wrong unit. */
const SLOWEST_HZ = 2.5;
const FASTEST_HZ = 5000;

function checkSpacing(items: readonly PointsItem[], file: string): void {
  const rate = medianRate(items);
  if (rate === null || (rate >= SLOWEST_HZ && rate <= FASTEST_HZ)) return;
  throw new FlycatcherError("FLY_IMPORT_TIME", "the times are not of this unit", {
    path: file,
    expected: `${SLOWEST_HZ} to ${FASTEST_HZ} samples a second`,
    found: `${rate.toPrecision(3)} a second in the median; see --time-unit`,
  });
}

/** A replay simulates all the time between two samples. */
function checkGaps(items: readonly PointsItem[]): void {
  const firstNs = items[0]!.timeNs;
  for (const [k, { timeNs }] of items.entries()) assertNearInTime(firstNs, items[k - 1]?.timeNs ?? firstNs, timeNs);
}

/** Samples a second by the median distance of two; null of fewer than two. */
export function medianRate(items: readonly PointsItem[]): number | null {
  const steps = items.slice(1).map(({ exposureNs }, k) => exposureNs - items[k]!.exposureNs);
  if (steps.length === 0) return null;
  steps.sort((a, b) => a - b);
  return NANOSECONDS / steps[steps.length >> 1]!;
}
