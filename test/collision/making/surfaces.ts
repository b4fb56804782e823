import type { TriangleMesh } from "../../../src/robot/meshes/triangle-mesh.js";

/** Nine numbers a triangle. */
export function soupOf({ positions, triangles }: TriangleMesh): Float64Array {
  return Float64Array.from([...triangles].flatMap((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)]));
}

/** Rings of points from one end of the z axis to the other, joined by triangles, ends closed. */
function lathe(rings: readonly (readonly [radius: number, z: number])[], sides = 32): TriangleMesh {
  const positions = rings.flatMap(([radius, z]) =>
    Array.from({ length: sides }, (_, k) => {
      const angle = (2 * Math.PI * k) / sides;
      return [radius * Math.cos(angle), radius * Math.sin(angle), z];
    }).flat(),
  );
  const triangles: number[] = [];
  for (let ring = 0; ring + 1 < rings.length; ring++) {
    for (let k = 0; k < sides; k++) {
      const [a, b] = [ring * sides + k, ring * sides + ((k + 1) % sides)];
      triangles.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  for (let k = 2; k < sides; k++) {
    const last = (rings.length - 1) * sides;
    triangles.push(0, k, k - 1, last, last + k - 1, last + k);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

export function sphere(radius: number): TriangleMesh {
  return lathe(
    Array.from({ length: 17 }, (_, i): [number, number] => {
      const angle = (Math.PI * i) / 16;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    }),
  );
}

export function tube(radius: number, length: number): TriangleMesh {
  return lathe([
    [radius, 0],
    [radius, length],
  ]);
}

const outline = [
  [0, 0],
  [0.3, 0],
  [0.3, 0.04],
  [0.04, 0.04],
  [0.04, 0.3],
  [0, 0.3],
] as const;
const cover = [
  [0, 1, 2],
  [0, 2, 3],
  [0, 3, 5],
  [3, 4, 5],
];

/** An upright and a foot of 4 cm, 30 cm long and 10 cm wide. */
export const lBracket: TriangleMesh = {
  positions: Float64Array.from([0, 0.1].flatMap((y) => outline.flatMap(([x, z]) => [x, y, z]))),
  triangles: Uint32Array.from([
    ...cover.flatMap(([a, b, c]) => [a!, b!, c!, c! + 6, b! + 6, a! + 6]),
    ...outline.flatMap((_, k) => {
      const next = (k + 1) % 6;
      return [k, k + 6, next, next, k + 6, next + 6];
    }),
  ]),
};
