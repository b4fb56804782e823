import { JointSweep } from "../../../src/collision/sweep/joint-sweep.js";
import { SweptHull } from "../../../src/collision/sweep/swept-hull.js";
import type { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { unitVector } from "../../support/random-draws.js";

/** A hull of random points with random spans; `capacity` and `slots` leave room. */
export function randomSweptHull(random: Random, { points = 4, spans = 3, size = 0.3, spanSize = 0.1 } = {}): SweptHull {
  const hull = new SweptHull(16, spans + 2);
  hull.count = 1 + random.integer(points);
  hull.spanCount = random.integer(spans + 1);
  for (let i = 0; i < 3 * hull.count; i++) hull.points[i] = random.uniformIn(-size, size);
  for (let i = 0; i < hull.count; i++) {
    for (let k = 0; k < 3 * hull.spanCount; k++)
      hull.spans[3 * i * hull.slots + k] = random.uniformIn(-spanSize, spanSize);
  }
  hull.radius = random.uniformIn(0, 0.05);
  hull.measure();
  return hull;
}

/** A joint with a random axis, whose terms have the slots and amounts given. */
export function randomJoint(random: Random, terms: readonly (readonly [slot: number, amount: number])[]): JointSweep {
  const joint = new JointSweep(terms.length);
  for (let k = 0; k < 3; k++) joint.origin[k] = random.uniformIn(-0.5, 0.5);
  joint.axis.set(unitVector(random, vec3.create()));
  joint.termCount = terms.length;
  for (const [k, [slot, amount]] of terms.entries()) {
    joint.slot[k] = slot;
    joint.amount[k] = amount;
  }
  return joint;
}

/** Every corner of a hull written out: x, y, z of all p ± s₁ ± … ± s_n. */
export function cornersOf(hull: SweptHull): [number, number, number][] {
  return Array.from({ length: hull.count }, (_, i) =>
    Array.from({ length: 2 ** hull.spanCount }, (_, mask) => {
      const corner: [number, number, number] = [0, 0, 0];
      for (let axis = 0; axis < 3; axis++) {
        let sum = hull.points[3 * i + axis]!;
        for (let k = 0; k < hull.spanCount; k++) {
          sum += ((mask >> k) & 1 ? 1 : -1) * hull.spans[3 * (i * hull.slots + k) + axis]!;
        }
        corner[axis] = sum;
      }
      return corner;
    }),
  ).flat();
}
