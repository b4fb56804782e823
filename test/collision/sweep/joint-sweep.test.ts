import { describe, expect, it } from "vitest";
import { type JointSweep, sweepPrismatic, sweepRevolute } from "../../../src/collision/sweep/joint-sweep.js";
import { SweptHull } from "../../../src/collision/sweep/swept-hull.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { deep } from "../../support/deep.js";
import { unitVector } from "../../support/random-draws.js";
import { randomJoint, randomSweptHull } from "./random-sweeps.js";

type Vector = readonly [number, number, number];

/** v turned about a unit axis, by Rodrigues' formula. */
function turned(v: Vector, axis: Float64Array, angle: number): Vector {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [x, y, z] = [axis[0]!, axis[1]!, axis[2]!];
  const along = (1 - c) * (x * v[0] + y * v[1] + z * v[2]);
  return [
    c * v[0] + s * (y * v[2] - z * v[1]) + along * x,
    c * v[1] + s * (z * v[0] - x * v[2]) + along * y,
    c * v[2] + s * (x * v[1] - y * v[0]) + along * z,
  ];
}

/** All combinations of `count` numbers from a grid on [−1, 1]. */
function grid(count: number, steps: number): number[][] {
  if (count === 0) return [[]];
  const line = Array.from({ length: steps + 1 }, (_, i) => -1 + (2 * i) / steps);
  return grid(count - 1, steps).flatMap((rest) => line.map((value) => [...rest, value]));
}

/**
 * How far the moved hull reaches along a direction, by dense sampling of the joint's terms: their slots have the λ of the
 * sample, all others their best.
 */
function sampledExtent(
  source: SweptHull,
  joint: JointSweep,
  isTurn: boolean,
  direction: Vector,
  steps: number,
): number {
  const slots = [...joint.slot.subarray(0, joint.termCount)];
  let greatest = Number.NEGATIVE_INFINITY;
  for (const lambdas of grid(joint.termCount, steps)) {
    const motion = lambdas.reduce((sum, lambda, k) => sum + lambda * joint.amount[k]!, 0);
    const back = isTurn ? turned(direction, joint.axis, -motion) : direction;
    const shift = isTurn
      ? dot(direction, joint.origin, 0) - dot(back, joint.origin, 0)
      : motion * dot(direction, joint.axis, 0);
    for (let i = 0; i < source.count; i++) {
      let extent = shift + dot(back, source.points, 3 * i);
      for (let k = 0; k < source.spanCount; k++) {
        const along = dot(back, source.spans, 3 * (i * source.slots + k));
        const term = slots.indexOf(k);
        extent += term < 0 ? Math.abs(along) : lambdas[term]! * along;
      }
      greatest = Math.max(greatest, extent);
    }
  }
  return greatest + source.radius;
}

function dot(a: Vector, b: Float64Array, at: number): number {
  return a[0] * b[at]! + a[1] * b[at + 1]! + a[2] * b[at + 2]!;
}

interface Case {
  readonly widest: number;
  readonly pieces: number;
  readonly isTurn: boolean;
  /** Terms: on slots the hull has already, and on new ones. */
  readonly known: number;
  readonly fresh: number;
}

/** Least and greatest excess of the swept hull over the samples, along random directions [m]. */
function excesses(random: Random, { widest, pieces, isTurn, known, fresh }: Case, rounds: number): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < rounds; round++) {
    const source = randomSweptHull(random);
    const old = Array.from({ length: Math.min(known, source.spanCount) }, (_, k) => k);
    const added = Array.from({ length: fresh }, (_, k) => source.spanCount + k);
    const slots = [...old, ...added];
    if (slots.length === 0) continue;
    const joint = randomJoint(
      random,
      slots.map((slot) => [slot, random.uniformIn(-widest, widest) / slots.length] as const),
    );
    joint.pieces = pieces;
    const out = new SweptHull(32, source.slots);
    (isTurn ? sweepRevolute : sweepPrismatic)(source, joint, source.spanCount + added.length, out);
    for (let k = 0; k < 8; k++) {
      const d = unitVector(random, vec3.create());
      const sampled = sampledExtent(source, joint, isTurn, [d[0], d[1], d[2]], slots.length === 1 ? 400 : 30);
      const excess = out.extentAlong(d[0], d[1], d[2]) + out.radius - sampled;
      least = Math.min(least, excess);
      greatest = Math.max(greatest, excess);
    }
  }
  return [least, greatest];
}

