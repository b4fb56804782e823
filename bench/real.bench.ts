import { dirname } from "node:path";
import { ColourProjector, luma } from "../src/camera/colour-projection.js";
import type { BenchContext, BenchSuite, Metrics } from "./harness.js";
import { cellTable, lossTable } from "./real/cell-table.js";
import { dataFile } from "./real/data-folder.js";
import { learnModel, measureCells, mocapHorizons, mocapMetrics, plainModel } from "./real/mocap.js";
import { readMocapThrows } from "./real/mocap-throws.js";
import { photographArchive, readPhotographs } from "./real/photograph-set.js";
import { ballOf, measurePhotographs } from "./real/photographs.js";
import { type LabelledImage, measureRenderStatistics, measureRenderTimes } from "./real/render-statistics.js";
import { measureFalseThrows, measureSwings } from "./real/swings.js";
import { measureTableTennis, tableTennisHorizons, tableTennisMetrics } from "./real/table-tennis.js";
import { readTableTennisFlights } from "./real/table-tennis-flights.js";

/** A part of the suite: its metrics, or null where its data is missing. */
interface Part {
  /** File that it needs; null for what is drawn. */
  readonly data: string | null;
  readonly measure: (context: BenchContext) => Promise<Metrics | null>;
}

const parts: readonly Part[] = [
  { data: "mocap-throws.csv", measure: measureMocap },
  { data: "table-tennis-logs.zip", measure: measureSpin },
  { data: photographArchive, measure: measureImages },
  { data: null, measure: measureSwings },
  { data: null, measure: measureFalseThrows },
];

/**
 * The tracker and the detector on recorded balls, and the tracker on drawn swings. Throws with even numbers are for tuning (`_tuning`),
 * those with odd numbers give the figures without that word. `_plain` is with gravity of 9.81 m/s² and the default drag.
 */
export const suite: BenchSuite = {
  name: "real",
  description: "recorded balls: confirmation, prediction and covariance beside a batch fit of the same samples",
  async run(context) {
    const metrics: Metrics = {};
    for (const { data, measure } of parts) {
      const measured = await measure(context);
      if (measured === null) {
        context.progress(`skipped: ${data} is not in ../shared/data, nor where FLYCATCHER_DATA says`);
      } else Object.assign(metrics, measured);
    }
    return metrics;
  },
};

async function measureImages(context: BenchContext): Promise<Metrics | null> {
  const path = dataFile(photographArchive);
  if (path === null) return null;
  const folder = dirname(path);
  const photographs = readPhotographs(folder).map(({ image, balls }): LabelledImage => {
    const projector = new ColourProjector(image.width, image.height, luma);
    return { image: projector.project(image), balls: balls.map(ballOf) };
  });
  return {
    ...(await measurePhotographs(folder, context)),
    ...measureRenderStatistics(context, photographs),
    ...measureRenderTimes(context),
  };
}

async function measureMocap({ full, seed, progress }: BenchContext): Promise<Metrics | null> {
  const path = dataFile("mocap-throws.csv");
  if (path === null) return null;
  const throws = readMocapThrows(path);
  const tuning = throws.filter((_, k) => k % 2 === 0);
  const report = throws.filter((_, k) => k % 2 === 1);
  const learnt = learnModel(tuning);
  progress(
    `${throws.length} throws; ${learnt.name}: ${[...learnt.gravity].map((g) => g.toFixed(2))} m/s², ${learnt.drag.toFixed(3)} 1/m`,
  );
  const metrics: Metrics = { mocap_throws: throws.length };
  const runs = [
    { half: tuning, model: learnt, suffix: "_tuning" },
    { half: report, model: learnt, suffix: "" },
    { half: report, model: plainModel, suffix: "_plain" },
    ...(full ? [{ half: tuning, model: plainModel, suffix: "_plain_tuning" }] : []),
  ];
  for (const { half, model, suffix } of runs) {
    const cells = measureCells(half, model, full ? 6 : 3, full ? 0.04 : 0.08, seed);
    progress(cellTable(`\n${half === tuning ? "tuning" : "reported"} half, ${model.name}`, cells, mocapHorizons));
    progress(lossTable(cells));
    Object.assign(metrics, mocapMetrics(cells, suffix));
  }
  return metrics;
}

async function measureSpin({ full, seed, progress }: BenchContext): Promise<Metrics | null> {
  const path = dataFile("table-tennis-logs.zip");
  if (path === null) return null;
  const flights = readTableTennisFlights(path);
  const metrics: Metrics = { spin_flights: flights.length };
  for (const [half, suffix] of Object.entries({ tuning: "_tuning", reported: "" })) {
    const chosen = flights.filter((_, k) => k % 2 === (suffix === "" ? 1 : 0));
    const cells = measureTableTennis(chosen, full ? 4 : 2, seed);
    progress(cellTable(`\n${half} half, table tennis`, cells, tableTennisHorizons));
    progress(lossTable(cells));
    Object.assign(metrics, tableTennisMetrics(cells, suffix));
  }
  return metrics;
}
