import * as cholesky from "../../math/cholesky.js";
import type { Circle } from "./circle-set.js";
import { MAX_RAYS, type OutlineEdges } from "./outline-shape.js";

/** Unknowns: shift along u and v, growth, and the two parts of an elliptic deviation. */
export const UNKNOWNS = 5;
const SHAPE_U = 3;
const SHAPE_V = 4;

const ROBUST_PASSES = 3;
/** Residuals beyond so many of the scale count nothing (Tukey). */
const TUKEY = 4;
/** A median absolute deviation of normal numbers is their standard deviation divided by this. */
const MEDIAN_TO_SIGMA = 1.4826;

/**
 * Robust linear least squares of an outline's edges: shift = (c, s, e, c² − s², 2cs) · unknowns for rays at (c, s), e being
 * the expected distance of an outline of mean radius 1. By Tukey's biweight about the median residual, rays that met another
 * edge are left out.
 */
export class OutlineSolver {
  readonly solution = new Float64Array(UNKNOWNS);
  /** Of each ray, after the fit [px]. */
  readonly residual = new Float64Array(MAX_RAYS);
  /** How much each ray counts. */
  readonly weight = new Float64Array(MAX_RAYS);
  /** Inverse of the normal matrix. */
  readonly inverse = new Float64Array(UNKNOWNS * UNKNOWNS);
  /** Robust standard deviation of the residuals, relative to the scatter that their rays expect. */
  scale = 0;
  readonly #normal = new Float64Array(UNKNOWNS * UNKNOWNS);
  readonly #factor = new Float64Array(UNKNOWNS * UNKNOWNS);
  readonly #right = new Float64Array(UNKNOWNS);
  readonly #magnitudes = new Float64Array(MAX_RAYS);

