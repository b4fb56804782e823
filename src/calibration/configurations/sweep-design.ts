import type { CalibrationRig } from "../parameters/calibration-rig.js";
import { HeadSweep } from "../procedure/head-sweep.js";

export interface SweepOptions {
  /** How long the head moves at each configuration [s]. */
  readonly duration: number;
  /** Farthest from the middle, of each joint of the neck from base to tip [rad]: the marker then crosses most of the image. */
  readonly amplitudes: readonly number[];
  /** [Hz]; without a common measure, so that the marker's path does not close on itself. */
  readonly frequencies: readonly number[];
}

export const defaultSweep: SweepOptions = { duration: 8, amplitudes: [0.4, 0.3], frequencies: [0.61, 0.43] };

/** Filters keep nothing of their first and last second, and delays shift what they keep. */
const REST = 1.1;
const RISE = 1.5;
/** Joint limits are kept by this much [rad]. */
const LIMIT_MARGIN = 0.03;
/** A sweep that must be smaller than this part of what is wanted is not worth it. */
const LEAST_PART = 0.4;

/** The sweep about a middle, as wide as wanted or as the neck's limits allow; null where that is too little. */
export function designSweep(
  rig: CalibrationRig,
  middle: Float64Array,
  phase: number,
  options: SweepOptions,
): HeadSweep | null {
  const { lower, upper } = rig.robot.model;
  const swings = rig.neck.dofs.map((dof, i) => {
    const wanted = options.amplitudes[i % options.amplitudes.length]!;
    const room = Math.min(middle[i]! - lower[dof]!, upper[dof]! - middle[i]!) - LIMIT_MARGIN;
    return {
      middle: middle[i]!,
      amplitude: Math.min(wanted, room),
      frequency: options.frequencies[i % options.frequencies.length]!,
      phase: phase + i,
    };
  });
  const isWide = swings.every(
    ({ amplitude }, i) => amplitude >= LEAST_PART * options.amplitudes[i % options.amplitudes.length]!,
  );
  return isWide ? new HeadSweep(swings, options.duration, RISE, REST) : null;
}
