import type { CircleSet } from "../tracking/circles/circle-set.js";
import type { SearchWindow } from "../tracking/circles/detector-options.js";

/** A window of the camera at full size, in an image `factor` times as large. It is the image's border that stays: u′ + ½ = factor·(u + ½). */
export function shrinkWindow({ u, v, halfSize, minRadius, maxRadius }: SearchWindow, factor: number): SearchWindow {
  return {
    u: factor * (u + 0.5) - 0.5,
    v: factor * (v + 0.5) - 0.5,
    halfSize: factor * halfSize,
    minRadius: factor * minRadius,
    maxRadius: factor * maxRadius,
  };
}

/** Circles as they are in an image `factor` times as large; in place. */
export function enlargeCircles(circles: CircleSet, factor: number): void {
  for (let n = 0; n < circles.count; n++) {
    circles.u[n] = factor * (circles.u[n]! + 0.5) - 0.5;
    circles.v[n] = factor * (circles.v[n]! + 0.5) - 0.5;
    circles.r[n] = factor * circles.r[n]!;
    for (let i = 9 * n; i < 9 * n + 9; i++) circles.covariance[i] = factor * factor * circles.covariance[i]!;
  }
}
