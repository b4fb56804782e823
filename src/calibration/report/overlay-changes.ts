import type { Overlay } from "../../robot/sidecar/overlay-schema.js";

/** One number that two calibrations state. */
export interface OverlayChange {
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
