/**
 * The constraints of a quadratic program and what the solver knows of each: rows with limits on row·x, then the bounds of
 * x itself, in one numbering (row k is constraint k, the bound of x_i is constraint rowCount + i).
 */
export class QuadraticConstraints {
  readonly n: number;
  readonly rowCount: number;
  /** Normals of the rows, row-major rowCount × n; borrowed from the caller for the time of a solve. */
  rows: Float64Array;
  /** Limits of rows and bounds; equal ones make an equality. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The ℓ1 weight of violating a row: positive, Infinity for never. Bounds are never violated and keep Infinity. */
  readonly cap: Float64Array;
  /** Positive where the lower limit holds x up, negative where the upper one holds it down. */
  readonly multipliers: Float64Array;
  /** Range of the multiplier of a constraint that is held at one of its limits. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** 0 free, ±1 active at its lower/upper limit, ±2 saturated below/above it. */
  readonly activity: Int8Array;
  /** How many rows are saturated. */
  saturatedCount = 0;

  constructor(n: number, rowCount: number) {
    const total = rowCount + n;
    this.n = n;
    this.rowCount = rowCount;
    this.rows = new Float64Array(rowCount * n);
    this.lower = new Float64Array(total).fill(Number.NEGATIVE_INFINITY);
    this.upper = new Float64Array(total).fill(Number.POSITIVE_INFINITY);
    this.cap = new Float64Array(total).fill(Number.POSITIVE_INFINITY);
    this.multipliers = new Float64Array(total);
    this.least = new Float64Array(total);
    this.most = new Float64Array(total);
    this.activity = new Int8Array(total);
  }

  isEquality(k: number): boolean {
    return this.lower[k]! >= this.upper[k]!;
  }

  /** Whether constraint k has a limit on that side: +1 the lower, −1 the upper. */
  hasLimit(k: number, side: number): boolean {
    return side > 0 ? this.lower[k]! > Number.NEGATIVE_INFINITY : this.upper[k]! < Number.POSITIVE_INFINITY;
  }

  /** Fixes the range of the multiplier of constraint k, held at the limit on `side`. */
  holdAt(k: number, side: number): void {
    const isEquality = this.isEquality(k);
    this.least[k] = isEquality || side < 0 ? -this.cap[k]! : 0;
    this.most[k] = isEquality || side > 0 ? this.cap[k]! : 0;
  }

  /** What constraint k is once its multiplier has come to the end of its range: free at zero, else saturated. */
  settle(k: number): void {
    const multiplier = this.multipliers[k]!;
    this.activity[k] = 0;
    this.multipliers[k] = 0;
    if (Math.abs(multiplier) > 0.5 * this.cap[k]!) this.saturate(k, multiplier > 0 ? 1 : -1);
  }

  /** Lets row k pull with its full force; without a finite cap it stays free. */
  saturate(k: number, side: number): void {
    if (!(this.cap[k]! < Number.POSITIVE_INFINITY)) return;
    this.activity[k] = 2 * side;
    this.multipliers[k] = side * this.cap[k]!;
    this.saturatedCount++;
  }

  /** Value of row k at x. */
  rowValue(k: number, x: Float64Array): number {
    const { n, rows } = this;
    let sum = 0;
    for (let i = 0, at = k * n; i < n; i++, at++) sum += rows[at]! * x[i]!;
    return sum;
  }

  /** out = g − Σ multiplier·normal over the saturated rows: the gradient with their constant forces in it. */
  tilt(gradient: Float64Array, out: Float64Array): void {
    const { n, rows, activity } = this;
    for (let i = 0; i < n; i++) out[i] = gradient[i]!;
    if (this.saturatedCount === 0) return;
    for (let k = 0; k < this.rowCount; k++) {
      if (activity[k] !== 2 && activity[k] !== -2) continue;
      const force = this.multipliers[k]!;
      for (let i = 0; i < n; i++) out[i] = out[i]! - force * rows[k * n + i]!;
    }
  }

  /** Puts x on the bounds it is held at, to the last bit, and inside all others. */
  meetBounds(x: Float64Array): void {
    const { lower, upper, activity, rowCount } = this;
    for (let i = 0; i < this.n; i++) {
      const k = rowCount + i;
      if (activity[k]! > 0 || x[i]! < lower[k]!) x[i] = lower[k]!;
      else if (activity[k]! < 0 || x[i]! > upper[k]!) x[i] = upper[k]!;
    }
  }
}
