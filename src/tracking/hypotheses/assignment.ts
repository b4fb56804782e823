import { FlycatcherError } from "../../runtime/errors.js";

/** No column, no row. */
export const UNASSIGNED = -1;

/** A cost that forbids its entry. */
export const FORBIDDEN = Number.POSITIVE_INFINITY;

/**
 * Gives every row of a rectangular matrix a column of its own at the least sum of costs: shortest augmenting paths
 * with dual variables (Jonker & Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
 * problems", 1987, in the rectangular form of Crouse, "On implementing 2D rectangular assignment algorithms", 2016).
 * Rows may be fewer than columns; an entry of `FORBIDDEN` is never taken. O(rows²·columns), nothing allocated.
 *
 * @example
 * const solver = new AssignmentSolver(8, 64);
 * if (solver.solve(costs, 2, 3, columnOfRow)) use(columnOfRow, solver.cost);
 */
export class AssignmentSolver {
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Sum of the costs of the last solution, in order of rows. */
  cost = 0;
  /** Dual variables. */
  readonly #rowPrice: Float64Array;
  readonly #columnPrice: Float64Array;
  readonly #rowOfColumn: Int32Array;
  /** Of the path being searched: row each column was reached from, length up to it, and which ones are settled. */
  readonly #cameFrom: Int32Array;
  readonly #pathLength: Float64Array;
  readonly #rowIsOnPath: Uint8Array;
  readonly #columnIsSettled: Uint8Array;
  /** Length of the path found last. */
  readonly #shortest = new Float64Array(1);

  constructor(maxRows: number, maxColumns: number) {
    if (!(maxRows >= 1 && maxColumns >= maxRows)) {
      throw new FlycatcherError("FLY_TRACKER_OPTIONS", "an assignment needs rows, and no fewer columns", {
        expected: "1 ≤ rows ≤ columns",
        found: `${maxRows} × ${maxColumns}`,
      });
    }
    this.maxRows = maxRows;
    this.maxColumns = maxColumns;
    this.#rowPrice = new Float64Array(maxRows);
    this.#columnPrice = new Float64Array(maxColumns);
    this.#rowOfColumn = new Int32Array(maxColumns);
    this.#cameFrom = new Int32Array(maxColumns);
    this.#pathLength = new Float64Array(maxColumns);
    this.#rowIsOnPath = new Uint8Array(maxRows);
    this.#columnIsSettled = new Uint8Array(maxColumns);
  }

  /**
   * The best assignment of a row-major matrix, to `columnOfRow` and `cost`; false if there is none.
   * The columns of the first `fixedRows` rows are taken from `columnOfRow` as they are.
   */
  solve(costs: Float64Array, rows: number, columns: number, columnOfRow: Int32Array, fixedRows = 0): boolean {
    this.#rowPrice.fill(0, 0, rows);
    this.#columnPrice.fill(0, 0, columns);
    this.#rowOfColumn.fill(UNASSIGNED, 0, columns);
    for (let row = 0; row < fixedRows; row++) this.#rowOfColumn[columnOfRow[row]!] = row;
    for (let row = fixedRows; row < rows; row++) columnOfRow[row] = UNASSIGNED;
    for (let row = fixedRows; row < rows; row++) {
      const sink = this.#findPath(costs, rows, columns, row, fixedRows);
      if (sink === UNASSIGNED) return false;
      this.#updatePrices(rows, columns, row, columnOfRow);
      this.#augment(row, sink, columnOfRow);
    }
    let cost = 0;
    for (let row = 0; row < rows; row++) cost += costs[row * columns + columnOfRow[row]!]!;
    this.cost = cost;
    return cost < FORBIDDEN;
  }

  /** Dijkstra's search over reduced costs from a free row to the nearest free column, which is returned. */
  #findPath(costs: Float64Array, rows: number, columns: number, start: number, fixedRows: number): number {
    this.#pathLength.fill(FORBIDDEN, 0, columns);
    this.#columnIsSettled.fill(0, 0, columns);
    this.#rowIsOnPath.fill(0, 0, rows);
    let row = start;
    let length = 0;
    for (;;) {
      this.#rowIsOnPath[row] = 1;
      const column = this.#nearestColumn(costs, columns, row, length, fixedRows);
      if (column === UNASSIGNED) return UNASSIGNED;
      this.#columnIsSettled[column] = 1;
      length = this.#pathLength[column]!;
      const next = this.#rowOfColumn[column]!;
      if (next === UNASSIGNED) {
        this.#shortest[0] = length;
        return column;
      }
      row = next;
    }
  }

  /** Extends the paths by `row`, at `length` from the start, and returns the nearest column not settled yet. */
  #nearestColumn(costs: Float64Array, columns: number, row: number, length: number, fixedRows: number): number {
    const offset = row * columns;
    const base = length - this.#rowPrice[row]!;
    let nearest = UNASSIGNED;
    let least = FORBIDDEN;
    for (let column = 0; column < columns; column++) {
      if (this.#columnIsSettled[column] === 1) continue;
      const owner = this.#rowOfColumn[column]!;
      if (owner !== UNASSIGNED && owner < fixedRows) continue;
      const reached = base + costs[offset + column]! - this.#columnPrice[column]!;
      if (reached < this.#pathLength[column]!) {
        this.#pathLength[column] = reached;
        this.#cameFrom[column] = row;
      }
      if (this.#pathLength[column]! < least) {
        least = this.#pathLength[column]!;
        nearest = column;
      }
    }
    return nearest;
  }

  #updatePrices(rows: number, columns: number, start: number, columnOfRow: Int32Array): void {
    const shortest = this.#shortest[0]!;
    this.#rowPrice[start]! += shortest;
    for (let row = 0; row < rows; row++) {
      if (row === start || this.#rowIsOnPath[row] === 0) continue;
      this.#rowPrice[row]! += shortest - this.#pathLength[columnOfRow[row]!]!;
    }
    for (let column = 0; column < columns; column++) {
      if (this.#columnIsSettled[column] === 1) this.#columnPrice[column]! -= shortest - this.#pathLength[column]!;
    }
  }

  /** Turns the path from `sink` back to `start` around. */
  #augment(start: number, sink: number, columnOfRow: Int32Array): void {
    let column = sink;
    for (;;) {
      const row = this.#cameFrom[column]!;
      this.#rowOfColumn[column] = row;
      const before = columnOfRow[row]!;
      columnOfRow[row] = column;
      if (row === start) return;
      column = before;
    }
  }
}
