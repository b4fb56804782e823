import { FlycatcherError } from "../../runtime/errors.js";
import type { NonlinearProblem, ProblemShape } from "./problem-interface.js";
import { warmStartLength } from "./warm-start.js";

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
