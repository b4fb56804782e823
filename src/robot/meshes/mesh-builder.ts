import { checkedMesh, maxTriangles, meshError, type TriangleMesh } from "./triangle-mesh.js";

/** A 4 × 4 matrix by rows, as COLLADA writes it; the last row is 0 0 0 1. */
export type Matrix4 = readonly number[];

export const identity4: Matrix4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply4(a: Matrix4, b: Matrix4): Matrix4 {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i - (i % 4), i % 4];
    return (
      a[row]! * b[column]! + a[row + 1]! * b[column + 4]! + a[row + 2]! * b[column + 8]! + a[row + 3]! * b[column + 12]!
    );
  });
}

/** Deepest tree of nodes in a scene. */
const maxDepth = 100;

/** Most nodes and parts of a scene that are placed, each time one is used again included; real ones have some hundreds. */
const maxPlaced = 100_000;

/** Throws where a scene's nodes are nested without end. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw meshError("the nodes of a scene are nested too deeply", `at most ${maxDepth}`);
}

/** Collects the parts of a scene, each placed by a matrix, into one mesh. */
export class MeshBuilder {
  readonly #positions: number[] = [];
  readonly #triangles: number[] = [];
  #placed = 0;

  /** Counts a node or part that is placed; throws where a small file repeats them without end, or nests them too deeply. */
  place(depth: number): void {
    checkDepth(depth);
    if (++this.#placed > maxPlaced) throw meshError("a scene repeats its nodes without end", `at most ${maxPlaced}`);
  }

  add(positions: ArrayLike<number>, triangles: ArrayLike<number>, place: Matrix4): void {
    const first = this.#positions.length / 3;
    if ((this.#triangles.length + triangles.length) / 3 > maxTriangles || first > 3 * maxTriangles) {
      throw meshError("a mesh has too many triangles", `at most ${maxTriangles}`);
    }
    for (let i = 0; i + 2 < positions.length; i += 3) {
      const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
      for (let row = 0; row < 12; row += 4) {
        this.#positions.push(place[row]! * x + place[row + 1]! * y + place[row + 2]! * z + place[row + 3]!);
      }
    }
    const count = Math.floor(positions.length / 3);
    for (let i = 0; i < triangles.length; i++) {
      const vertex = triangles[i]!;
      if (!(vertex >= 0 && vertex < count))
        throw meshError("a triangle has no such vertex", `one of ${count}`, String(vertex));
      this.#triangles.push(first + vertex);
    }
  }

  finish(): TriangleMesh {
    return checkedMesh(Float64Array.from(this.#positions), Uint32Array.from(this.#triangles));
  }
}