  /**
   * False if the edges do not determine a circle.
   * @param leastScale Of the residuals; outliers are told from it.
   * @param roundness Weight that holds the elliptic deviation at zero, as that of a ray.
   */
  solve(edges: OutlineEdges, leastScale: number, roundness: number): boolean {
    const { count } = edges;
    for (let k = 0; k < count; k++) this.weight[k] = edges.weight[k]!;
    for (let pass = 0; ; pass++) {
      this.#accumulate(edges, roundness);
      if (cholesky.factor(this.#normal, UNKNOWNS, this.#factor) !== cholesky.MatrixStatus.ok) return false;
      cholesky.solve(this.#factor, this.#right, UNKNOWNS, this.solution);
      this.#updateResiduals(edges);
      this.#updateScale(edges);
      if (!(this.scale > leastScale)) this.scale = leastScale;
      if (pass === ROBUST_PASSES - 1) return true;
      this.#reweight(edges);
    }
  }

  /** To be called after `solve` where the covariance is wanted. */
  invert(): void {
    cholesky.invert(this.#factor, UNKNOWNS, this.inverse);
  }

  #accumulate({ cos, sin, distance, shift, count }: OutlineEdges, roundness: number): void {
    let cc = 0;
    let cs = 0;
    let ce = 0;
    let cp = 0;
    let cq = 0;
    let cy = 0;
    let ss = 0;
    let se = 0;
    let sp = 0;
    let sq = 0;
    let sy = 0;
    let ee = 0;
    let ep = 0;
    let eq = 0;
    let ey = 0;
    let pp = 0;
    let pq = 0;
    let py = 0;
    let qq = 0;
    let qy = 0;
    for (let k = 0; k < count; k++) {
      const w = this.weight[k]!;
      const c = cos[k]!;
      const s = sin[k]!;
      const e = distance[k]!;
      const p = c * c - s * s;
      const q = 2 * c * s;
      const y = shift[k]!;
      const wc = w * c;
      const ws = w * s;
      const we = w * e;
      const wp = w * p;
      const wq = w * q;
      cc += wc * c;
      cs += wc * s;
      ce += wc * e;
      cp += wc * p;
      cq += wc * q;
      cy += wc * y;
      ss += ws * s;
      se += ws * e;
      sp += ws * p;
      sq += ws * q;
      sy += ws * y;
      ee += we * e;
      ep += we * p;
      eq += we * q;
      ey += we * y;
      pp += wp * p;
      pq += wp * q;
      py += wp * y;
      qq += wq * q;
      qy += wq * y;
    }
    setRow(this.#normal, 0, cc, cs, ce, cp, cq);
    setRow(this.#normal, 1, cs, ss, se, sp, sq);
    setRow(this.#normal, 2, ce, se, ee, ep, eq);
    setRow(this.#normal, SHAPE_U, cp, sp, ep, pp + roundness, pq);
    setRow(this.#normal, SHAPE_V, cq, sq, eq, pq, qq + roundness);
    setRow(this.#right, 0, cy, sy, ey, py, qy);
  }

  #updateResiduals({ cos, sin, distance, shift, count }: OutlineEdges): void {
    const x0 = this.solution[0]!;
    const x1 = this.solution[1]!;
    const x2 = this.solution[2]!;
    const x3 = this.solution[SHAPE_U]!;
    const x4 = 2 * this.solution[SHAPE_V]!;
    for (let k = 0; k < count; k++) {
      const c = cos[k]!;
      const s = sin[k]!;
      this.residual[k] = shift[k]! - (x0 * c + x1 * s + x2 * distance[k]! + x3 * (c * c - s * s) + x4 * c * s);
    }
  }

  #reweight({ weight, scatter, count }: OutlineEdges): void {
    const perCut = 1 / (TUKEY * this.scale);
    for (let k = 0; k < count; k++) {
      const x = (this.residual[k]! * perCut) / scatter[k]!;
      const rest = 1 - x * x;
      this.weight[k] = rest > 0 ? weight[k]! * rest * rest : 0;
    }
  }

  /** From the median of the residuals, by Hoare's selection in place. */
  #updateScale({ scatter, seen, count }: OutlineEdges): void {
    const values = this.#magnitudes;
    let last = -1;
    for (let k = 0; k < count; k++) if (seen[k] === 1) values[++last] = Math.abs(this.residual[k]!) / scatter[k]!;
    const middle = (last + 1) >> 1;
    let low = 0;
    let high = last;
    while (low < high) {
      const pivot = values[middle]!;
      let i = low;
      let j = high;
      while (i <= j) {
        while (values[i]! < pivot) i++;
        while (values[j]! > pivot) j--;
        if (i > j) break;
        const kept = values[i]!;
        values[i++] = values[j]!;
        values[j--] = kept;
      }
      if (j < middle) low = i;
      if (i > middle) high = j;
    }
    this.scale = last < 0 ? Number.NaN : MEDIAN_TO_SIGMA * values[middle]!;
  }
}

function setRow(out: Float64Array, row: number, a: number, b: number, c: number, d: number, e: number): void {
  const at = row * UNKNOWNS;
  out[at] = a;
  out[at + 1] = b;
  out[at + 2] = c;
  out[at + 3] = d;
  out[at + 4] = e;
}

/** A fit that moves further than this, relative to the radius it began with, is of something else. */
const MOST_SHIFT = 0.5;

/** A circle that is moved onto the edges around it, round after round, as the solver says. */
export abstract class FittedCircle implements Circle {
  u = 0;
  v = 0;
  r = 0;
  /** Rounds of all fits so far. */
  rounds = 0;
  protected readonly solver = new OutlineSolver();

  protected begin(u: number, v: number, r: number): void {
    this.u = u;
    this.v = v;
    this.r = r;
  }

  protected move(): void {
    const { solution } = this.solver;
    this.rounds++;
    this.u += solution[0]!;
    this.v += solution[1]!;
    this.r += solution[2]!;
  }

  /** Whether the last step was shorter than `most` [px]: another would change nothing that matters. */
  protected hasSettled(most: number): boolean {
    const { solution } = this.solver;
    return solution[0]! ** 2 + solution[1]! ** 2 + solution[2]! ** 2 < most ** 2;
  }

  /** Whether the circle is about where it began, at (u, v, r), its radius between `least` and `most`. */
  protected isNear(u: number, v: number, r: number, least: number, most: number, shift = MOST_SHIFT): boolean {
    const isThere = (this.u - u) ** 2 + (this.v - v) ** 2 < (shift * r) ** 2;
    return isThere && this.r > least && this.r < most;
  }
}
