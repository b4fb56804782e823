/**
 * The constraints of a quadratic program and what the solver knows of each: rows with limits on row·x, then the bounds of
 * x itself, in one numbering (row k is constraint k, the bound of x_i is constraint rowCount + i).
 */
export class QuadraticConstraints {
  readonly n: number;
  readonly rowCount: number;
  /** Normals of the rows, row-major rowCount × n; borrowed from the caller for the time of a solve. */
  rows: Float64Array;
  /** Limits of the rows (equal: an equality) and the ℓ1 weight of violating them (Infinity: never). */
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  readonly cap: Float64Array;
  /** Bounds of x. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Positive where the lower limit holds x up, negative where the upper one holds it down. */
  readonly multipliers: Float64Array;
  /** 0 free, ±1 active at its lower/upper limit, ±2 saturated below/above it. */
  readonly activity: Int8Array;
  /** How many rows are saturated. */
  saturatedCount = 0;

  constructor(n: number, rowCount: number) {
    const total = rowCount + n;
    this.n = n;
    this.rowCount = rowCount;
    this.rows = new Float64Array(rowCount * n);
    this.rowLower = new Float64Array(rowCount);
    this.rowUpper = new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY);
    this.cap = new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY);
    this.lower = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
    this.upper = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    this.multipliers = new Float64Array(total);
    this.activity = new Int8Array(total);
  }

  /** The lower (side +1) or upper (side −1) limit of constraint k. */
  limit(k: number, side: number): number {
    if (k < this.rowCount) return side > 0 ? this.rowLower[k]! : this.rowUpper[k]!;
    const i = k - this.rowCount;
    return side > 0 ? this.lower[i]! : this.upper[i]!;
  }

  isEquality(k: number): boolean {
    return this.limit(k, 1) === this.limit(k, -1);
  }

  /** How far the multiplier of constraint k, held at `side`, may still move in the direction `sign`. */
  room(k: number, side: number, sign: number): number {
    const cap = k < this.rowCount ? this.cap[k]! : Number.POSITIVE_INFINITY;
    const end = sign === side || this.isEquality(k) ? cap : 0;
    return end - sign * this.multipliers[k]!;
  }

  /** What constraint k is once its multiplier has come to the end of its range: free at zero, else saturated. */
  settle(k: number): void {
    const multiplier = this.multipliers[k]!;
    const cap = k < this.rowCount ? this.cap[k]! : Number.POSITIVE_INFINITY;
    const saturated = Math.abs(multiplier) > 0.5 * cap;
    this.activity[k] = saturated ? (multiplier > 0 ? 2 : -2) : 0;
    if (saturated) this.saturatedCount++;
    this.multipliers[k] = saturated ? (multiplier > 0 ? cap : -cap) : 0;
  }

  /** Value of row k at x. */
  rowValue(k: number, x: Float64Array): number {
    const { n, rows } = this;
    let sum = 0;
    for (let i = 0, at = k * n; i < n; i++, at++) sum += rows[at]! * x[i]!;
    return sum;
  }

  /** Length of the normal of row k; 1 for a row of zeros. */
  rowLength(k: number): number {
    const { n, rows } = this;
    let squared = 0;
    for (let i = 0, at = k * n; i < n; i++, at++) squared += rows[at]! * rows[at]!;
    return squared > 0 ? Math.sqrt(squared) : 1;
  }

  /** out = g − Σ multiplier·normal over the saturated rows: the gradient with their constant forces in it. */
  tilt(gradient: Float64Array, out: Float64Array): void {
    const { n, rows } = this;
    for (let i = 0; i < n; i++) out[i] = gradient[i]!;
    if (this.saturatedCount === 0) return;
    for (let k = 0; k < this.rowCount; k++) {
      if (this.activity[k]! * this.activity[k]! !== 4) continue;
      const force = this.multipliers[k]!;
      for (let i = 0; i < n; i++) out[i] = out[i]! - force * rows[k * n + i]!;
    }
  }

  /** Puts x on the bounds it is held at, to the last bit, and inside all others. */
  meetBounds(x: Float64Array): void {
    for (let i = 0; i < this.n; i++) {
      const activity = this.activity[this.rowCount + i]!;
      if (activity > 0 || x[i]! < this.lower[i]!) x[i] = this.lower[i]!;
      else if (activity < 0 || x[i]! > this.upper[i]!) x[i] = this.upper[i]!;
    }
  }
}
