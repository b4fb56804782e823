import { describe, expect, it } from "vitest";
import { type BallState, copyBallState, FlightStatus, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { FlightSensitivity } from "../../src/flight/sensitivity.js";
import * as mat3 from "../../src/math/mat3.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallBelief, BELIEF_SIZE } from "../../src/tracking/filter/ball-belief.js";
import { BallFilter } from "../../src/tracking/filter/ball-filter.js";
import { BallForecast } from "../../src/tracking/prediction/ball-forecast.js";
import { distance, randomThrow } from "./reference.js";

const down = gravity();

function spinning(random: Random): BallState {
  const lift = vec3.create(random.normal(), random.normal(), random.normal());
  return { ...randomThrow(random), lift };
}

/** v̇ = g − k·|v|·v + w × v in small steps of the midpoint rule. */
function integrate({ position, velocity, drag, lift }: BallState, duration: number): { p: number[]; v: number[] } {
  const [wx, wy, wz] = lift!;
  const slope = (v: readonly number[]): number[] => {
    const [x, y, z] = v as [number, number, number];
    const loss = drag * Math.hypot(x, y, z);
    return [
      down[0] - loss * x + wy * z - wz * y,
      down[1] - loss * y + wz * x - wx * z,
      down[2] - loss * z + wx * y - wy * x,
    ];
  };
  let [p, v] = [[...position], [...velocity]];
  const steps = 4000;
  const h = duration / steps;
  for (let k = 0; k < steps; k++) {
    const a = slope(v);
    const middle = v.map((x, n) => x + 0.5 * h * a[n]!);
    const b = slope(middle);
    p = p.map((x, n) => x + h * middle[n]!);
    v = v.map((x, n) => x + h * b[n]!);
  }
  return { p, v };
}

describe("a flight with lift", () => {
  it("goes where small steps of its equation go, and is a function with its derivatives", () => {
    const random = new Random("lift");
    const flight = new Flight();
    for (let k = 0; k < 20; k++) {
      const state = spinning(random);
      const duration = random.uniformIn(0.1, 1.2);
      expect(flight.reset(state, down, state.time, state.time + duration)).toBe(FlightStatus.ok);
      const { p, v } = integrate(state, duration);
      const t = state.time + duration;
      const [position, velocity, acceleration] = [vec3.create(), vec3.create(), vec3.create()];
      flight.evaluate(t, position, velocity, acceleration);
      expect(distance(position, Float64Array.from(p))).toBeLessThan(2e-6);
      expect(distance(velocity, Float64Array.from(v))).toBeLessThan(2e-6);
      expect(distance(position, flight.position(t, vec3.create()))).toBe(0);
      const [ahead, behind] = [flight.velocity(t + 1e-5, vec3.create()), flight.velocity(t - 1e-5, vec3.create())];
      for (let n = 0; n < 3; n++) expect(acceleration[n]).toBeCloseTo((ahead[n]! - behind[n]!) / 2e-5, 5);
    }
  });

  it("is the planar one, to the bit, where the lift is zero, also after one with lift", () => {
    const random = new Random("no lift");
    const [flight, plain] = [new Flight(), new Flight()];
    const state = randomThrow(random);
    flight.reset(spinning(random), down, 0, 1);
    flight.reset({ ...state, lift: vec3.create() }, down, state.time, state.time + 1);
    plain.reset(state, down, state.time, state.time + 1);
    expect(flight.position(state.time + 0.7, vec3.create())).toEqual(plain.position(state.time + 0.7, vec3.create()));
    expect([flight.begin, flight.end]).toEqual([plain.begin, plain.end]);
  });

  it("depends on the lift as differences of flights say", () => {
    const random = new Random("lift's derivative");
    const [flight, sensitivity] = [new Flight(), new FlightSensitivity({ hasLift: true })];
    const jacobian = new Float64Array(18);
    for (let k = 0; k < 10; k++) {
      const state = spinning(random);
      const t = state.time + random.uniformIn(-0.3, 1);
      expect(sensitivity.reset(state, down, state.time - 0.5, state.time + 1.2)).toBe(FlightStatus.ok);
      sensitivity.liftJacobian(t, jacobian);
      for (let axis = 0; axis < 3; axis++) {
        const at = (by: number): number[] => {
          const moved = copyBallState(state);
          moved.lift![axis as 0] += by;
          flight.reset(moved, down, state.time - 0.5, state.time + 1.2);
          return [...flight.position(t, vec3.create()), ...flight.velocity(t, vec3.create())];
        };
        const [ahead, behind] = [at(1e-5), at(-1e-5)];
        for (let row = 0; row < 6; row++) {
          expect(jacobian[3 * row + axis]).toBeCloseTo((ahead[row]! - behind[row]!) / 2e-5, 5);
        }
      }
    }
  });

  it("spreads by what is not known of the lift, in a forecast as in the filter", () => {
    const random = new Random("spread");
    const options = { accelerationNoise: 0.05, dragSigma: 0.02, liftSigma: 0.5, gravity: down };
    const [filter, forecast] = [new BallFilter(options), new BallForecast(options)];
    const [belief, later] = [new BallBelief(), new BallBelief()];
    belief.mean.set([3, 0.2, 1.5, -4, 0.5, 2, 0.1, 0.3, -0.2, 0.1]);
    // Small, for the forecast is of first order.
    const scales = [0.01, 0.01, 0.01, 0.05, 0.05, 0.05, 0.002, 0.03, 0.03, 0.03];
    for (let r = 0; r < BELIEF_SIZE; r++) {
      for (let c = 0; c < r; c++) belief.factor[r * BELIEF_SIZE + c] = 0.3 * scales[r]! * random.normal();
      belief.factor[r * (BELIEF_SIZE + 1)] = scales[r]!;
    }
    expect(forecast.reset(belief, 0.6)).toBe(FlightStatus.ok);
    filter.predict(belief, 0.5, later);
    const covariance = forecast.covariance(0.5, new Float64Array(49));
    for (let r = 0; r < 7; r++) {
      for (let c = 0; c < 7; c++) {
        let expected = 0;
        for (let n = 0; n < BELIEF_SIZE; n++) {
          expected += later.factor[r * BELIEF_SIZE + n]! * later.factor[c * BELIEF_SIZE + n]!;
        }
        const scale = Math.sqrt(covariance[8 * r]! * covariance[8 * c]!);
        expect(Math.abs(covariance[7 * r + c]! - expected) / scale).toBeLessThan(0.05);
      }
    }
    const position = forecast.positionCovariance(0.5, mat3.create());
    for (let n = 0; n < 9; n++) expect(position[n]).toBeCloseTo(covariance[7 * Math.floor(n / 3) + (n % 3)]!, 12);
  });
});
