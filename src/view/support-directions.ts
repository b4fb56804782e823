import { getOrCreate } from "../runtime/get-or-create.js";

/** Directions spread evenly over the sphere, and the triangles between them: an icosahedron, its faces divided. */
export interface SupportDirections {
  /** x, y, z of each unit vector. */
  readonly vectors: Float32Array;
  /** Three directions a triangle, seen from outside against the clock's hands. */
  readonly triangles: Uint16Array;
}

/** Golden ratio: the icosahedron's corners are (0, ±1, ±φ) and their cyclic permutations. */
const PHI = (1 + Math.sqrt(5)) / 2;
const corners: readonly (readonly [number, number, number])[] = [
  [-1, PHI, 0],
  [1, PHI, 0],
  [-1, -PHI, 0],
  [1, -PHI, 0],
  [0, -1, PHI],
  [0, 1, PHI],
  [0, -1, -PHI],
  [0, 1, -PHI],
  [PHI, 0, -1],
  [PHI, 0, 1],
  [-PHI, 0, -1],
  [-PHI, 0, 1],
];
const faces: readonly (readonly [number, number, number])[] = [
  [0, 11, 5],
  [0, 5, 1],
  [0, 1, 7],
  [0, 7, 10],
  [0, 10, 11],
  [1, 5, 9],
  [5, 11, 4],
  [11, 10, 2],
  [10, 7, 6],
  [7, 1, 8],
  [3, 9, 4],
  [3, 4, 2],
  [3, 2, 6],
  [3, 6, 8],
  [3, 8, 9],
  [4, 9, 5],
  [2, 4, 11],
  [6, 2, 10],
  [8, 6, 7],
  [9, 8, 1],
];
/** How often every face is divided into four: 162 directions. */
const DIVISIONS = 2;

/**
 * The directions in which swept volumes are told of. The farthest points of a convex body in these directions, joined by these
 * triangles, are a mesh of it from inside, and the directions are its normals: no hull has to be searched for.
 */
export function makeSupportDirections(): SupportDirections {
  const vectors = corners.map(unit);
  let triangles = faces.map((face) => [...face] as [number, number, number]);
  for (let k = 0; k < DIVISIONS; k++) triangles = divide(vectors, triangles);
  return { vectors: Float32Array.from(vectors.flat()), triangles: Uint16Array.from(triangles.flat()) };
}

type Vector = readonly [number, number, number];

function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Four triangles for each, by the middles of its sides; new directions go to `vectors`. */
function divide(vectors: Vector[], triangles: readonly [number, number, number][]): [number, number, number][] {
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const [p, q] = [vectors[a]!, vectors[b]!];
    return getOrCreate(middles, a < b ? `${a} ${b}` : `${b} ${a}`, () => {
      return vectors.push(unit([p[0] + q[0], p[1] + q[1], p[2] + q[2]])) - 1;
    });
  };
  return triangles.flatMap(([a, b, c]) => {
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    return [
      [a, ab, ca],
      [b, bc, ab],
      [c, ca, bc],
      [ab, bc, ca],
    ] as [number, number, number][];
  });
}
