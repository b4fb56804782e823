import { describe, expect, it } from "vitest";
import { defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { FlightSmoother } from "../../src/report/smoothed-flight.js";
import type { SeenFrame } from "../../src/run/replay/replay-run.js";
import { deep } from "../support/deep.js";

const sigma = 0.004;

/** A throw as motion capture sees it at 50 Hz, with false points about. */
function seenThrow(random: Random): { frames: SeenFrame[]; truth: Flight } {
  const state = {
    time: 0,
    position: vec3.create(5, 0.3 * random.normal(), 1.5),
    velocity: vec3.create(-6, 0.3 * random.normal(), 3.5),
    drag: defaultBall.drag,
  };
  const truth = new Flight();
  truth.reset(state, gravity(), 0, 1.2);
  const frames = Array.from({ length: 45 }, (_, k): SeenFrame => {
    const position = truth.position(0.02 * k, vec3.create());
    const points = { position: new Float64Array(6), covariance: new Float64Array(18) };
    const exposureNs = k * 20_000_000;
    for (const far of [0, 1]) {
      const i = far;
      for (let axis = 0; axis < 3; axis++) {
        points.position[3 * i + axis] = position[axis]! + far * (1 + random.uniform()) + sigma * random.normal();
        points.covariance[9 * i + 4 * axis] = sigma ** 2;
      }
    }
    const frame = { frame: k, exposureNs, arrivalNs: exposureNs, ...points };
    return { exposureNs, left: null, right: null, points: frame };
  });
  return { frames, truth };
}

describe("the smoothed flight", () => {
  it("is the true one within its own sigma, whatever false points are about", () => {
    const random = new Random(11);
    const trials = deep(20, 400);
    let [chi, position, sum] = [0, 0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const { frames, truth } = seenThrow(random);
      const start = { time: 0.88, position: vec3.create(), velocity: vec3.create(), drag: defaultBall.drag };
      truth.position(0.88, start.position);
      truth.velocity(0.88, start.velocity);
      // The tracker's last word is off by centimetres.
      start.position[1] += 0.03;
      const smoothed = new FlightSmoother(defaultBall).smooth(frames, start, { from: 0, until: 0.88 })!;
      expect(smoothed.samples).toBe(45);
      chi += smoothed.chiSquare / smoothed.degreesOfFreedom / trials;
      const error = vec3.subtract(smoothed.state.position, truth.position(0.88, vec3.create()), vec3.create());
      for (let axis = 0; axis < 3; axis++) position += error[axis]! ** 2 / smoothed.covariance[8 * axis]!;
      sum += 3;
    }
    expect(chi).toBeGreaterThan(0.85);
    expect(chi).toBeLessThan(1.15);
    // Normalised squared errors have mean 1; three sigmas of their mean.
    expect(Math.abs(position / sum - 1)).toBeLessThan(3 * Math.sqrt(2 / sum));
  });

  it("is none where too little was seen", () => {
    const { frames, truth } = seenThrow(new Random(1));
    const start = {
      time: 0.04,
      position: truth.position(0.04, vec3.create()),
      velocity: truth.velocity(0.04, vec3.create()),
      drag: 0,
    };
    expect(new FlightSmoother(defaultBall).smooth(frames, start, { from: 0, until: 0.05 })).toBeNull();
  });
});
