import { AssignmentSolver, FORBIDDEN, UNASSIGNED } from "./assignment.js";

/**
 * The best assignments of several problems together, best first, by Murty's partition ("An algorithm for ranking all the
 * assignments in order of increasing cost", 1968): each solution handed out splits what remains of its problem into
 * parts, of which each keeps the columns of some first rows, forbids the next row its column, and is solved anew. All
 * problems share one queue, so those of unlikely parent hypotheses cost one solution only (Cox & Hingorani 1996, §3).
 *
 * Only as many parts are kept as there are solutions still to come: each holds a solution of its own, so no dropped one
 * could have had its turn. Time is bounded by rows·maxSolutions assignments; nothing is allocated.
 *
 * @example
 * kBest.clear();
 * kBest.costs(kBest.add(2, 3)).set(matrix);
 * while (kBest.next()) use(kBest.problem, kBest.cost, kBest.columnOfRow);
 */
export class KBestAssignments {
  readonly maxSolutions: number;
  /** Of the solution handed out last: its problem, cost, and columns by row. */
  problem = UNASSIGNED;
  cost = 0;
  readonly columnOfRow: Int32Array;
  readonly #solver: AssignmentSolver;
  readonly #costs: Float64Array[];
  readonly #rows: Int32Array;
  readonly #columns: Int32Array;
  /** Added to every solution's cost. [problem] */
  readonly #offset: Float64Array;
  readonly #begun: Uint8Array;
  #problems = 0;
  readonly #parts: Part[];
  #partCount = 0;
  #remaining = 0;
  readonly #trial: Part;
  /** The part whose solution was handed out last. */
  #current: Part;
  /** The costs of the row that a part forbids some columns. */
  readonly #kept: Float64Array;

  constructor(maxRows: number, maxColumns: number, maxProblems: number, maxSolutions: number) {
    this.#solver = new AssignmentSolver(maxRows, maxColumns);
    this.maxSolutions = maxSolutions;
    this.columnOfRow = new Int32Array(maxRows);
    this.#costs = Array.from({ length: maxProblems }, () => new Float64Array(maxRows * maxColumns));
    this.#rows = new Int32Array(maxProblems);
    this.#columns = new Int32Array(maxProblems);
    this.#offset = new Float64Array(maxProblems);
    this.#begun = new Uint8Array(maxProblems);
    this.#parts = Array.from({ length: maxSolutions }, () => new Part(maxRows, maxColumns));
    this.#trial = new Part(maxRows, maxColumns);
    this.#current = new Part(maxRows, maxColumns);
    this.#kept = new Float64Array(maxColumns);
  }

  /** Forgets all problems. At most `solutions` will be handed out of those added from now on. */
  clear(solutions = this.maxSolutions): void {
    this.#problems = 0;
    this.#partCount = 0;
    this.#remaining = Math.min(solutions, this.maxSolutions);
  }

  /**
   * Adds a problem and returns its number. Its costs are to be written to `costs`, row-major, before `next` is called.
   * @param offset added to the cost of all its solutions
   */
  add(rows: number, columns: number, offset = 0): number {
    const problem = this.#problems++;
    this.#rows[problem] = rows;
    this.#columns[problem] = columns;
    this.#offset[problem] = offset;
    this.#begun[problem] = 0;
    return problem;
  }

  /** Where the costs of a problem go; its first rows · columns numbers count. */
  costs(problem: number): Float64Array {
    return this.#costs[problem]!;
  }

