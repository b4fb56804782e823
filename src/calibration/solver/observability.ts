import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import type { ParameterComponent } from "../parameters/parameter-block.js";

/** Some parameters of which the data says nothing, or only their combination. */
export interface UnobservableDirection {
  /** Names of the components that take part, the strongest first. */
  readonly parameters: readonly string[];
  /** Their shares, in units of each one's usual spread. */
  readonly shares: readonly number[];
  /** In words. */
  readonly sentence: string;
}

/** What the data determines and what it does not. */
export interface Observability {
  readonly rank: number;
  /** Largest over smallest eigenvalue of the information matrix with unit diagonal; Infinity if it is singular. */
  readonly condition: number;
  readonly unobservable: readonly UnobservableDirection[];
  /** Inverse of the information matrix on what is observable. */
  readonly covariance: Float64Array;
  /** Standard deviation of each column; Infinity where the parameter takes part in an unobservable direction. */
  readonly sigmas: Float64Array;
}

/**
 * A direction counts as determined if the data narrows it to less than three times the usual spread of a robot fresh from
 * maintenance: 1/3² of information in units of the spreads. Exact freedoms have 1e-7 by rounding, or a little where gravity's
 * pull on the hand gives them away by micrometres; the weakest direction of a good recording has more than 1.
 */
const LEAST_INFORMATION = 1 / 9;
/** Directions of up to so many times that information are weak, too. */
const LIKE = 10;
/** A component takes part in a direction from this part of the strongest one on. */
const PART = 0.03;
/** More names than this make no sentence. */
const MAX_NAMES = 8;

/**
 * Takes the information matrix JᵀJ apart, in units of each parameter's usual spread: so radians and pixels compare, and small
 * eigenvalues have a meaning. What is below the limit is left out of the covariance and named; nothing is made up for it.
 */
export function analyseObservability(
  information: Float64Array,
  components: readonly ParameterComponent[],
): Observability {
  const n = components.length;
  const spreads = Float64Array.from(components, ({ spread }) => spread);
  const { values, vectors } = eigen(information, spreads);
  const isSeen = values.map((value) => value >= LEAST_INFORMATION);
  const rank = isSeen.filter(Boolean).length;
  const covariance = pseudoInverse(values, vectors, isSeen, spreads);
  const unobservable = weakestDirections(values, vectors, n - rank).map((direction) => describe(direction, components));
  const lost = new Set(unobservable.flatMap(({ parameters }) => parameters));
  return {
    rank,
    condition: rank < n ? Number.POSITIVE_INFINITY : conditionOf(information, n),
    unobservable,
    covariance,
    sigmas: Float64Array.from(components, ({ name }, i) =>
      lost.has(name) ? Number.POSITIVE_INFINITY : Math.sqrt(covariance[i * n + i]!),
    ),
  };
}

/**
 * The directions of which the data says least, each of as few parameters as possible. Eigenvectors of like eigenvalues are
 * mixtures of one another (the left arm's weakness with the right one's); the basis is therefore taken of all weak ones.
 */
function weakestDirections(values: readonly number[], vectors: Matrix, count: number): Float64Array[] {
  if (count === 0) return [];
  const weak = [...values.keys()].filter((k) => values[k]! < LIKE * LEAST_INFORMATION);
  const basis = sparseBasis(weak.map((k) => Float64Array.from(vectors.getColumn(k))));
  const rated = basis.map((direction) => {
    let [information, length] = [0, 0];
    for (const k of values.keys()) {
      const share = vectors.getColumn(k).reduce((sum, value, i) => sum + value * direction[i]!, 0);
      information += values[k]! * share * share;
      length += share * share;
    }
    return { direction, information: information / length };
  });
  return rated
    .sort((a, b) => a.information - b.information)
    .slice(0, count)
    .map(({ direction }) => direction);
}

function eigen(information: Float64Array, scale: Float64Array): { values: number[]; vectors: Matrix } {
  const n = scale.length;
  const scaled = new Matrix(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) scaled.set(i, j, information[i * n + j]! * scale[i]! * scale[j]!);
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(scaled, { assumeSymmetric: true });
  return { values: realEigenvalues, vectors: eigenvectorMatrix };
}

/** Of the matrix scaled to unit diagonal, whatever the units. */
function conditionOf(information: Float64Array, n: number): number {
  const scale = Float64Array.from({ length: n }, (_, i) => 1 / Math.sqrt(information[i * n + i]!));
  const { values } = eigen(information, scale);
  return Math.max(...values) / Math.min(...values);
}

/** Correlation matrix of a covariance, row-major; zero where a variance is. */
export function correlations(covariance: Float64Array, n: number): Float64Array {
  return covariance.map((value, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    const product = covariance[i * n + i]! * covariance[j * n + j]!;
    return product > 0 ? value / Math.sqrt(product) : 0;
  });
}

function pseudoInverse(
  values: readonly number[],
  vectors: Matrix,
  isSeen: readonly boolean[],
  scale: Float64Array,
): Float64Array {
  const n = scale.length;
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    if (!isSeen[k]) continue;
    const column = vectors.getColumn(k);
    for (let i = 0; i < n; i++) {
      const a = (column[i]! * scale[i]!) / values[k]!;
      for (let j = 0; j < n; j++) out[i * n + j] = out[i * n + j]! + a * column[j]! * scale[j]!;
    }
  }
  return out;
}

/**
 * Another basis of the same space in which each vector has as few entries as elimination with pivots gives: a freedom then
 * shows the few parameters it is about, not a mixture of all freedoms.
 */
function sparseBasis(basis: readonly Float64Array[]): Float64Array[] {
  const rows = basis.map((row) => row.slice());
  for (const [k, row] of rows.entries()) {
    const pivotRow = rows.slice(k).reduce((best, other) => (peak(other) > peak(best) ? other : best), row);
    const at = rows.indexOf(pivotRow);
    [rows[k], rows[at]] = [pivotRow, row];
    const pivot = pivotRow.findIndex((value) => Math.abs(value) === peak(pivotRow));
    const top = pivotRow[pivot]!;
    for (let i = 0; i < pivotRow.length; i++) pivotRow[i] = pivotRow[i]! / top;
    for (const other of rows) {
      const factor = other[pivot]!;
      if (other === pivotRow || factor === 0) continue;
      for (let i = 0; i < other.length; i++) other[i] = other[i]! - factor * pivotRow[i]!;
    }
  }
  return rows;
}

function peak(row: Float64Array): number {
  return row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function describe(direction: Float64Array, components: readonly ParameterComponent[]): UnobservableDirection {
  const strongest = peak(direction);
  const parts = [...direction.keys()]
    .filter((i) => Math.abs(direction[i]!) >= PART * strongest)
    .sort((a, b) => Math.abs(direction[b]!) - Math.abs(direction[a]!));
  const words = parts.slice(0, MAX_NAMES).map((i) => components[i]!.words);
  return {
    parameters: parts.map((i) => components[i]!.name),
    shares: parts.map((i) => direction[i]!),
    sentence: sentenceOf(words, parts.length - words.length),
  };
}

function sentenceOf(words: readonly string[], more: number): string {
  if (words.length === 1) return `${words[0]} cannot be determined from this data`;
  const others = more > 0 ? ` and ${more} more` : "";
  const list = more > 0 ? words.join(", ") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  return `${list}${others} cannot be distinguished with these configurations`;
}
