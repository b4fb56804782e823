import type { JacobianColumns } from "../measurements/jacobian-columns.js";

/** JᵀJ and Jᵀr of a whitened least-squares problem, in the solver's columns. */
export class NormalEquations {
  readonly size: number;
  /** Symmetric, row-major; whole after `finish`. */
  readonly matrix: Float64Array;
  readonly gradient: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.matrix = new Float64Array(size * size);
    this.gradient = new Float64Array(size);
  }

  clear(): void {
    this.matrix.fill(0);
    this.gradient.fill(0);
  }

  /** Copies the lower triangle to the upper. */
  finish(): void {
    for (let i = 0; i < this.size; i++) {
      for (let j = 0; j < i; j++) this.matrix[j * this.size + i] = this.matrix[i * this.size + j]!;
    }
  }
}

/**
 * The part of the normal equations that one kind of measurement adds to. Measurements of a kind depend on the same few
 * parameters: their products are summed in a small dense block, and scattered into the whole once. So the structure of the
 * problem (left camera, right camera, each arm, the IMU) is used without ever touching a zero.
 */
export class NormalBlock {
  readonly #columns: JacobianColumns;
  readonly #size: number;
  readonly #matrix: Float64Array;
  readonly #gradient: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  constructor(columns: JacobianColumns) {
    this.#columns = columns;
    this.#size = columns.active.length;
    this.#matrix = new Float64Array(this.#size * this.#size);
    this.#gradient = new Float64Array(this.#size);
    this.#first = new Float64Array(this.#size);
    this.#second = new Float64Array(this.#size);
  }

  clear(): void {
    this.#matrix.fill(0);
    this.#gradient.fill(0);
  }

  /**
   * Adds two residuals of the same weight with the derivatives that `jacobian` holds from `first` and from `second` on. Two at
   * a time, as images have them, since the time goes into reading and writing the sums.
   */
  add(
    jacobian: Float64Array,
    first: number,
    second: number,
    firstResidual: number,
    secondResidual: number,
    weight: number,
  ): void {
    const { active } = this.#columns;
    const n = this.#size;
    const matrix = this.#matrix;
    const a = this.#first;
    const b = this.#second;
    for (let i = 0; i < n; i++) {
      a[i] = jacobian[first + active[i]!]!;
      b[i] = jacobian[second + active[i]!]!;
    }
    for (let i = 0; i < n; i++) {
      const ai = weight * a[i]!;
      const bi = weight * b[i]!;
      if (ai === 0 && bi === 0) continue;
      this.#gradient[i] = this.#gradient[i]! + ai * firstResidual + bi * secondResidual;
      const start = i * n;
      for (let j = 0; j <= i; j++) matrix[start + j] = matrix[start + j]! + ai * a[j]! + bi * b[j]!;
    }
  }

  /** Adds the sums to the lower triangle of the whole. */
  scatterInto(normal: NormalEquations): void {
    const { columns } = this.#columns;
    const n = this.#size;
    for (let i = 0; i < n; i++) {
      const row = columns[i]!;
      normal.gradient[row] = normal.gradient[row]! + this.#gradient[i]!;
      for (let j = 0; j <= i; j++) {
        const column = columns[j]!;
        const at = row > column ? row * normal.size + column : column * normal.size + row;
        normal.matrix[at] = normal.matrix[at]! + this.#matrix[i * n + j]!;
      }
    }
  }
}
