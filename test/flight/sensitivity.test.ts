import { describe, expect, it } from "vitest";
import { type BallState, FlightStatus, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { FlightSensitivity, STATE_SIZE } from "../../src/flight/sensitivity.js";
import * as matrix from "../../src/math/matrix.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { identity } from "../support/matrices.js";
import { distance, randomThrow } from "./reference.js";

const down = gravity();
const n = STATE_SIZE;

/** State at t of the flight from `state` with number `index` of its seven moved by `by`. */
function stateAt(flight: Flight, state: BallState, index: number, by: number, t: number): number[] {
  const [position, velocity] = [vec3.copy(state.position, vec3.create()), vec3.copy(state.velocity, vec3.create())];
  if (index < 3) position[index as 0] += by;
  else if (index < 6) velocity[(index - 3) as 0] += by;
  const drag = state.drag + (index === 6 ? by : 0);
  flight.reset({ time: state.time, position, velocity, drag }, down, state.time - 0.5, state.time + 1.8);
  return [...flight.position(t, vec3.create()), ...flight.velocity(t, vec3.create()), drag];
}

describe("the sensitivity of a flight", () => {
  it("agrees with differences of flights, forwards and backwards", () => {
    const random = new Random("sensitivity");
    const [flight, sensitivity] = [new Flight(), new FlightSensitivity()];
    const transition = new Float64Array(n * n);
    for (let i = 0; i < 30; i++) {
      const state = randomThrow(random);
      expect(sensitivity.reset(state, down, state.time - 0.5, state.time + 1.8)).toBe(FlightStatus.ok);
      const t = state.time + random.uniformIn(-0.5, 1.8);
      sensitivity.transition(t, transition);
      for (let column = 0; column < n; column++) {
        // The drag's own scale is smaller, and so its third derivatives are large.
        const h = column === 6 ? 2e-6 : 2e-5;
        const ahead = stateAt(flight, state, column, h, t);
        const behind = stateAt(flight, state, column, -h, t);
        for (let row = 0; row < n; row++) {
          const slope = (ahead[row]! - behind[row]!) / (2 * h);
          expect(Math.abs(transition[row * n + column]! - slope)).toBeLessThan(2e-7);
        }
      }
    }
  });

  it("knows the flight itself, and its position's rows alone", () => {
    const random = new Random("rows");
    const [flight, sensitivity] = [new Flight(), new FlightSensitivity()];
    const [transition, jacobian] = [new Float64Array(n * n), new Float64Array(3 * n)];
    for (let i = 0; i < 50; i++) {
      const state = randomThrow(random);
      flight.reset(state, down, state.time - 0.5, state.time + 1.8);
      sensitivity.reset(state, down, state.time - 0.5, state.time + 1.8);
      const t = state.time + random.uniformIn(-0.5, 1.8);
      expect(distance(sensitivity.position(t, vec3.create()), flight.position(t, vec3.create()))).toBeLessThan(1e-9);
      sensitivity.transition(t, transition);
      expect(sensitivity.positionJacobian(t, jacobian)).toEqual(transition.slice(0, 3 * n));
    }
  });

  it("is the identity at the reference time, and t·I from there without drag", () => {
    const sensitivity = new FlightSensitivity();
    const state = { time: 0.2, position: vec3.create(1, 2, 3), velocity: vec3.create(), drag: 0 };
    sensitivity.reset(state, down, 0, 1);
    const transition = new Float64Array(n * n);
    expect(sensitivity.transition(0.2, transition)).toEqual(identity(n));
    sensitivity.transition(0.7, transition);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) expect(transition[r * n + 3 + c]).toBeCloseTo(r === c ? 0.5 : 0, 12);
    }
  });

  it("chains: from 0 to s, then from s to t, is from 0 to t", () => {
    const random = new Random("chain");
    const [flight, first, second] = [new Flight(), new FlightSensitivity(), new FlightSensitivity()];
    for (let i = 0; i < 30; i++) {
      const state = { ...randomThrow(random), time: 0 };
      const middle: BallState = { time: 0.6, position: vec3.create(), velocity: vec3.create(), drag: state.drag };
      flight.reset(state, down, 0, 1.8);
      flight.position(middle.time, middle.position);
      flight.velocity(middle.time, middle.velocity);
      first.reset(state, down, 0, 1.8);
      second.reset(middle, down, 0, 1.8);
      const [toMiddle, onwards, whole] = [0, 1, 2].map(() => new Float64Array(n * n)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      first.transition(0.6, toMiddle);
      second.transition(1.4, onwards);
      first.transition(1.4, whole);
      const product = matrix.multiply(onwards, toMiddle, n, n, n, new Float64Array(n * n));
      for (let k = 0; k < n * n; k++) expect(Math.abs(product[k]! - whole[k]!)).toBeLessThan(1e-8);
    }
  });

  it("says why it cannot be computed", () => {
    const sensitivity = new FlightSensitivity({ duration: 1 });
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(60, 0, 0), drag: 0.032 };
    expect(sensitivity.reset(state, down, 0, 2)).toBe(FlightStatus.tooLong);
    expect(sensitivity.reset(state, down, 0, Number.NaN)).toBe(FlightStatus.invalid);
    expect(sensitivity.reset({ ...state, drag: Number.NaN }, down, 0, 1)).toBe(FlightStatus.invalid);
    expect(sensitivity.reset(state, down, -0.9, 0)).toBe(FlightStatus.diverged);
  });
});
