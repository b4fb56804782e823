import { describe, identityText } from "../report/track/track-page.js";
import type { HorizonReport, TrackedBallReport, TrackFileReport, TrackReport } from "../report/track/track-types.js";
import { formatTable } from "./terminal.js";

/** Balls that were followed, for people: a table of balls and one of predictions, for each file. */
export function formatTracking({ files }: TrackReport): string {
  return files.map(formatFile).join("\n\n");
}

function formatFile(file: TrackFileReport): string {
  const { balls, horizons, warnings, problems } = file;
  const ends = balls.flatMap(({ ended }) => (ended === null ? [] : [ended]));
  const parts = [
    `${file.file}: ${describe(file)}`,
    ...(balls.length === 0 ? ["no ball was confirmed as thrown"] : [ballTable(balls), horizonTable(horizons)]),
    ...(ends.length === 0 ? [] : [ends.join("\n")]),
    ...(warnings.length + problems.length === 0 ? [] : [[...warnings, ...problems].join("\n")]),
  ];
  return parts.join("\n\n");
}

function ballTable(balls: readonly TrackedBallReport[]): string {
  const rows = balls.map(({ track, bornAt, confirmedAt, until, speed, scans, chiSquare, identity }) => [
    String(track),
    `${bornAt.toFixed(3)} s`,
    `${confirmedAt.toFixed(3)} s`,
    `${until.toFixed(3)} s`,
    `${speed.toFixed(1)} m/s`,
    String(scans),
    chiSquare === null ? "" : chiSquare.toFixed(2),
    identity === null ? "" : identityText(identity.labels, identity.switches),
  ]);
  return formatTable(["ball", "first seen", "confirmed", "until", "speed", "scans", "chi²/dof", "identity"], rows);
}

function horizonTable(horizons: readonly HorizonReport[]): string {
  const rows = horizons.flatMap(({ ahead, predictions, errorMm, nees }) =>
    errorMm === null || nees === null
      ? []
      : [
          [
            `${ahead.toFixed(2)} s`,
            String(predictions),
            `${errorMm.p50.toFixed(1)} mm`,
            `${errorMm.p95.toFixed(1)} mm`,
            nees.toFixed(2),
          ],
        ],
  );
  return formatTable(["ahead", "predictions", "error p50", "p95", "NEES/3"], rows);
}
