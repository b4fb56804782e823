import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { DistanceSurface, PlaneSurface, SphereSurface } from "../../../src/tracking/prediction/surface.js";
import { unitVector } from "../../support/random-draws.js";

describe("surfaces", () => {
  it("have the gradient that their distance has", () => {
    const random = new Random("surfaces");
    const normal = vec3.normalize(vec3.create(1, 2, -1), vec3.create());
    for (const surface of [new PlaneSurface(normal, 0.3), new SphereSurface(vec3.create(0.1, 0.2, 0.3), 0.8)]) {
      const sampled = new DistanceSurface((point) => surface.distance(point));
      for (let k = 0; k < 50; k++) {
        const point = vec3.scale(unitVector(random, vec3.create()), random.uniformIn(0.5, 3), vec3.create());
        expect(sampled.distance(point)).toBe(surface.distance(point));
        const [a, b] = [surface.gradient(point, vec3.create()), sampled.gradient(point, vec3.create())];
        expect(vec3.distance(a, b)).toBeLessThan(1e-8);
      }
    }
  });
});
