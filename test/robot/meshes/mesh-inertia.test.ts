import { describe, expect, it } from "vitest";
import { solidMoments } from "../../../src/robot/meshes/mesh-inertia.js";
import { lBracket, soupOf, sphere } from "../../collision/making/surfaces.js";
import { cube } from "./sample-meshes.js";

describe("solidMoments", () => {
  it("of a cube, inside out or not", () => {
    const outside = solidMoments(soupOf(cube))!;
    const inside = solidMoments(soupOf({ ...cube, triangles: cube.triangles.slice().reverse() }))!;
    for (const { volume, centre, inertia } of [outside, inside]) {
      expect(volume).toBeCloseTo(1, 12);
      for (const value of centre) expect(value).toBeCloseTo(0.5, 12);
      for (const key of ["ixx", "iyy", "izz"] as const) expect(inertia[key]).toBeCloseTo(1 / 6, 12);
      for (const key of ["ixy", "ixz", "iyz"] as const) expect(inertia[key]).toBeCloseTo(0, 12);
    }
  });

  it("of a ball is 2/5·m·r², up to its facets", () => {
    const { volume, inertia } = solidMoments(soupOf(sphere(0.1)))!;
    expect(inertia.ixx / (0.4 * volume * 0.01)).toBeGreaterThan(0.97);
    expect(inertia.ixx / (0.4 * volume * 0.01)).toBeLessThan(1);
  });

  it("of an angle is the sum of its two bars", () => {
    const bars = [
      { size: [0.3, 0.1, 0.04], centre: [0.15, 0.05, 0.02] },
      { size: [0.04, 0.1, 0.26], centre: [0.02, 0.05, 0.17] },
    ].map(({ size, centre }) => ({ size, centre, mass: size[0]! * size[1]! * size[2]! }));
    const mass = bars.reduce((sum, bar) => sum + bar.mass, 0);
    const middle = [0, 1, 2].map((k) => bars.reduce((sum, bar) => sum + bar.mass * bar.centre[k]!, 0) / mass);
    const iyy = bars.reduce((sum, bar) => {
      const offset = (bar.centre[0]! - middle[0]!) ** 2 + (bar.centre[2]! - middle[2]!) ** 2;
      return sum + bar.mass * ((bar.size[0]! ** 2 + bar.size[2]! ** 2) / 12 + offset);
    }, 0);
    const found = solidMoments(soupOf(lBracket))!;
    expect(found.volume).toBeCloseTo(mass, 12);
    for (const [k, value] of middle.entries()) expect(found.centre[k]).toBeCloseTo(value, 12);
    expect(found.inertia.iyy).toBeCloseTo(iyy, 12);
  });

  it("of a flat surface there are none", () => {
    expect(solidMoments(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0))).toBeNull();
  });
});
