import { checkedMesh, maxTriangles, meshError, type TriangleMesh, welded } from "./triangle-mesh.js";

/** Bytes before the first triangle, and of each. */
const headerBytes = 84;
const triangleBytes = 50;

/** Reads STL, binary or text. Which it is follows from the length: binary files may begin with `solid`, too. */
export function readStl(bytes: Buffer): TriangleMesh {
  const count = bytes.length >= headerBytes ? bytes.readUInt32LE(80) : 0;
  const expected = headerBytes + triangleBytes * count;
  const saysSolid = bytes.subarray(0, 5).toString("latin1").toLowerCase() === "solid";
  if (bytes.length === expected || (!saysSolid && bytes.length > expected && count > 0))
    return readBinary(bytes, count);
  if (saysSolid) return readText(bytes.toString("latin1"));
  throw meshError("an STL file is cut off", `${expected} bytes`, String(bytes.length));
}

function readBinary(bytes: Buffer, count: number): TriangleMesh {
  if (count > maxTriangles) throw meshError("a mesh has too many triangles", `at most ${maxTriangles}`, String(count));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = new Float64Array(9 * count);
  for (let triangle = 0; triangle < count; triangle++) {
    const at = headerBytes + triangleBytes * triangle + 12;
    for (let k = 0; k < 9; k++) positions[9 * triangle + k] = view.getFloat32(at + 4 * k, true);
  }
  return finished(positions);
}

function readText(text: string): TriangleMesh {
  const numbers: number[] = [];
  for (const [, x, y, z] of text.matchAll(/\bvertex\s+(\S+)\s+(\S+)\s+(\S+)/gi)) {
    numbers.push(Number(x), Number(y), Number(z));
    if (numbers.length > 9 * maxTriangles) throw meshError("a mesh has too many triangles", `at most ${maxTriangles}`);
  }
  if (numbers.length % 9 !== 0) throw meshError("an STL file has a triangle without three vertices");
  return finished(Float64Array.from(numbers));
}

function finished(positions: Float64Array): TriangleMesh {
  const mesh = welded(positions);
  return checkedMesh(mesh.positions, mesh.triangles);
}
