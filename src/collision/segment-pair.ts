import type { Simplex } from "./simplex.js";

/**
 * The nearest points of two segments (or points, where a count is 1) in closed form, written as a simplex: most bodies of
 * a robot are capsules, and for them this takes a third of the time of GJK. After Ericson, "Real-Time Collision
 * Detection" (2005), section 5.1.9: clamp the foot of the common perpendicular to one segment, then to the other. Between
 * nearly parallel segments it may be a little off the optimum, which the caller's bound shows.
 */
export function nearestOfSegments(
  a: Float64Array,
  countA: number,
  b: Float64Array,
  countB: number,
  out: Simplex,
): void {
  const a1 = countA > 1 ? 3 : 0;
  const b1 = countB > 1 ? 3 : 0;
  const ux = a[a1]! - a[0]!;
  const uy = a[a1 + 1]! - a[1]!;
  const uz = a[a1 + 2]! - a[2]!;
  const vx = b[b1]! - b[0]!;
  const vy = b[b1 + 1]! - b[1]!;
  const vz = b[b1 + 2]! - b[2]!;
  const rx = a[0]! - b[0]!;
  const ry = a[1]! - b[1]!;
  const rz = a[2]! - b[2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  const skew = uu * vv - uv * uv;
  let s = skew > 0 ? (uv * vr - ur * vv) / skew : 0;
  s = s > 0 ? (s < 1 ? s : 1) : 0;
  let t = vv > 0 ? (uv * s + vr) / vv : 0;
  if (!(t > 0 && t < 1)) t = t >= 1 ? 1 : 0;
  s = uu > 0 ? (uv * t - ur) / uu : 0;
  s = s > 0 ? (s < 1 ? s : 1) : 0;
  const x = rx + s * ux - t * vx;
  const y = ry + s * uy - t * vy;
  const z = rz + s * uz - t * vz;
  const { nearest, weights, first, second } = out;
  nearest[0] = x;
  nearest[1] = y;
  nearest[2] = z;
  nearest[3] = x * x + y * y + z * z;
  out.count = 4;
  const lastA = countA > 1 ? 1 : 0;
  const lastB = countB > 1 ? 1 : 0;
  first[0] = 0;
  first[1] = 0;
  first[2] = lastA;
  first[3] = lastA;
  second[0] = 0;
  second[1] = lastB;
  second[2] = 0;
  second[3] = lastB;
  weights[0] = (1 - s) * (1 - t);
  weights[1] = (1 - s) * t;
  weights[2] = s * (1 - t);
  weights[3] = s * t;
}
