import { quantiles } from "../../math/statistics.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { Side } from "../measurements/marker-model.js";
import type { CalibrationProblem } from "../solver/calibration-problem.js";

/** The exchanged assignment must fit so much better. */
const CLEARLY = 3;
/** And the given one so badly [px]: a miscalibrated robot is off by less. */
const FAR = 30;

/**
 * Left and right exchanged look like a stereo pair with a negative baseline: the markers' horizontal places disagree with the
 * robot as believed by twice the disparity, in opposite directions, and agree once exchanged.
 */
export function refuseSwappedCameras(problem: CalibrationProblem, residuals: readonly Float64Array[]): void {
  const { given, exchanged } = horizontalErrors(problem, residuals);
  if (!(given > FAR && exchanged * CLEARLY < given)) return;
  throw new FlycatcherError("FLY_CALIBRATION_CAMERAS_SWAPPED", "the cameras are exchanged", {
    expected: "the left camera's images as left",
    found: `markers ${given.toFixed(0)} px off, ${exchanged.toFixed(0)} px when exchanged`,
  });
}

/** Median horizontal errors of images that both cameras took at a time, as given and exchanged [px]. */
function horizontalErrors(
  problem: CalibrationProblem,
  residuals: readonly Float64Array[],
): { given: number; exchanged: number } {
  const given: number[] = [];
  const exchanged: number[] = [];
  for (const [k, { markers }] of problem.recording.holds.entries()) {
    const rights = new Map<number, number>();
    for (let i = 0; i < markers.count; i++) {
      if (markers.side[i] === Side.right) rights.set(Math.round(markers.stamp[i]! * 100), i);
    }
    for (let i = 0; i < markers.count; i++) {
      const j = rights.get(Math.round(markers.stamp[i]! * 100));
      if (markers.side[i] !== Side.left || j === undefined) continue;
      const [left, right] = [residuals[k]![2 * i]!, residuals[k]![2 * j]!];
      const shift = markers.pixels[2 * j]! - markers.pixels[2 * i]!;
      given.push(Math.abs(left), Math.abs(right));
      exchanged.push(Math.abs(left + shift), Math.abs(right - shift));
    }
  }
  const median = (values: readonly number[]) => quantiles(values.filter(Number.isFinite), [0.5])[0] ?? Number.NaN;
  return { given: median(given), exchanged: median(exchanged) };
}
