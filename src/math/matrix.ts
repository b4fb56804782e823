/**
 * Small dense matrices, row-major in `Float64Array`, their sizes passed as arguments. `out` is trailing, may be an
 * input, and is returned. It may be longer than the result, so that one workspace serves several sizes. Two *different*
 * views that overlap in memory are not told apart: only `out === input` is safe.
 */

/** Holds a product whose `out` is one of its factors; grows to the largest such product and then stays. */
let scratch = new Float64Array(144);

/** Where a result of `size` numbers may be written without spoiling its inputs. */
function target(a: Float64Array, b: Float64Array, size: number, out: Float64Array): Float64Array {
  if (out !== a && out !== b) return out;
  if (scratch.length < size) scratch = new Float64Array(size);
  return scratch;
}

function deliver(result: Float64Array, size: number, out: Float64Array): Float64Array {
  if (result !== out) for (let i = 0; i < size; i++) out[i] = result[i]!;
  return out;
}

/**
 * rows × cols product, with b given by the distances between its rows and columns, so that a transposed one needs no
 * copy. Four columns at a time: twice as fast at 12 × 12, for a's entries are read a quarter as often.
 */
function product(
  a: Float64Array,
  b: Float64Array,
  bRow: number,
  bCol: number,
  rows: number,
  inner: number,
  cols: number,
  out: Float64Array,
): Float64Array {
  const result = target(a, b, rows * cols, out);
  for (let i = 0, o = 0; i < rows; i++) {
    let j = 0;
    for (; j + 3 < cols; j += 4, o += 4) {
      const b0 = j * bCol;
      const b1 = b0 + bCol;
      const b2 = b1 + bCol;
      const b3 = b2 + bCol;
      let sum0 = 0;
      let sum1 = 0;
      let sum2 = 0;
      let sum3 = 0;
      for (let k = 0, ia = i * inner, ib = 0; k < inner; k++, ia++, ib += bRow) {
        const entry = a[ia]!;
        sum0 += entry * b[ib + b0]!;
        sum1 += entry * b[ib + b1]!;
        sum2 += entry * b[ib + b2]!;
        sum3 += entry * b[ib + b3]!;
      }
      result[o] = sum0;
      result[o + 1] = sum1;
      result[o + 2] = sum2;
      result[o + 3] = sum3;
    }
    for (; j < cols; j++, o++) {
      let sum = 0;
      for (let k = 0, ia = i * inner, ib = j * bCol; k < inner; k++, ia++, ib += bRow) sum += a[ia]! * b[ib]!;
      result[o] = sum;
    }
  }
  return deliver(result, rows * cols, out);
}

/** a·b, with a rows × inner and b inner × cols. */
export function multiply(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
  out: Float64Array,
): Float64Array {
  return product(a, b, cols, 1, rows, inner, cols, out);
}

/** a·bᵀ, with a rows × inner and b cols × inner. */
export function multiplyTransposeRight(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  cols: number,
  out: Float64Array,
): Float64Array {
  return product(a, b, 1, inner, rows, inner, cols, out);
}

/** a·x, with a rows × cols. */
export function multiplyVector(
  a: Float64Array,
  x: Float64Array,
  rows: number,
  cols: number,
  out: Float64Array,
): Float64Array {
  return multiply(a, x, rows, cols, 1, out);
}

/** (a + aᵀ) / 2, with a n × n. */
export function symmetrize(a: Float64Array, n: number, out: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const mean = (a[i * n + j]! + a[j * n + i]!) / 2;
      out[i * n + j] = mean;
      out[j * n + i] = mean;
    }
  }
  return out;
}
