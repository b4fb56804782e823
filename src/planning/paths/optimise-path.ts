import type { Evaluation, NonlinearProblem } from "../../optimisation/problem-interface.js";
import { SolveResult } from "../../optimisation/solver-interface.js";
import { SqpSolver } from "../../optimisation/sqp.js";
import type { PathBudget, PathProblem } from "./path-planner.js";

/** Corners that are moved at most, and places of each edge that are kept clear. */
const MOST_CORNERS = 5;
const PLACES = 8;
/** Clearance that is kept, and beyond which a place is no constraint [m]. */
const CLEARANCE = 0.004;
const SIGHT = 0.06;
/** Shares of the corners' motion that are tried, where the whole of it is not free between the places. */
const SHARES = [1, 0.6, 0.3];
/** How far a corner may be moved [rad]. */
const TRUST = 0.6;
const ITERATIONS = 30;
/** Rounding of lengths, so that an edge of no length has a derivative [rad²]. */
const SMOOTH = 1e-6;

/**
 * A path made shorter by moving all its inner corners at once: least length, by the SQP solver, with a clearance kept at the
 * corners and at places of the edges. The path itself where that is not shorter, or not free between the places.
 */
export function optimisePath(problem: PathProblem, path: readonly Float64Array[], budget: PathBudget): Float64Array[] {
  const { space } = problem;
  if (path.length < 3 || path.length > MOST_CORNERS + 2) return [...path];
  const task = new CornerProblem(problem, path);
  const solver = new SqpSolver(task, { feasibilityTolerance: 1e-4, optimalityTolerance: 1e-3 });
  const result = new SolveResult(task.n);
  const clock = () => (budget.isOver() ? Number.NaN : 0);
  solver.solve(task, task.start, null, { iterations: ITERATIONS, clock, deadline: Number.POSITIVE_INFINITY }, result);
  for (const share of SHARES) {
    const moved = task.cornersAt(result.x.map((x, k) => task.start[k]! + share * (x - task.start[k]!)));
    if (space.length(moved) < space.length(path) && isFree(problem, moved)) return moved;
  }
  return [...path];
}

function isFree({ check }: PathProblem, path: readonly Float64Array[]): boolean {
  return path.every((q, k) => k === 0 || (check.isFree(q) && check.isEdgeFree(path[k - 1]!, 0, q, 0)));
}

/** The inner corners as unknowns. */
class CornerProblem implements NonlinearProblem {
  readonly n: number;
  readonly equalityCount = 0;
  readonly inequalityCount: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly start: Float64Array;
  readonly #problem: PathProblem;
  readonly #path: readonly Float64Array[];
  readonly #joints: number;
  readonly #corners: Float64Array[];
  readonly #place: Float64Array;
  readonly #slope: Float64Array;

  constructor(problem: PathProblem, path: readonly Float64Array[]) {
    const { space } = problem;
    this.#problem = problem;
    this.#path = path;
    this.#joints = space.count;
    this.n = (path.length - 2) * space.count;
    this.inequalityCount = PLACES * (path.length - 1);
    this.start = Float64Array.from(path.slice(1, -1).flatMap((corner) => [...corner]));
    const bound = (side: "lower" | "upper", sign: number) =>
      this.start.map((value, k) => {
        const i = k % space.count;
        const limit = space.wraps[i] === 1 ? sign * Number.POSITIVE_INFINITY : space[side][i]!;
        return sign > 0 ? Math.min(limit, value + TRUST) : Math.max(limit, value - TRUST);
      });
    this.lower = bound("lower", -1);
    this.upper = bound("upper", 1);
    this.#corners = path.map((corner) => corner.slice());
    this.#place = new Float64Array(space.count);
    this.#slope = new Float64Array(space.count);
  }

  cornersAt(x: Float64Array): Float64Array[] {
    return this.#path.map((corner, k) =>
      k === 0 || k === this.#path.length - 1 ? corner : x.slice((k - 1) * this.#joints, k * this.#joints),
    );
  }

  evaluateValues(x: Float64Array, out: Evaluation): void {
    this.evaluate(x, out);
  }

  evaluate(x: Float64Array, out: Evaluation): void {
    for (let k = 1; k + 1 < this.#corners.length; k++) {
      this.#corners[k]!.set(x.subarray((k - 1) * this.#joints, k * this.#joints));
    }
    this.#length(out);
    out.inequalityJacobian.fill(0);
    for (let edge = 0; edge + 1 < this.#corners.length; edge++) {
      for (let m = 0; m < PLACES; m++) this.#clearance(edge, m, out);
    }
  }

  #length(out: Evaluation): void {
    const { weight } = this.#problem.space;
    out.objective = 0;
    out.gradient.fill(0);
    for (let k = 1; k < this.#corners.length; k++) {
      const [a, b] = [this.#corners[k - 1]!, this.#corners[k]!];
      let square = SMOOTH;
      for (let i = 0; i < this.#joints; i++) square += (weight[i]! * (b[i]! - a[i]!)) ** 2;
      const length = Math.sqrt(square);
      out.objective += length;
      for (let i = 0; i < this.#joints; i++) {
        const pull = (weight[i]! ** 2 * (b[i]! - a[i]!)) / length;
        this.#add(out.gradient, 0, k, i, pull);
        this.#add(out.gradient, 0, k - 1, i, -pull);
      }
    }
  }

  /** Clearance at a place of an edge; the last place is its end. */
  #clearance(edge: number, m: number, out: Evaluation): void {
    const share = (m + 1) / PLACES;
    const [a, b] = [this.#corners[edge]!, this.#corners[edge + 1]!];
    for (let i = 0; i < this.#joints; i++) this.#place[i] = a[i]! + share * (b[i]! - a[i]!);
    const row = PLACES * edge + m;
    const isEnd = edge + 2 === this.#corners.length && m + 1 === PLACES;
    // The goal is where it is.
    if (isEnd) {
      out.inequality[row] = 1;
      return;
    }
    const distance = this.#problem.check.nearestWithGradient(this.#place, SIGHT, this.#slope, 0);
    out.inequality[row] = distance - CLEARANCE;
    for (let i = 0; i < this.#joints; i++) {
      this.#add(out.inequalityJacobian, row * this.n, edge, i, (1 - share) * this.#slope[i]!);
      this.#add(out.inequalityJacobian, row * this.n, edge + 1, i, share * this.#slope[i]!);
    }
  }

  /** Adds to the derivative by joint `i` of corner `k`, if that is one of the unknowns. */
  #add(out: Float64Array, at: number, k: number, i: number, value: number): void {
    if (k === 0 || k === this.#corners.length - 1) return;
    const index = at + (k - 1) * this.#joints + i;
    out[index] = out[index]! + value;
  }
}
