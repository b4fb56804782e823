/**
 * Draws how the error of the predicted catch falls during a flight, against what the filter says of it (the thesis'
 * Fig. 3.4), into docs/images/prediction-error.svg.
 *
 *   node dist/bench/pictures/prediction-error.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type PredictionResult, PredictionTrial } from "../tracking/prediction-trial.js";
import { SightingGenerator } from "../tracking/sightings.js";
import { type Panel, Plot, type Point, palette, renderSvg } from "./svg.js";

const SEED = 1;
const THROWS = 100;
/** Throws drawn one by one, thinly. */
const SHOWN = 12;
/** Times before the catch [ms]. */
const times = Array.from({ length: 30 }, (_, k) => 600 - 20 * k);

const generator = new SightingGenerator(SEED, { gaze: "following" });
const trial = new PredictionTrial(generator);
const throws = Array.from({ length: THROWS }, (_, id) => generator.make(id));
const results = times.map((ms) => throws.map((seen) => trial.predict(seen, ms / 1000)));

type Figure = keyof PredictionResult;

function rms(of: Figure, scale: number): Point[] {
  return results.map((column, k) => {
    const squares = column.reduce((sum, result) => sum + result[of] ** 2, 0);
    return [-times[k]!, scale * Math.sqrt(squares / THROWS)];
  });
}

function plot(panel: Panel, scale: number, error: Figure, sigma: Figure, bound: Figure): Plot {
  const { from, to } = panel.horizontal;
  const { to: top } = panel.vertical;
  const within = (points: Point[]): Point[] => points.filter(([x, y]) => x >= from && x <= to && y <= top);
  const out = new Plot(panel);
  for (let id = 0; id < SHOWN; id++) {
    const one = results.map((column, k): Point => [-times[k]!, scale * column[id]![error]]);
    out.line(within(one), "#ccc", 1);
  }
  out.line(within(rms(bound, scale)), palette[2], 4);
  out.line(within(rms(sigma, scale)), palette[1], 1.8, "6 4");
  return out.line(within(rms(error, scale)), palette[0], 1.8);
}

function panelAt(x: number, title: string, horizontal: Panel["horizontal"], vertical: Panel["vertical"]): Panel {
  return { x, y: 30, width: 260, height: 200, title, horizontal, vertical };
}

const flight = { label: "time to the catch [ms]", from: -600, to: 0, ticks: [-600, -400, -200, 0] };
const end = { label: "time to the catch [ms]", from: -300, to: 0, ticks: [-300, -200, -100, 0] };
const place = plot(
  panelAt(60, "place", flight, { label: "error [cm]", from: 0, to: 8, ticks: [0, 2, 4, 6, 8] }),
  100,
  "placeError",
  "placeSigma",
  "placeBound",
)
  .text([-330, 7.3], "rms error of 100 throws", palette[0])
  .text([-330, 6.7], "the filter's own sigma", palette[1])
  .text([-330, 6.1], "Cramér–Rao bound", palette[2])
  .text([-330, 5.5], "single throws", "#999");
const placeAtEnd = plot(
  panelAt(390, "place, at the end", end, { label: "error [cm]", from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }),
  100,
  "placeError",
  "placeSigma",
  "placeBound",
);
const time = plot(
  panelAt(720, "time", flight, { label: "error [ms]", from: 0, to: 20, ticks: [0, 5, 10, 15, 20] }),
  1000,
  "timeError",
  "timeSigma",
  "timeBound",
);
const title = "Error of the predicted catch over the flight, and the filter's estimate of it";
const svg = renderSvg(title, 1020, 285, [place, placeAtEnd, time]);
writeFileSync(join(packageRoot, "docs", "images", "prediction-error.svg"), svg);
