import { degrees } from "../../math/angle.js";
import { quantiles } from "../../math/statistics.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import type { Side } from "../measurements/marker-model.js";
import type { Calibration } from "../procedure/calibrate.js";
import type { CalibrationFit } from "../procedure/fit-calibration.js";
import { colours, escapeText, histogram, scatterPlot } from "./svg-plots.js";

/**
 * A web page about a calibration that needs nothing else: pictures, parameters with sigmas, configurations, delays, and what
 * has changed since the last calibration if that is given.
 */
export function calibrationReport(calibration: Calibration, last?: Overlay): string {
  const { fit, overlay, heldAtZero } = calibration;
  const { rig } = fit;
  const title = `Calibration of ${rig.robot.name}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeText(title)}</title>
<style>body{font:15px system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
svg{font-size:12px}table{border-collapse:collapse}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #eee}
td:first-child,th:first-child{text-align:left}figure{display:inline-block;margin:4px}</style></head><body>
<h1>${escapeText(title)}</h1>
<p>${escapeText(overlay.date)}, Flycatcher ${escapeText(overlay.version)}. ${escapeText(overlay.description ?? "")}.</p>
<h2>How it went</h2>
${outcomeTable(fit)}
${heldAtZero.length > 0 ? `<p>Held at zero, since a joint cannot give way against its load: ${escapeText(heldAtZero.join(", "))}.</p>` : ""}
<h2>Markers in the images</h2>
${rig.cameras.map((camera, side) => cameraPictures(fit, camera.name, side as Side)).join("\n")}
<h2>Delays</h2>
${delayTable(fit)}
<h2>Parameters</h2>
${parameterTable(fit)}
${last === undefined ? "" : `<h2>Changes since ${escapeText(last.date)}</h2>${changeTable(last, overlay)}`}
<h2>Strongest correlations</h2>
${correlationTable(fit)}
<h2>Configurations</h2>
${configurationTable(calibration)}
</body></html>
`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: "td" | "th", row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeText(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${cells("th", header)}${rows.map((row) => cells("td", row)).join("\n")}</table>`;
}

function outcomeTable({ summary }: CalibrationFit): string {
  const { residuals, expected, markers, imuSamples } = summary;
  return table(
    ["", ""],
    [
      ["end of the fit", `${summary.reason} after ${summary.steps} steps`],
      [
        "rank of the information",
        `${summary.rank} of ${summary.parameterCount}, condition ${summary.condition.toExponential(1)}`,
      ],
      ["markers used", `${markers.used} of ${markers.total}`],
      ["IMU samples", `${imuSamples.raw} raw, ${imuSamples.used} after band-limiting`],
      ["markers, rms", `${residuals.left.toFixed(3)} px left, ${residuals.right.toFixed(3)} px right`],
      [
        "gyroscope, rms",
        `${residuals.gyroscope.toExponential(2)} rad/s (noise ${expected.gyroscope.toExponential(2)})`,
      ],
      [
        "accelerometer, rms",
        `${residuals.accelerometer.toExponential(2)} m/s² (noise ${expected.accelerometer.toExponential(2)})`,
      ],
    ],
  );
}

function cameraPictures(fit: CalibrationFit, name: string, side: Side): string {
  const before = residualPoints(fit, fit.residualsBefore, side);
  const after = residualPoints(fit, fit.residualsAfter, side);
  const sizes = before.map(([u, v]) => Math.max(Math.abs(u), Math.abs(v)));
  const wide = quantiles(sizes, [0.98])[0] ?? 1;
  const sigma = fit.summary.expected.pixel;
  const both = after.flat();
  return [
    scatterPlot(`${name}: before`, "px", before, wide, colours.before),
    scatterPlot(`${name}: after`, "px", after, 5 * sigma, colours.after),
    histogram(`${name}: after, u and v`, "px", both, sigma, colours.after),
  ]
    .map((picture) => `<figure>${picture}</figure>`)
    .join("\n");
}

function residualPoints({ recording, problem }: CalibrationFit, residuals: readonly Float64Array[], side: Side) {
  return recording.holds.flatMap(({ markers }, k) =>
    Array.from({ length: markers.count }, (_, i) => i)
      .filter((i) => markers.side[i] === side && problem.isUsed[k]![i] === 1)
      .map((i) => [residuals[k]![2 * i]!, residuals[k]![2 * i + 1]!] as const),
  );
}

function delayTable({ parameters, summary, recording }: CalibrationFit): string {
  const { cameras, imu } = recording.rasters;
  const row = (words: string, name: string, value: number, jitter: number) => {
    const sigma = summary.parameters.find((parameter) => parameter.name === name)?.sigma ?? 0;
    return [words, (1e3 * value).toFixed(3), (1e3 * sigma).toFixed(3), (1e3 * jitter).toFixed(3)];
  };
  return table(
    ["sensor", "delay [ms]", "sigma [ms]", "jitter of its stamps [ms]"],
    [
      row("cameras", "cameraDelay", parameters.cameraDelay.value[0]!, cameras[0].jitter),
      row("IMU", "imuDelay", parameters.imuDelay.value[0]!, imu.jitter),
    ],
  );
}

function parameterTable({ summary }: CalibrationFit): string {
  const rows = summary.parameters.map(({ words, unit, change, sigma, name }) => [
    words,
    `${change >= 0 ? "+" : ""}${change.toPrecision(4)}`,
    sigma.toPrecision(2),
    unit,
    name,
  ]);
  return table(["parameter", "change from nominal", "sigma", "unit", "name"], rows);
}

function changeTable(last: Overlay, now: Overlay): string {
  const format = (value: number) => value.toPrecision(6);
  const rows = overlayChanges(last, now).map(({ path, before, after }) => [
    path,
    format(before),
    format(after),
    (after - before).toPrecision(3),
  ]);
  return table(["", "then", "now", "change"], rows);
}

/** Pairs of parameters the data hardly tells apart. */
function correlationTable({ summary }: CalibrationFit): string {
  const n = summary.parameters.length;
  const pairs = summary.parameters.flatMap((a, i) =>
    summary.parameters.slice(0, i).map((b, j) => ({ a: a.words, b: b.words, r: summary.correlation[i * n + j]! })),
  );
  const strongest = pairs.sort((x, y) => Math.abs(y.r) - Math.abs(x.r)).slice(0, 12);
  return table(
    ["", "", "correlation"],
    strongest.map(({ a, b, r }) => [a, b, r.toFixed(3)]),
  );
}

function configurationTable({ configurations, fit }: Calibration): string {
  const { rig, recording } = fit;
  if (configurations.length === 0) {
    const held = recording.holds.map(({ arm, markers }) => [rig.arms[arm]!.group.name, String(markers.count)]);
    return table(["arm", "markers seen"], held);
  }
  const rows = configurations.map(({ arm, positions, sweep }, k) => [
    rig.arms[arm]!.group.name,
    [...positions].map((q) => degrees(q).toFixed(0)).join(", "),
    sweep.swings
      .map(({ middle, amplitude }) => `${degrees(middle).toFixed(0)} ± ${degrees(amplitude).toFixed(0)}`)
      .join(", "),
    String(recording.holds[k]?.markers.count ?? 0),
  ]);
  return table(["arm", "joints [°]", "neck [°]", "markers seen"], rows);
}

/** One number that two calibrations state. */
interface OverlayChange {
  /** Where it stands: `cameras/left/fx`. */
  readonly path: string;
  readonly before: number;
  readonly after: number;
}

/** What has changed from one calibration to another, number by number, in the order of the later one. */
export function overlayChanges(before: Overlay, after: Overlay): OverlayChange[] {
  const known = new Map(numbersOf(before));
  return numbersOf(after).flatMap(([path, value]) => {
    const last = known.get(path);
    return last === undefined ? [] : [{ path, before: last, after: value }];
  });
}

/** The calibrated numbers of an overlay by path; what is only for the record does not count. */
function numbersOf(overlay: Overlay): (readonly [string, number])[] {
  const { schemaVersion: _, residuals: __, standardDeviations: ___, ...calibrated } = overlay;
  return flatten("", calibrated);
}

function flatten(path: string, value: unknown): (readonly [string, number])[] {
  if (typeof value === "number") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flatten(path === "" ? key : `${path}/${key}`, inner));
}
