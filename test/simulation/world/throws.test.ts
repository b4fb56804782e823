import { describe, expect, it } from "vitest";
import { knownBalls } from "../../../src/flight/known-balls.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import {
  type Range,
  type Throw,
  ThrowGenerator,
  type ThrowSpace,
  throwPresets,
  throwSpaceOf,
} from "../../../src/simulation/world/throws.js";
import { deep } from "../../support/deep.js";

const humanoid = throwSpaceOf(loadRobot("agile-justin"));
const count = deep(1000, 20_000);

function makeThrows(space: ThrowSpace, seed: number, number = count): Throw[] {
  const generator = new ThrowGenerator(space, seed);
  return Array.from({ length: number }, (_, id) => generator.make(id, 0));
}

/** All values lie in the range, and they fill it as uniform ones do. */
function expectUniform(values: readonly number[], [low, high]: Range): void {
  const span = high - low;
  expect(Math.min(...values)).toBeGreaterThanOrEqual(low - 1e-12);
  expect(Math.max(...values)).toBeLessThanOrEqual(high + 1e-12);
  expect(Math.min(...values)).toBeLessThan(low + 0.02 * span);
  expect(Math.max(...values)).toBeGreaterThan(high - 0.02 * span);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  // Five standard deviations of the mean of uniform numbers.
  expect(Math.abs(mean - (low + high) / 2)).toBeLessThan((5 * span) / Math.sqrt(12 * values.length));
}

/** Where a ball is after `duration`, by the classical Runge–Kutta method on v̇ = g − k·|v|·v + w × v: nothing of src/flight. */
function fly({ state }: Throw, duration: number, steps = 2000): number[] {
  let y = [...state.position, ...state.velocity];
  const h = duration / steps;
  const slope = (at: readonly number[]): number[] => {
    const v = at.slice(3);
    const speed = Math.hypot(...v);
    const lift = vec3.cross(state.lift ?? vec3.create(), vec3.create(v[0]!, v[1]!, v[2]!), vec3.create());
    return [...v, ...v.map((component, k) => (k === 2 ? -9.81 : 0) - state.drag * speed * component + lift[k]!)];
  };
  const shift = (by: readonly number[], factor: number): number[] => y.map((value, k) => value + factor * by[k]!);
  for (let step = 0; step < steps; step++) {
    const k1 = slope(y);
    const k2 = slope(shift(k1, h / 2));
    const k3 = slope(shift(k2, h / 2));
    const k4 = slope(shift(k3, h));
    y = y.map((value, k) => value + (h / 6) * (k1[k]! + 2 * k2[k]! + 2 * k3[k]! + k4[k]!));
  }
  return y.slice(0, 3);
}

describe("throws at a humanoid", () => {
  const throws = makeThrows(humanoid, 1);

  it("are released 4 to 6 m away, half a metre aside at most, 1.3 to 1.8 m high", () => {
    expectUniform(
      throws.map(({ state }) => state.position[0] - humanoid.axis.x),
      [4, 6],
    );
    expectUniform(
      throws.map(({ state }) => state.position[1]),
      [-0.5, 0.5],
    );
    expectUniform(
      throws.map(({ state }) => state.position[2]),
      [1.3, 1.8],
    );
  });

  it("are aimed at the rectangle half a metre before the chest, and are there in 0.75 to 1.1 s", () => {
    for (const { aim } of throws) expect(aim[0]).toBeCloseTo(humanoid.axis.x + 0.5, 12);
    expectUniform(
      throws.map(({ aim }) => aim[1]),
      [-0.9, 0.9],
    );
    expectUniform(
      throws.map(({ aim }) => aim[2]),
      [0.8, 1.9],
    );
    expectUniform(
      throws.map(({ flightTime }) => flightTime),
      [0.75, 1.1],
    );
    expectUniform(
      throws.map(({ framePhase }) => framePhase),
      [0, 1],
    );
  });

  it("hit their aim, through the air", () => {
    for (const ball of throws.slice(0, deep(50, 1000))) {
      const [x, y, z] = fly(ball, ball.flightTime) as [number, number, number];
      expect(vec3.distance(vec3.create(x, y, z), ball.aim)).toBeLessThan(1e-6);
    }
  });

  it("hit it with a spin, too, where the tracker is told that there may be one", () => {
    const ball = { ...knownBalls["table-tennis"] };
    const generator = new ThrowGenerator(humanoid, 1, ball);
    const plain = new ThrowGenerator(humanoid, 1, { ...ball, liftSigma: 0 });
    let squares = 0;
    for (let id = 0; id < 60; id++) {
      const thrown = generator.make(id, 0);
      const [x, y, z] = fly(thrown, thrown.flightTime, 500) as [number, number, number];
      expect(vec3.distance(vec3.create(x, y, z), thrown.aim)).toBeLessThan(1e-6);
      squares += vec3.squaredNorm(thrown.state.lift!);
      const { state, ...rest } = plain.make(id, 0);
      expect(state.lift).toBeUndefined();
      expect(rest).toEqual({ id, aim: thrown.aim, flightTime: thrown.flightTime, framePhase: thrown.framePhase });
    }
    // 180 numbers: their mean square is known to about a tenth.
    expect(Math.sqrt(squares / 180) / ball.liftSigma).toBeGreaterThan(0.8);
    expect(Math.sqrt(squares / 180) / ball.liftSigma).toBeLessThan(1.2);
  });

  it("would miss it by decimetres if they reckoned without the air", () => {
    const generator = new ThrowGenerator(humanoid, 1, { diameter: 0.085, mass: 0.05, drag: 0 });
    for (let id = 0; id < 20; id++) {
      const { state, aim, flightTime, ...rest } = generator.make(id, 0);
      const airy: Throw = { ...rest, aim, flightTime, state: { ...state, drag: 0.032 } };
      const [x, y, z] = fly(airy, flightTime) as [number, number, number];
      expect(vec3.distance(vec3.create(x, y, z), aim)).toBeGreaterThan(0.15);
    }
  });

  it("are about 5.5 to 8.5 m/s fast", () => {
    const speeds = throws.map(({ state }) => vec3.norm(state.velocity)).sort((a, b) => a - b);
    expect(speeds[Math.floor(0.05 * count)]).toBeGreaterThan(5.5);
    expect(speeds[Math.floor(0.95 * count)]).toBeLessThan(8.6);
  });
});

