/**
 * Vectors of three numbers. Every function writes its result to the trailing `out` (which may be one of its inputs),
 * allocates nothing, and returns `out`.
 */
export type Vec3 = Float64Array & { readonly length: 3; 0: number; 1: number; 2: number };

export function create(x = 0, y = 0, z = 0): Vec3 {
  return Float64Array.of(x, y, z) as Vec3;
}
