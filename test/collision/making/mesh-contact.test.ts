import { expect, it } from "vitest";
import { SurfaceTree, surfacesTouch } from "../../../bench/robots/mesh-contact.js";
import { HullDistance, MEMORY_SIZE } from "../../../src/collision/hull-distance.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { boxes, cube } from "../../robot/meshes/sample-meshes.js";

function soupOf({ positions, triangles }: typeof cube): Float64Array {
  return Float64Array.from([...triangles].flatMap((corner) => [...positions.subarray(3 * corner, 3 * corner + 3)]));
}

it("finds surfaces of two boxes in contact where their hulls are, wherever they stand", () => {
  // Neither fits into the other, so their surfaces touch if the boxes overlap.
  const other = boxes([[0, 0, 0, 2, 0.5, 1.1]]);
  const trees = [cube, other].map((mesh) => new SurfaceTree(soupOf(mesh))) as [SurfaceTree, SurfaceTree];
  const random = new Random("mesh contact");
  const distance = new HullDistance();
  let touching = 0;
  for (let i = 0; i < 300; i++) {
    const angles = [0, 1, 2].map(() => random.uniformIn(-3, 3)) as [number, number, number];
    const place = [0, 1, 2].map(() => random.uniformIn(-2, 2)) as [number, number, number];
    const placed = pose.fromRpyTranslation(...angles, ...place, pose.create());
    const moved = cube.positions.slice();
    for (let k = 0; k < moved.length; k += 3) pose.transformPoint(placed, vec3.view(moved, k), vec3.view(moved, k));
    distance.measure(moved, 8, other.positions as Float64Array, 8, new Int32Array(MEMORY_SIZE), 0);
    const overlap = !(distance.lowerBound > 0);
    expect(surfacesTouch(trees[0], placed, trees[1])).toBe(overlap);
    if (overlap) touching++;
  }
  expect(touching).toBeGreaterThan(50);
  expect(touching).toBeLessThan(250);
});
