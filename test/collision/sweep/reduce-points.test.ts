import { describe, expect, it } from "vitest";
import { reducePoints } from "../../../src/collision/sweep/reduce-points.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { unitVector } from "../../support/random-draws.js";
import { randomSweptHull } from "./random-sweeps.js";

describe("a reduced hull", () => {
  it("has no more points than asked, and contains what it contained", () => {
    const random = new Random("reduce");
    for (let round = 0; round < 500; round++) {
      const hull = randomSweptHull(random, { points: 12 });
      const directions = Array.from({ length: 20 }, () => unitVector(random, vec3.create()));
      const reach = () => directions.map((d) => hull.extentAlong(d[0], d[1], d[2]) + hull.radius);
      const before = reach();
      const most = 1 + random.integer(6);
      const grown = reducePoints(hull, most);
      expect(hull.count).toBeLessThanOrEqual(most);
      expect(grown).toBeGreaterThanOrEqual(0);
      for (const [k, extent] of reach().entries()) expect(extent).toBeGreaterThan(before[k]! - 1e-12);
    }
  });

  it("is left alone if it is small enough", () => {
    const hull = randomSweptHull(new Random("small"));
    const points = hull.points.slice();
    expect(reducePoints(hull, hull.count)).toBe(0);
    expect(hull.points).toEqual(points);
  });

  it("loses nothing where points coincide", () => {
    const hull = randomSweptHull(new Random("same"), { points: 1, spans: 0 });
    for (let i = 1; i < 4; i++) hull.points.copyWithin(3 * i, 0, 3);
    hull.count = 4;
    expect(reducePoints(hull, 1)).toBe(0);
  });
});
