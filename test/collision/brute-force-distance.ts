/**
 * Distance of the convex hulls of two point sets [m], 0 if they overlap: by trying every vertex against every triangle,
 * every edge against every edge, and every edge for piercing a triangle. Hulls are apart where two such features are
 * nearest, and overlap if an edge of one pierces a triangle of the other or one lies inside. Slow and plain on purpose:
 * a reference that shares nothing with the algorithm it judges.
 */
export function bruteForceDistance(a: readonly Point[], b: readonly Point[]): number {
  if (pierces(a, b) || pierces(b, a)) return 0;
  if (isInside(a[0]!, b) || isInside(b[0]!, a)) return 0;
  return Math.min(vertexToTriangles(a, b), vertexToTriangles(b, a), edgeToEdges(a, b));
}

export type Point = readonly [number, number, number];

export function pointsOf(points: Float64Array, count: number): Point[] {
  return Array.from({ length: count }, (_, i) => [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]);
}

function vertexToTriangles(vertices: readonly Point[], others: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const p of vertices) {
    for (let i = 0; i < others.length; i++) {
      least = Math.min(least, length(minus(p, others[i]!)));
      for (let j = 0; j < i; j++) {
        for (let k = 0; k < j; k++) least = Math.min(least, heightAbove(p, others[i]!, others[j]!, others[k]!));
      }
    }
  }
  return least;
}

/** Distance to a triangle's plane where the foot lies inside the triangle, Infinity elsewhere (an edge is nearer then). */
function heightAbove(p: Point, a: Point, b: Point, c: Point): number {
  const normal = cross(minus(b, a), minus(c, a));
  if (length(normal) < 1e-14) return Number.POSITIVE_INFINITY;
  const isLeftOf = (from: Point, to: Point) => dot(cross(minus(to, from), minus(p, from)), normal) >= 0;
  if (!isLeftOf(a, b) || !isLeftOf(b, c) || !isLeftOf(c, a)) return Number.POSITIVE_INFINITY;
  return Math.abs(dot(minus(p, a), normal)) / length(normal);
}

function edgeToEdges(a: readonly Point[], b: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j <= i; j++) {
      for (let k = 0; k < b.length; k++) {
        for (let l = 0; l <= k; l++) least = Math.min(least, segmentDistance(a[i]!, a[j]!, b[k]!, b[l]!));
      }
    }
  }
  return least;
}

/** Both ends of either against the other, and the two lines' common perpendicular where it meets both segments. */
function segmentDistance(a: Point, b: Point, c: Point, d: Point): number {
  const ends = Math.min(toSegment(a, c, d), toSegment(b, c, d), toSegment(c, a, b), toSegment(d, a, b));
  const [u, v, w] = [minus(b, a), minus(d, c), minus(c, a)];
  const normal = cross(u, v);
  const square = dot(normal, normal);
  if (square < 1e-28) return ends;
  const s = dot(cross(w, v), normal) / square;
  const t = dot(cross(w, u), normal) / square;
  const isBetween = s >= 0 && s <= 1 && t >= 0 && t <= 1;
  return isBetween ? Math.min(ends, Math.abs(dot(w, normal)) / Math.sqrt(square)) : ends;
}

function toSegment(p: Point, a: Point, b: Point): number {
  const edge = minus(b, a);
  const square = dot(edge, edge);
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, dot(minus(p, a), edge) / square));
  return length(minus(p, [a[0] + share * edge[0], a[1] + share * edge[1], a[2] + share * edge[2]]));
}

/** Whether an edge of `a` goes through a triangle of `b`. */
function pierces(a: readonly Point[], b: readonly Point[]): boolean {
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < b.length; k++) {
        for (let l = 0; l < k; l++) {
          for (let m = 0; m < l; m++) if (goesThrough(a[i]!, a[j]!, b[k]!, b[l]!, b[m]!)) return true;
        }
      }
    }
  }
  return false;
}

function goesThrough(p: Point, q: Point, a: Point, b: Point, c: Point): boolean {
  const above = side(p, a, b, c);
  const below = side(q, a, b, c);
  if (!(above * below < 0)) return false;
  const turns = side(p, q, a, b) + side(p, q, b, c) + side(p, q, c, a);
  return Math.abs(turns) === 3;
}

function isInside(p: Point, b: readonly Point[]): boolean {
  for (let i = 0; i < b.length; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < j; k++) {
        for (let l = 0; l < k; l++) if (isInTetrahedron(p, b[i]!, b[j]!, b[k]!, b[l]!)) return true;
      }
    }
  }
  return false;
}

/** Replacing any corner by the point keeps the orientation. */
function isInTetrahedron(p: Point, a: Point, b: Point, c: Point, d: Point): boolean {
  const whole = side(a, b, c, d);
  const parts = side(p, b, c, d) + side(a, p, c, d) + side(a, b, p, d) + side(a, b, c, p);
  return whole !== 0 && parts === 4 * whole;
}

/** Which side of the triangle a, b, c the point d lies on: 1, −1, or 0 where they are flat to within rounding. */
function side(a: Point, b: Point, c: Point, d: Point): number {
  const u = minus(b, a);
  const v = minus(c, a);
  const w = minus(d, a);
  const volume = dot(cross(u, v), w);
  const size = Math.max(dot(u, u), dot(v, v), dot(w, w));
  const magnitude = Math.sqrt(Math.max(size, dot(a, a)));
  return Math.abs(volume) <= 1e-14 * magnitude * size ? 0 : Math.sign(volume);
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function length(a: Point): number {
  return Math.sqrt(dot(a, a));
}
