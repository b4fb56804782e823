import { minimalTime, reachableSlope } from "../../motion/minimal-time.js";
import type { RampFunctions } from "../../motion/ramp-functions.js";
import type { SuccessCurve } from "./success-curve.js";

/** What to optimise: the names of `objectives`. */
export const catchModes = ["soft", "latest", "cool", "sure"] as const;
export type CatchMode = (typeof catchModes)[number];

/**
 * What an objective sees of a candidate catch (q, t). `ramps` holds the ramp functions at (q, t); start and limits are
 * those of the problem in hand.
 */
export interface ObjectiveInput {
  readonly dofs: number;
  /** Commanded position and velocity at t = 0. */
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly ramps: RampFunctions;
  /** For `sure`: how probable a catch at each time is; null where no covariance is known. */
  readonly success: SuccessCurve | null;
}

/**
 * A catch behaviour. The solver minimises `evaluate`, a monotone function of the thesis' objective chosen to be smooth
 * where that is not (a root has an infinite slope at zero); `report` turns it back into the thesis' figure.
 */
export interface Objective {
  /** At x = (q, t): writes the gradient, and returns nothing but `value[0]`: a number returned would be garbage. */
  evaluate(input: ObjectiveInput, x: Float64Array, gradient: Float64Array, value: Float64Array): void;
  report(value: number): number;
}

export const objectives: Readonly<Record<CatchMode, Objective>> = {
  /** √(mean (a_i/amax_i)²): the smallest accelerations. Minimised as half the mean square. */
  soft: { evaluate: softness, report: (value) => Math.sqrt(2 * value) },
  /** −t: the latest catch. */
  latest: { evaluate: lateness, report: (value) => value },
  /** (mean tmin_i⁴)^¼: the earliest arrival. Minimised as the mean fourth power. */
  cool: { evaluate: coolness, report: (value) => value ** 0.25 },
  /** −log of the probability of success. */
  sure: { evaluate: sureness, report: (value) => value },
};

function softness(input: ObjectiveInput, _x: Float64Array, gradient: Float64Array, value: Float64Array): void {
  const { dofs, ramps, maxAcceleration } = input;
  let sum = 0;
  let byTime = 0;
  for (let i = 0; i < dofs; i++) {
    const scaled = ramps.magnitude[i]! / maxAcceleration[i]!;
    const weight = scaled / (maxAcceleration[i]! * dofs);
    sum += scaled * scaled;
    gradient[i] = weight * ramps.magnitudeByTarget[i]!;
    byTime += weight * ramps.magnitudeByTime[i]!;
  }
  gradient[dofs] = byTime;
  value[0] = sum / (2 * dofs);
}

function lateness(input: ObjectiveInput, x: Float64Array, gradient: Float64Array, value: Float64Array): void {
  gradient.fill(0, 0, input.dofs);
  gradient[input.dofs] = -1;
  value[0] = -x[input.dofs]!;
}

/** Least speed that divides the slope of tmin⁴: at the brake point of a moving joint the true slope is infinite. */
const SLOWEST_PEAK = 1e-3;

function coolness(input: ObjectiveInput, x: Float64Array, gradient: Float64Array, value: Float64Array): void {
  const { dofs, q0, w0, maxVelocity, maxAcceleration } = input;
  let sum = 0;
  for (let i = 0; i < dofs; i++) {
    const w = w0[i]!;
    const amax = maxAcceleration[i]!;
    const D = x[i]! - q0[i]!;
    const time = minimalTime(w, D, maxVelocity[i]!, amax);
    const s = D < (w * Math.abs(w)) / (2 * amax) ? -1 : 1;
    // dD₊/dt is the peak speed of the fastest motion, so dtmin/dD is its inverse.
    const peak = Math.abs(reachableSlope(s, time, w, maxVelocity[i]!, amax));
    const cubed = time * time * time;
    sum += cubed * time;
    gradient[i] = (4 * s * cubed) / (Math.max(peak, SLOWEST_PEAK) * dofs);
  }
  gradient[dofs] = 0;
  value[0] = sum / dofs;
}

/** Among equally sure catches the softer one wins, by a weight that costs less than 0.1 % of the probability. */
const SURE_SOFTNESS = 1e-3;

function sureness(input: ObjectiveInput, x: Float64Array, gradient: Float64Array, value: Float64Array): void {
  const { dofs, success } = input;
  softness(input, x, gradient, value);
  for (let i = 0; i <= dofs; i++) gradient[i]! *= SURE_SOFTNESS;
  value[0]! *= SURE_SOFTNESS;
  if (success === null) return;
  const t = x[dofs]!;
  gradient[dofs]! -= success.slope(t);
  value[0]! -= success.logProbability(t);
}
