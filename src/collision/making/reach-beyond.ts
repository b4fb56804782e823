import { HullDistance, MEMORY_SIZE } from "../hull-distance.js";

/**
 * How far points reach beyond a hull. Every distance is one to a point of the hull that was found (a sum of its corners
 * with weights that are not negative), so it is never too small: a radius of that size contains the points for certain,
 * and with them, by convexity, every triangle between them.
 */
export class ReachBeyond {
  readonly #hulls = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);
  readonly #point = new Float64Array(3);

  /** Distance of one point to the hull of `corners` [m]; 0 inside. */
  of(x: number, y: number, z: number, corners: Float64Array): number {
    this.#point[0] = x;
    this.#point[1] = y;
    this.#point[2] = z;
    this.#hulls.measure(this.#point, 1, corners, corners.length / 3, this.#memory, 0);
    return this.#hulls.distance;
  }

  /** The greatest distance of all points, and the point that has it. */
  greatest(points: Float64Array, corners: Float64Array): { distance: number; index: number } {
    let [distance, index] = [0, 0];
    this.#memory.fill(0);
    for (let i = 0; i < points.length; i += 3) {
      const reach = this.of(points[i]!, points[i + 1]!, points[i + 2]!, corners);
      if (!(reach <= distance)) [distance, index] = [reach, i];
    }
    return { distance, index };
  }
}
