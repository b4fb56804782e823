import { describe, expect, it } from "vitest";
import { CarriedBall, SwungBall } from "../../../bench/real/carried-balls.js";
import { throwsOf } from "../../../bench/tracking/round-objects.js";
import * as vec3 from "../../../src/math/vec3.js";
import { Thrower } from "../../../src/simulation/world/thrower.js";

const throws = throwsOf(1);
const thrower = new Thrower({ kind: "standard", fakes: 0.5, handOvers: 0.5, swing: [0.3, 0.3] }, 1);
const balls = Array.from({ length: 20 }, (_, id) => thrower.prepare(throws.make(id, 10)));

describe("drawn balls in hands", () => {
  it("move without a jump from the hand into the air", () => {
    for (const ball of balls.map((thrown) => new SwungBall(thrown))) {
      const [before, after] = [vec3.create(), vec3.create()];
      let longest = 0;
      for (let time = ball.begin; time + 1e-3 < ball.end; time += 1e-3) {
        expect(ball.position(time, before) && ball.position(time + 1e-3, after)).toBe(true);
        longest = Math.max(longest, vec3.distance(before, after));
      }
      expect(longest).toBeLessThan(0.01);
      expect(ball.position(ball.begin - 1e-3, before)).toBe(false);
    }
  });

  it("that are never released are never on their way to one", () => {
    const ball = new CarriedBall(balls);
    const place = vec3.create();
    let seen = 0;
    for (let time = 0; time < ball.duration; time += 0.02) if (ball.position(time, place)) seen++;
    expect(ball.begins).toHaveLength(balls.length);
    // Hidden for 0.8 s after each motion, seen otherwise.
    expect(0.02 * seen).toBeCloseTo(ball.duration - 0.8 * balls.length, 0);
  });
});
