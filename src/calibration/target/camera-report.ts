import { colours, escapeText, histogram, scatterPlot } from "../report/svg-plots.js";
import type { CalibratedCamera, CameraCalibration } from "./calibrate-cameras.js";
import { foundNames, placementOf } from "./camera-results.js";

/** A web page about cameras that were calibrated by the printed board. */
export function cameraReport(calibration: CameraCalibration, date: string): string {
  const { cameras, discs, pixelSigma } = calibration;
  const title = `Calibration of ${cameras.map(({ name }) => name).join(", ")}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeText(title)}</title>
<style>body{font:15px system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
svg{font-size:12px}table{border-collapse:collapse}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #eee}
td:first-child,th:first-child{text-align:left}</style></head><body>
<h1>${escapeText(title)}</h1>
<p>${escapeText(date)}. ${discs.used} discs, ${discs.dropped} dropped; a coordinate is measured to ${pixelSigma.toFixed(3)} px.</p>
${cameras.map((camera, k) => cameraSection(calibration, camera, k)).join("\n")}
</body></html>
`;
}

function cameraSection({ residuals, pixelSigma }: CameraCalibration, camera: CalibratedCamera, k: number): string {
  const own = residuals.filter((residual) => residual.camera === k);
  const { width, height } = camera.intrinsics;
  const half = Math.max(width, height) / 2;
  const places = own.map(({ u, v }) => [u - width / 2, v - height / 2] as const);
  const errors = own.map(({ du, dv }) => [du, dv] as const);
  const all = own.flatMap(({ du, dv }) => [du, dv]);
  return `<h2>${escapeText(camera.name)}</h2>
<p>${camera.views} views, residuals ${camera.residual.toFixed(3)} px.</p>
${scatterPlot("discs in the image", "px", places, half, colours.ink)}
${scatterPlot("residuals", "px", errors, 4 * pixelSigma, colours.after)}
${histogram("residuals", "px", all, pixelSigma, colours.after)}
<table><tr><th>parameter</th><th>value</th><th>sigma</th></tr>
${parameterRows(camera)
  .map((row) => `<tr>${row.map((cell) => `<td>${escapeText(cell)}</td>`).join("")}</tr>`)
  .join("\n")}
</table>`;
}

/** Name, value and standard deviation of all that was found of a camera. */
export function parameterRows({ intrinsics, sigmas, cameraFromFirst, poseSigmas }: CalibratedCamera): string[][] {
  const { fx, fy, cx, cy, distortion } = intrinsics;
  const values = [fx, fy, cx, cy, distortion.k1, distortion.k2, distortion.p1, distortion.p2];
  const rows = foundNames.map((name, k) => [
    name,
    k < 4 ? `${values[k]!.toFixed(2)} px` : values[k]!.toFixed(5),
    `± ${sigmas[k]!.toPrecision(2)}`,
  ]);
  if (poseSigmas.every((sigma) => sigma === 0)) return rows;
  const placement = placementOf(cameraFromFirst);
  const names = ["x", "y", "z", "roll", "pitch", "yaw"];
  return [
    ...rows,
    ...names.map((name, k) => [
      `first camera in it, ${name}`,
      k < 3 ? `${(1e3 * placement[k]!).toFixed(2)} mm` : `${((180 / Math.PI) * placement[k]!).toFixed(4)}°`,
      k < 3 ? `± ${(1e3 * poseSigmas[k]!).toPrecision(2)} mm` : "",
    ]),
  ];
}
