/**
 * Vectors of three numbers. Every function writes its result to the trailing `out` (which may be one of its inputs),
 * allocates nothing, and returns `out`.
 *
 * Of plain numbers, V8 keeps only those of inlined calls out of the heap; one that crosses any other call is boxed in
 * 16 bytes. So in `src/math` functions do not hand computed numbers to one another but repeat a line of arithmetic, or
 * pass them through a `Float64Array`.
 */
export type Vec3 = Float64Array & { readonly length: 3; 0: number; 1: number; 2: number };

export function create(x = 0, y = 0, z = 0): Vec3 {
  return Float64Array.of(x, y, z) as Vec3;
}

/** The three numbers of `buffer` from `offset` on, shared and not copied. Makes an object: not for hot paths. */
export function view(buffer: Float64Array, offset: number): Vec3 {
  return buffer.subarray(offset, offset + 3) as Vec3;
}

export function copy(a: Vec3, out: Vec3): Vec3 {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
  return out;
}

export function set(x: number, y: number, z: number, out: Vec3): Vec3 {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}

export function add(a: Vec3, b: Vec3, out: Vec3): Vec3 {
  out[0] = a[0] + b[0];
  out[1] = a[1] + b[1];
  out[2] = a[2] + b[2];
  return out;
}

/** a − b */
export function subtract(a: Vec3, b: Vec3, out: Vec3): Vec3 {
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
  return out;
}

export function scale(a: Vec3, s: number, out: Vec3): Vec3 {
  out[0] = a[0] * s;
  out[1] = a[1] * s;
  out[2] = a[2] * s;
  return out;
}

/** a + s·b */
export function addScaled(a: Vec3, b: Vec3, s: number, out: Vec3): Vec3 {
  out[0] = a[0] + s * b[0];
  out[1] = a[1] + s * b[1];
  out[2] = a[2] + s * b[2];
  return out;
}

export function negate(a: Vec3, out: Vec3): Vec3 {
  out[0] = -a[0];
  out[1] = -a[1];
  out[2] = -a[2];
  return out;
}

/** a × b */
export function cross(a: Vec3, b: Vec3, out: Vec3): Vec3 {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function squaredNorm(a: Vec3): number {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

export function norm(a: Vec3): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

export function distance(a: Vec3, b: Vec3): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** a / |a|; the zero vector stays zero. */
export function normalize(a: Vec3, out: Vec3): Vec3 {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  const s = length === 0 ? 0 : 1 / length;
  out[0] = a[0] * s;
  out[1] = a[1] * s;
  out[2] = a[2] * s;
  return out;
}

/** a + t·(b − a) */
export function lerp(a: Vec3, b: Vec3, t: number, out: Vec3): Vec3 {
  out[0] = a[0] + t * (b[0] - a[0]);
  out[1] = a[1] + t * (b[1] - a[1]);
  out[2] = a[2] + t * (b[2] - a[2]);
  return out;
}

function isFiniteVector(a: Vec3): boolean {
  return Number.isFinite(a[0]) && Number.isFinite(a[1]) && Number.isFinite(a[2]);
}

export { isFiniteVector as isFinite };