const rounds = deep(25, 2000);

describe("a sweep contains all that its joint can do", () => {
  const turn = { isTurn: true, pieces: 1, known: 0, fresh: 1 };
  it.each([
    ["a small turn", { ...turn, widest: 0.1 }],
    ["a wide turn", { ...turn, widest: 1.5 }],
    ["a turn of more than π to either side", { ...turn, widest: 12 }],
    ["a wide turn in pieces", { ...turn, widest: 3.1, pieces: 5 }],
    ["full turns in pieces", { ...turn, widest: 12, pieces: 8 }],
    ["a turn by a dof that has moved the body before", { ...turn, widest: 0.5, known: 1, fresh: 0 }],
    ["a turn by two dofs, one of which has moved the body before", { ...turn, widest: 0.5, known: 1, fresh: 1 }],
    ["a wide turn by two dofs", { ...turn, widest: 4, fresh: 2 }],
    ["a slide", { ...turn, isTurn: false, widest: 1 }],
    ["a slide by two dofs, one of which has moved the body before", { ...turn, isTurn: false, widest: 1, known: 1 }],
  ])("%s", (name, options) => {
    const [least] = excesses(new Random(name), options, rounds);
    expect(least).toBeGreaterThan(-1e-12);
  });
});

describe("what a sweep adds", () => {
  it("to a slide is nothing", () => {
    const options = { isTurn: false, pieces: 1, known: 1, fresh: 1, widest: 1 };
    expect(excesses(new Random("slide"), options, rounds)[1]).toBeLessThan(1e-12);
  });

  it("to a turn falls with the square of the angle, for a body without spans", () => {
    const excess = (widest: number): number => {
      const random = new Random("square");
      let greatest = 0;
      for (let round = 0; round < rounds; round++) {
        const source = randomSweptHull(random, { spans: 0 });
        const joint = randomJoint(random, [[0, widest]]);
        const out = new SweptHull(32, 2);
        sweepRevolute(source, joint, 1, out);
        greatest = Math.max(greatest, out.radius - source.radius);
      }
      return greatest;
    };
    expect(excess(0.1) / excess(0.01)).toBeGreaterThan(90);
    expect(excess(0.1) / excess(0.01)).toBeLessThan(110);
    // Half of the arc's height above its chord, for points up to 1.4 m from the axis.
    expect(excess(0.1)).toBeLessThan(1.4 * (0.005 / 2) * 1.02);
  });

  it("falls as a turn is cut into more pieces", () => {
    const radii = [1, 2, 4, 8].map((pieces) => {
      const random = new Random("pieces");
      const source = randomSweptHull(random, { points: 1 });
      const joint = randomJoint(random, [[source.spanCount, 1.2]]);
      joint.pieces = pieces;
      const out = new SweptHull(32, source.slots);
      sweepRevolute(source, joint, source.spanCount + 1, out);
      return out.radius;
    });
    expect(radii).toEqual([...radii].sort((a, b) => b - a));
    expect(radii[3]! - radii[0]!).toBeLessThan(0);
  });

  it("cancels for two joints that a dof turns against one another about parallel axes", () => {
    const hull = new SweptHull(1, 1);
    hull.setPoints(Float64Array.of(2, 0, 0), 1);
    const random = new Random("parallel");
    const [outer, inner] = [randomJoint(random, [[0, -0.05]]), randomJoint(random, [[0, 0.05]])];
    outer.origin.set([1, 0, 0]);
    inner.origin.set([0, 0, 0]);
    outer.axis.set([0, 0, 1]);
    inner.axis.set([0, 0, 1]);
    sweepRevolute(hull, outer, 1, hull);
    sweepRevolute(hull, inner, 1, hull);
    // Turning back by as much as one is turned forth leaves the motion of the outer axis: 0.05 rad on 1 m.
    expect(hull.spans[1]).toBeCloseTo(0.05, 3);
    expect(hull.radius).toBeLessThan(0.006);
  });
});

describe("a sweep of nonsense", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])("by %s is not taken for a small one", (amount) => {
    const random = new Random("nonsense");
    const source = randomSweptHull(random);
    const out = new SweptHull(32, source.slots);
    sweepRevolute(source, randomJoint(random, [[source.spanCount, amount]]), source.spanCount + 1, out);
    out.measure();
    const isSafe = !Number.isFinite(out.magnitude) || !Number.isFinite(out.radius) || out.radius > 0.1;
    expect(isSafe).toBe(true);
  });
});
