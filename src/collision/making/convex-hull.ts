import { Random } from "../../math/random.js";

/** The convex hull of points in space: its triangles, and what the volume of the hull grown by a radius follows from. */
export interface ConvexHull {
  /** Three indices of points a triangle, seen from outside against the clock's hands. */
  readonly faces: Int32Array;
  /** [m³] */
  readonly volume: number;
  /** [m²] */
  readonly area: number;
  /** Integral of the mean curvature: half the sum of edge length times angle between the normals [m]. */
  readonly curvature: number;
}

/**
 * Points are shifted at random by this share of their extent, so that no four lie in a plane and every decision is far
 * from rounding. Only volumes and directions come from it, never a proof.
 */
const joggle = 1e-6;

/** The hull by adding one point after the other; null for fewer than four points, or all in one place. */
export function convexHull(points: Float64Array): ConvexHull | null {
  const moved = joggled(points);
  const start = moved === null ? null : firstTetrahedron(moved);
  if (moved === null || start === null) return null;
  const builder = new HullBuilder(moved, start);
  for (let i = 0; i < moved.length / 3; i++) if (!start.includes(i)) builder.add(i);
  return builder.finish();
}

/** Volume of a hull grown by a radius (Steiner's formula) [m³]; `hull` null: of the points' own ball, capsule or plate. */
export function grownVolume(points: Float64Array, radius: number): number {
  const ball = (4 / 3) * Math.PI * radius ** 3;
  const hull = convexHull(points);
  if (hull !== null) return hull.volume + hull.area * radius + hull.curvature * radius ** 2 + ball;
  const { area, perimeter } = plate(points);
  return 2 * area * radius + (Math.PI / 2) * perimeter * radius ** 2 + ball;
}

/** Area and perimeter of up to three points; a segment has a perimeter of twice its length. */
function plate(points: Float64Array): { area: number; perimeter: number } {
  const at = (i: number) => points.subarray(3 * (i % (points.length / 3)), 3 * (i % (points.length / 3)) + 3);
  const perimeter = [0, 1, 2].reduce((sum, i) => sum + length(difference(at(i), at(i + 1))), 0);
  const count = points.length / 3;
  if (count < 3) return { area: 0, perimeter: count < 2 ? 0 : 2 * length(difference(at(0), at(1))) };
  return { area: length(cross(difference(at(0), at(1)), difference(at(0), at(2)))) / 2, perimeter };
}

type Triple = readonly [number, number, number];

function difference(a: ArrayLike<number>, b: ArrayLike<number>): Triple {
  return [b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!];
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function length(a: Triple): number {
  return Math.sqrt(dot(a, a));
}

function joggled(points: Float64Array): Float64Array | null {
  if (points.length < 12) return null;
  let extent = 0;
  for (let i = 3; i < points.length; i++) extent = Math.max(extent, Math.abs(points[i]! - points[i % 3]!));
  if (!(extent > 0)) return null;
  const random = new Random("convex-hull");
  return points.map((value) => value + joggle * extent * (2 * random.uniform() - 1));
}

/** Four points that span a volume: the farthest from the first, from the line, from the plane. */
function firstTetrahedron(points: Float64Array): [number, number, number, number] | null {
  const count = points.length / 3;
  const at = (i: number) => points.subarray(3 * i, 3 * i + 3);
  const farthest = (measure: (offset: Triple) => number): number => {
    let [best, most] = [0, -1];
    for (let i = 0; i < count; i++) {
      const distance = measure(difference(at(0), at(i)));
      if (distance > most) [best, most] = [i, distance];
    }
    return best;
  };
  const second = farthest(length);
  const along = difference(at(0), at(second));
  const third = farthest((offset) => length(cross(along, offset)));
  const normal = cross(along, difference(at(0), at(third)));
  const fourth = farthest((offset) => Math.abs(dot(normal, offset)));
  if (new Set([0, second, third, fourth]).size < 4) return null;
  const isOutwards = dot(normal, difference(at(0), at(fourth))) < 0;
  return isOutwards ? [0, second, third, fourth] : [0, third, second, fourth];
}

class HullBuilder {
  readonly #points: Float64Array;
  /** Three points and a plane (unit normal, offset) a face. */
  #faces: { readonly corners: readonly [number, number, number]; readonly normal: Triple; readonly offset: number }[] =
    [];

  /** `start`: three corners seen from outside, and one behind them. */
  constructor(points: Float64Array, [a, b, c, d]: readonly [number, number, number, number]) {
    this.#points = points;
    this.#push(a, b, c);
    this.#push(a, c, d);
    this.#push(a, d, b);
    this.#push(b, d, c);
  }

  add(point: number): void {
    const at = this.#at(point);
    const visible = this.#faces.filter(({ normal, offset }) => dot(normal, at) > offset);
    if (visible.length === 0) return;
    const edges = new Set(
      visible.flatMap(({ corners: [a, b, c] }) => [this.#key(a, b), this.#key(b, c), this.#key(c, a)]),
    );
    this.#faces = this.#faces.filter(({ normal, offset }) => !(dot(normal, at) > offset));
    for (const { corners } of visible) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [corners[k]!, corners[(k + 1) % 3]!];
        if (!edges.has(this.#key(b, a))) this.#push(a, b, point);
      }
    }
  }

  finish(): ConvexHull {
    const normals = new Map<number, Triple>();
    let [volume, area, curvature] = [0, 0, 0];
    for (const { corners, normal } of this.#faces) {
      const [a, b, c] = corners.map((corner) => this.#at(corner)) as [Triple, Triple, Triple];
      volume += dot(a, cross(b, c)) / 6;
      area += length(cross(difference(a, b), difference(a, c))) / 2;
      for (let k = 0; k < 3; k++) normals.set(this.#key(corners[k]!, corners[(k + 1) % 3]!), normal);
    }
    for (const [key, normal] of normals) {
      const [a, b] = [Math.floor(key / this.#count), key % this.#count];
      const other = a < b ? normals.get(this.#key(b, a)) : undefined;
      if (other === undefined) continue;
      const angle = Math.atan2(length(cross(normal, other)), dot(normal, other));
      curvature += (length(difference(this.#at(a), this.#at(b))) * angle) / 2;
    }
    return { faces: Int32Array.from(this.#faces.flatMap(({ corners }) => corners)), volume, area, curvature };
  }

  get #count(): number {
    return this.#points.length / 3;
  }

  #key(a: number, b: number): number {
    return a * this.#count + b;
  }

  #at(point: number): Triple {
    return [this.#points[3 * point]!, this.#points[3 * point + 1]!, this.#points[3 * point + 2]!];
  }

  #push(a: number, b: number, c: number): void {
    const raw = cross(difference(this.#at(a), this.#at(b)), difference(this.#at(a), this.#at(c)));
    const size = length(raw) || 1;
    const normal: Triple = [raw[0] / size, raw[1] / size, raw[2] / size];
    this.#faces.push({ corners: [a, b, c], normal, offset: dot(normal, this.#at(a)) });
  }
}
