import { getOrCreate } from "../../runtime/get-or-create.js";
import type { TriangleMesh } from "./triangle-mesh.js";

/**
 * The mesh with at most about `most` triangles, for drawing: vertices in one cell of a grid become one, in their middle,
 * and triangles that lose a corner go. The grid gets coarser until it is enough (Rossignac and Borrel, "Multi-resolution
 * 3D approximations for rendering complex scenes", 1993).
 */
export function simplifyMesh(mesh: TriangleMesh, most: number): TriangleMesh {
  let result = mesh;
  for (let cells = 128; result.triangles.length / 3 > most && cells >= 4; cells *= 0.75)
    result = clustered(mesh, cells);
  return result;
}

function clustered({ positions, triangles }: TriangleMesh, cells: number): TriangleMesh {
  const low = [0, 1, 2].map((axis) => extreme(positions, axis, Math.min));
  const high = [0, 1, 2].map((axis) => extreme(positions, axis, Math.max));
  const size = Math.max(...high.map((value, k) => value - low[k]!)) / cells || 1;
  const clusters = new Map<number, number>();
  const sums: number[] = [];
  const clusterOf = Uint32Array.from({ length: positions.length / 3 }, (_, i) => {
    const index = [0, 1, 2].map((k) => Math.floor((positions[3 * i + k]! - low[k]!) / size));
    const key = (index[0]! * 256 + index[1]!) * 256 + index[2]!;
    const cluster = getOrCreate(clusters, key, () => sums.push(0, 0, 0, 0) / 4 - 1);
    for (let k = 0; k < 3; k++) sums[4 * cluster + k]! += positions[3 * i + k]!;
    sums[4 * cluster + 3]!++;
    return cluster;
  });
  const kept: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [clusterOf[triangles[t]!]!, clusterOf[triangles[t + 1]!]!, clusterOf[triangles[t + 2]!]!];
    if (a !== b && b !== c && a !== c) kept.push(a, b, c);
  }
  const middles = Float64Array.from({ length: 3 * clusters.size }, (_, i) => {
    const at = 4 * Math.floor(i / 3);
    return sums[at + (i % 3)]! / sums[at + 3]!;
  });
  return { positions: middles, triangles: Uint32Array.from(kept) };
}

function extreme(positions: Float64Array, axis: number, choose: (a: number, b: number) => number): number {
  let value = positions[axis] ?? 0;
  for (let i = axis; i < positions.length; i += 3) value = choose(value, positions[i]!);
  return value;
}
