import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { AssignmentSolver, FORBIDDEN } from "../../../src/tracking/hypotheses/assignment.js";
import { KBestAssignments } from "../../../src/tracking/hypotheses/k-best.js";
import { deep } from "../../support/deep.js";
import { allocationFree, heapBytesPerCall } from "../../support/heap.js";

interface Problem {
  readonly rows: number;
  readonly columns: number;
  readonly costs: Float64Array;
}

interface Solution {
  readonly cost: number;
  readonly columns: readonly number[];
}

/** Every assignment there is, cheapest first. */
function everySolution({ rows, columns, costs }: Problem): Solution[] {
  const solutions: Solution[] = [];
  const chosen: number[] = [];
  const extend = (row: number, cost: number): void => {
    if (row === rows) {
      if (cost < FORBIDDEN) solutions.push({ cost, columns: [...chosen] });
      return;
    }
    for (let column = 0; column < columns; column++) {
      if (chosen.includes(column)) continue;
      chosen.push(column);
      extend(row + 1, cost + costs[row * columns + column]!);
      chosen.pop();
    }
  };
  extend(0, 0);
  return solutions.sort((a, b) => a.cost - b.cost);
}

/** Costs of either sign, some entries forbidden; whole numbers now and then, for ties. */
function randomProblem(random: Random, mostRows: number, mostColumns: number): Problem {
  const rows = 1 + random.integer(mostRows);
  const columns = rows + random.integer(mostColumns - rows + 1);
  const forbidden = random.uniform() * 0.7;
  const isWhole = random.uniform() < 0.3;
  const costs = Float64Array.from({ length: rows * columns }, () => {
    if (random.uniform() < forbidden) return FORBIDDEN;
    const cost = random.uniformIn(-10, 10);
    return isWhole ? Math.round(cost) : cost;
  });
  return { rows, columns, costs };
}

describe("AssignmentSolver", () => {
  const solver = new AssignmentSolver(6, 8);
  const columnOfRow = new Int32Array(6);

  it("finds the least cost of all assignments, or that there is none", () => {
    const random = new Random("assignment");
    let impossible = 0;
    for (let i = 0; i < deep(1500, 20_000); i++) {
      const problem = randomProblem(random, 5, 7);
      const [best] = everySolution(problem);
      const isPossible = solver.solve(problem.costs, problem.rows, problem.columns, columnOfRow);
      expect(isPossible).toBe(best !== undefined);
      if (best === undefined) impossible++;
      else expect(solver.cost).toBeCloseTo(best.cost, 9);
      if (isPossible) expect(new Set(columnOfRow.subarray(0, problem.rows)).size).toBe(problem.rows);
    }
    expect(impossible).toBeGreaterThan(50);
  });

  it("leaves the columns of fixed rows as they are", () => {
    const random = new Random("fixed rows");
    for (let i = 0; i < deep(500, 5000); i++) {
      const problem = randomProblem(random, 4, 6);
      const fixed = random.integer(problem.columns);
      columnOfRow[0] = fixed;
      const best = everySolution(problem).find(({ columns }) => columns[0] === fixed);
      expect(solver.solve(problem.costs, problem.rows, problem.columns, columnOfRow, 1)).toBe(best !== undefined);
      if (best === undefined) continue;
      expect(columnOfRow[0]).toBe(fixed);
      expect(solver.cost).toBeCloseTo(best.cost, 9);
    }
  });

  it("has nothing to do without rows", () => {
    expect(solver.solve(new Float64Array(0), 0, 0, columnOfRow)).toBe(true);
    expect(solver.cost).toBe(0);
  });

  it("refuses more rows than columns", () => {
    expect(() => new AssignmentSolver(3, 2)).toThrow(FlycatcherError);
  });
});

describe("KBestAssignments", () => {
  it("ranks all assignments of one problem as enumeration does", () => {
    const random = new Random("k-best");
    const kBest = new KBestAssignments(4, 6, 1, 400);
    for (let i = 0; i < deep(400, 5000); i++) {
      const problem = randomProblem(random, 4, 6);
      const expected = everySolution(problem);
      expect(ranking(kBest, [problem], [0])).toHaveLength(expected.length);
      const found = ranking(kBest, [problem], [0]);
      for (const [k, { cost }] of expected.entries()) expect(found[k]!.cost).toBeCloseTo(cost, 9);
      expect(new Set(found.map(({ columns }) => columns.join())).size).toBe(found.length);
    }
  });

  it("ranks the k best of several problems with offsets, and no more", () => {
    const random = new Random("several problems");
    for (let i = 0; i < deep(200, 3000); i++) {
      const solutions = 1 + random.integer(20);
      const kBest = new KBestAssignments(4, 5, 3, solutions);
      const problems = Array.from({ length: 3 }, () => randomProblem(random, 4, 5));
      const offsets = problems.map(() => random.uniformIn(-5, 5));
      const costs = problems.flatMap((problem, p) => everySolution(problem).map(({ cost }) => cost + offsets[p]!));
      const expected = costs.sort((a, b) => a - b).slice(0, solutions);
      const found = ranking(kBest, problems, offsets);
      expect(found).toHaveLength(expected.length);
      for (const [k, cost] of expected.entries()) expect(found[k]!.cost).toBeCloseTo(cost, 9);
    }
  });

  it("hands out the one empty assignment of a problem without rows", () => {
    const kBest = new KBestAssignments(2, 3, 1, 5);
    kBest.clear();
    kBest.add(0, 0, 1.5);
    expect(kBest.next()).toBe(true);
    expect(kBest.cost).toBe(1.5);
    expect(kBest.next()).toBe(false);
  });

  it("allocates nothing", () => {
    const random = new Random("heap");
    const kBest = new KBestAssignments(5, 12, 4, 32);
    const problems = Array.from({ length: 4 }, () => randomProblem(random, 5, 12));
    const rank = (): void => {
      kBest.clear();
      for (const { rows, columns, costs } of problems) kBest.costs(kBest.add(rows, columns)).set(costs);
      while (kBest.next());
    };
    expect(heapBytesPerCall(rank, 2000, 64)).toBeLessThan(100 * allocationFree);
  });
});

function ranking(kBest: KBestAssignments, problems: readonly Problem[], offsets: readonly number[]): Solution[] {
  kBest.clear();
  for (const [p, { rows, columns, costs }] of problems.entries()) {
    kBest.costs(kBest.add(rows, columns, offsets[p]!)).set(costs);
  }
  const found: Solution[] = [];
  while (kBest.next()) {
    found.push({ cost: kBest.cost, columns: [...kBest.columnOfRow.subarray(0, problems[kBest.problem]!.rows)] });
  }
  return found;
}
