import type { Quat } from "../../src/math/quat.js";
import type { Random } from "../../src/math/random.js";
import type { Vec3 } from "../../src/math/vec3.js";

/** Uniform on the unit sphere (Marsaglia, "Choosing a point from the surface of a sphere", 1972). */
export function unitVector(random: Random, out: Vec3): Vec3 {
  discPoint(random, out);
  const s = out[0] * out[0] + out[1] * out[1];
  const scale = 2 * Math.sqrt(1 - s);
  out[0] *= scale;
  out[1] *= scale;
  out[2] = 1 - 2 * s;
  return out;
}

/** Uniform over all rotations: a uniform point of the unit sphere in four dimensions (Marsaglia, 1972). */
export function randomQuaternion(random: Random, out: Quat): Quat {
  discPoint(random, out);
  const x = out[0];
  const y = out[1];
  discPoint(random, out);
  const radius = Math.sqrt((1 - (x * x + y * y)) / (out[0] * out[0] + out[1] * out[1]));
  out[2] = out[0] * radius;
  out[3] = out[1] * radius;
  out[0] = x;
  out[1] = y;
  return out;
}

/** Shuffles in place (Fisher–Yates) and returns the array. */
export function shuffle<T>(random: Random, array: T[]): T[] {
  for (let i = array.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    const kept = array[i]!;
    array[i] = array[j]!;
    array[j] = kept;
  }
  return array;
}

/** Uniform in the unit disc without its centre, to out[0] and out[1]. */
function discPoint(random: Random, out: Float64Array): void {
  let s = 0;
  do {
    const x = 2 * random.uniform() - 1;
    const y = 2 * random.uniform() - 1;
    out[0] = x;
    out[1] = y;
    s = x * x + y * y;
  } while (s >= 1 || s === 0);
}
