import * as cholesky from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";

/** A point of a plane and its image. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** Unknowns: the last entry of the map is 1. */
const SIZE = 8;

/**
 * The map from a plane to its image, [3 × 3] row-major with a last entry of 1, from four points on, by least squares; null if they
 * lie on a line. Points are scaled about their means (Hartley, "In defense of the eight-point algorithm", 1997).
 */
export function fitHomography(points: readonly PlanePoint[]): Float64Array | null {
  const plane = scaleOf(points.map(({ x, y }) => [x, y]));
  const image = scaleOf(points.map(({ u, v }) => [u, v]));
  const normal = new Float64Array(SIZE * SIZE);
  const right = new Float64Array(SIZE);
  const row = new Float64Array(SIZE);
  const add = (value: number) => {
    for (let i = 0; i < SIZE; i++) {
      right[i] = right[i]! + row[i]! * value;
      for (let j = 0; j <= i; j++) normal[i * SIZE + j] = normal[i * SIZE + j]! + row[i]! * row[j]!;
    }
  };
  for (const point of points) {
    const [x, y] = [(point.x - plane.x) / plane.scale, (point.y - plane.y) / plane.scale];
    const [u, v] = [(point.u - image.x) / image.scale, (point.v - image.y) / image.scale];
    row.set([x, y, 1, 0, 0, 0, -u * x, -u * y]);
    add(u);
    row.set([0, 0, 0, x, y, 1, -v * x, -v * y]);
    add(v);
  }
  if (cholesky.factor(normal, SIZE, normal) !== cholesky.MatrixStatus.ok) return null;
  cholesky.solve(normal, right, SIZE, right);
  return unscaled(right, plane, image);
}

interface Scale {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

function scaleOf(points: readonly (readonly [number, number])[]): Scale {
  const n = points.length;
  const x = points.reduce((sum, point) => sum + point[0], 0) / n;
  const y = points.reduce((sum, point) => sum + point[1], 0) / n;
  const spread = points.reduce((sum, point) => sum + Math.hypot(point[0] - x, point[1] - y), 0) / n;
  return { x, y, scale: spread > 0 ? spread : 1 };
}

/** S_image⁻¹ · H · S_plane, its last entry 1. */
function unscaled(h: Float64Array, plane: Scale, image: Scale): Float64Array {
  const out = new Float64Array(9);
  const scaled = [...h, 1];
  for (let column = 0; column < 3; column++) {
    const bottom = scaled[6 + column]!;
    out[column] = image.scale * scaled[column]! + image.x * bottom;
    out[3 + column] = image.scale * scaled[3 + column]! + image.y * bottom;
    out[6 + column] = bottom;
  }
  for (let r = 0; r < 3; r++) {
    const [a, b, c] = [out[3 * r]! / plane.scale, out[3 * r + 1]! / plane.scale, out[3 * r + 2]!];
    out.set([a, b, c - a * plane.x - b * plane.y], 3 * r);
  }
  const last = out[8]!;
  for (let i = 0; i < 9; i++) out[i] = out[i]! / last;
  return out;
}

/**
 * Focal length of a camera whose principal point is known, from images of planes (Zhang, "A flexible new technique for camera
 * calibration", 2000): the first two columns of K⁻¹·H are at right angles and of one length. NaN where all planes face it.
 */
export function focalLengthOf(homographies: readonly Float64Array[], cx: number, cy: number): number {
  let [above, below] = [0, 0];
  for (const h of homographies) {
    const [a, b, c] = [h[0]! - cx * h[6]!, h[3]! - cy * h[6]!, h[6]!];
    const [d, e, f] = [h[1]! - cx * h[7]!, h[4]! - cy * h[7]!, h[7]!];
    const weight = 1 / (a * a + b * b + d * d + e * e);
    for (const [p, q] of [
      [a * d + b * e, c * f],
      [a * a + b * b - d * d - e * e, c * c - f * f],
    ] as const) {
      above -= weight * weight * p * q;
      below += weight * weight * p * p;
    }
  }
  return above > 0 ? Math.sqrt(below / above) : Number.NaN;
}

/** Where a plane is, from its image in a camera without distortion: cameraFromPlane. */
export function planePose(h: Float64Array, [fx, fy, cx, cy]: readonly number[], out: pose.Pose): pose.Pose {
  const column = (k: number) =>
    vec3.create((h[k]! - cx! * h[6 + k]!) / fx!, (h[3 + k]! - cy! * h[6 + k]!) / fy!, h[6 + k]!);
  const [first, second, shift] = [column(0), column(1), column(2)];
  const scale = (shift[2] > 0 ? 2 : -2) / (vec3.norm(first) + vec3.norm(second));
  vec3.scale(first, scale, first);
  vec3.scale(second, scale, second);
  vec3.scale(shift, scale, shift);
  // The nearest right angle: both columns turn by half of what is missing.
  const overlap = 0.5 * vec3.dot(first, second);
  const x = vec3.addScaled(first, second, -overlap, vec3.create());
  const y = vec3.addScaled(second, first, -overlap, vec3.create());
  vec3.normalize(x, x);
  vec3.addScaled(y, x, -vec3.dot(x, y), y);
  vec3.normalize(y, y);
  const z = vec3.cross(x, y, vec3.create());
  out.set([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2], shift[0], shift[1], shift[2]]);
  return pose.copy(out, out);
}
