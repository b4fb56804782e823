import type { TriangleMesh } from "./triangle-mesh.js";

/** A mesh as binary STL, without normals, which readers compute. */
export function writeStl({ positions, triangles }: TriangleMesh): Buffer {
  const count = triangles.length / 3;
  const bytes = Buffer.alloc(84 + 50 * count);
  bytes.writeUInt32LE(count, 80);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 9; k++) {
      const value = positions[3 * triangles[3 * t + Math.floor(k / 3)]! + (k % 3)]!;
      bytes.writeFloatLE(value, 84 + 50 * t + 12 + 4 * k);
    }
  }
  return bytes;
}
