/**
 * Cholesky factorisation A = L·Lᵀ of symmetric positive definite matrices, and what follows from it. Matrices are
 * row-major n × n; `out` is trailing, may be an input, and is returned where there is no status.
 */

/** Outcome of a factorisation. */
export const MatrixStatus = { ok: 0, notPositiveDefinite: 1, rankDeficient: 2 } as const;
export type MatrixStatus = (typeof MatrixStatus)[keyof typeof MatrixStatus];

/**
 * L of A = L·Lᵀ, lower triangular, its upper part zeroed. Only the lower part of `a` is read. A matrix that is not
 * positive definite, or holds NaN or Infinity there, gives `notPositiveDefinite` and an unusable `out`.
 */
export function factor(a: Float64Array, n: number, out: Float64Array): MatrixStatus {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let sum = a[row + j]!;
      for (let k = 0; k < j; k++) sum -= out[row + k]! * out[other + k]!;
      out[row + j] = sum / out[other + j]!;
    }
    let pivot = a[row + i]!;
    for (let k = 0; k < i; k++) pivot -= out[row + k]! * out[row + k]!;
    if (!(pivot > 0 && pivot < Number.POSITIVE_INFINITY)) return MatrixStatus.notPositiveDefinite;
    out[row + i] = Math.sqrt(pivot);
    for (let k = i + 1; k < n; k++) out[row + k] = 0;
  }
  return MatrixStatus.ok;
}

/** x of L·x = b. */
export function solveLower(l: Float64Array, b: Float64Array, n: number, out: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= l[i * n + k]! * out[k]!;
    out[i] = sum / l[i * n + i]!;
  }
  return out;
}

/** x of Lᵀ·x = b. */
function solveLowerTransposed(l: Float64Array, b: Float64Array, n: number, out: Float64Array): Float64Array {
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]!;
    for (let k = i + 1; k < n; k++) sum -= l[k * n + i]! * out[k]!;
    out[i] = sum / l[i * n + i]!;
  }
  return out;
}

/** x of A·x = b, from the factor of A. */
export function solve(l: Float64Array, b: Float64Array, n: number, out: Float64Array): Float64Array {
  solveLower(l, b, n, out);
  return solveLowerTransposed(l, out, n, out);
}

/** L⁻¹, lower triangular, its upper part zeroed. */
export function invertLower(l: Float64Array, n: number, out: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const reciprocal = 1 / l[row + i]!;
    // With out === l, entry (i, j) is overwritten only after every sum that reads it: those of columns up to j.
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum += l[row + k]! * out[k * n + j]!;
      out[row + j] = -sum * reciprocal;
    }
    out[row + i] = reciprocal;
    for (let k = i + 1; k < n; k++) out[row + k] = 0;
  }
  return out;
}

/** A⁻¹ = L⁻ᵀ·L⁻¹, exactly symmetric, from the factor of A. */
export function invert(l: Float64Array, n: number, out: Float64Array): Float64Array {
  invertLower(l, n, out);
  // Row i of the product reads rows i and below only, so it may replace row i.
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = i; k < n; k++) sum += out[k * n + i]! * out[k * n + j]!;
      out[i * n + j] = sum;
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) out[i * n + j] = out[j * n + i]!;
  }
  return out;
}

/** ln det A, from the factor of A. */
export function logDeterminant(l: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(l[i * n + i]!);
  return 2 * sum;
}
