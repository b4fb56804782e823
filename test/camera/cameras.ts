import { CameraModel } from "../../src/camera/camera-model.js";
import { type Distortion, noDistortion } from "../../src/camera/lens-distortion.js";
import type { Random } from "../../src/math/random.js";
import type { Vec3 } from "../../src/math/vec3.js";

/** Lenses of machine-vision cameras of about 60°, from none to strong. */
export const lenses: Readonly<Record<string, Distortion>> = {
  none: noDistortion,
  mild: { k1: -0.05, k2: 0.01, p1: 0.0003, p2: -0.0002, k3: 0 },
  barrel: { k1: -0.32, k2: 0.13, p1: 0.0011, p2: -0.0007, k3: -0.024 },
  pincushion: { k1: 0.18, k2: -0.09, p1: -0.0005, p2: 0.0009, k3: 0.03 },
};

/** A camera of 60° like Agile Justin's, principal point and focal lengths a little off. */
export function makeCamera(distortion: Distortion, width = 800): CameraModel {
  const scale = width / 800;
  const camera = { width: 800, height: 600, fx: 692.8, fy: 694.1, cx: 402.3, cy: 297.6, distortion };
  return scale === 1 ? new CameraModel(camera) : new CameraModel(camera).scaled(scale);
}

/** A point seen at a random pixel, at a random distance along z [m]. */
export function visiblePoint(camera: CameraModel, random: Random, near: number, far: number, out: Vec3): Vec3 {
  const u = random.uniformIn(0, camera.width - 1);
  const v = random.uniformIn(0, camera.height - 1);
  if (!camera.ray(u, v, out)) throw new Error(`no ray at (${u}, ${v})`);
  const scale = random.uniformIn(near, far) / out[2];
  out[0] *= scale;
  out[1] *= scale;
  out[2] *= scale;
  return out;
}

/** Central differences of a function of n numbers to m, row-major m × n. */
export function finiteDifferences(
  f: (x: Float64Array, out: Float64Array) => unknown,
  x: Float64Array,
  m: number,
  step: number,
): Float64Array {
  const n = x.length;
  const jacobian = new Float64Array(m * n);
  const [low, high, at] = [new Float64Array(m), new Float64Array(m), Float64Array.from(x)];
  for (let k = 0; k < n; k++) {
    at[k] = x[k]! + step;
    f(at, high);
    at[k] = x[k]! - step;
    f(at, low);
    at[k] = x[k]!;
    for (let i = 0; i < m; i++) jacobian[i * n + k] = (high[i]! - low[i]!) / (2 * step);
  }
  return jacobian;
}

export function greatestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let greatest = 0;
  for (let i = 0; i < b.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (!(difference <= greatest)) greatest = difference;
  }
  return greatest;
}
