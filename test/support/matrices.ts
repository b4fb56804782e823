/** Plain loops over row-major matrices, for tests and benchmarks that need no speed. */

/** aᵀ·b, with a inner × rows and b inner × cols. */
export function multiplyTransposeLeft(
  a: Float64Array,
  b: Float64Array,
  inner: number,
  rows: number,
  cols: number,
): Float64Array {
  return Float64Array.from({ length: rows * cols }, (_, index) => {
    const column = index % cols;
    const row = (index - column) / cols;
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += a[k * rows + row]! * b[k * cols + column]!;
    return sum;
  });
}

/** aᵀ, with a rows × cols. */
export function transpose(a: Float64Array, rows: number, cols: number): Float64Array {
  return a.slice(0, rows * cols).map((_, index) => a[(index % rows) * cols + Math.floor(index / rows)]!);
}

export function identity(n: number): Float64Array {
  return new Float64Array(n * n).map((_, index) => (index % (n + 1) === 0 ? 1 : 0));
}
