import { checkedMesh, maxTriangles, meshError, type TriangleMesh } from "./triangle-mesh.js";

/** Reads Wavefront OBJ: `v` and `f`; polygons are cut into triangles, all else is passed over. */
export function readObj(bytes: Buffer): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const line of lines(bytes.toString("latin1"))) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "v") positions.push(Number(words[1]), Number(words[2]), Number(words[3]));
    else if (words[0] === "f") pushPolygon(words, positions.length / 3, triangles);
  }
  return checkedMesh(Float64Array.from(positions), Uint32Array.from(triangles));
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    yield text.slice(start, end);
    start = end + 1;
  }
}

function pushPolygon(words: readonly string[], vertexCount: number, triangles: number[]): void {
  const corners = words.slice(1).map((word) => corner(word, vertexCount));
  for (let k = 2; k < corners.length; k++) triangles.push(corners[0]!, corners[k - 1]!, corners[k]!);
  if (triangles.length > 3 * maxTriangles) throw meshError("a mesh has too many triangles", `at most ${maxTriangles}`);
}

/** `3`, `3/1`, `3//2`, `3/1/2`, or from the end: `-1`. */
function corner(word: string, vertexCount: number): number {
  const number = Number.parseInt(word, 10);
  const index = number < 0 ? vertexCount + number : number - 1;
  if (!(index >= 0 && index < vertexCount)) throw meshError("a face has no such vertex", `1 to ${vertexCount}`, word);
  return index;
}
