import { MatrixStatus } from "./cholesky.js";

/**
 * Least squares by column-pivoted Householder QR: A·P = Q·R, with |R₀₀| ≥ |R₁₁| ≥ … (Businger & Golub, 1965). Sized at
 * construction; factoring and solving allocate nothing.
 *
 * @example
 * const qr = new QrWorkspace(20, 3);
 * if (qr.factor(jacobian) === MatrixStatus.ok) qr.solve(residuals, step);
 */
export class QrWorkspace {
  readonly rows: number;
  readonly cols: number;
  /** Diagonal of R, min(rows, cols) numbers of falling size; zero from the rank on. */
  readonly diagonal: Float64Array;
  /** Which column of A is column j of A·P. */
  readonly permutation: Int32Array;
  /** Numerical rank of the matrix factored last. */
  #rank = 0;
  #finite = false;
  /** Columns one after the other: R above the diagonal, the Householder vectors from it downwards. */
  readonly #columns: Float64Array;
  /** 2 / |v|² of each Householder vector. */
  readonly #weights: Float64Array;
  /** Squared length of what remains of each column. */
  readonly #remaining: Float64Array;
  readonly #rhs: Float64Array;

  constructor(rows: number, cols: number) {
    if (!(Number.isInteger(rows) && rows > 0 && Number.isInteger(cols) && cols > 0)) {
      throw new RangeError(`size: expected positive integers, found ${rows} × ${cols}`);
    }
    this.rows = rows;
    this.cols = cols;
    this.diagonal = new Float64Array(Math.min(rows, cols));
    this.permutation = new Int32Array(cols);
    this.#columns = new Float64Array(rows * cols);
    this.#weights = new Float64Array(cols);
    this.#remaining = new Float64Array(cols);
    this.#rhs = new Float64Array(rows);
  }

  /**
   * Factors a, row-major rows × cols and left as it is. `rankDeficient` if the columns are dependent to within
   * rounding, if rows < cols, or if an entry is NaN or infinite.
   */
  factor(a: Float64Array): MatrixStatus {
    this.#load(a);
    this.diagonal.fill(0);
    this.#rank = 0;
    if (!this.#finite) return MatrixStatus.rankDeficient;
    let tolerance = 0;
    for (let k = 0; k < this.diagonal.length; k++) {
      this.#bringLongestTo(k);
      const length = Math.sqrt(this.#remaining[k]!);
      if (!(length > tolerance)) break;
      if (k === 0) tolerance = Math.max(this.rows, this.cols) * Number.EPSILON * length;
      this.#reflect(k);
      this.#rank++;
    }
    return this.#rank === this.cols ? MatrixStatus.ok : MatrixStatus.rankDeficient;
  }

  /**
   * The x of least |A·x − b|. Where the columns are dependent, the basic solution: those left out get zero. After a
   * matrix that was not finite, NaN.
   */
  solve(b: Float64Array, out: Float64Array): Float64Array {
    if (!this.#finite) return out.fill(Number.NaN, 0, this.cols);
    const rhs = this.#rhs;
    for (let i = 0; i < this.rows; i++) rhs[i] = b[i]!;
    for (let k = 0; k < this.#rank; k++) this.#applyReflection(k, rhs, 0);
    return this.#substitute(out);
  }

  #load(a: Float64Array): void {
    this.#finite = true;
    for (let j = 0; j < this.cols; j++) {
      let squares = 0;
      for (let i = 0; i < this.rows; i++) {
        const entry = a[i * this.cols + j]!;
        this.#columns[j * this.rows + i] = entry;
        squares += entry * entry;
      }
      this.#remaining[j] = squares;
      this.permutation[j] = j;
      if (!(squares < Number.POSITIVE_INFINITY)) this.#finite = false;
    }
  }

  #bringLongestTo(k: number): void {
    let longest = k;
    for (let j = k + 1; j < this.cols; j++) if (this.#remaining[j]! > this.#remaining[longest]!) longest = j;
    if (longest === k) return;
    const { rows } = this;
    for (let i = 0; i < rows; i++) exchange(this.#columns, k * rows + i, longest * rows + i);
    exchange(this.#remaining, k, longest);
    exchange(this.permutation, k, longest);
  }

  /** Turns what remains of column k onto the axis k, and the columns after it with it. */
  #reflect(k: number): void {
    const start = k * this.rows;
    const length = Math.sqrt(this.#remaining[k]!);
    const head = this.#columns[start + k]!;
    // Of the two mirrors, the one that adds to the head: no cancellation.
    const diagonal = head > 0 ? -length : length;
    this.diagonal[k] = diagonal;
    this.#columns[start + k] = head - diagonal;
    this.#weights[k] = 1 / (length * (length + Math.abs(head)));
    for (let j = k + 1; j < this.cols; j++) {
      this.#applyReflection(k, this.#columns, j * this.rows);
      this.#measureRemaining(j, k + 1);
    }
  }

  /** Mirrors the column that begins at `start` of `target`. */
  #applyReflection(k: number, target: Float64Array, start: number): void {
    const v = this.#columns;
    const { rows } = this;
    const offset = k * rows;
    let projection = 0;
    for (let i = k; i < rows; i++) projection += v[offset + i]! * target[start + i]!;
    projection *= this.#weights[k]!;
    for (let i = k; i < rows; i++) target[start + i] = target[start + i]! - projection * v[offset + i]!;
  }

  /** Measured anew at each step: LAPACK's downdating is cheaper and needs a guard against its cancellation. */
  #measureRemaining(j: number, firstRow: number): void {
    let squares = 0;
    for (let i = j * this.rows + firstRow; i < (j + 1) * this.rows; i++)
      squares += this.#columns[i]! * this.#columns[i]!;
    this.#remaining[j] = squares;
  }

  /** Back substitution with the leading rank × rank part of R. */
  #substitute(out: Float64Array): Float64Array {
    const rhs = this.#rhs;
    for (let i = this.#rank - 1; i >= 0; i--) {
      let sum = rhs[i]!;
      for (let j = i + 1; j < this.#rank; j++) sum -= this.#columns[j * this.rows + i]! * rhs[j]!;
      rhs[i] = sum / this.diagonal[i]!;
    }
    for (let j = 0; j < this.cols; j++) out[this.permutation[j]!] = j < this.#rank ? rhs[j]! : 0;
    return out;
  }
}

function exchange(a: Float64Array | Int32Array, i: number, j: number): void {
  const kept = a[i]!;
  a[i] = a[j]!;
  a[j] = kept;
}
