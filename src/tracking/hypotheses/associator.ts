import { FORBIDDEN } from "./assignment.js";
import type { Hypothesis, HypothesisSet } from "./hypothesis.js";
import type { KBestAssignments } from "./k-best.js";
import { NOTHING } from "./track-node.js";

/** No entry in a table. */
export const NONE = -1;

/**
 * What each of some items, tracks or parts of their explanation, may take of the measurements of one image, how likely
 * that is, and what came of it.
 */
export class ChoiceTable {
  /** Items in use, and measurements. */
  items = 0;
  measurements = 0;
  readonly maxItems: number;
  readonly maxMeasurements: number;
  /** Log-likelihood ratio of taking a measurement against its being false; −Infinity where it is out of the question. */
  readonly #taking: Float64Array;
  /** The same of taking none. [item] */
  readonly #missing: Float64Array;
  /** Result of each choice, the last column for none. */
  readonly #result: Int32Array;
  /** Which measurements any item may take. [measurement] */
  readonly isWanted: Uint8Array;

  constructor(maxItems: number, maxMeasurements: number) {
    this.maxItems = maxItems;
    this.maxMeasurements = maxMeasurements;
    this.#taking = new Float64Array(maxItems * maxMeasurements);
    this.#missing = new Float64Array(maxItems);
    this.#result = new Int32Array(maxItems * (maxMeasurements + 1));
    this.isWanted = new Uint8Array(maxMeasurements);
  }

  reset(measurements: number): void {
    this.items = 0;
    this.measurements = measurements;
    this.isWanted.fill(0, 0, measurements);
  }

  /** A new item that may take nothing and misses nothing; `NONE` if there is no room. */
  add(): number {
    if (this.items === this.maxItems) return NONE;
    const item = this.items++;
    const start = item * this.maxMeasurements;
    this.#taking.fill(Number.NEGATIVE_INFINITY, start, start + this.measurements);
    this.#missing[item] = 0;
    const first = item * (this.maxMeasurements + 1);
    this.#result.fill(NONE, first, first + this.maxMeasurements + 1);
    return item;
  }

  setTaking(item: number, measurement: number, logRatio: number): void {
    this.#taking[item * this.maxMeasurements + measurement] = logRatio;
    this.isWanted[measurement] = 1;
  }

  setMissing(item: number, logRatio: number): void {
    this.#missing[item] = logRatio;
  }

  /** Log-likelihood ratio of a choice; `NOTHING` takes none. */
  logRatio(item: number, measurement: number): number {
    return measurement === NOTHING ? this.#missing[item]! : this.#taking[item * this.maxMeasurements + measurement]!;
  }

  result(item: number, measurement: number): number {
    return this.#result[this.#place(item, measurement)]!;
  }

  setResult(item: number, measurement: number, result: number): void {
    this.#result[this.#place(item, measurement)] = result;
  }

  #place(item: number, measurement: number): number {
    return item * (this.maxMeasurements + 1) + (measurement === NOTHING ? this.maxMeasurements : measurement);
  }
}

/** Makes what comes of a choice; asked once for each. */
export interface Resolver {
  /** Number of the item's explanation with this measurement; `NONE` if there is no room for it. */
  resolve(item: number, measurement: number): number;
}

/**
 * Explains the measurements of one image: each hypothesis' tracks take one or none, no two the same, in the most probable
 * ways of all hypotheses together. Those become the hypotheses of the output, best first.
 */
export class Associator {
  readonly #kBest: KBestAssignments;
  readonly #logPruneRatio: number;
  /** The measurements that any track may take, and how many. */
  readonly #columns: Int32Array;
  #columnCount = 0;

  constructor(kBest: KBestAssignments, maxMeasurements: number, pruneRatio: number) {
    this.#kBest = kBest;
    this.#logPruneRatio = Math.log(pruneRatio);
    this.#columns = new Int32Array(maxMeasurements);
  }

  /**
   * @param input hypotheses whose `nodes` are items of the table
   * @param output the same with `nodes` what the resolver makes of the choices
   */
  associate(input: HypothesisSet, table: ChoiceTable, camera: number, resolver: Resolver, output: HypothesisSet): void {
    this.#collectColumns(table);
    this.#kBest.clear(output.capacity);
    for (let h = 0; h < input.count; h++) this.#pose(input.items[h]!, table);
    output.count = 0;
    output.time = input.time;
    let best = Number.NaN;
    while (this.#kBest.next()) {
      if (output.count === 0) best = this.#kBest.cost;
      if (this.#kBest.cost > best + this.#logPruneRatio) break;
      const parent = input.items[this.#kBest.problem]!;
      if (this.#explain(parent, table, camera, resolver, output.items[output.count]!)) output.count++;
    }
  }

  #collectColumns(table: ChoiceTable): void {
    this.#columnCount = 0;
    for (let m = 0; m < table.measurements; m++) if (table.isWanted[m] === 1) this.#columns[this.#columnCount++] = m;
  }

  /** The assignment problem of one hypothesis: a row for each track, a column for each measurement and for each miss. */
  #pose(hypothesis: Hypothesis, table: ChoiceTable): void {
    const rows = hypothesis.count;
    const wanted = this.#columnCount;
    const columns = wanted + rows;
    const costs = this.#kBest.costs(this.#kBest.add(rows, columns, -hypothesis.logWeight));
    for (let row = 0; row < rows; row++) {
      const item = hypothesis.nodes[row]!;
      const start = row * columns;
      for (let c = 0; c < wanted; c++) costs[start + c] = -table.logRatio(item, this.#columns[c]!);
      for (let c = 0; c < rows; c++) costs[start + wanted + c] = FORBIDDEN;
      costs[start + wanted + row] = -table.logRatio(item, NOTHING);
    }
  }

  /** Writes the solution in hand as a hypothesis; false if there is no room for its nodes. */
  #explain(parent: Hypothesis, table: ChoiceTable, camera: number, resolver: Resolver, out: Hypothesis): boolean {
    out.copy(parent);
    out.logWeight = -this.#kBest.cost;
    const used = out.used[camera]!;
    used.fill(0);
    for (let row = 0; row < parent.count; row++) {
      const column = this.#kBest.columnOfRow[row]!;
      const measurement = column < this.#columnCount ? this.#columns[column]! : NOTHING;
      const item = parent.nodes[row]!;
      let result = table.result(item, measurement);
      if (result === NONE) {
        result = resolver.resolve(item, measurement);
        if (result === NONE) return false;
        table.setResult(item, measurement, result);
      }
      out.nodes[row] = result;
      if (measurement !== NOTHING) used[measurement] = 1;
    }
    return true;
  }
}
