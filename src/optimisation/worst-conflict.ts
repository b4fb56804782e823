import type { QuadraticConstraints } from "./quadratic-constraints.js";

/** Conflicts below this, relative to the constraint's own size, are rounding. */
const precision = 1e-13;

/**
 * The constraint most at odds with a point, as a distance in x: a free one that is violated and must be pushed back to its
 * limit, or a saturated one that is past its limit and has to let go.
 */
export class WorstConflict {
  index = -1;
  /** How far the constraint's value has to go to its limit, signed. */
  gap = Number.NaN;
  /** Which limit: +1 the lower, −1 the upper. */
  side = 0;
  #distance = Number.NaN;
  /** Largest component of x: the size of rounding in a row's value. */
  #reach = Number.NaN;

  /** Looks through all constraints that are not active; false if none is in conflict. */
  find(constraints: QuadraticConstraints, x: Float64Array): boolean {
    this.index = -1;
    this.#distance = 0;
    this.#searchBounds(constraints, x);
    this.#searchRows(constraints, x);
    return this.index >= 0;
  }

  #searchBounds({ activity, rowCount, lower, upper }: QuadraticConstraints, x: Float64Array): void {
    let reach = 0;
    for (let i = 0; i < x.length; i++) {
      const value = x[i]!;
      const k = rowCount + i;
      reach = Math.max(reach, Math.abs(value));
      if ((value >= lower[k]! && value <= upper[k]!) || activity[k] !== 0) continue;
      const side = value < lower[k]! ? 1 : -1;
      const limit = side > 0 ? lower[k]! : upper[k]!;
      const distance = Math.abs(limit - value);
      if (!(distance > this.#distance && distance > precision * (1 + Math.abs(limit)))) continue;
      this.#distance = distance;
      this.index = k;
      this.gap = limit - value;
      this.side = side;
    }
    this.#reach = reach;
  }

  #searchRows({ activity, rowCount, lower, upper, rows }: QuadraticConstraints, x: Float64Array): void {
    const n = x.length;
    for (let k = 0; k < rowCount; k++) {
      const state = activity[k]!;
      if (state === 1 || state === -1) continue;
      let value = 0;
      for (let i = 0, at = k * n; i < n; i++, at++) value += rows[at]! * x[i]!;
      if (state === 0 && value >= lower[k]! && value <= upper[k]!) continue;
      const side = state !== 0 ? state >> 1 : value < lower[k]! ? 1 : -1;
      const limit = side > 0 ? lower[k]! : upper[k]!;
      const isPast = side * (limit - value) <= 0;
      if (isPast === (state === 0)) continue;
      let squaredLength = 0;
      for (let i = 0, at = k * n; i < n; i++, at++) squaredLength += rows[at]! * rows[at]!;
      const perLength = squaredLength > 0 ? 1 / Math.sqrt(squaredLength) : 1;
      const distance = Math.abs(limit - value) * perLength;
      const rounding = precision * (this.#reach + (1 + Math.abs(limit)) * perLength);
      if (!(distance > this.#distance && distance > rounding)) continue;
      this.#distance = distance;
      this.index = k;
      this.gap = limit - value;
      this.side = side;
    }
  }
}
