import type { Matrix4 } from "three";

/** Writes a pose of the service, twelve numbers, rotation by rows, then position [m], to a matrix. */
export function setPose(out: Matrix4, pose: ArrayLike<number>): Matrix4 {
  const n = (k: number): number => pose[k] ?? 0;
  return out.set(n(0), n(1), n(2), n(9), n(3), n(4), n(5), n(10), n(6), n(7), n(8), n(11), 0, 0, 0, 1);
}
