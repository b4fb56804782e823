import type { Random } from "../../src/math/random.js";
import type { QuadraticProgram } from "../../src/optimisation/quadratic-program.js";

export interface QuadraticCase {
  readonly n: number;
  readonly rowCount: number;
  readonly hessian: Float64Array;
  readonly gradient: Float64Array;
  readonly rows: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  readonly cap: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** A random case; equalities first, some rows two-sided, some bounds absent; about a third is infeasible at small sizes. */
export function randomQuadratic(random: Random, n: number, equalities: number, inequalities: number): QuadraticCase {
  const rowCount = equalities + inequalities;
  const root = Float64Array.from({ length: n * n }, () => random.normal());
  const hessian = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = i === j ? 0.1 : 0;
      for (let k = 0; k < n; k++) sum += root[i * n + k]! * root[j * n + k]!;
      hessian[i * n + j] = sum;
    }
  }
  const quadratic: QuadraticCase = {
    n,
    rowCount,
    hessian,
    gradient: Float64Array.from({ length: n }, () => 2 * random.normal()),
    rows: Float64Array.from({ length: rowCount * n }, () => random.normal()),
    rowLower: Float64Array.from({ length: rowCount }, () => random.normalIn(-0.7, 1)),
    rowUpper: new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY),
    cap: new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY),
    lower: Float64Array.from({ length: n }, () => (random.uniform() < 0.2 ? -Infinity : random.uniformIn(-2, 0))),
    upper: Float64Array.from({ length: n }, () => (random.uniform() < 0.2 ? Infinity : random.uniformIn(0, 2))),
  };
  for (let k = 0; k < rowCount; k++) {
    if (k < equalities) {
      quadratic.rowLower[k] = quadratic.rowLower[k]! + 0.7;
      quadratic.rowUpper[k] = quadratic.rowLower[k]!;
    } else if (random.uniform() < 0.2) quadratic.rowUpper[k] = quadratic.rowLower[k]! + random.uniformIn(0.1, 3);
  }
  return quadratic;
}

/** Moves the limits of the rows so that a random point within the bounds satisfies them all. */
export function makeFeasible(quadratic: QuadraticCase, random: Random): QuadraticCase {
  const { n, rowCount, rows, rowLower, rowUpper } = quadratic;
  const point = Array.from(quadratic.lower, (low, i) =>
    random.uniformIn(Math.max(low, -1), Math.min(quadratic.upper[i]!, 1)),
  );
  for (let k = 0; k < rowCount; k++) {
    let value = 0;
    for (let i = 0; i < n; i++) value += rows[k * n + i]! * point[i]!;
    const room = rowLower[k] === rowUpper[k] ? 0 : random.uniformIn(0, 0.5);
    rowUpper[k] = rowUpper[k]! + value - room - rowLower[k]!;
    rowLower[k] = value - room;
    if (room > 0) rowUpper[k] = Math.max(rowUpper[k]!, value);
    else rowUpper[k] = rowLower[k]!;
  }
  return quadratic;
}

/** One side of one constraint: normal·x ≥ limit, or = if it is an equality. */
interface Side {
  readonly normal: readonly number[];
  readonly limit: number;
  readonly isEquality: boolean;
}

function sidesOf(quadratic: QuadraticCase): Side[] {
  const { n } = quadratic;
  const sides: Side[] = [];
  const push = (normal: number[], lower: number, upper: number) => {
    if (lower === upper) {
      sides.push({ normal, limit: lower, isEquality: true });
      return;
    }
    if (lower > -Infinity) sides.push({ normal, limit: lower, isEquality: false });
    if (upper < Infinity) sides.push({ normal: normal.map((value) => -value), limit: -upper, isEquality: false });
  };
  for (let k = 0; k < quadratic.rowCount; k++)
    push([...quadratic.rows.subarray(k * n, k * n + n)], quadratic.rowLower[k]!, quadratic.rowUpper[k]!);
  for (let i = 0; i < n; i++) {
    const axis = new Array<number>(n).fill(0);
    axis[i] = 1;
    push(axis, quadratic.lower[i]!, quadratic.upper[i]!);
  }
  return sides;
}

