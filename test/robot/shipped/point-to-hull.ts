import { addScaled, create, cross, distance, dot, squaredNorm, subtract, type Vec3 } from "../../../src/math/vec3.js";

/**
 * Distance of a point to the convex hull of some points [m], 0 inside: by trying every tetrahedron, triangle and segment
 * they span. Slow and plain on purpose: a reference that shares nothing with the algorithms it judges.
 */
export function distanceToHull(point: Vec3, points: readonly Vec3[]): number {
  if (isInsideAnyTetrahedron(point, points)) return 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const [i, a] of points.entries()) {
    nearest = Math.min(nearest, distance(point, a));
    for (const [j, b] of points.slice(i + 1).entries()) {
      nearest = Math.min(nearest, distanceToSegment(point, a, b));
      for (const c of points.slice(i + j + 2)) nearest = Math.min(nearest, distanceAboveTriangle(point, a, b, c));
    }
  }
  return nearest;
}

/** Distance of a point to a segment [m]. */
export function distanceToSegment(point: Vec3, a: Vec3, b: Vec3): number {
  const edge = subtract(b, a, create());
  const length = squaredNorm(edge);
  const along = length === 0 ? 0 : dot(subtract(point, a, create()), edge) / length;
  return distance(point, addScaled(a, edge, Math.min(1, Math.max(0, along)), create()));
}

/** Distance to a triangle where the point's foot lies inside it, Infinity elsewhere (an edge is nearer then). */
function distanceAboveTriangle(point: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const normal = cross(subtract(b, a, create()), subtract(c, a, create()), create());
  const area = squaredNorm(normal);
  if (area < 1e-24) return Number.POSITIVE_INFINITY;
  const isLeftOf = (from: Vec3, to: Vec3) =>
    dot(cross(subtract(to, from, create()), subtract(point, from, create()), create()), normal) >= 0;
  if (!isLeftOf(a, b) || !isLeftOf(b, c) || !isLeftOf(c, a)) return Number.POSITIVE_INFINITY;
  return Math.abs(dot(subtract(point, a, create()), normal)) / Math.sqrt(area);
}

function isInsideAnyTetrahedron(point: Vec3, points: readonly Vec3[]): boolean {
  return points.some((a, i) =>
    points
      .slice(i + 1)
      .some((b, j) =>
        points
          .slice(i + j + 2)
          .some((c, k) => points.slice(i + j + k + 3).some((d) => isInsideTetrahedron(point, a, b, c, d))),
      ),
  );
}

/** The five signed volumes agree: replacing any corner by the point keeps the sign. */
function isInsideTetrahedron(point: Vec3, a: Vec3, b: Vec3, c: Vec3, d: Vec3): boolean {
  const whole = signedVolume(a, b, c, d);
  if (Math.abs(whole) < 1e-18) return false;
  const parts = [
    signedVolume(point, b, c, d),
    signedVolume(a, point, c, d),
    signedVolume(a, b, point, d),
    signedVolume(a, b, c, point),
  ];
  return parts.every((part) => part * whole >= 0);
}

function signedVolume(a: Vec3, b: Vec3, c: Vec3, d: Vec3): number {
  const normal = cross(subtract(b, a, create()), subtract(c, a, create()), create());
  return dot(normal, subtract(d, a, create()));
}
