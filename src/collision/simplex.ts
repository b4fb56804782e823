/**
 * Up to four points of the difference A − B of two point sets, and the point of their hull nearest to the origin: the
 * inner problem of GJK.
 *
 * It is solved by trying: of all vertices, edges and triangles whose foot of the perpendicular lies inside, the nearest
 * wins. A sliver, whose normal and weights are mostly rounding, is judged by the convex combination its weights stand for,
 * so whatever they are, `nearest` is a point of the hull and its length never too short.
 */
export class Simplex {
  count = 0;
  /** Indices into A and B of each point. [4] */
  readonly first = new Int32Array(4);
  readonly second = new Int32Array(4);
  /** x, y, z of each point a − b. [12] */
  readonly points = new Float64Array(12);
  /** Shares of the points in `nearest`: none negative, their sum 1. [4] */
  readonly weights = new Float64Array(4);
  /** The nearest point found so far: x, y, z and its squared length. [4] */
  readonly nearest = new Float64Array(4);

  clear(): void {
    this.count = 0;
    this.nearest[3] = Number.POSITIVE_INFINITY;
  }

  has(first: number, second: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.first[i] === first && this.second[i] === second) return true;
    return false;
  }

  /** Adds the point a[first] − b[second]; not for a fifth. */
  push(a: Float64Array, first: number, b: Float64Array, second: number): void {
    const i = this.count;
    this.count = i + 1;
    this.first[i] = first;
    this.second[i] = second;
    const p = this.points;
    p[3 * i] = a[3 * first]! - b[3 * second]!;
    p[3 * i + 1] = a[3 * first + 1]! - b[3 * second + 1]!;
    p[3 * i + 2] = a[3 * first + 2]! - b[3 * second + 2]!;
  }

  /**
   * Looks for a nearer point among the features that the last point pushed is a corner of; the others were tried before.
   * Returns whether there is one.
   */
  improve(): boolean {
    const last = this.count - 1;
    const before = this.nearest[3]!;
    if (last === 3 && this.#containsOrigin()) return true;
    this.#tryVertex(last);
    for (let i = 0; i < last; i++) this.#trySegment(i, last);
    for (let j = 1; j < last; j++) for (let i = 0; i < j; i++) this.#tryTriangle(i, j, last);
    return this.nearest[3]! < before;
  }

  /** Removes the points that have no share in `nearest`. */
  compress(): void {
    const { points: p, weights, first, second, count } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (!(weights[i]! > 0)) continue;
      weights[kept] = weights[i]!;
      first[kept] = first[i]!;
      second[kept] = second[i]!;
      p[3 * kept] = p[3 * i]!;
      p[3 * kept + 1] = p[3 * i + 1]!;
      p[3 * kept + 2] = p[3 * i + 2]!;
      kept++;
    }
    this.count = kept;
  }

  #tryVertex(i: number): void {
    const { points: p, nearest } = this;
    const x = p[3 * i]!;
    const y = p[3 * i + 1]!;
    const z = p[3 * i + 2]!;
    const squared = x * x + y * y + z * z;
    if (!(squared < nearest[3]!)) return;
    nearest[0] = x;
    nearest[1] = y;
    nearest[2] = z;
    nearest[3] = squared;
    clearWeights(this.weights);
    this.weights[i] = 1;
  }

  #trySegment(i: number, j: number): void {
    const { points: p, nearest } = this;
    const ax = p[3 * i]!;
    const ay = p[3 * i + 1]!;
    const az = p[3 * i + 2]!;
    const ex = p[3 * j]! - ax;
    const ey = p[3 * j + 1]! - ay;
    const ez = p[3 * j + 2]! - az;
    const t = -(ax * ex + ay * ey + az * ez) / (ex * ex + ey * ey + ez * ez);
    if (!(t > 0 && t < 1)) return;
    const x = ax + t * ex;
    const y = ay + t * ey;
    const z = az + t * ez;
    const squared = x * x + y * y + z * z;
    if (!(squared < nearest[3]!)) return;
    nearest[0] = x;
    nearest[1] = y;
    nearest[2] = z;
    nearest[3] = squared;
    clearWeights(this.weights);
    this.weights[i] = 1 - t;
    this.weights[j] = t;
  }

  /** With edges e, f from p_i and their normal n, the origin's foot is p_i + s·e + t·f, s = (−p_i × f)·n/n², t likewise. */
  #tryTriangle(i: number, j: number, k: number): void {
    const { points: p, nearest } = this;
    const ax = p[3 * i]!;
    const ay = p[3 * i + 1]!;
    const az = p[3 * i + 2]!;
    const ex = p[3 * j]! - ax;
    const ey = p[3 * j + 1]! - ay;
    const ez = p[3 * j + 2]! - az;
    const fx = p[3 * k]! - ax;
    const fy = p[3 * k + 1]! - ay;
    const fz = p[3 * k + 2]! - az;
    const nx = ey * fz - ez * fy;
    const ny = ez * fx - ex * fz;
    const nz = ex * fy - ey * fx;
    const nn = nx * nx + ny * ny + nz * nz;
    const s = (nx * (az * fy - ay * fz) + ny * (ax * fz - az * fx) + nz * (ay * fx - ax * fy)) / nn;
    const t = (nx * (ay * ez - az * ey) + ny * (az * ex - ax * ez) + nz * (ax * ey - ay * ex)) / nn;
    if (!(s > 0 && t > 0 && s + t < 1)) return;
    const isSliver = !(nn > SLIVER * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz));
    // The normal's direction is exact where the origin nearly touches the triangle, that of the combination is not.
    const height = (nx * ax + ny * ay + nz * az) / nn;
    const x = isSliver ? ax + s * ex + t * fx : height * nx;
    const y = isSliver ? ay + s * ey + t * fy : height * ny;
    const z = isSliver ? az + s * ez + t * fz : height * nz;
    const squared = x * x + y * y + z * z;
    if (!(squared < nearest[3]!)) return;
    nearest[0] = x;
    nearest[1] = y;
    nearest[2] = z;
    nearest[3] = squared;
    clearWeights(this.weights);
    this.weights[i] = 1 - s - t;
    this.weights[j] = s;
    this.weights[k] = t;
  }

  /**
   * Whether the origin lies inside the four points' tetrahedron; if so `nearest` is the origin. By Cramer's rule its
   * weights are to one another as det(p1 p2 p3), −det(p0 p2 p3), det(p0 p1 p3), −det(p0 p1 p2).
   */
  #containsOrigin(): boolean {
    const { points: p, weights } = this;
    const ux = p[1]! * p[5]! - p[2]! * p[4]!;
    const uy = p[2]! * p[3]! - p[0]! * p[5]!;
    const uz = p[0]! * p[4]! - p[1]! * p[3]!;
    const vx = p[7]! * p[11]! - p[8]! * p[10]!;
    const vy = p[8]! * p[9]! - p[6]! * p[11]!;
    const vz = p[6]! * p[10]! - p[7]! * p[9]!;
    const w0 = p[3]! * vx + p[4]! * vy + p[5]! * vz;
    const w1 = -(p[0]! * vx + p[1]! * vy + p[2]! * vz);
    const w2 = ux * p[9]! + uy * p[10]! + uz * p[11]!;
    const w3 = -(ux * p[6]! + uy * p[7]! + uz * p[8]!);
    const isInside = (w0 > 0 && w1 > 0 && w2 > 0 && w3 > 0) || (w0 < 0 && w1 < 0 && w2 < 0 && w3 < 0);
    if (!isInside) return false;
    const sum = w0 + w1 + w2 + w3;
    weights[0] = w0 / sum;
    weights[1] = w1 / sum;
    weights[2] = w2 / sum;
    weights[3] = w3 / sum;
    this.nearest.fill(0);
    return true;
  }
}

/** Square of the sine of the angle between two edges below which a triangle's normal is not trusted. */
const SLIVER = 1e-6;

/** By hand: a call of `fill` costs more than the rest of a candidate. */
function clearWeights(weights: Float64Array): void {
  weights[0] = 0;
  weights[1] = 0;
  weights[2] = 0;
  weights[3] = 0;
}
