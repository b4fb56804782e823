import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { flightOverlay, tooFewFlights } from "../calibration/flight/flight-overlay.js";
import {
  type Estimate,
  type FlightIdentification,
  identifyFlights,
  LEAST_FLIGHTS,
  usualPrior,
} from "../calibration/flight/identify-flights.js";
import type { MeasuredFlight } from "../calibration/flight/joint-flights.js";
import { measuredFlights } from "../report/identify/measured-flights.js";
import { packageVersion } from "../runtime/package-root.js";
import type { SizeEstimate } from "../tracking/size/ball-size-watch.js";
import { addImportOptions, type ImportWords } from "./import-options.js";
import { positive, trackerOptions } from "./replay-options.js";
import { formatRows, print, withProgress } from "./terminal.js";
import { openBalls } from "./track-source.js";

interface IdentifyOptions extends ImportWords {
  readonly output?: string;
  readonly identifyRate: number;
  readonly tracker?: readonly string[];
  readonly json?: true;
}

/** Samples of neighbours at higher rates have much the same error [1/s]. */
const USUAL_RATE = 25;

const examples = `
Examples:
  flycatcher identify throws/*.mcap --output room.json
  flycatcher identify mocap.csv --output room.json
  flycatcher track mocap.csv --flight room.json`;

/** `flycatcher identify`: learns how balls fly in a room. */
export function registerIdentifyCommand(program: Command): void {
  const command = program
    .command("identify")
    .argument("<files...>", "recordings, or files of positions (CSV, JSON, TUM), of one kind of ball in one room")
    .description("Learn gravity, drag, lift and noise from recorded throws, and write them with their sigmas.")
    .option("--output <file>", "write the overlay here; `track` and `import` take it as --flight")
    .option("--identify-rate <number>", "use at most this many samples of a flight per second", positive, USUAL_RATE)
    .option("--tracker <name=value...>", "settings of the tracker that finds the flights");
  addImportOptions(command).option("--json", "print the overlay").addHelpText("after", examples).action(identify);
}

async function identify(paths: readonly string[], options: IdentifyOptions): Promise<void> {
  const flights: MeasuredFlight[] = [];
  const sizes: SizeEstimate[] = [];
  let drag = 0;
  await withProgress("finding flights", async (show) => {
    for (const [k, path] of paths.entries()) {
      const { run } = await openBalls(path, options, { tracker: options.tracker && trackerOptions(options.tracker) });
      flights.push(...measuredFlights(run, options.identifyRate));
      if (run.size !== null) sizes.push(run.size);
      drag = run.ball.drag;
      show((k + 1) / paths.length);
    }
  });
  const found = identifyFlights(flights, { ...usualPrior, drag });
  if (found === null) throw tooFewFlights(flights.length, LEAST_FLIGHTS);
  const overlay = flightOverlay(found, {
    date: new Date().toISOString(),
    software: `flycatcher ${packageVersion}`,
    recordings: paths.map((path) => path.replaceAll("\\", "/").split("/").at(-1)!),
    diameter: diameterOf(sizes),
  });
  const text = `${JSON.stringify(overlay, null, 2)}\n`;
  if (options.output !== undefined) writeFileSync(options.output, text);
  print(options.json ? text : describe(found, drag, diameterOf(sizes)));
}

/** Of all recordings together; null where none has circles of both cameras. */
function diameterOf(sizes: readonly SizeEstimate[]): Estimate | null {
  if (sizes.length === 0) return null;
  const sightings = sizes.reduce((sum, size) => sum + size.sightings, 0);
  const value = sizes.reduce((sum, { diameter, sightings: own }) => sum + (own / sightings) * diameter, 0);
  // What outlines and calibration are off is alike in all of them, and in each one's sigma.
  return { value, sigma: Math.min(...sizes.map(({ sigma }) => sigma)) };
}

function describe(found: FlightIdentification, drag: number, diameter: Estimate | null): string {
  const [x, y, z] = found.gravity;
  const size = Math.hypot(x.value, y.value, z.value);
  const tilt = (Math.atan2(Math.hypot(x.value, y.value), -z.value) * 180) / Math.PI;
  return formatRows([
    ["flights", `${found.flights}, ${found.samples} samples; ${found.leftOut} left out`],
    [
      "gravity",
      `${[x, y, z].map((axis) => shown(axis, 3)).join(", ")} m/s²: ${size.toFixed(3)} m/s², ${tilt.toFixed(2)}° from z`,
    ],
    ["drag", `${shown(found.drag, 4)} 1/m; told ${drag.toFixed(4)} 1/m`],
    ...(diameter === null
      ? []
      : [["diameter", `${(1e3 * diameter.value).toFixed(1)} ± ${(1e3 * diameter.sigma).toFixed(1)} mm`] as const]),
    ["lift, spread", `${shown(found.lift, 3)} 1/s in each axis`],
    ["acceleration noise", `${shown(found.accelerationNoise, 4)} m/s²/√Hz beside lift`],
    ["the same with lift in it", `${shown(found.accelerationNoiseWithoutLift, 4)} m/s²/√Hz`],
    ["measurement noise", `${shown(found.noiseScale, 3)} times the stated sigma`],
  ]);
}

function shown({ value, sigma }: Estimate, digits: number): string {
  return `${value.toFixed(digits)} ± ${sigma.toFixed(digits)}`;
}
