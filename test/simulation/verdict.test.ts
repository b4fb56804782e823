import { describe, expect, it } from "vitest";
import { gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { evaluateGrasp, FACING_TOLERANCE, REST_SPEED } from "../../src/simulation/verdict.js";

const flight = new Flight();
flight.reset(
  { time: 2, position: vec3.create(5, 0.2, 1.5), velocity: vec3.create(-6, 0.3, 4), drag: 0.032 },
  gravity(),
  2,
  3.5,
);
const thrown = { path: flight, released: 2, lands: 3.4 };
const tolerance = { positionTolerance: 0.02, timeTolerance: 0.005 };
const tCatch = 2.8;
const ball = flight.position(tCatch, vec3.create());
const direction = vec3.normalize(flight.velocity(tCatch, vec3.create()), vec3.create());
const sideways = vec3.normalize(vec3.cross(direction, vec3.create(0, 0, 1), vec3.create()), vec3.create());

interface HandOffset {
  readonly aside?: number;
  readonly along?: number;
  readonly tilt?: number;
  readonly speed?: number;
  readonly late?: number;
}

/** A hand at the ball that faces it, but for the offsets. */
function judge({ aside = 0, along = 0, tilt = 0, speed = 0, late = 0 }: HandOffset) {
  const zAxis = vec3.negate(direction, vec3.create());
  const turned = mat3.transform(mat3.fromAxisAngle(sideways, tilt, mat3.create()), zAxis, vec3.create());
  const worldFromHand = pose.create();
  for (let k = 0; k < 3; k++) {
    worldFromHand[3 * k + 2] = turned[k]!;
    worldFromHand[9 + k] = ball[k]! + aside * sideways[k]! + along * direction[k]!;
  }
  const velocity = vec3.scale(sideways, speed, vec3.create());
  return evaluateGrasp(thrown, { time: tCatch + late, worldFromHand, velocity }, tolerance);
}

describe("the geometric gate", () => {
  it("lets a perfect catch pass", () => {
    const { caught, misses, lateral, timing, facing, handSpeed } = judge({});
    expect(caught).toBe(true);
    expect(misses).toEqual([]);
    expect(lateral).toBeLessThan(1e-9);
    expect(Math.abs(timing)).toBeLessThan(1e-9);
    expect(facing).toBeLessThan(1e-7);
    expect(handSpeed).toBe(0);
  });

  it("opens to 2 cm aside and no farther", () => {
    expect(judge({ aside: 0.0199 }).caught).toBe(true);
    expect(judge({ aside: -0.0199 }).caught).toBe(true);
    const missed = judge({ aside: 0.0201 });
    expect(missed.misses).toEqual(["position"]);
    expect(missed.lateral).toBeCloseTo(0.0201, 6);
  });

  it("opens to 5 ms too late or too early and no longer", () => {
    expect(judge({ late: 0.0049 }).caught).toBe(true);
    expect(judge({ late: -0.0049 }).caught).toBe(true);
    expect(judge({ late: 0.0051 })).toMatchObject({ misses: ["timing"], timing: expect.closeTo(0.0051, 9) });
    expect(judge({ late: -0.0051 })).toMatchObject({ misses: ["timing"], timing: expect.closeTo(-0.0051, 9) });
  });

  it("counts a hand too far along the path as too early, not as aside", () => {
    const speed = vec3.norm(flight.velocity(tCatch, vec3.create()));
    const { lateral, timing } = judge({ along: 0.03 });
    expect(timing).toBeCloseTo(-0.03 / speed, 4);
    // The path bends by g·t²/2 while the ball comes there.
    expect(lateral).toBeLessThan(2e-4);
  });

  it("wants the hand at rest and facing the ball", () => {
    expect(judge({ speed: 0.99 * REST_SPEED }).caught).toBe(true);
    expect(judge({ speed: 1.01 * REST_SPEED }).misses).toEqual(["moving"]);
    expect(judge({ tilt: 0.99 * FACING_TOLERANCE }).caught).toBe(true);
    expect(judge({ tilt: 1.01 * FACING_TOLERANCE }).misses).toEqual(["facing"]);
    expect(judge({ tilt: Math.PI }).misses).toEqual(["facing"]);
  });

  it("says all that is wrong", () => {
    expect(judge({ aside: 0.05, late: 0.02, tilt: 0.5, speed: 1 }).misses).toEqual([
      "position",
      "timing",
      "moving",
      "facing",
    ]);
  });

  it("knows a ball that never passed", () => {
    const { caught, misses } = judge({ along: -20 });
    expect(caught).toBe(false);
    expect(misses).toEqual(["never met"]);
  });

  it("does not take a NaN for a catch", () => {
    expect(judge({ aside: Number.NaN }).caught).toBe(false);
    expect(judge({ late: Number.NaN }).misses).toEqual(["timing"]);
    expect(judge({ speed: Number.NaN }).misses).toEqual(["moving"]);
  });
});
