import { readFileSync } from "node:fs";
import { BatchFit, type FlightPrior } from "./batch-fit.js";
import { type RecordedThrow, type Samples, samplesOf, slice } from "./samples.js";

/** Rate of the recording [Hz]. */
export const MOCAP_RATE = 300;

/** A pause longer than this ends a piece that can be a flight [s]. */
const LONGEST_PAUSE = 0.05;
/** Samples of a local parabola: 60 ms. */
const WINDOW = 18;
/** How far a local vertical acceleration may be from free fall [m/s²]: a parabola of 60 ms scatters by about 1. */
const FALL_TOLERANCE = 3;
const FREE_FALL = -9.7;
const LEAST_FLIGHT = 0.3;
/** What begins sooner after the flight before, or the recording's begin, is a bounce or was not held [s]. */
const LEAST_HELD = 0.3;
/** Fit of the flight's beginning, or end, that is continued over the border [s]. */
const BORDER_FIT = 0.2;
/** Where the release, or the bounce, is looked for, before and after the core [s]. */
const BORDER_SEARCH = 0.3;

/** Model of the segmentation alone: what is found does not depend on the tracker, nor on what is given to it. */
const loose: FlightPrior = {
  drag: 0.03,
  dragSigma: 0.03,
  liftSigma: 0,
  gravity: [0, 0, FREE_FALL],
  gravitySigma: 0.3,
};

/** All throws of the recording, in order of time. */
export function readMocapThrows(path: string): RecordedThrow[] {
  const throws: RecordedThrow[] = [];
  for (const [marker, samples] of byMarker(readFileSync(path, "utf8"))) {
    let ended = 0;
    for (const [begin, end] of flightsIn(samples)) {
      const held = samples.time[begin]! - samples.time[ended]!;
      ended = end - 1;
      if (held < LEAST_HELD) continue;
      throws.push({
        name: `${marker}@${samples.time[begin]!.toFixed(2)}`,
        samples: slice(samples, 0, end),
        begin,
        end,
      });
    }
  }
  return throws.sort((a, b) => a.samples.time[0]! - b.samples.time[0]!);
}

function byMarker(text: string): Map<string, Samples> {
  const rows = new Map<string, number[][]>();
  for (const line of text.split("\n").slice(1)) {
    const [time, marker, x, y, z] = line.split(",");
    if (z === undefined || marker === undefined) continue;
    const list = rows.get(marker) ?? [];
    list.push([Number(time), Number(x), Number(y), Number(z)]);
    rows.set(marker, list);
  }
  return new Map([...rows].map(([marker, list]) => [marker, samplesOf(list)]));
}

/** Pairs of the first sample in flight and one past the last. */
function flightsIn(samples: Samples): [begin: number, end: number][] {
  const flights: [number, number][] = [];
  for (const [first, last] of fallingPieces(samples)) {
    const begin = releaseBefore(samples, first);
    const end = impactAfter(samples, last);
    if (samples.time[end - 1]! - samples.time[begin]! >= LEAST_FLIGHT) flights.push([begin, end]);
  }
  return flights;
}

/** Runs of samples about which the ball falls freely. */
function fallingPieces(samples: Samples): [first: number, last: number][] {
  const pieces: [number, number][] = [];
  let first = -1;
  const { time } = samples;
  for (let k = WINDOW / 2; k + WINDOW / 2 < time.length; k++) {
    const isFalling = Math.abs(localFall(samples, k - WINDOW / 2, WINDOW) - FREE_FALL) < FALL_TOLERANCE;
    if (isFalling && first < 0) first = k;
    if (!isFalling && first >= 0) {
      if (time[k]! - time[first]! >= LEAST_FLIGHT / 2) pieces.push([first, k - 1]);
      first = -1;
    }
  }
  return joined(samples, pieces);
}

/** A marker that jumps once in flight splits it: pieces with a short break, on one parabola, are one. */
function joined({ time, position }: Samples, pieces: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const piece of pieces) {
    const before = out.at(-1);
    const isNear = before !== undefined && time[piece[0]]! - time[before[1]]! < 2 * LONGEST_PAUSE;
    if (isNear && isOneFall(before, piece, time, position)) before[1] = piece[1];
    else out.push([...piece]);
  }
  return out;
}