  /** Goes on to the next best solution; false if there is none, or no more are wanted. */
  next(): boolean {
    for (let problem = 0; problem < this.#problems; problem++) this.#begin(problem);
    if (this.#partCount === 0 || this.#remaining === 0) return false;
    const part = this.#take(this.#bestPart());
    this.#remaining--;
    this.problem = part.problem;
    this.cost = part.cost;
    for (let row = 0; row < this.#rows[part.problem]!; row++) this.columnOfRow[row] = part.columnOfRow[row]!;
    this.#split(part);
    return true;
  }

  #begin(problem: number): void {
    if (this.#begun[problem] === 1) return;
    this.#begun[problem] = 1;
    this.#trial.problem = problem;
    this.#trial.fixedRows = 0;
    this.#trial.forbidden.fill(0, 0, this.#columns[problem]!);
    this.#solveTrial();
  }

  /** The parts of what remains of a problem once this solution is taken from it. */
  #split(part: Part): void {
    const trial = this.#trial;
    const rows = this.#rows[part.problem]!;
    const columns = this.#columns[part.problem]!;
    trial.problem = part.problem;
    for (let row = part.fixedRows; row < rows; row++) {
      trial.fixedRows = row;
      for (let i = 0; i < row; i++) trial.columnOfRow[i] = part.columnOfRow[i]!;
      if (row === part.fixedRows) {
        for (let column = 0; column < columns; column++) trial.forbidden[column] = part.forbidden[column]!;
      } else {
        trial.forbidden.fill(0, 0, columns);
      }
      trial.forbidden[part.columnOfRow[row]!] = 1;
      this.#solveTrial();
    }
  }

  /** Solves the trial part and keeps it if it may still have its turn. */
  #solveTrial(): void {
    const trial = this.#trial;
    const { problem, fixedRows } = trial;
    const costs = this.#costs[problem]!;
    const rows = this.#rows[problem]!;
    const columns = this.#columns[problem]!;
    const start = fixedRows * columns;
    if (fixedRows < rows) {
      for (let column = 0; column < columns; column++) {
        this.#kept[column] = costs[start + column]!;
        if (trial.forbidden[column] === 1) costs[start + column] = FORBIDDEN;
      }
    }
    const isPossible = this.#solver.solve(costs, rows, columns, trial.columnOfRow, fixedRows);
    trial.cost = this.#solver.cost + this.#offset[problem]!;
    if (fixedRows < rows) for (let column = 0; column < columns; column++) costs[start + column] = this.#kept[column]!;
    if (isPossible) this.#keepTrial(rows, columns);
  }

  #keepTrial(rows: number, columns: number): void {
    if (this.#partCount < this.#remaining) {
      this.#parts[this.#partCount++]!.copy(this.#trial, rows, columns);
      return;
    }
    if (this.#partCount === 0) return;
    const worst = this.#worstPart();
    if (this.#trial.cost < this.#parts[worst]!.cost) this.#parts[worst]!.copy(this.#trial, rows, columns);
  }

  /** The first of the cheapest parts: the order of insertion breaks ties, so that the same input gives the same order. */
  #bestPart(): number {
    let best = 0;
    for (let i = 1; i < this.#partCount; i++) if (this.#parts[i]!.cost < this.#parts[best]!.cost) best = i;
    return best;
  }

  #worstPart(): number {
    let worst = 0;
    for (let i = 1; i < this.#partCount; i++) if (this.#parts[i]!.cost >= this.#parts[worst]!.cost) worst = i;
    return worst;
  }

  /** Takes a part out of the queue; it stays as it is until the next one is taken. */
  #take(index: number): Part {
    const part = this.#parts[index]!;
    const last = --this.#partCount;
    // Shift, not swap: the queue keeps the order of insertion.
    for (let i = index; i < last; i++) this.#parts[i] = this.#parts[i + 1]!;
    this.#parts[last] = this.#current;
    this.#current = part;
    return part;
  }
}

/** A part of a problem's solutions, and the best of them. */
class Part {
  problem = 0;
  cost = 0;
  /** Rows whose columns are those of the solution. */
  fixedRows = 0;
  /** Columns that the row after the fixed ones may not have. [columns] */
  readonly forbidden: Uint8Array;
  readonly columnOfRow: Int32Array;

  constructor(maxRows: number, maxColumns: number) {
    this.forbidden = new Uint8Array(maxColumns);
    this.columnOfRow = new Int32Array(maxRows);
  }

  copy(other: Part, rows: number, columns: number): void {
    this.problem = other.problem;
    this.cost = other.cost;
    this.fixedRows = other.fixedRows;
    for (let column = 0; column < columns; column++) this.forbidden[column] = other.forbidden[column]!;
    for (let row = 0; row < rows; row++) this.columnOfRow[row] = other.columnOfRow[row]!;
  }
}
