import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { expectAliasSafe, expectAliasSafeUnary, maxDifference, normalVector } from "./reference.js";

const random = new Random("vec3");

describe("vec3", () => {
  it("does the arithmetic of its components", () => {
    const a = vec3.create(1, 2, 3);
    const b = vec3.create(4, -5, 6);
    const out = vec3.create();
    expect([...vec3.add(a, b, out)]).toEqual([5, -3, 9]);
    expect([...vec3.subtract(a, b, out)]).toEqual([-3, 7, -3]);
    expect([...vec3.scale(a, -2, out)]).toEqual([-2, -4, -6]);
    expect([...vec3.addScaled(a, b, 2, out)]).toEqual([9, -8, 15]);
    expect([...vec3.negate(a, out)]).toEqual([-1, -2, -3]);
    expect([...vec3.cross(a, b, out)]).toEqual([27, 6, -13]);
    expect([...vec3.lerp(a, b, 0.5, out)]).toEqual([2.5, -1.5, 4.5]);
    expect([...vec3.set(7, 8, 9, out)]).toEqual([7, 8, 9]);
    expect([...vec3.copy(a, out)]).toEqual([1, 2, 3]);
    expect(vec3.dot(a, b)).toBe(12);
    expect(vec3.squaredNorm(a)).toBe(14);
    expect(vec3.norm(vec3.create(2, 3, 6))).toBe(7);
    expect(vec3.distance(vec3.create(1, 1, 1), vec3.create(3, 4, 7))).toBe(7);
    expect([...vec3.create()]).toEqual([0, 0, 0]);
  });

  it("returns `out`", () => {
    const out = vec3.create();
    expect(vec3.cross(normalVector(random), normalVector(random), out)).toBe(out);
    expect(vec3.normalize(normalVector(random), out)).toBe(out);
  });

  it("has a cross product at right angles to both factors, of the length of their parallelogram", () => {
    for (let i = 0; i < 1000; i++) {
      const a = normalVector(random);
      const b = normalVector(random);
      const c = vec3.cross(a, b, vec3.create());
      expect(Math.abs(vec3.dot(c, a))).toBeLessThan(1e-13);
      expect(Math.abs(vec3.dot(c, b))).toBeLessThan(1e-13);
      const lagrange = vec3.squaredNorm(a) * vec3.squaredNorm(b) - vec3.dot(a, b) ** 2;
      expect(Math.abs(vec3.squaredNorm(c) - lagrange)).toBeLessThan(1e-12);
    }
  });

  it("normalizes to length one, and leaves zero alone", () => {
    for (let i = 0; i < 1000; i++) {
      const a = normalVector(random);
      const unit = vec3.normalize(a, vec3.create());
      expect(Math.abs(vec3.norm(unit) - 1)).toBeLessThan(4e-16);
      expect(maxDifference(vec3.scale(unit, vec3.norm(a), unit), a)).toBeLessThan(2e-15);
    }
    expect([...vec3.normalize(vec3.create(), vec3.create(1, 2, 3))]).toEqual([0, 0, 0]);
  });

  it("knows a finite vector", () => {
    expect(vec3.isFinite(vec3.create(1, 2, 3))).toBe(true);
    for (let i = 0; i < 3; i++) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const a = vec3.create(1, 2, 3);
        a[i] = bad;
        expect(vec3.isFinite(a)).toBe(false);
      }
    }
  });

  it("views a buffer without copying it", () => {
    const buffer = Float64Array.of(0, 1, 2, 3, 4);
    const view = vec3.view(buffer, 1);
    vec3.scale(view, 10, view);
    expect([...buffer]).toEqual([0, 10, 20, 30, 4]);
  });

  it("may write over its inputs", () => {
    const a = normalVector(random);
    const b = normalVector(random);
    for (const f of [vec3.add, vec3.subtract, vec3.cross]) expectAliasSafe(f, a, b);
    expectAliasSafe((x, y, out) => vec3.addScaled(x, y, 0.3, out), a, b);
    expectAliasSafe((x, y, out) => vec3.lerp(x, y, 0.3, out), a, b);
    for (const f of [vec3.copy, vec3.negate, vec3.normalize]) expectAliasSafeUnary(f, a);
    expectAliasSafeUnary((x, out) => vec3.scale(x, 3, out), a);
  });
});
