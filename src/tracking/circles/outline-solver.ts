import * as cholesky from "../../math/cholesky.js";
import { MAX_RAYS, type RadialEdges } from "./radial-edges.js";

/** Unknowns: shift along u and v, growth, and the two parts of an elliptic deviation. */
export const UNKNOWNS = 5;
const SHAPE_U = 3;
const SHAPE_V = 4;

const ROBUST_PASSES = 3;
/** Residuals beyond so many of the scale count nothing (Tukey). */
const TUKEY = 4;
/** A median absolute deviation of normal numbers is their standard deviation divided by this. */
const MEDIAN_TO_SIGMA = 1.4826;
/** Edges are never located better than this [px]. */
const LEAST_SCALE = 0.05;
/** Standard deviation of the elliptic deviation, relative to the radius: the ball is round, the lens nearly perfect. */
const ROUNDNESS = 0.03;
/** Standard deviation of an edge's place, for weighing the rays against that [px]. */
const EDGE_SIGMA = 0.3;

/**
 * Robust linear least squares of an outline's edges: shift = (c, s, e, c² − s², 2cs) · unknowns for rays at (c, s), e being
 * the expected outline of a circle of radius 1. By Tukey's biweight about the median residual, rays that met another
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
  /** Robust standard deviation of the residuals [px]. */
  scale = 0;
  readonly #normal = new Float64Array(UNKNOWNS * UNKNOWNS);
  readonly #factor = new Float64Array(UNKNOWNS * UNKNOWNS);
  readonly #right = new Float64Array(UNKNOWNS);
  readonly #magnitudes = new Float64Array(MAX_RAYS);

  /** False if the edges do not determine a circle. */
  solve(edges: RadialEdges, r: number, reach: number): boolean {
    const { count } = edges;
    for (let k = 0; k < count; k++) this.weight[k] = edges.weight[k]!;
    for (let pass = 0; ; pass++) {
      this.#accumulate(edges, r);
      if (cholesky.factor(this.#normal, UNKNOWNS, this.#factor) !== cholesky.MatrixStatus.ok) return false;
      cholesky.solve(this.#factor, this.#right, UNKNOWNS, this.solution);
      this.#updateResiduals(edges, r);
      this.scale = Math.max(MEDIAN_TO_SIGMA * this.#medianResidual(count), LEAST_SCALE, 0.05 * reach);
      if (pass === ROBUST_PASSES - 1) return true;
      this.#reweight(edges);
    }
  }

  /** To be called after `solve` where the covariance is wanted. */
  invert(): void {
    cholesky.invert(this.#factor, UNKNOWNS, this.inverse);
  }

  #accumulate({ cos, sin, expected, shift, count }: RadialEdges, r: number): void {
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
      const e = expected[k]! / r;
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
    const prior = (EDGE_SIGMA / (ROUNDNESS * r)) ** 2;
    setRow(this.#normal, 0, cc, cs, ce, cp, cq);
    setRow(this.#normal, 1, cs, ss, se, sp, sq);
    setRow(this.#normal, 2, ce, se, ee, ep, eq);
    setRow(this.#normal, SHAPE_U, cp, sp, ep, pp + prior, pq);
    setRow(this.#normal, SHAPE_V, cq, sq, eq, pq, qq + prior);
    setRow(this.#right, 0, cy, sy, ey, py, qy);
  }

  #updateResiduals({ cos, sin, expected, shift, count }: RadialEdges, r: number): void {
    const x0 = this.solution[0]!;
    const x1 = this.solution[1]!;
    const x2 = this.solution[2]! / r;
    const x3 = this.solution[SHAPE_U]!;
    const x4 = 2 * this.solution[SHAPE_V]!;
    for (let k = 0; k < count; k++) {
      const c = cos[k]!;
      const s = sin[k]!;
      this.residual[k] = shift[k]! - (x0 * c + x1 * s + x2 * expected[k]! + x3 * (c * c - s * s) + x4 * c * s);
    }
  }

  #reweight({ weight, count }: RadialEdges): void {
    const perCut = 1 / (TUKEY * this.scale);
    for (let k = 0; k < count; k++) {
      const x = this.residual[k]! * perCut;
      const rest = 1 - x * x;
      this.weight[k] = rest > 0 ? weight[k]! * rest * rest : 0;
    }
  }

  /** By Hoare's selection, in place. */
  #medianResidual(count: number): number {
    const values = this.#magnitudes;
    for (let k = 0; k < count; k++) values[k] = Math.abs(this.residual[k]!);
    const middle = count >> 1;
    let low = 0;
    let high = count - 1;
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
    return values[middle]!;
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
