import { describe, expect, it } from "vitest";
import { gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { moveBalls } from "../../../src/tracking/filter/flight-predictor.js";
import { distance, randomThrow } from "../../flight/reference.js";

describe("moveBalls", () => {
  it("goes where the flight of src/flight goes", () => {
    const random = new Random("motion");
    const flight = new Flight();
    for (let k = 0; k < 200; k++) {
      const state = { ...randomThrow(random), time: 0 };
      const duration = random.uniformIn(0.001, 1);
      flight.reset(state, gravity(), 0, duration);
      const other = [0, 0, 2, 1, 0, 0, 0, 0, 0, 0];
      const moved = Float64Array.of(...other, ...state.position, ...state.velocity, state.drag, 0, 0, 0);
      moveBalls(moved, gravity(), duration);
      const position = flight.position(duration, vec3.create());
      const velocity = flight.velocity(duration, vec3.create());
      expect(distance(moved.subarray(10), position)).toBeLessThan(5e-7);
      expect(distance(moved.subarray(13), velocity)).toBeLessThan(5e-7);
      expect(moved[16]).toBe(state.drag);
      // Without drag the parabola, exactly.
      expect(moved[0]).toBeCloseTo(duration, 12);
      expect(moved[2]).toBeCloseTo(2 + (gravity()[2] * duration ** 2) / 2, 12);
    }
  });
});
