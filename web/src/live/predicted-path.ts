import type { PredictionMessage } from "../../../src/messages/page.js";

/** A point of a predicted path with its uncertainty. */
export interface PathPoint {
  readonly position: [number, number, number];
  /** One sigma in the worst direction [m]. */
  readonly sigma: number;
}

/** Where a prediction has the ball at `time`; null outside of its path. */
export function pointAt({ path }: PredictionMessage, time: number): PathPoint | null {
  const after = path.findIndex(([sample]) => sample >= time);
  if (after < 0 || (after === 0 && path[0]![0] > time)) return null;
  const a = path[Math.max(0, after - 1)]!;
  const b = path[after]!;
  const share = b[0] > a[0] ? (time - a[0]) / (b[0] - a[0]) : 0;
  const mix = (k: 1 | 2 | 3 | 4): number => a[k] + share * (b[k] - a[k]);
  return { position: [mix(1), mix(2), mix(3)], sigma: mix(4) };
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}
