import { expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { sinCos } from "../../../src/robot/kinematics/sin-cos.js";

function worstError(angles: Float64Array): number {
  const sin = new Float64Array(angles.length);
  const cos = new Float64Array(angles.length);
  sinCos(angles, angles.length, sin, cos);
  let worst = 0;
  angles.forEach((angle, i) => {
    worst = Math.max(worst, Math.abs(sin[i]! - Math.sin(angle)), Math.abs(cos[i]! - Math.cos(angle)));
  });
  return worst;
}

it("equals Math.sin and Math.cos to the last bit or the one before, near zero and many turns away", () => {
  const random = new Random("sin cos");
  for (const range of [1e-9, 1, Math.PI, 100, 1e4, 1e9]) {
    expect(worstError(new Float64Array(50_000).map(() => random.uniformIn(-range, range)))).toBeLessThan(1.2e-16);
  }
});

it("is as good around multiples of a quarter turn", () => {
  const random = new Random("quarter turns");
  const near = new Float64Array(50_000).map((_, i) => (i % 4001) * (Math.PI / 2) * (i % 2 ? 1 : -1));
  expect(worstError(near)).toBeLessThan(1.2e-16);
  expect(worstError(near.map((angle) => angle + random.uniformIn(-1e-8, 1e-8)))).toBeLessThan(1.2e-16);
});

it("gives NaN for what has no sine", () => {
  const angles = Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0);
  const sin = new Float64Array(4);
  const cos = new Float64Array(4);
  sinCos(angles, 4, sin, cos);
  expect([...sin]).toEqual([Number.NaN, Number.NaN, Number.NaN, 0]);
  expect([...cos]).toEqual([Number.NaN, Number.NaN, Number.NaN, 1]);
});
