/**
 * Log-probability of a successful catch over the catch time: tabulated once per prediction and interpolated by a natural
 * cubic spline, so that the solver sees a twice differentiable function at the cost of a table look-up.
 */
export class SuccessCurve {
  readonly from: number;
  readonly #step: number;
  readonly #value: Float64Array;
  /** Second derivatives at the knots. */
  readonly #bend: Float64Array;

  /** `values[i]` belongs to time from + i·step; at least two of them. */
  constructor(from: number, step: number, values: Float64Array) {
    this.from = from;
    this.#step = step;
    this.#value = values;
    this.#bend = naturalSplineBends(values, step);
  }

  get to(): number {
    return this.from + this.#step * (this.#value.length - 1);
  }

  /** log P of catching at `t`; linear beyond the ends of the table. */
  logProbability(t: number): number {
    const k = this.#interval(t);
    const h = this.#step;
    const clamped = Math.min(this.to, Math.max(this.from, t));
    const b = (clamped - this.from) / h - k;
    const a = 1 - b;
    const bends = (a * a * a - a) * this.#bend[k]! + (b * b * b - b) * this.#bend[k + 1]!;
    const inside = a * this.#value[k]! + b * this.#value[k + 1]! + (bends * h * h) / 6;
    return inside + (t - clamped) * (t === clamped ? 0 : this.slope(clamped));
  }

  /** d log P / dt. */
  slope(t: number): number {
    const k = this.#interval(t);
    const h = this.#step;
    const clamped = Math.min(this.to, Math.max(this.from, t));
    const b = (clamped - this.from) / h - k;
    const a = 1 - b;
    const bends = (3 * b * b - 1) * this.#bend[k + 1]! - (3 * a * a - 1) * this.#bend[k]!;
    return (this.#value[k + 1]! - this.#value[k]!) / h + (bends * h) / 6;
  }

  #interval(t: number): number {
    const last = this.#value.length - 2;
    return Math.min(last, Math.max(0, Math.floor((t - this.from) / this.#step)));
  }
}

/** Second derivatives of the natural cubic spline through equidistant values (a tridiagonal system, Thomas' algorithm). */
function naturalSplineBends(values: Float64Array, step: number): Float64Array {
  const count = values.length;
  const bends = new Float64Array(count);
  const upper = new Float64Array(count);
  for (let i = 1; i < count - 1; i++) {
    const right = (6 * (values[i + 1]! - 2 * values[i]! + values[i - 1]!)) / (step * step);
    const pivot = 4 - upper[i - 1]!;
    upper[i] = 1 / pivot;
    bends[i] = (right - bends[i - 1]!) / pivot;
  }
  for (let i = count - 2; i > 0; i--) bends[i]! -= upper[i]! * bends[i + 1]!;
  return bends;
}
