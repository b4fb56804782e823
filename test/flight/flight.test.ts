import { describe, expect, it } from "vitest";
import { type BallState, defaultBall, dragOf, FlightStatus, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import * as mat3 from "../../src/math/mat3.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";
import { randomQuaternion, unitVector } from "../support/random-draws.js";
import { distance, randomThrow, referenceFlight } from "./reference.js";

const down = gravity();
const [p, v, a] = [vec3.create(), vec3.create(), vec3.create()];

function ball(velocity: [number, number, number], drag: number): BallState {
  return { time: 0, position: vec3.create(0, 0, 2), velocity: vec3.create(...velocity), drag };
}

describe("a flight", () => {
  it("agrees with fine Runge–Kutta to 1e-9 m and 1e-8 m/s, forwards and backwards", () => {
    const random = new Random("flights");
    const flight = new Flight();
    for (let i = 0; i < deep(40, 400); i++) {
      const state = randomThrow(random);
      expect(flight.reset(state, down, state.time - 0.6, state.time + 1.8)).toBe(FlightStatus.ok);
      for (let k = 0; k < 4; k++) {
        const elapsed = random.uniformIn(-0.6, 1.8);
        const [position, velocity] = referenceFlight(state, down, elapsed);
        expect(distance(flight.position(state.time + elapsed, p), position)).toBeLessThan(1e-9);
        expect(distance(flight.velocity(state.time + elapsed, v), velocity)).toBeLessThan(1e-8);
      }
    }
  }, 120_000);

  it("is a parabola without drag, in any frame", () => {
    const random = new Random("parabola");
    const flight = new Flight();
    for (let i = 0; i < 200; i++) {
      const state = { ...randomThrow(random), drag: 0 };
      const g = vec3.scale(unitVector(random, vec3.create()), 9.81, vec3.create());
      flight.reset(state, g, state.time - 1, state.time + 1.8);
      const t = random.uniformIn(-1, 1.8);
      flight.evaluate(state.time + t, p, v, a);
      for (let n = 0; n < 3; n++) {
        expect(p[n]).toBeCloseTo(state.position[n]! + state.velocity[n]! * t + 0.5 * g[n]! * t * t, 12);
        expect(v[n]).toBeCloseTo(state.velocity[n]! + g[n]! * t, 11);
        expect(a[n]).toBeCloseTo(g[n]!, 9);
      }
    }
  });

  it("falls from rest by ln cosh, as the textbook has it", () => {
    const flight = new Flight();
    const k = 0.2;
    const terminal = Math.sqrt(9.81 / k);
    flight.reset(ball([0, 0, 0], k), down, 0, 3);
    for (const t of [0, 0.01, 0.4, 1.1, 2.2, 3]) {
      expect(flight.position(t, p)[2]).toBeCloseTo(2 - Math.log(Math.cosh((9.81 * t) / terminal)) / k, 9);
      expect(flight.velocity(t, v)[2]).toBeCloseTo(-terminal * Math.tanh((9.81 * t) / terminal), 9);
    }
  });

  it("slows down by ln(1 + k·v·t) without gravity", () => {
    const flight = new Flight();
    flight.reset(ball([8, 0, 0], 0.05), vec3.create(), -0.5, 2);
    for (const t of [-0.5, 0, 0.7, 2]) {
      expect(flight.position(t, p)[0]).toBeCloseTo(Math.log(1 + 0.05 * 8 * t) / 0.05, 10);
      expect(flight.velocity(t, v)[0]).toBeCloseTo(8 / (1 + 0.05 * 8 * t), 9);
    }
  });

  it("turns at the top of a vertical throw, where the drag is not smooth, to 1e-6 m", () => {
    const flight = new Flight();
    flight.reset(ball([0, 0, 6], 0.032), down, 0, 1.5);
    const terminal = Math.sqrt(9.81 / 0.032);
    const top = (terminal / 9.81) * Math.atan(6 / terminal);
    const height = Math.log(1 + (6 / terminal) ** 2) / (2 * 0.032);
    expect(flight.position(top, p)[2]).toBeCloseTo(2 + height, 6);
    const after = Math.log(Math.cosh((9.81 * (1.5 - top)) / terminal)) / 0.032;
    expect(flight.position(1.5, p)[2]).toBeCloseTo(2 + height - after, 6);
  });

  it("has a velocity and an acceleration that are its derivatives, and obeys its equation", () => {
    const random = new Random("derivatives");
    const flight = new Flight();
    const [ahead, behind] = [vec3.create(), vec3.create()];
    const h = 1e-5;
    for (let i = 0; i < 300; i++) {
      const state = randomThrow(random);
      flight.reset(state, down, state.time, state.time + 1.8);
      const t = state.time + random.uniformIn(0, 1.8);
      flight.evaluate(t, p, v, a);
      vec3.subtract(flight.position(t + h, ahead), flight.position(t - h, behind), ahead);
      expect(distance(v, vec3.scale(ahead, 0.5 / h, ahead))).toBeLessThan(1e-9);
      vec3.subtract(flight.velocity(t + h, ahead), flight.velocity(t - h, behind), ahead);
      expect(distance(a, vec3.scale(ahead, 0.5 / h, ahead))).toBeLessThan(1e-8);
      const drag = vec3.scale(v, -state.drag * vec3.norm(v), vec3.create());
      expect(distance(a, vec3.add(drag, down, drag))).toBeLessThan(1e-6);
    }
  });

  it("evaluates the same at once and one by one", () => {
    const flight = new Flight();
    flight.reset(ball([-6, 1, 4], 0.032), down, 0, 1.8);
    for (const t of [-0.3, 0, 0.4321, 1.8, 2.1]) {
      flight.evaluate(t, p, v, a);
      expect(flight.position(t, vec3.create())).toEqual(p);
      expect(flight.velocity(t, vec3.create())).toEqual(v);
      expect(flight.acceleration(t, vec3.create())).toEqual(a);
    }
  });

  it("is smooth across its nodes and its ends: acceleration does not jump", () => {
    const flight = new Flight();
    flight.reset(ball([-6, 1, 4], 0.032), down, -0.5, 1.8);
    for (let node = flight.begin - 0.025; node <= flight.end + 0.025; node += 0.025) {
      const before = flight.acceleration(node - 1e-9, vec3.create());
      expect(distance(before, flight.acceleration(node + 1e-9, a))).toBeLessThan(1e-7);
    }
  });

  it("loses energy all the way, and none without drag", () => {
    const flight = new Flight();
    const energy = (t: number): number => {
      flight.evaluate(t, p, v, a);
      return 0.5 * vec3.squaredNorm(v) + 9.81 * p[2];
    };
    flight.reset(ball([-6, 1, 4], 0.032), down, -0.5, 1.8);
    for (let t = -0.5; t < 1.8; t += 0.01) expect(energy(t + 0.01)).toBeLessThan(energy(t));
    flight.reset(ball([-6, 1, 4], 0), down, -0.5, 1.8);
    for (let t = -0.5; t < 1.8; t += 0.01) expect(energy(t)).toBeCloseTo(energy(0), 10);
  });

  it("is the same flight from any of its states, and in any turned frame", () => {
    const random = new Random("same flight");
    const [flight, again, turned] = [new Flight(), new Flight(), new Flight()];
    for (let i = 0; i < 100; i++) {
      const state = randomThrow(random);
      const middle = random.uniformIn(0, 1.5);
      flight.reset(state, down, state.time, state.time + 1.8);
      const later: BallState = { time: state.time + middle, position: p, velocity: v, drag: state.drag };
      flight.evaluate(later.time, p, v, a);
      again.reset(later, down, state.time, state.time + 1.8);
      const rotation = quat.toMat3(randomQuaternion(random, quat.create()), mat3.create());
      const rotate = (x: vec3.Vec3): vec3.Vec3 => mat3.transform(rotation, x, vec3.create());
      const other = { ...state, position: rotate(state.position), velocity: rotate(state.velocity) };
      turned.reset(other, rotate(down), state.time, state.time + 1.8);
      for (let t = state.time; t <= state.time + 1.8; t += 0.1) {
        const here = flight.position(t, vec3.create());
        expect(distance(again.position(t, a), here)).toBeLessThan(1e-9);
        expect(distance(turned.position(t, a), rotate(here))).toBeLessThan(1e-12);
      }
    }
  });

  it("lets a 5 m throw fall well over 20 cm short", () => {
    const flight = new Flight();
    const [time, height] = [0.9, 1.5];
    const velocity = vec3.create(5 / time, 0, 0.5 * 9.81 * time);
    const state = { time: 0, position: vec3.create(0, 0, height), velocity, drag: defaultBall.drag };
    flight.reset(state, down, 0, 1.5);
    // When it is back at the height it was thrown from: without drag exactly 5 m away.
    let [low, high] = [0.5, 1.5];
    while (high - low > 1e-12) {
      const middle = 0.5 * (low + high);
      if (flight.position(middle, p)[2] > height) low = middle;
      else high = middle;
    }
    const short = 5 - flight.position(low, p)[0];
    expect(short).toBeGreaterThan(0.25);
    expect(short).toBeLessThan(1);
  });

  it("says why it cannot fly", () => {
    const flight = new Flight({ duration: 1 });
    const good = ball([-6, 1, 4], 0.032);
    expect(flight.reset(good, down, 0, 1)).toBe(FlightStatus.ok);
    expect(flight.reset(good, down, 0, 1.2)).toBe(FlightStatus.tooLong);
    expect(flight.reset(good, down, 1, 0)).toBe(FlightStatus.invalid);
    expect(flight.reset(good, down, 0, Number.NaN)).toBe(FlightStatus.invalid);
    expect(flight.reset(good, vec3.create(0, Number.NaN, 0), 0, 1)).toBe(FlightStatus.invalid);
    expect(flight.reset({ ...good, time: Number.POSITIVE_INFINITY }, down, 0, 1)).toBe(FlightStatus.invalid);
    expect(flight.reset(ball([Number.NaN, 0, 0], 0.03), down, 0, 1)).toBe(FlightStatus.invalid);
    expect(flight.reset(ball([1, 0, 0], Number.NaN), down, 0, 1)).toBe(FlightStatus.invalid);
    // A ball of 60 m/s was infinitely fast 1/(k·v) = 0.5 s ago.
    expect(flight.reset(ball([60, 0, 0], 0.032), down, -0.9, 0)).toBe(FlightStatus.diverged);
    expect(flight.reset(ball([60, 0, 0], 0.032), down, -0.5, 0)).toBe(FlightStatus.diverged);
    expect(flight.reset(ball([60, 0, 0], 0.032), down, -0.3, 0)).toBe(FlightStatus.ok);
  });

  it("refuses to be made without steps", () => {
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new Flight({ duration: bad })).toThrow(RangeError);
      if (bad !== Number.POSITIVE_INFINITY) expect(() => new Flight({ step: bad })).toThrow(RangeError);
    }
  });

  it("begins and ends where it was asked to, or beyond", () => {
    const flight = new Flight();
    for (const [begin, end] of [
      [0, 1.8],
      [-0.31, 0],
      [-0.31, 1.23],
      [0, 0],
      [0.5, 0.9],
      [-0.9, -0.5],
    ] as const) {
      expect(flight.reset(ball([-6, 1, 4], 0.032), down, begin, end)).toBe(FlightStatus.ok);
      expect(flight.begin).toBeLessThanOrEqual(begin + 1e-12);
      expect(flight.end).toBeGreaterThanOrEqual(end - 1e-12);
    }
  });

  it("allocates nothing", () => {
    const flight = new Flight();
    const state = ball([-6, 1, 4], 0.032);
    const evaluating = heapBytesPerCall((i) => {
      // Whole seconds: V8 itself may box another number that is passed to a function it does not inline.
      flight.evaluate(i % 3, p, v, a);
      flight.position(i % 3, p);
      flight.velocity(i % 3, v);
    }, 10_000);
    expect(evaluating).toBeLessThan(allocationFree);
    const resetting = heapBytesPerCall(
      (i) => {
        state.velocity[0] = -6 - (i % 10) / 10;
        flight.reset(state, down, 0, 1 + (i % 2));
      },
      500,
      64,
    );
    // A few boxed numbers at most, for 40 to 80 steps.
    expect(resetting).toBeLessThan(64);
  });
});

describe("the drag of a ball", () => {
  it("follows from its size and mass", () => {
    expect(dragOf(defaultBall.diameter, defaultBall.mass)).toBeCloseTo(defaultBall.drag, 3);
    expect(dragOf(0.04, 0.0027)).toBeCloseTo(0.1317, 3);
  });
});
