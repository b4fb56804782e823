import { FlycatcherError } from "../runtime/errors.js";

/** The tunables of the SQP solver. */
export interface SqpOptions {
  /** Largest violation of a constraint in a feasible point, in the constraint's own unit. Default 1e-8. */
  readonly feasibilityTolerance: number;
  /** Largest relative Karush–Kuhn–Tucker residual of a solution (see `optimality.ts`). Default 1e-6. */
  readonly optimalityTolerance: number;
  /**
   * First weight of the elastic constraints, in units of the objective's gradient at the start. Multipliers above it make
   * the solver raise it by itself; too large a weight disturbs the Hessian where constraints conflict. Default 10.
   */
  readonly elasticWeight: number;
  /** Last weight tried before a problem counts as infeasible, in the same unit. Default 1e5. */
  readonly elasticWeightLimit: number;
  /** `bfgs`: damped updates from gradients. `supplied`: the problem's `lagrangianHessian` at each iterate. */
  readonly hessian: "bfgs" | "supplied";
  /** Diagonal of the first BFGS matrix, replaced by the first curvature seen. Default 1. */
  readonly initialCurvature: number;
}

const defaultSqpOptions: SqpOptions = {
  feasibilityTolerance: 1e-8,
  optimalityTolerance: 1e-6,
  elasticWeight: 10,
  elasticWeightLimit: 1e5,
  hessian: "bfgs",
  initialCurvature: 1,
};

/** Fills in the defaults and refuses numbers that are not positive. */
export function resolveSqpOptions(options: Partial<SqpOptions>): SqpOptions {
  const resolved = { ...defaultSqpOptions, ...options };
  for (const [name, value] of Object.entries(resolved)) {
    if (typeof value === "number" && !(value > 0 && value < Number.POSITIVE_INFINITY))
      throw new FlycatcherError("FLY_SOLVER_OPTION_INVALID", "The solver cannot work with this option", {
        path: name,
        expected: "a positive number",
        found: String(value),
      });
  }
  return resolved;
}
