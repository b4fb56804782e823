/**
 * Turns a, rows × cols with rows ≤ cols, into lower triangular L with L·Lᵀ = a·aᵀ, in place: Householder reflections
 * from the right, each laying one row onto the diagonal. L fills the first `rows` columns, its diagonal is not negative,
 * and the other columns are left unspecified. This is how square-root filters add covariances: a is their factors
 * side by side (Kailath, Sayed & Hassibi, "Linear Estimation", 2000, §12).
 */
export function triangularize(a: Float64Array, rows: number, cols: number): void {
  for (let k = 0; k < rows; k++) reflect(a, rows, cols, k);
}

/** Mirrors rows k and below so that row k becomes (…, length, 0, …). */
function reflect(a: Float64Array, rows: number, cols: number, k: number): void {
  const row = k * cols;
  const head = a[row + k]!;
  let squares = 0;
  for (let j = k + 1; j < cols; j++) squares += a[row + j]! * a[row + j]!;
  if (squares === 0) {
    if (head < 0) flip(a, rows, cols, k);
    return;
  }
  const length = Math.sqrt(head * head + squares);
  // Of the two mirrors the one without cancellation; where it turns the row over, the column's sign is mended.
  const sign = head > 0 ? -1 : 1;
  const weight = 1 / (length * (length + Math.abs(head)));
  a[row + k] = head - sign * length;
  for (let i = k + 1; i < rows; i++) {
    const other = i * cols;
    let projection = 0;
    for (let j = k; j < cols; j++) projection += a[row + j]! * a[other + j]!;
    projection *= weight;
    for (let j = k; j < cols; j++) a[other + j] = a[other + j]! - projection * a[row + j]!;
    a[other + k] = sign * a[other + k]!;
  }
  a[row + k] = length;
  for (let j = k + 1; j < cols; j++) a[row + j] = 0;
}

function flip(a: Float64Array, rows: number, cols: number, k: number): void {
  for (let i = k; i < rows; i++) a[i * cols + k] = -a[i * cols + k]!;
}
