import { type BallBelief, BELIEF_SIZE, copyBelief } from "../filter/ball-belief.js";
import { triangularize } from "../filter/triangularize.js";

/** Least diagonal of a factor of which a logarithm is taken. */
const LEAST = 1e-12;

/**
 * Replaces two weighed beliefs of one time by the one normal distribution with their common mean and covariance. Weights
 * are natural logarithms of probabilities, which need not sum to one. `entries` are the numbers that are not known.
 */
export class BeliefMixture {
  readonly #entries: readonly number[];
  readonly #width: number;
  readonly #columns: Float64Array;
  readonly #mean = new Float64Array(BELIEF_SIZE);

  constructor(entries: readonly number[]) {
    this.#entries = entries;
    this.#width = 2 * entries.length + 1;
    this.#columns = new Float64Array(entries.length * this.#width);
  }

  /** Writes the mixture to `out`, which may be either of the two; returns the logarithm of its weight. */
  merge(a: BallBelief, logA: number, b: BallBelief, logB: number, out: BallBelief): number {
    const logSum = logAdd(logA, logB);
    if (!(logB > Number.NEGATIVE_INFINITY)) {
      copyBelief(a, out);
      return logSum;
    }
    if (!(logA > Number.NEGATIVE_INFINITY)) {
      copyBelief(b, out);
      return logSum;
    }
    this.#mix(a, Math.exp(logA - logSum), b, Math.exp(logB - logSum));
    if (out !== a) copyBelief(a, out);
    const entries = this.#entries;
    for (let r = 0; r < entries.length; r++) {
      const entry = entries[r]!;
      out.mean[entry] = this.#mean[r]!;
      for (let c = 0; c <= r; c++) {
        out.factor[entry * BELIEF_SIZE + entries[c]!] = this.#columns[r * this.#width + c]!;
      }
    }
    return logSum;
  }

  /**
   * Upper bound of what is lost by merging, in nats: Runnalls, "Kullback–Leibler approach to Gaussian mixture reduction",
   * 2007, eq. 21.
   */
  cost(a: BallBelief, logA: number, b: BallBelief, logB: number): number {
    const logSum = logAdd(logA, logB);
    const share = Math.exp(logA - logSum);
    this.#mix(a, share, b, 1 - share);
    let logs = 0;
    for (let r = 0; r < this.#entries.length; r++) {
      const entry = this.#entries[r]!;
      const merged = Math.log(Math.max(this.#columns[r * (this.#width + 1)]!, LEAST));
      logs += merged - share * logDiagonal(a, entry) - (1 - share) * logDiagonal(b, entry);
    }
    return Math.exp(logSum) * logs;
  }

  /** Mean, and factor in the first columns: [√w·S_a | √(1 − w)·S_b | √(w·(1 − w))·(x_a − x_b)], made triangular. */
  #mix(a: BallBelief, shareA: number, b: BallBelief, shareB: number): void {
    const [rootA, rootB] = [Math.sqrt(shareA), Math.sqrt(shareB)];
    const entries = this.#entries;
    const columns = this.#columns;
    const size = entries.length;
    for (let r = 0; r < size; r++) {
      const row = r * this.#width;
      const entry = entries[r]!;
      for (let c = 0; c < size; c++) {
        columns[row + c] = rootA * a.factor[entry * BELIEF_SIZE + entries[c]!]!;
        columns[row + size + c] = rootB * b.factor[entry * BELIEF_SIZE + entries[c]!]!;
      }
      columns[row + 2 * size] = rootA * rootB * (a.mean[entry]! - b.mean[entry]!);
      this.#mean[r] = shareA * a.mean[entry]! + shareB * b.mean[entry]!;
    }
    triangularize(columns, size, this.#width);
  }
}

function logDiagonal({ factor }: BallBelief, r: number): number {
  return Math.log(Math.max(Math.abs(factor[r * (BELIEF_SIZE + 1)]!), LEAST));
}

/** ln(eᵃ + eᵇ) */
export function logAdd(a: number, b: number): number {
  const most = Math.max(a, b);
  if (!(most > Number.NEGATIVE_INFINITY)) return most;
  return most + Math.log(Math.exp(a - most) + Math.exp(b - most));
}
