/**
 * The factors of the active constraints in the metric of the Hessian (Goldfarb & Idnani 1983, section 4): a matrix J with
 * J·Jᵀ = H⁻¹ and Jᵀ·N = [R; 0], where the columns of N are the normals of the active constraints and R is triangular.
 * The first `size` columns of J span the active normals in that metric, the others the directions still free.
 */
export class ActiveFactor {
  readonly n: number;
  /** Number of active constraints. */
  size = 0;
  /** Jᵀ, row-major: row j is column j of J. */
  readonly transform: Float64Array;
  /** R by columns: entry (i, k), i ≤ k, at k·n + i. */
  readonly triangle: Float64Array;
  /** L⁻¹ of H = L·Lᵀ: the transform with no active constraint. */
  readonly #inverseLower: Float64Array;
  readonly #reflector: Float64Array;
  #reflectorScale = Number.NaN;
  readonly #row: Float64Array;

  constructor(n: number) {
    this.n = n;
    this.transform = new Float64Array(n * n);
    this.triangle = new Float64Array(n * n);
    this.#inverseLower = new Float64Array(n * n);
    this.#reflector = new Float64Array(n);
    this.#row = new Float64Array(n);
  }

  /** Takes a new Hessian (row-major, lower triangle read). False, with the factor unusable, if it is not positive definite. */
  setHessian(hessian: Float64Array): boolean {
    return factorLower(hessian, this.n, this.transform) && invertLower(this.transform, this.n, this.#inverseLower);
  }

  /** Empties the active set. */
  restart(): void {
    this.transform.set(this.#inverseLower);
    this.size = 0;
  }

  /** out = Jᵀ·a for the normal a = rows[offset … offset + n). */
  projectRow(rows: Float64Array, offset: number, out: Float64Array): void {
    const n = this.n;
    const transform = this.transform;
    for (let j = 0, at = 0; j < n; j++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += transform[at++]! * rows[offset + i]!;
      out[j] = sum;
    }
  }

  /** out = Jᵀ·e for the unit vector e along `axis`: the normal of a bound. */
  projectAxis(axis: number, out: Float64Array): void {
    const n = this.n;
    const transform = this.transform;
    for (let j = 0; j < n; j++) out[j] = transform[j * n + axis]!;
  }

  /** out = Σ weights[j] · column j of J over first ≤ j < end. */
  combine(weights: Float64Array, first: number, end: number, out: Float64Array): void {
    const n = this.n;
    const transform = this.transform;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = first, at = first * n + i; j < end; j++, at += n) sum += weights[j]! * transform[at]!;
      out[i] = sum;
    }
  }

  /** Solves R·out = right, `size` numbers. */
  solveTriangle(right: Float64Array, out: Float64Array): void {
    const n = this.n;
    const r = this.triangle;
    for (let k = this.size - 1; k >= 0; k--) {
      let sum = right[k]!;
      for (let j = k + 1; j < this.size; j++) sum -= r[j * n + k]! * out[j]!;
      out[k] = sum / r[k * n + k]!;
    }
  }

  /** Solves Rᵀ·out = right, `size` numbers. */
  solveTriangleTransposed(right: Float64Array, out: Float64Array): void {
    const n = this.n;
    const r = this.triangle;
    for (let k = 0; k < this.size; k++) {
      let sum = right[k]!;
      for (let i = 0; i < k; i++) sum -= r[k * n + i]! * out[i]!;
      out[k] = sum / r[k * n + k]!;
    }
  }

  /** Appends the constraint whose projected normal is `projected` = Jᵀ·a, by one Householder reflection of the free columns. */
  add(projected: Float64Array): void {
    const n = this.n;
    const triangle = this.triangle;
    const first = this.size;
    let squared = 0;
    for (let j = first; j < n; j++) squared += projected[j]! * projected[j]!;
    const head = projected[first]!;
    const diagonal = head > 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
    const column = first * n;
    for (let i = 0; i < first; i++) triangle[column + i] = projected[i]!;
    triangle[column + first] = diagonal;
    this.size = first + 1;
    const scale = squared - head * diagonal;
    if (!(scale > 0)) return;
    this.#reflectorScale = 1 / scale;
    this.#reflector[first] = head - diagonal;
    for (let j = first + 1; j < n; j++) this.#reflector[j] = projected[j]!;
    this.#reflect(first);
  }

  /** Rows first … n − 1 of Jᵀ ← (I − scale·v·vᵀ)·those rows, with the reflector v. */
  #reflect(first: number): void {
    const n = this.n;
    const v = this.#reflector;
    const sum = this.#row;
    const transform = this.transform;
    const scale = this.#reflectorScale;
    this.combine(v, first, n, sum);
    for (let j = first; j < n; j++) {
      const weight = v[j]! * scale;
      const row = j * n;
      for (let i = 0; i < n; i++) transform[row + i] = transform[row + i]! - weight * sum[i]!;
    }
  }

  /** Removes the active constraint at `position`, restoring the triangle by Givens rotations. */
  drop(position: number): void {
    const n = this.n;
    const r = this.triangle;
    const last = this.size - 1;
    for (let k = position; k < last; k++) {
      const from = (k + 1) * n;
      for (let i = 0; i <= k + 1; i++) r[k * n + i] = r[from + i]!;
    }
    for (let k = position; k < last; k++) this.#rotate(k, last);
    this.size = last;
  }

  /** Rotates rows k and k + 1 so that the entry under the diagonal of column k vanishes. */
  #rotate(k: number, columns: number): void {
    const n = this.n;
    const r = this.triangle;
    const above = r[k * n + k]!;
    const below = r[k * n + k + 1]!;
    const length = Math.sqrt(above * above + below * below);
    if (below === 0 || length === 0) return;
    const c = above / length;
    const s = below / length;
    r[k * n + k] = length;
    for (let j = k + 1, at = j * n + k; j < columns; j++, at += n) {
      const a = r[at]!;
      const b = r[at + 1]!;
      r[at] = c * a + s * b;
      r[at + 1] = c * b - s * a;
    }
    const transform = this.transform;
    for (let at = k * n; at < (k + 1) * n; at++) {
      const a = transform[at]!;
      const b = transform[at + n]!;
      transform[at] = c * a + s * b;
      transform[at + n] = c * b - s * a;
    }
  }
}

/** A pivot smaller than this part of its diagonal element means a Hessian singular to working precision. */
const smallestRelativePivot = 1e-14;

/** out = L of the Cholesky factorisation a = L·Lᵀ (lower triangle). False if a is not positive definite, or holds a NaN. */
function factorLower(a: Float64Array, n: number, out: Float64Array): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = a[row + j]!;
      for (let k = 0; k < j; k++) sum -= out[row + k]! * out[other + k]!;
      if (j < i) out[row + j] = sum / out[other + j]!;
      else if (sum > smallestRelativePivot * a[row + i]! && sum > Number.MIN_VALUE) out[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** out = L⁻¹ (lower triangle, zeros above). False if a number overflows. */
function invertLower(lower: Float64Array, n: number, out: Float64Array): boolean {
  let sumOfDiagonal = 0;
  for (let i = 0; i < n; i++) {
    const inverse = 1 / lower[i * n + i]!;
    sumOfDiagonal += inverse;
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= lower[i * n + k]! * out[k * n + j]!;
      out[i * n + j] = sum * inverse;
    }
    out[i * n + i] = inverse;
    for (let j = i + 1; j < n; j++) out[i * n + j] = 0;
  }
  return Number.isFinite(sumOfDiagonal);
}
