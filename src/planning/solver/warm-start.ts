import { allFinite, type ProblemShape } from "./problem-interface.js";

/**
 * What one solve leaves for the next similar one, as plain numbers that travel in a job:
 *
 *     [ filled (1 or 0), elastic weight, Hessian (n²), multipliers (rows + n), activity (rows + n) ]
 *
 * where rows = equalityCount + inequalityCount and the bounds follow the rows. All zeros means "nothing yet".
 */
export function createWarmStart(shape: ProblemShape): Float64Array {
  return new Float64Array(warmStartLength(shape));
}

export function warmStartLength({ n, equalityCount, inequalityCount }: ProblemShape): number {
  return 2 + n * n + 2 * (equalityCount + inequalityCount + n);
}

/** Reads a warm start into a solver's arrays and returns its elastic weight; 0, touching nothing, if it holds none. */
export function loadWarmStart(
  state: Float64Array,
  hessian: Float64Array,
  multipliers: Float64Array,
  activity: Int8Array,
): number {
  if (state[0] !== 1 || !allFinite(state)) return 0;
  const multipliersAt = 2 + hessian.length;
  const activityAt = multipliersAt + multipliers.length;
  for (let i = 0; i < hessian.length; i++) hessian[i] = state[2 + i]!;
  for (let k = 0; k < multipliers.length; k++) multipliers[k] = state[multipliersAt + k]!;
  for (let k = 0; k < activity.length; k++) activity[k] = state[activityAt + k]!;
  return state[1]!;
}

export function saveWarmStart(
  state: Float64Array,
  weight: number,
  hessian: Float64Array,
  multipliers: Float64Array,
  activity: Int8Array,
): void {
  const multipliersAt = 2 + hessian.length;
  const activityAt = multipliersAt + multipliers.length;
  state[0] = 1;
  state[1] = weight;
  for (let i = 0; i < hessian.length; i++) state[2 + i] = hessian[i]!;
  for (let k = 0; k < multipliers.length; k++) state[multipliersAt + k] = multipliers[k]!;
  for (let k = 0; k < activity.length; k++) state[activityAt + k] = activity[k]!;
}