describe("a series of throws", () => {
  it("is the same for the same seed, whatever is thrown before", () => {
    const [a, b] = [new ThrowGenerator(humanoid, 7), new ThrowGenerator(humanoid, 7)];
    const forwards = Array.from({ length: 20 }, (_, id) => a.make(id, 0));
    const backwards = Array.from({ length: 20 }, (_, id) => b.make(19 - id, 0)).reverse();
    expect(backwards).toEqual(forwards);
  });

  it("is another for another seed", () => {
    const [a, b] = [makeThrows(humanoid, 1, 20), makeThrows(humanoid, 2, 20)];
    for (let id = 0; id < 20; id++) expect(a[id]!.flightTime).not.toBe(b[id]!.flightTime);
  });

  it("carries number and release time, which change nothing else", () => {
    const generator = new ThrowGenerator(humanoid, 1);
    const early = generator.make(3, 0);
    const late = generator.make(3, 12.345);
    expect(late.id).toBe(3);
    expect(late.state.time).toBe(12.345);
    expect({ ...late, state: { ...late.state, time: 0 } }).toEqual(early);
  });

  it("refuses a throw that no arm could make", () => {
    const generator = new ThrowGenerator({ ...humanoid, flightTime: [1e-3, 1e-3] }, 1, {
      diameter: 0.085,
      mass: 0.05,
      drag: 0.9,
    });
    expect(() => generator.make(0, 0)).toThrow(expect.objectContaining({ code: "FLY_THROW_IMPOSSIBLE" }));
  });
});

describe("the place of throws", () => {
  it("is Agile Justin's chest axis, heights above the floor", () => {
    const { axis, heading, target } = humanoid;
    // The posture's angles are written with four digits.
    expect(Math.abs(axis.x)).toBeLessThan(1e-4);
    expect(Math.abs(axis.y)).toBeLessThan(1e-4);
    expect(heading).toEqual({ x: 1, y: 0 });
    expect(target).toEqual({ ahead: 0.5, aside: [-0.9, 0.9], height: [0.8, 1.9] });
  });

  it.each([
    ["lwr-arm", 1.06],
    ["iiwa-14", 1.11],
    ["panda", 1.083],
  ])("is the base axis of %s, heights about its shoulder", (name, shoulder) => {
    const { axis, target } = throwSpaceOf(loadRobot(name));
    expect(axis.x).toBeCloseTo(-0.25, 9);
    expect(target.height[0]).toBeCloseTo(shoulder - 0.5, 6);
    expect(target.height[1]).toBeCloseTo(shoulder + 0.6, 6);
  });

  it("turns with the robot's heading", () => {
    const turned: ThrowSpace = { ...humanoid, axis: { x: 1, y: 2 }, heading: { x: 0, y: 1 } };
    for (const { state, aim } of makeThrows(turned, 1, 50)) {
      expect(aim[1]).toBeCloseTo(2.5, 12);
      expect(Math.abs(aim[0] - 1)).toBeLessThanOrEqual(0.9);
      expect(state.position[1]).toBeGreaterThanOrEqual(6);
      expect(state.velocity[1]).toBeLessThan(-3);
    }
  });

  it("takes a preset of one's own", () => {
    const { target } = throwSpaceOf(loadRobot("lwr-arm"), throwPresets.humanoid);
    expect(target.height).toEqual([0.8, 1.9]);
  });
});
