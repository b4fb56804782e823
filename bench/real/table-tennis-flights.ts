import { readFileSync } from "node:fs";
import { BatchFit, type FlightPrior } from "./batch-fit.js";
import { median } from "./cell-figures.js";
import { type RecordedThrow, type Samples, samplesOf, slice } from "./samples.js";
import { zipEntries } from "./zip-entries.js";

/** A pause longer than this ends a flight [s]. */
const LONGEST_PAUSE = 0.06;
const LEAST_FLIGHT = 0.25;
/** Samples on each side by which a change of velocity is measured: 45 ms. */
const SIDE = 8;
/** Change of velocity that gravity and air do not make within that time [m/s]. */
const LEAST_KICK = 1.2;
/** Samples left out at each end of a flight: a bounce takes a millisecond, its neighbours may be mixed. */
const MARGIN = 1;
/** A piece that even the free model misses by more, in the median, is no free flight [m]. */
const WORST_MISFIT = 0.012;

const FREE_FALL = -9.81;

/** Model that decides what a free flight is: everything of the air free. */
const loose: FlightPrior = {
  drag: 0.13,
  dragSigma: 0.1,
  liftSigma: 5,
  gravity: [0, 0, FREE_FALL],
  gravitySigma: 0,
};

/** All free flights of the logs, between hits, bounces and pauses. */
export function readTableTennisFlights(path: string): RecordedThrow[] {
  const flights: RecordedThrow[] = [];
  for (const { name, data } of zipEntries(readFileSync(path))) {
    const samples = ballSamples(data.toString("latin1"));
    for (const [begin, end] of piecesOf(samples)) {
      const piece = slice(samples, begin, end);
      if (piece.time.at(-1)! - piece.time[0]! < LEAST_FLIGHT || misfit(piece) > WORST_MISFIT) continue;
      const flight = slice(piece, 0, piece.time.length);
      flights.push({
        name: `${name}@${flight.time[0]!.toFixed(2)}`,
        samples: flight,
        begin: 0,
        end: flight.time.length,
      });
    }
  }
  return flights;
}

/** Rows of a log begin with ((id, stamp [ns], [x, y, z], …; the same ball row repeats until the next one. */
const row = /^\(\((-?\d+), (\d+), \[([^\]]*)\]/;

function ballSamples(text: string): Samples {
  const rows: number[][] = [];
  let [last, first] = ["", Number.NaN];
  for (const line of text.split("\n")) {
    const found = row.exec(line);
    if (found === null || found[1] === last || found[1] === "-1") continue;
    last = found[1]!;
    // The stamps are too long for a double: seconds and nanoseconds apart.
    const seconds = Number(found[2]!.slice(0, -9)) + 1e-9 * Number(found[2]!.slice(-9));
    if (Number.isNaN(first)) first = Math.floor(seconds);
    const time = Number(found[2]!.slice(0, -9)) - first + 1e-9 * Number(found[2]!.slice(-9));
    if (rows.length > 0 && time <= rows.at(-1)![0]!) continue;
    rows.push([time, ...found[3]!.split(",").map(Number)]);
  }
  return samplesOf(rows);
}

/** Runs without a kick or a pause. */
function piecesOf(samples: Samples): [begin: number, end: number][] {
  const { time } = samples;
  const cuts = [0];
  for (let k = 1; k < time.length; k++) if (time[k]! - time[k - 1]! > LONGEST_PAUSE) cuts.push(k);
  const kicks = Float64Array.from(time, (_, k) => kickAt(samples, k));
  for (let k = SIDE; k + SIDE < time.length; k++) {
    const around = kicks.subarray(k - SIDE, k + SIDE + 1);
    if (kicks[k]! > LEAST_KICK && around.every((kick) => kick <= kicks[k]!)) cuts.push(k);
  }
  cuts.push(time.length);
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((cut, k) => [Math.min(cut, cuts[k]! + MARGIN), Math.max(cuts[k]!, cut - MARGIN)]);
}

/** Change of the mean velocity from the samples before k to those from k on, beyond gravity's [m/s]. */
function kickAt(samples: Samples, k: number): number {
  const { time } = samples;
  if (k < SIDE || k + SIDE > time.length) return 0;
  if (time[k + SIDE - 1]! - time[k - SIDE]! > 0.15) return 0;
  const [before, after] = [meanVelocity(samples, k - SIDE, k), meanVelocity(samples, k, k + SIDE)];
  const between = (time[k + SIDE - 1]! + time[k]! - time[k - 1]! - time[k - SIDE]!) / 2;
  return Math.hypot(after[0]! - before[0]!, after[1]! - before[1]!, after[2]! - before[2]! - FREE_FALL * between);
}

/** Median of the slopes between samples half a side apart: one false sample does not matter. */
function meanVelocity({ time, position }: Samples, from: number, until: number): number[] {
  const half = (until - from) >> 1;
  return [0, 1, 2].map((n) =>
    median(
      Array.from({ length: half }, (_, k) => {
        const [a, b] = [from + k, from + k + half];
        return (position[3 * b + n]! - position[3 * a + n]!) / (time[b]! - time[a]!);
      }),
    ),
  );
}

/** Median distance of the samples from the free model's fit [m]. */
function misfit(piece: Samples): number {
  const fit = new BatchFit();
  if (!fit.solve(piece, 0.005, loose)) return Number.POSITIVE_INFINITY;
  const at = new Float64Array(3);
  return median(
    Array.from(piece.time, (time, k) => {
      fit.position(time, at);
      return Math.hypot(...at.map((value, n) => value - piece.position[3 * k + n]!));
    }),
  );
}
