import { FlycatcherError } from "../../runtime/errors.js";

/** A surface of triangles. */
export interface TriangleMesh {
  /** x, y, z of each vertex [m]. */
  readonly positions: Float64Array;
  /** Three vertices a triangle, seen from outside against the clock's hands. */
  readonly triangles: Uint32Array;
}

/** Most triangles of one mesh; the largest in public descriptions of robots have a million. */
export const maxTriangles = 8_000_000;

/** Largest coordinate that is read, in units of the file. */
const maxCoordinate = 1e9;

export function meshError(message: string, expected?: string, found?: string): FlycatcherError {
  return new FlycatcherError("FLY_MESH_INVALID", message, {
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found: found.slice(0, 80) }),
  });
}

/** Checks what a reader made: finite vertices, triangles of vertices that exist, at least one. */
export function checkedMesh(positions: Float64Array, triangles: Uint32Array): TriangleMesh {
  if (triangles.length === 0) throw meshError("a mesh has no triangle");
  const count = positions.length / 3;
  for (let i = 0; i < positions.length; i++) {
    if (!(Math.abs(positions[i]!) <= maxCoordinate)) {
      throw meshError("a vertex is not finite", "finite coordinates", String(positions[i]));
    }
  }
  for (const vertex of triangles) {
    if (!(vertex < count)) throw meshError("a triangle has no such vertex", `one of ${count}`, String(vertex));
  }
  return { positions, triangles };
}

/** The same surface with vertices at the same place made one: STL writes each of them some six times. */
export function welded(positions: Float64Array): TriangleMesh {
  const count = positions.length / 3;
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(-1);
  const unique = new Float64Array(positions.length);
  const triangles = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
    let slot = hash(x, y, z) & (slots.length - 1);
    for (; ; slot = (slot + 1) & (slots.length - 1)) {
      const at = 3 * slots[slot]!;
      if (at < 0 || (unique[at] === x && unique[at + 1] === y && unique[at + 2] === z)) break;
    }
    if (slots[slot]! < 0) {
      unique.set([x, y, z], 3 * size);
      slots[slot] = size++;
    }
    triangles[i] = slots[slot]!;
  }
  return { positions: unique.slice(0, 3 * size), triangles };
}

const bits = new Float64Array(3);
const words = new Int32Array(bits.buffer);

function hash(x: number, y: number, z: number): number {
  // 0 and −0 are one place.
  bits[0] = x + 0;
  bits[1] = y + 0;
  bits[2] = z + 0;
  let value = 0;
  for (let k = 0; k < 6; k++) value = Math.imul(value ^ words[k]!, 0x9e3779b1) ^ (value >>> 15);
  return value >>> 1;
}
