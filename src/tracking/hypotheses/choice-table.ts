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
