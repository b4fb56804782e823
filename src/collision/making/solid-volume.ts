import { ReachBeyond } from "./reach-beyond.js";
import type { Soup } from "./split-surface.js";

/** Cells along the longest side of the box around a link. */
const cells = 56;

/** Volumes of what a surface encloses and of the bodies around it, on one grid [m³]. */
export interface ComparedVolumes {
  readonly solid: number;
  readonly bodies: number;
}

type Body = { readonly points: Float64Array; readonly radius: number };

/**
 * Compares a surface with the bodies that contain it. The surface need not be closed to the last gap: a cell is solid if
 * no way leads to it from outside through cells that the surface does not touch; of those it touches, half counts.
 */
export function compareVolumes(surface: Soup, bodies: readonly Body[]): ComparedVolumes {
  const grid = new Grid(surface, bodies);
  return { solid: grid.solidVolume(surface), bodies: grid.bodyVolume(bodies) };
}

const EMPTY = 0;
const SURFACE = 1;
const OUTSIDE = 2;

class Grid {
  readonly #low: [number, number, number];
  readonly #size: number;
  readonly #counts: [number, number, number];

  constructor(surface: Soup, bodies: readonly Body[]) {
    const low: [number, number, number] = [Infinity, Infinity, Infinity];
    const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    const include = (points: Float64Array, radius: number) => {
      for (let i = 0; i < points.length; i++) {
        low[i % 3] = Math.min(low[i % 3]!, points[i]! - radius);
        high[i % 3] = Math.max(high[i % 3]!, points[i]! + radius);
      }
    };
    include(surface, 0);
    for (const { points, radius } of bodies) include(points, radius);
    this.#size = Math.max(...high.map((value, k) => value - low[k]!)) / cells || 1;
    // One empty layer around all, from which the outside is found.
    this.#low = low.map((value) => value - this.#size) as [number, number, number];
    this.#counts = high.map((value, k) => Math.ceil((value - low[k]!) / this.#size) + 2) as [number, number, number];
  }

  solidVolume(surface: Soup): number {
    const marks = new Uint8Array(this.#counts[0] * this.#counts[1] * this.#counts[2]);
    for (let t = 0; t < surface.length; t += 9) this.#markTriangle(surface, t, marks);
    this.#flood(marks);
    let solid = 0;
    for (const mark of marks) solid += mark === EMPTY ? 1 : mark === SURFACE ? 0.5 : 0;
    return solid * this.#size ** 3;
  }

  bodyVolume(bodies: readonly Body[]): number {
    const reach = new ReachBeyond();
    const [nx, ny, nz] = this.#counts;
    const at = (index: number, axis: 0 | 1 | 2) => this.#low[axis] + (index + 0.5) * this.#size;
    let inside = 0;
    for (let i = 0; i < nx; i++) {
      for (let j = 0; j < ny; j++) {
        for (let k = 0; k < nz; k++) {
          const isIn = bodies.some(({ points, radius }) => reach.of(at(i, 0), at(j, 1), at(k, 2), points) <= radius);
          if (isIn) inside++;
        }
      }
    }
    return inside * this.#size ** 3;
  }

  /** Marks the cells of points spread over the triangle, half a cell apart. */
  #markTriangle(surface: Soup, t: number, marks: Uint8Array): void {
    const edge = (a: number, b: number) =>
      Math.hypot(surface[a]! - surface[b]!, surface[a + 1]! - surface[b + 1]!, surface[a + 2]! - surface[b + 2]!);
    const longest = Math.max(edge(t, t + 3), edge(t + 3, t + 6), edge(t, t + 6));
    const steps = Math.max(1, Math.ceil((2 * longest) / this.#size));
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; j <= steps - i; j++) {
        const [u, v] = [i / steps, j / steps];
        const at = (k: number) => surface[t + k]! * (1 - u - v) + surface[t + 3 + k]! * u + surface[t + 6 + k]! * v;
        marks[this.#cellOf(at(0), at(1), at(2))] = SURFACE;
      }
    }
  }

  #cellOf(x: number, y: number, z: number): number {
    const [nx, ny, nz] = this.#counts;
    const index = (value: number, axis: 0 | 1 | 2, count: number) =>
      Math.min(Math.max(Math.floor((value - this.#low[axis]) / this.#size), 0), count - 1);
    return (index(x, 0, nx) * ny + index(y, 1, ny)) * nz + index(z, 2, nz);
  }

  #flood(marks: Uint8Array): void {
    const [, ny, nz] = this.#counts;
    const steps = [ny * nz, -ny * nz, nz, -nz, 1, -1];
    const stack = [0];
    marks[0] = OUTSIDE;
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      for (const step of steps) {
        const next = cell + step;
        // Stepping over a row's end leads to the empty layer on the other side, which is outside, too.
        if (marks[next] !== EMPTY) continue;
        marks[next] = OUTSIDE;
        stack.push(next);
      }
    }
  }
}
