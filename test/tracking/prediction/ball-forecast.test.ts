import { describe, expect, it } from "vitest";
import { type BallState, FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { createUncertainCrossing, FlightPrediction } from "../../../src/flight/prediction.js";
import * as mat3 from "../../../src/math/mat3.js";
import * as matrix from "../../../src/math/matrix.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallBelief, BELIEF_SIZE, beliefCovariance, beliefState } from "../../../src/tracking/filter/ball-belief.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { BallForecast, createSurfaceCrossing } from "../../../src/tracking/prediction/ball-forecast.js";
import {
  FixedFrame,
  type MovingFrame,
  SteadyFrame,
  worldFrame,
} from "../../../src/tracking/prediction/moving-frame.js";
import {
  DistanceSurface,
  PlaneSurface,
  SphereSurface,
  type Surface,
} from "../../../src/tracking/prediction/surface.js";
import { deep } from "../../support/deep.js";
import { heapBytesPerCall } from "../../support/heap.js";

const down = gravity();

/** A ball on its way at the robot, known as a tracker knows it. */
function trackedBall(random: Random): BallBelief {
  const belief = new BallBelief();
  belief.time = 0.3;
  belief.mean.set([3.5 + random.normal() / 4, 0.2, 2, -6, 0.4, 1.5, 0.032]);
  const scales = [0.01, 0.01, 0.01, 0.08, 0.08, 0.08, 0.002];
  for (let r = 0; r < 7; r++) {
    for (let c = 0; c < r; c++) belief.factor[BELIEF_SIZE * r + c] = 0.3 * scales[r]! * random.normal();
    belief.factor[(BELIEF_SIZE + 1) * r] = scales[r]!;
  }
  return belief;
}

function emptyState(): BallState {
  return { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
}

/** One ball of those that the belief holds possible. */
function draw(belief: BallBelief, random: Random): BallState {
  const z = Float64Array.from({ length: BELIEF_SIZE }, () => random.normal());
  const moved = new BallBelief();
  moved.time = belief.time;
  moved.mean.set(matrix.multiplyVector(belief.factor, z, BELIEF_SIZE, BELIEF_SIZE, new Float64Array(BELIEF_SIZE)));
  for (let n = 0; n < 7; n++) moved.mean[n]! += belief.mean[n]!;
  return beliefState(moved, emptyState());
}

/** Where and when the flight first passes the surface, by small steps and bisection. */
function passing(flight: Flight, surface: Surface, frame: MovingFrame, from: number, to: number): [Vec3, number] {
  const [p, twist, place] = [vec3.create(), new Float64Array(6), pose.create()];
  const side = (t: number): number => {
    frame.evaluate(t, place, twist);
    pose.transformPointInverse(place, flight.position(t, p), p);
    return surface.distance(p);
  };
  let low = from;
  while (side(low) * side(low + 1e-3) > 0) {
    low += 1e-3;
    if (low > to) throw new Error("the flight does not pass");
  }
  let high = low + 1e-3;
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    if (side(low) * side(middle) > 0) low = middle;
    else high = middle;
  }
  side(low);
  return [vec3.copy(p, vec3.create()), low];
}

const turned = pose.fromRpyTranslation(0.2, -0.1, 0.4, 0.3, 0.1, 1, pose.create());
const driving = new SteadyFrame(0.3, turned, Float64Array.of(0.5, 0.8, 0.1, 0.3, -0.2, 1));
const cases: readonly (readonly [string, Surface, MovingFrame])[] = [
  ["a plane in the world", new PlaneSurface(vec3.create(1, 0, 0), 0.5), worldFrame],
  ["a plane in a fixed frame", new PlaneSurface(vec3.create(0.6, 0.8, 0), 0.4), new FixedFrame(turned)],
  ["a plane that drives and turns", new PlaneSurface(vec3.create(1, 0, 0), 0.4), driving],
  ["a sphere about a shoulder", new SphereSurface(vec3.create(0, 0.2, 1.3), 0.9), worldFrame],
  ["a sphere that moves", new SphereSurface(vec3.create(0, 0, 0.3), 0.9), driving],
  [
    "a paraboloid",
    new DistanceSurface((x) => x[0] - 0.4 - 0.3 * (x[1] * x[1] + (x[2] - 1.5) * (x[2] - 1.5))),
    worldFrame,
  ],
];

describe("a forecast", () => {
  const filter = new BallFilter({ accelerationNoise: 0, dragSigma: 0.002 });

  it.each(cases)("of passing %s is where thousands of drawn balls pass", (_name, surface, frame) => {
    const random = new Random("passing");
    const belief = trackedBall(random);
    const forecast = new BallForecast(filter);
    expect(forecast.reset(belief, 1.5)).toBe(FlightStatus.ok);
    const crossing = createSurfaceCrossing();
    expect(forecast.cross(surface, frame, belief.time, 1.5, crossing)).toBe(true);
    const flight = new Flight();
    flight.reset(beliefState(belief, emptyState()), down, 0.3, 1.5);
    const [place, time] = passing(flight, surface, frame, 0.3, 1.5);
    expect(vec3.distance(crossing.position, place)).toBeLessThan(1e-8);
    expect(Math.abs(crossing.time - time)).toBeLessThan(1e-9);
    const runs = deep(500, 30_000);
    const said = [...crossing.covariance, ...crossing.placeTime, crossing.timeSigma ** 2];
    const drawn = new Array<number>(13).fill(0);
    for (let k = 0; k < runs; k++) {
      flight.reset(draw(belief, random), down, 0.3, 1.6);
      const [other, otherTime] = passing(flight, surface, frame, 0.3, 1.6);
      const d = [...vec3.subtract(other, place, other), otherTime - time];
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) drawn[3 * r + c]! += (d[r]! * d[c]!) / runs;
        drawn[9 + r]! += (d[r]! * d[3]!) / runs;
      }
      drawn[12]! += (d[3]! * d[3]!) / runs;
    }
    const spread = Math.sqrt(said[0]! + said[4]! + said[8]!);
    const tolerance = 0.03 + 4 * Math.sqrt(2 / runs);
    for (let n = 0; n < 9; n++) expect(Math.abs(said[n]! - drawn[n]!) / spread ** 2).toBeLessThan(tolerance);
    for (let n = 9; n < 12; n++) {
      expect(Math.abs(said[n]! - drawn[n]!) / (spread * crossing.timeSigma)).toBeLessThan(tolerance);
    }
    expect(Math.abs(drawn[12]! / said[12]! - 1)).toBeLessThan(tolerance);
  });

  it("agrees with the plane crossing of src/flight", () => {
    const belief = trackedBall(new Random("plane"));
    const forecast = new BallForecast(filter);
    forecast.reset(belief, 1.5);
    const prediction = new FlightPrediction();
    const covariance = beliefCovariance(belief, new Float64Array(49));
    prediction.reset(beliefState(belief, emptyState()), covariance, down, 0.3, 1.5);
    const [ours, theirs] = [createSurfaceCrossing(), createUncertainCrossing()];
    const normal = vec3.create(0.8, 0, 0.6);
    expect(forecast.cross(new PlaneSurface(normal, 1.2), worldFrame, 0.3, 1.5, ours)).toBe(true);
    expect(prediction.crossPlane({ normal, offset: 1.2 }, 0.3, 1.5, theirs)).toBe(true);
    expect(ours.time).toBeCloseTo(theirs.time, 12);
    expect(ours.timeSigma).toBeCloseTo(theirs.timeSigma, 12);
    for (let n = 0; n < 9; n++) expect(ours.covariance[n]).toBeCloseTo(theirs.covariance[n]!, 12);
  });

  it("says when nothing is passed", () => {
    const forecast = new BallForecast(filter);
    forecast.reset(trackedBall(new Random("none")), 1);
    const crossing = createSurfaceCrossing();
    expect(forecast.cross(new SphereSurface(vec3.create(0, 5, 1), 0.5), worldFrame, 0.3, 1, crossing)).toBe(false);
    expect(forecast.cross(new PlaneSurface(vec3.create(1, 0, 0), 9), worldFrame, 0.3, 1, crossing)).toBe(false);
    const lost = new BallBelief();
    lost.mean[3] = Number.NaN;
    expect(forecast.reset(lost, 1)).toBe(FlightStatus.invalid);
    expect(() => new SphereSurface(vec3.create(), Number.NaN)).toThrow(RangeError);
  });

  it("spreads as the filter's own prediction does, process noise included", () => {
    const noisy = new BallFilter({ accelerationNoise: 0.2, dragSigma: 0.002 });
    const forecast = new BallForecast(noisy);
    const belief = trackedBall(new Random("spread"));
    forecast.reset(belief, 1.5);
    const later = new BallBelief();
    noisy.predict(belief, 1, later);
    const expected = beliefCovariance(later, new Float64Array(49));
    const said = forecast.covariance(1, new Float64Array(49));
    for (let r = 0; r < 7; r++) {
      for (let c = 0; c < 7; c++) {
        const scale = Math.sqrt(expected[8 * r]! * expected[8 * c]!);
        // The noise's own drag over 0.7 s is what differs: k·|v|·t, some percent of it.
        expect(Math.abs(said[7 * r + c]! - expected[7 * r + c]!) / scale).toBeLessThan(0.05);
      }
    }
    const position = forecast.positionCovariance(1, mat3.create());
    for (let n = 0; n < 9; n++) expect(position[n]).toBeCloseTo(said[7 * Math.floor(n / 3) + (n % 3)]!, 14);
  });

  it("sees velocities in a moving frame as the derivative of places in it", () => {
    const forecast = new BallForecast(filter);
    forecast.reset(trackedBall(new Random("frame")), 1.5);
    const [before, after, place, velocity] = [vec3.create(), vec3.create(), vec3.create(), vec3.create()];
    const h = 1e-5;
    for (const t of [0.4, 0.8, 1.2]) {
      forecast.inFrame(t - h, driving, before, velocity);
      forecast.inFrame(t + h, driving, after, velocity);
      forecast.inFrame(t, driving, place, velocity);
      for (let n = 0; n < 3; n++) expect((after[n]! - before[n]!) / (2 * h)).toBeCloseTo(velocity[n]!, 6);
    }
  });

  it("allocates nothing", () => {
    const forecast = new BallForecast(filter);
    const belief = trackedBall(new Random("heap"));
    const crossing = createSurfaceCrossing();
    const sphere = new SphereSurface(vec3.create(0, 0.2, 1.3), 0.9);
    const covariance = new Float64Array(49);
    // 190 looks at the surface, at which V8 may box up to three numbers where it does not inline; a vector would be 100 bytes.
    const threeNumbersALook = 190 * 3 * 16;
    const work = (): void => {
      forecast.reset(belief, 1.2);
      forecast.cross(sphere, driving, 0.3, 1.2, crossing);
      forecast.covariance(1, covariance);
    };
    expect(heapBytesPerCall(work, 200, threeNumbersALook)).toBeLessThan(threeNumbersALook);
  });
});
