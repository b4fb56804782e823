import { FlycatcherError } from "../runtime/errors.js";
import { allFinite, type NonlinearProblem, type ProblemShape } from "./problem-interface.js";

/**
 * What one solve leaves for the next similar one, as plain numbers that travel in a job:
 *
 *     [ filled (1 or 0), Hessian (n²), multipliers (rows + n), activity (rows + n) ]
 *
 * where rows = equalityCount + inequalityCount and the bounds follow the rows. All zeros means "nothing yet".
 */
export function createWarmStart(shape: ProblemShape): Float64Array {
  return new Float64Array(warmStartLength(shape));
}

function warmStartLength({ n, equalityCount, inequalityCount }: ProblemShape): number {
  return 1 + n * n + 2 * (equalityCount + inequalityCount + n);
}

/** Whether an earlier solve has left something usable. */
export function isFilled(state: Float64Array): boolean {
  return state[0] === 1 && allFinite(state);
}

/** Reads a filled warm start into a solver's arrays. */
export function loadWarmStart(
  state: Float64Array,
  hessian: Float64Array,
  multipliers: Float64Array,
  activity: Int8Array,
): void {
  const multipliersAt = 1 + hessian.length;
  const activityAt = multipliersAt + multipliers.length;
  for (let i = 0; i < hessian.length; i++) hessian[i] = state[1 + i]!;
  for (let k = 0; k < multipliers.length; k++) multipliers[k] = state[multipliersAt + k]!;
  for (let k = 0; k < activity.length; k++) activity[k] = state[activityAt + k]!;
}

export function saveWarmStart(
  state: Float64Array,
  hessian: Float64Array,
  multipliers: Float64Array,
  activity: Int8Array,
): void {
  const multipliersAt = 1 + hessian.length;
  const activityAt = multipliersAt + multipliers.length;
  state[0] = 1;
  for (let i = 0; i < hessian.length; i++) state[1 + i] = hessian[i]!;
  for (let k = 0; k < multipliers.length; k++) state[multipliersAt + k] = multipliers[k]!;
  for (let k = 0; k < activity.length; k++) state[activityAt + k] = activity[k]!;
}

/** Refuses a problem or warm start of another shape than the solver was made for. */
export function requireShape(shape: ProblemShape, problem: NonlinearProblem, warmStart: Float64Array | null): void {
  const { n, equalityCount, inequalityCount } = shape;
  const isSame =
    problem.n === n && problem.equalityCount === equalityCount && problem.inequalityCount === inequalityCount;
  if (isSame && (warmStart === null || warmStart.length === warmStartLength(shape))) return;
  throw new FlycatcherError("FLY_SOLVER_SHAPE_MISMATCH", "The solver was made for problems of another shape", {
    expected: `${n} unknowns, ${equalityCount} equalities, ${inequalityCount} inequalities`,
    found: `${problem.n}, ${problem.equalityCount}, ${problem.inequalityCount}`,
  });
}

/** Refuses a problem without the Hessian that the solver was told to use. */
export function requireHessian(problem: NonlinearProblem): void {
  if (problem.lagrangianHessian !== undefined) return;
  throw new FlycatcherError("FLY_SOLVER_OPTION_INVALID", "The problem supplies no Hessian", {
    path: "hessian",
    expected: "bfgs",
    found: "supplied",
  });
}

/** Whether some point satisfies the bounds. */
export function hasRoom({ lower, upper, n }: NonlinearProblem): boolean {
  for (let i = 0; i < n; i++) if (!(lower[i]! <= upper[i]!)) return false;
  return true;
}
