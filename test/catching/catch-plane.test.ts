import { describe, expect, it } from "vitest";
import { derivativeAtCatchPlane, pointAtCatchPlane, timeAtCatchPlane } from "../../src/catching/action-threshold.js";
import type { BallState } from "../../src/flight/ball.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { STATE_SIZE } from "../../src/tracking/filter/ball-belief.js";

function ball(numbers: readonly number[]): BallState {
  const [x, y, z, vx, vy, vz, drag] = numbers as [number, number, number, number, number, number, number];
  return { time: 3, position: vec3.create(x, y, z), velocity: vec3.create(vx, vy, vz), drag };
}

function randomBall(random: Random, drag: number): number[] {
  const between = (low: number, high: number): number => low + (high - low) * random.uniform();
  return [between(2, 5.5), between(-1, 1), between(1, 2), between(-7, -4), between(-1, 1), between(-1, 4), drag];
}

describe("where a ball comes by", () => {
  it("is half a metre before the robot, as the equations of motion have it", () => {
    const random = new Random(1);
    const place = vec3.create();
    for (let trial = 0; trial < 50; trial++) {
      const numbers = randomBall(random, 0.032);
      expect(pointAtCatchPlane(ball(numbers), place)).toBe(true);
      expect(place[0]).toBeCloseTo(0.5, 9);
      const [y, z] = integrated(numbers);
      expect(place[1]).toBeCloseTo(y, 4);
      expect(place[2]).toBeCloseTo(z, 4);
    }
  });

  it("changes with what is known of it as its derivative says, the air apart", () => {
    const random = new Random(2);
    const step = 1e-5;
    const [ahead, behind] = [vec3.create(), vec3.create()];
    const derivative = new Float64Array(STATE_SIZE);
    for (let trial = 0; trial < 50; trial++) {
      const numbers = randomBall(random, 0);
      const state = ball(numbers);
      for (const i of [1, 2] as const) {
        derivativeAtCatchPlane(state, i, timeAtCatchPlane(state), derivative);
        for (let k = 0; k < 6; k++) {
          const moved = (by: number): BallState => ball(numbers.map((value, n) => (n === k ? value + by : value)));
          pointAtCatchPlane(moved(step), ahead);
          pointAtCatchPlane(moved(-step), behind);
          expect(derivative[k]).toBeCloseTo((ahead[i] - behind[i]) / (2 * step), 4);
        }
      }
    }
  });

  it("is nowhere for one that flies away, stands, or is not a number", () => {
    const place = vec3.create();
    expect(pointAtCatchPlane(ball([4, 0, 1.5, 5, 0, 2, 0.032]), place)).toBe(false);
    expect(pointAtCatchPlane(ball([4, 0, 1.5, 0, 0, 0, 0.032]), place)).toBe(false);
    expect(pointAtCatchPlane(ball([4, 0, 1.5, -0.5, 0, 0, 0.032]), place)).toBe(false);
    expect(pointAtCatchPlane(ball([4, 0, 1.5, -5, Number.NaN, 2, 0.032]), place)).toBe(false);
  });
});

/** y and z at x = 0.5 by small steps of Heun's method. */
function integrated(numbers: readonly number[]): [number, number] {
  const step = 1e-4;
  const [p, v] = [numbers.slice(0, 3), numbers.slice(3, 6)];
  const drag = numbers[6]!;
  const acceleration = (u: readonly number[]): number[] => {
    const speed = Math.hypot(...u);
    return u.map((value, k) => -drag * speed * value - (k === 2 ? 9.81 : 0));
  };
  while (p[0]! > 0.5) {
    const first = acceleration(v);
    const second = acceleration(v.map((value, k) => value + step * first[k]!));
    const before = p.slice();
    for (let k = 0; k < 3; k++) {
      p[k]! += step * (v[k]! + 0.5 * step * first[k]!);
      v[k]! += 0.5 * step * (first[k]! + second[k]!);
    }
    if (p[0]! <= 0.5) {
      const share = (before[0]! - 0.5) / (before[0]! - p[0]!);
      return [1, 2].map((k) => before[k]! + share * (p[k]! - before[k]!)) as [number, number];
    }
  }
  throw new Error("the ball begins behind the plane");
}
