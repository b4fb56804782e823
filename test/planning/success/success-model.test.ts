import { describe, expect, it } from "vitest";
import { type BallState, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { FlightPrediction } from "../../../src/flight/prediction.js";
import * as cholesky from "../../../src/math/cholesky.js";
import { erf } from "../../../src/math/error-function.js";
import type { Mat3 } from "../../../src/math/mat3.js";
import { Random } from "../../../src/math/random.js";
import { wilsonInterval } from "../../../src/math/statistics.js";
import * as vec3 from "../../../src/math/vec3.js";
import { probabilityInCylinder } from "../../../src/planning/success/cylinder-probability.js";
import { type Perception, resolvePerception, standardCameras } from "../../../src/planning/success/perception.js";
import { assumedCovariance, type SuccessInput, SuccessModel } from "../../../src/planning/success/success-model.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { robots } from "../request/requests.js";

/** A covariance by its standard deviations and correlations. */
function covarianceOf([x, y, z]: readonly number[], xy: number, xz: number, yz: number): Float64Array {
  const [a, b, c] = [xy * x! * y!, xz * x! * z!, yz * y! * z!];
  return Float64Array.of(x! ** 2, a, b, a, y! ** 2, c, b, c, z! ** 2);
}

/** Probability by brute force: the density summed over a fine grid of the cylinder. */
function integrateCylinder(radius: number, halfLength: number, covariance: Float64Array): number {
  const l = new Float64Array(9);
  cholesky.factor(covariance, 3, l);
  const steps = 80;
  const [h, k] = [(2 * radius) / steps, (2 * halfLength) / steps];
  const white = new Float64Array(3);
  let sum = 0;
  for (let i = 0; i < steps ** 3; i++) {
    const x = -radius + ((i % steps) + 0.5) * h;
    const y = -radius + ((Math.floor(i / steps) % steps) + 0.5) * h;
    if (x * x + y * y > radius * radius) continue;
    const z = -halfLength + (Math.floor(i / steps / steps) + 0.5) * k;
    cholesky.solveLower(l, Float64Array.of(x, y, z), 3, white);
    sum += Math.exp(-0.5 * (white[0]! ** 2 + white[1]! ** 2 + white[2]! ** 2));
  }
  return (sum * h * h * k) / ((2 * Math.PI) ** 1.5 * l[0]! * l[4]! * l[8]!);
}

describe("probabilityInCylinder", () => {
  it("is the product of the known ones for independent errors", () => {
    for (const sigma of [0.001, 0.01, 0.02, 0.1, 3]) {
      const exact = -Math.expm1(-0.5 * (0.02 / sigma) ** 2) * erf(0.03 / (2 * sigma * Math.SQRT2));
      const found = probabilityInCylinder(0.02, 0.03, covarianceOf([sigma, sigma, 2 * sigma], 0, 0, 0));
      expect(Math.abs(found / exact - 1)).toBeLessThan(1e-12);
    }
  });

  it.each([
    [[1, 1, 1], 0, 0.8, 0],
    [[1, 2, 0.5], 0.3, 0.2, -0.6],
    [[0.5, 0.4, 2], -0.6, -0.5, 0.7],
    [[3, 0.5, 1], 0.5, 0.9, 0.4],
    [[0.2, 0.3, 0.4], 0.1, 0.2, 0.3],
  ])("agrees with the density summed up: sigmas %j, correlations %d, %d, %d", (sigmas, xy, xz, yz) => {
    const covariance = covarianceOf(sigmas, xy, xz, yz);
    const expected = integrateCylinder(1, 0.7, covariance);
    expect(Math.abs(probabilityInCylinder(1, 0.7, covariance) - expected)).toBeLessThan(3e-3);
  });

  it("is larger for errors that go together: the Gaussian correlation inequality", () => {
    const independent = probabilityInCylinder(1, 0.7, covarianceOf([1, 1, 1], 0, 0, 0));
    expect(probabilityInCylinder(1, 0.7, covarianceOf([1, 1, 1], 0, 0.7, 0.2))).toBeGreaterThan(independent);
  });

  it("tends to the one-dimensional probability for a very long distribution", () => {
    // Along the axis of a needle the density is 1/(√2π·σ), and a diameter of it lies inside.
    const along = (2 * 0.02) / Math.sqrt(2 * Math.PI);
    const p = probabilityInCylinder(0.02, 1, covarianceOf([1, 1, 1e-3], 1 - 1e-7, 0, 0)) * Math.SQRT2;
    expect(p / along).toBeGreaterThan(0.9);
    expect(p / along).toBeLessThan(1.01);
  });

  it("is certain without spread and NaN without meaning", () => {
    expect(probabilityInCylinder(0.02, 0.03, new Float64Array(9))).toBe(1);
    expect(probabilityInCylinder(0.02, 0.03, new Float64Array(9).fill(Number.NaN))).toBeNaN();
  });
});

const ball: BallState = {
  time: -0.1,
  position: vec3.create(4.2, 0.2, 1.7),
  velocity: vec3.create(-5, -0.3, 3.2),
  drag: 0.032,
};

const perception: Perception = {
  cameras: [-0.1, 0.1].map((y) => ({ position: vec3.create(0, y, 1.6), angleSigma: 1.5 / 693 })),
  rateHz: 25,
  latency: 0.1,
  servoSigma: 0.008,
};

const covariance = (() => {
  const p = new Float64Array(36);
  for (let k = 0; k < 6; k++) p[7 * k] = (k < 3 ? 0.04 : 0.4) ** 2;
  // The depth of the position and the speed towards the robot go together, as they do in a tracker's filter.
  p[3] = p[18] = 0.6 * 0.04 * 0.4;
  return p;
})();

function model(overrides: Partial<SuccessInput> = {}): SuccessModel {
  const prediction = new FlightPrediction();
  const given = { covariance, ...overrides };
  prediction.reset(ball, given.covariance, gravity(), ball.time, 1.5);
  const hand = { positionTolerance: 0.02, timeTolerance: 0.005 };
  return new SuccessModel({ prediction, lastSeen: ball.time, until: 1.2, perception, hand, ...given });
}

/** A filter of its own: Gauss–Newton on prior and directions, through the flight itself with differences as derivatives. */
class Filter {
  readonly #flight = new Flight();
  readonly #factor = new Float64Array(36);

  constructor() {
    cholesky.factor(covariance, 6, this.#factor);
  }

  positions(x: Float64Array, times: readonly number[]): vec3.Vec3[] {
    const state = { ...ball, position: vec3.create(x[0], x[1], x[2]), velocity: vec3.create(x[3], x[4], x[5]) };
    this.#flight.reset(state, gravity(), ball.time, 1.5);
    return times.map((t) => this.#flight.position(t, vec3.create()));
  }

  draw(mean: Float64Array, random: Random): Float64Array {
    const noise = Float64Array.from({ length: 6 }, () => random.normal());
    return mean.map((value, r) => value + noise.reduce((sum, n, c) => sum + this.#factor[6 * r + c]! * n, 0));
  }

  /** Directions as pairs of coordinates across the line of sight to `about`, in standard deviations. */
  residuals(x: Float64Array, mean: Float64Array, times: readonly number[], seen: Float64Array): Float64Array {
    const prior = cholesky.solveLower(
      this.#factor,
      Float64Array.from(x, (value, k) => value - mean[k]!),
      6,
      new Float64Array(6),
    );
    return Float64Array.of(...prior, ...this.views(x, times).map((value, k) => value - seen[k]!));
  }

  views(x: Float64Array, times: readonly number[]): number[] {
    return this.positions(x, times).flatMap((p) =>
      perception.cameras.flatMap(({ position, angleSigma }) => {
        const ray = vec3.subtract(p, position, vec3.create());
        const across = Math.atan2(ray[1], Math.hypot(ray[0], ray[2]));
        return [across / angleSigma, (Math.atan2(ray[2], ray[0]) * Math.cos(across)) / angleSigma];
      }),
    );
  }

  estimate(mean: Float64Array, times: readonly number[], seen: Float64Array): Float64Array {
    const x = mean.slice();
    for (let iteration = 0; iteration < 3; iteration++) {
      const r = this.residuals(x, mean, times, seen);
      const columns = Array.from({ length: 6 }, (_, k) => {
        const shifted = x.slice();
        shifted[k]! += 1e-5;
        return this.residuals(shifted, mean, times, seen).map((value, i) => (value - r[i]!) / 1e-5);
      });
      const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
      const normal = Float64Array.from({ length: 36 }, (_, i) => dot(columns[Math.floor(i / 6)]!, columns[i % 6]!));
      cholesky.factor(normal, 6, normal);
      const step = cholesky.solve(
        normal,
        Float64Array.from(columns, (column) => dot(column, r)),
        6,
        new Float64Array(6),
      );
      for (let k = 0; k < 6; k++) x[k]! -= step[k]!;
    }
    return x;
  }
}

describe("SuccessModel", () => {
  it("agrees with simulated balls, images and filters", () => {
    const images = 12;
    const time = ball.time + perception.latency + (images + 1) / perception.rateHz;
    const times = Array.from({ length: images }, (_, k) => ball.time + (k + 1) / perception.rateHz);
    const mean = Float64Array.of(...ball.position, ...ball.velocity);
    const random = new Random("success");
    const filter = new Filter();
    const success = model();
    const probability = success.probability(time);
    const trials = deep(800, 20_000);
    let caught = 0;
    const squares = new Float64Array(9);
    for (let trial = 0; trial < trials; trial++) {
      const truth = filter.draw(mean, random);
      const seen = Float64Array.from(filter.views(truth, times), (value) => value + random.normal());
      const estimate = filter.estimate(mean, times, seen);
      const [from, to] = [filter.positions(estimate, [time])[0]!, filter.positions(truth, [time])[0]!];
      const error = vec3.subtract(to, from, vec3.create());
      for (let k = 0; k < 3; k++) error[k as 0 | 1 | 2] += random.normalIn(0, perception.servoSigma);
      for (let k = 0; k < 9; k++) squares[k]! += error[Math.floor(k / 3)]! * error[k % 3]!;
      if (isCaught(error, filter, estimate, time)) caught++;
    }
    const { low, high } = wilsonInterval(caught, trials, 4);
    expect(probability).toBeGreaterThan(0.2);
    expect(probability).toBeLessThan(0.9);
    // 20,000 trials show the model to be cautious: variances some 8 % too large, the probability 0.03 too low.
    expect(probability).toBeLessThan(high + 0.01);
    expect(probability).toBeGreaterThan(low - 0.04);
    for (let k = 0; k < 9; k += 4)
      expect(Math.abs(success.spread[k]! / (squares[k]! / trials) - 1)).toBeLessThan(4 * Math.sqrt(2 / trials) + 0.08);
  });

  it("has today's covariance, carried on, as long as no image has taken effect", () => {
    const success = model();
    const time = ball.time + perception.latency + 0.9 / perception.rateHz;
    success.probability(time);
    const prediction = new FlightPrediction();
    prediction.reset(ball, covariance, gravity(), ball.time, 1.5);
    const expected = new Float64Array(9);
    prediction.positionCovariance(time, expected as Mat3);
    for (let k = 0; k < 9; k++)
      expect(success.spread[k]).toBeCloseTo(expected[k]! + (k % 4 === 0 ? perception.servoSigma ** 2 : 0), 12);
  });

  it("grows with every image, and falls with noise and latency", () => {
    const times = [0.3, 0.5, 0.7, 0.9];
    const probabilities = times.map((t) => model().probability(t));
    for (const [k, p] of probabilities.entries()) {
      const blurred = perception.cameras.map((camera) => ({ ...camera, angleSigma: 2 * camera.angleSigma }));
      expect(model({ perception: { ...perception, cameras: blurred } }).probability(times[k]!)).toBeLessThan(p);
      expect(model({ perception: { ...perception, latency: 0.2 } }).probability(times[k]!)).toBeLessThan(p);
      expect(model({ perception: { ...perception, servoSigma: 0.02 } }).probability(times[k]!)).toBeLessThan(p);
      expect(model({ perception: { ...perception, rateHz: 50 } }).probability(times[k]!)).toBeGreaterThan(p);
      if (k > 0) expect(p).toBeGreaterThan(probabilities[k - 1]!);
    }
  });

  it("gives the solver a curve through its logarithm", () => {
    const success = model();
    const curve = success.curve(0.2, 1.1);
    expect([curve.from, curve.to]).toEqual([0.2, expect.closeTo(1.1, 12)]);
    for (let t = 0.2; t <= 1.1; t += 0.0137)
      expect(Math.abs(curve.logProbability(t) - Math.log(success.probability(t)))).toBeLessThan(0.08);
  });

  it("stays finite where nothing is known, and in a window of no length", () => {
    const blind = model({
      covariance: assumedCovariance().map((entry) => entry * 1e8),
      perception: { ...perception, cameras: [] },
    });
    const curve = blind.curve(0.5, 0.5);
    expect(Number.isFinite(curve.logProbability(0.5))).toBe(true);
    expect(blind.probability(0.5)).toBeGreaterThan(0);
  });
});

/** Within 2 cm across the ball's path and 5 ms along it. */
function isCaught(error: vec3.Vec3, filter: Filter, estimate: Float64Array, time: number): boolean {
  const [before, after] = filter.positions(estimate, [time - 1e-4, time + 1e-4]);
  const velocity = vec3.scale(vec3.subtract(after!, before!, vec3.create()), 1 / 2e-4, vec3.create());
  const speed = vec3.norm(velocity);
  const along = vec3.dot(error, velocity) / speed;
  const across = Math.sqrt(Math.max(0, vec3.squaredNorm(error) - along * along));
  return across <= 0.02 && Math.abs(along / speed) <= 0.005;
}

describe("resolvePerception", () => {
  function ready(name: string) {
    const robot = robots.get(name);
    const state = new RobotState(robot.model);
    state.q.set(robot.postures.get("ready")!);
    forwardKinematics(state);
    return { robot, state };
  }

  it("takes the stereo pair of the robot, where it stands", () => {
    const { robot, state } = ready("agile-justin");
    const { cameras, rateHz, latency } = resolvePerception(robot, state, robot.frames.world, { processingTime: 0.05 });
    expect(rateHz).toBe(25);
    expect(latency).toBeCloseTo(0.09, 12);
    expect(vec3.distance(cameras[0]!.position, cameras[1]!.position)).toBeCloseTo(0.2, 9);
    expect(cameras[0]!.angleSigma).toBeCloseTo(0.3 / 692.8, 6);
    expect(cameras[0]!.position[2]).toBeGreaterThan(1.3);
  });

  it("gives a robot without cameras a pair above its arm", () => {
    const { robot, state } = ready("panda");
    const base = robot.model.groups[0]!.baseLink;
    const { cameras, rateHz } = resolvePerception(robot, state, base);
    expect(rateHz).toBe(standardCameras.rateHz);
    expect(cameras.map(({ position }) => [...position].map((value) => Number(value.toFixed(9)) + 0))).toEqual([
      [0, -0.1, 0.5],
      [0, 0.1, 0.5],
    ]);
  });
});