/** The minimiser by trying every set of at most n active constraints, or null if none is feasible. */
export function enumerateActiveSets(quadratic: QuadraticCase): number[] | null {
  const sides = sidesOf(quadratic);
  const equalities = sides.filter((side) => side.isEquality);
  const inequalities = sides.filter((side) => !side.isEquality);
  let best: number[] | null = null;
  let bestValue = Infinity;
  const visit = (from: number, chosen: Side[]) => {
    const x = minimiserOn(quadratic, chosen);
    if (x !== null && sides.every((side) => isMet(side, x)) && valueAt(quadratic, x) < bestValue) {
      best = x;
      bestValue = valueAt(quadratic, x);
    }
    if (chosen.length === quadratic.n) return;
    for (let k = from; k < inequalities.length; k++) visit(k + 1, [...chosen, inequalities[k]!]);
  };
  visit(0, equalities);
  return best;
}

function isMet(side: Side, x: readonly number[]): boolean {
  const slack = side.normal.reduce((sum, value, i) => sum + value * x[i]!, -side.limit);
  return side.isEquality ? Math.abs(slack) < 1e-9 : slack > -1e-9;
}

function valueAt({ n, hessian, gradient }: QuadraticCase, x: readonly number[]): number {
  let value = 0;
  for (let i = 0; i < n; i++) {
    value += gradient[i]! * x[i]!;
    for (let j = 0; j < n; j++) value += 0.5 * x[i]! * hessian[i * n + j]! * x[j]!;
  }
  return value;
}

/** Solves the linear system of the equality-constrained problem; null if singular. */
function minimiserOn({ n, hessian, gradient }: QuadraticCase, active: readonly Side[]): number[] | null {
  const size = n + active.length;
  const system = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size + 1 }, (_unused, j) => {
      if (i < n && j < n) return hessian[i * n + j]!;
      if (j === size) return i < n ? -gradient[i]! : active[i - n]!.limit;
      if (i < n) return active[j - n]!.normal[i]!;
      return j < n ? active[i - n]!.normal[j]! : 0;
    }),
  );
  return eliminate(system)?.slice(0, n) ?? null;
}

/** Gaussian elimination with partial pivoting on [A | b]. */
export function eliminate(system: number[][]): number[] | null {
  const size = system.length;
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(system[i]![k]!) > Math.abs(system[pivot]![k]!)) pivot = i;
    if (Math.abs(system[pivot]![k]!) < 1e-11) return null;
    [system[k], system[pivot]] = [system[pivot]!, system[k]!];
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = system[i]![k]! / system[k]![k]!;
      for (let j = k; j <= size; j++) system[i]![j] = system[i]![j]! - factor * system[k]![j]!;
    }
  }
  return system.map((row, i) => row[size]! / row[i]!);
}

/**
 * Largest error in the conditions that characterise the minimiser of the (elastic) problem: stationarity, and for each
 * constraint the multiplier that belongs to where its value lies. The problem is convex, so they prove optimality.
 */
export function optimalityError(quadratic: QuadraticCase, { step, constraints }: QuadraticProgram): number {
  const { n, rowCount } = quadratic;
  let error = 0;
  for (let i = 0; i < n; i++) {
    let residual = quadratic.gradient[i]! - constraints.multipliers[rowCount + i]!;
    for (let j = 0; j < n; j++) residual += quadratic.hessian[i * n + j]! * step[j]!;
    for (let k = 0; k < rowCount; k++) residual -= constraints.multipliers[k]! * quadratic.rows[k * n + i]!;
    error = Math.max(error, Math.abs(residual));
  }
  for (let k = 0; k < rowCount + n; k++) {
    const isRow = k < rowCount;
    const lower = isRow ? quadratic.rowLower[k]! : quadratic.lower[k - rowCount]!;
    const upper = isRow ? quadratic.rowUpper[k]! : quadratic.upper[k - rowCount]!;
    let value = isRow ? 0 : step[k - rowCount]!;
    if (isRow) for (let i = 0; i < n; i++) value += quadratic.rows[k * n + i]! * step[i]!;
    const cap = isRow ? quadratic.cap[k]! : Infinity;
    error = Math.max(error, complementarityError(value, lower, upper, constraints.multipliers[k]!, cap));
  }
  return error;
}

function complementarityError(value: number, lower: number, upper: number, multiplier: number, cap: number): number {
  const rounding = 1e-9 * (1 + Math.abs(value));
  if (value < lower - rounding) return cap === Infinity ? lower - value : Math.abs(multiplier - cap);
  if (value > upper + rounding) return cap === Infinity ? value - upper : Math.abs(multiplier + cap);
  const most = Math.abs(value - lower) <= rounding ? cap : 0;
  const least = Math.abs(value - upper) <= rounding ? -cap : 0;
  return Math.max(0, multiplier - most, least - multiplier);
}