/** Whether the vertical speed falls on as gravity has it: a bounce adds metres per second. */
function isOneFall(
  before: readonly [number, number],
  after: readonly [number, number],
  time: Float64Array,
  position: Float64Array,
): boolean {
  const speed = (k: number): number =>
    (position[3 * (k + 4) + 2]! - position[3 * (k - 4) + 2]!) / (time[k + 4]! - time[k - 4]!);
  const [a, b] = [before[1] - 4, after[0] + 4];
  return Math.abs(speed(b) - speed(a) - FREE_FALL * (time[b]! - time[a]!)) < 0.6;
}

/** Vertical acceleration of the parabola through `count` samples from `at` [m/s²]; NaN across a pause. */
function localFall({ time, position }: Samples, at: number, count: number): number {
  const span = time[at + count - 1]! - time[at]!;
  if (!(span < count / MOCAP_RATE + LONGEST_PAUSE)) return Number.NaN;
  const middle = time[at]! + span / 2;
  const rows = Array.from({ length: count }, (_, k) => [time[at + k]! - middle, position[3 * (at + k) + 2]!] as const);
  return 2 * parabola(rows)[2];
}

/** Least-squares c of c0 + c1·t + c2·t². */
function parabola(rows: readonly (readonly [t: number, x: number])[]): [number, number, number] {
  const s = new Float64Array(5);
  const y = new Float64Array(3);
  for (const [t, x] of rows) {
    for (let n = 0; n < 5; n++) s[n] = s[n]! + t ** n;
    for (let n = 0; n < 3; n++) y[n] = y[n]! + x * t ** n;
  }
  const det3 = (m: readonly number[]): number =>
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
    m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
    m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!);
  const normal = [s[0]!, s[1]!, s[2]!, s[1]!, s[2]!, s[3]!, s[2]!, s[3]!, s[4]!];
  const whole = det3(normal);
  const solved = [0, 1, 2].map(
    (c) => det3(normal.map((value, k) => (k % 3 === c ? y[Math.floor(k / 3)]! : value))) / whole,
  );
  return solved as [number, number, number];
}

/**
 * The first sample in free flight: going back from the core, one past the newest of several samples in a row at which
 * something pushes the ball. A marker that jumps pushes both ways, for a shorter time.
 */
function releaseBefore(samples: Samples, core: number): number {
  let pushed = 0;
  for (let k = core; k >= PUSH_WINDOW && samples.time[core]! - samples.time[k]! < BORDER_SEARCH; k--) {
    const fall = localFall(samples, k - PUSH_WINDOW / 2, PUSH_WINDOW);
    pushed = fall - FREE_FALL > LEAST_PUSH ? pushed + 1 : 0;
    if (pushed === PUSHED_SAMPLES) return k + PUSHED_SAMPLES;
  }
  return core;
}

/** Samples of the parabola by which a push is found: 27 ms. */
const PUSH_WINDOW = 8;
/** Least acceleration of a push beyond free fall [m/s²]; the machine's is about 50. */
const LEAST_PUSH = 15;
/** A push lasts longer than the two samples' time in which a marker jumps: the machine's takes 80 ms. */
const PUSHED_SAMPLES = 9;

function squaredError({ time, position }: Samples, k: number, fit: BatchFit, at: Float64Array): number {
  fit.position(time[k]!, at);
  return at.reduce((sum, value, n) => sum + (position[3 * k + n]! - value) ** 2, 0);
}

/** How far a sample may be from the flight so far, continued, before it counts as after the impact [m]. */
const IMPACT_DISTANCE = 0.008;
/** Samples before that one which are left out: an impact of 200 m/s² takes 9 ms to be 8 mm. */
const IMPACT_MARGIN = 4;

/** One past the last sample before the ball hits something or the piece pauses. */
function impactAfter(samples: Samples, core: number): number {
  const { time } = samples;
  const fit = new BatchFit();
  const first = indexAt(time, time[core]! - BORDER_FIT);
  if (!fit.solve(slice(samples, first, core), 1e-3, loose)) return core;
  const at = new Float64Array(3);
  for (let k = core; k < time.length; k++) {
    if (time[k]! - time[k - 1]! > LONGEST_PAUSE) return k;
    if (time[k]! > time[core]! + BORDER_SEARCH) return core;
    if (squaredError(samples, k, fit, at) > IMPACT_DISTANCE ** 2) return k - IMPACT_MARGIN;
  }
  return time.length;
}

/** Index of the first sample not before `time`. */
export function indexAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time - 1e-9) low = middle + 1;
    else high = middle;
  }
  return low;
}
