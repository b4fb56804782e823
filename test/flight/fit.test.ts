import { describe, expect, it } from "vitest";
import { type BallState, gravity } from "../../src/flight/ball.js";
import { FitStatus, FlightFit } from "../../src/flight/fit.js";
import { Flight } from "../../src/flight/flight.js";
import * as cholesky from "../../src/math/cholesky.js";
import type { Mat3 } from "../../src/math/mat3.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { distance, randomThrow } from "./reference.js";

const down = gravity();

/** Positions every 40 ms: the true ones, or with noise of `sigma` if there is a source of it. */
function observe(fit: FlightFit, state: BallState, count: number, sigma: number, random?: Random): void {
  const flight = new Flight();
  flight.reset(state, down, state.time, state.time + 0.04 * count);
  fit.clear();
  for (let i = 0; i < count; i++) {
    const position = flight.position(state.time + 0.04 * i, vec3.create());
    if (random !== undefined) for (let n = 0; n < 3; n++) position[n as 0] += sigma * random.normal();
    expect(fit.add(state.time + 0.04 * i, position, sigma)).toBe(true);
  }
}

/** Squared deviation of the fitted state from the truth, in the covariance the fit claims. */
function normalizedError(fit: FlightFit, truth: BallState, unknowns: 6 | 7): number {
  const error = new Float64Array(unknowns);
  for (let n = 0; n < 3; n++) {
    error[n] = fit.state.position[n]! - truth.position[n]!;
    error[3 + n] = fit.state.velocity[n]! - truth.velocity[n]!;
  }
  if (unknowns === 7) error[6] = fit.state.drag - truth.drag;
  const block = new Float64Array(unknowns * unknowns);
  for (let k = 0; k < block.length; k++) {
    block[k] = fit.covariance[Math.floor(k / unknowns) * 7 + (k % unknowns)]!;
  }
  cholesky.factor(block, unknowns, block);
  cholesky.solveLower(block, error, unknowns, error);
  return error.reduce((sum, x) => sum + x * x, 0);
}

describe("the fit of a flight", () => {
  it("recovers the truth from exact samples, with the drag fixed or free, wherever the reference time lies", () => {
    const random = new Random("exact");
    const fit = new FlightFit(20);
    for (let i = 0; i < 30; i++) {
      const state = randomThrow(random);
      observe(fit, state, 15, 0.01);
      expect(fit.solve({ gravity: down, time: state.time, drag: state.drag, dragSigma: 0 })).toBe(FitStatus.ok);
      expect(distance(fit.state.position, state.position)).toBeLessThan(1e-9);
      expect(distance(fit.state.velocity, state.velocity)).toBeLessThan(1e-8);
      expect(fit.chiSquare).toBeLessThan(1e-10);
      expect(fit.solve({ gravity: down, time: state.time + 0.3, drag: 0, dragSigma: Infinity })).toBe(FitStatus.ok);
      expect(Math.abs(fit.state.drag - state.drag)).toBeLessThan(1e-8);
      const flight = new Flight();
      flight.reset(state, down, state.time, state.time + 0.6);
      expect(distance(fit.state.position, flight.position(state.time + 0.3, vec3.create()))).toBeLessThan(1e-8);
      expect(fit.iterations).toBeLessThan(8);
    }
  });

  it("errs as much as it says, and no more: chi-square of states and residuals", () => {
    const random = new Random("noise");
    const fit = new FlightFit(20);
    const runs = deep(500, 5_000);
    for (const [unknowns, dragSigma] of [
      [6, 0],
      [7, Infinity],
    ] as const) {
      let [states, residuals] = [0, 0];
      for (let i = 0; i < runs; i++) {
        const state = { ...randomThrow(random), drag: 0.032 };
        observe(fit, state, 15, 0.01, random);
        expect(fit.solve({ gravity: down, time: state.time, drag: 0.032, dragSigma })).toBe(FitStatus.ok);
        expect(fit.degreesOfFreedom).toBe(45 - unknowns);
        states += normalizedError(fit, state, unknowns) / runs;
        residuals += fit.chiSquare / runs;
      }
      // The mean of `runs` chi-squares with d degrees has variance 2d/runs: four standard deviations.
      expect(Math.abs(states - unknowns)).toBeLessThan(4 * Math.sqrt((2 * unknowns) / runs));
      expect(Math.abs(residuals - 45 + unknowns)).toBeLessThan(4 * Math.sqrt((2 * (45 - unknowns)) / runs));
    }
  }, 120_000);

  it("trusts what is known of the drag as far as told", () => {
    const random = new Random("prior");
    const fit = new FlightFit(20);
    const truth = randomThrow(random);
    observe(fit, { ...truth, drag: 0.032 }, 8, 0.005, random);
    const estimate = (dragSigma: number): number => {
      expect(fit.solve({ gravity: down, time: truth.time, drag: 0.04, dragSigma })).toBe(FitStatus.ok);
      return fit.state.drag;
    };
    expect(estimate(0)).toBe(0.04);
    expect(Math.abs(estimate(1e-5) - 0.04)).toBeLessThan(1e-4);
    const free = estimate(Infinity);
    const freeSigma = Math.sqrt(fit.covariance[48]!);
    const between = estimate(freeSigma);
    // Two equally good opinions meet half way, and know better by √2.
    expect(between).toBeCloseTo((free + 0.04) / 2, 3);
    expect(Math.sqrt(fit.covariance[48]!)).toBeCloseTo(freeSigma / Math.SQRT2, 3);
  });

  it("weighs by covariance: a direction that is not measured does not disturb the others", () => {
    const random = new Random("weights");
    const [fit, round, plain] = [new FlightFit(20), new FlightFit(20), new FlightFit(20)];
    const state = randomThrow(random);
    const flight = new Flight();
    flight.reset(state, down, state.time, state.time + 0.6);
    // Along (1, 1, 0)/√2 the errors are 1 m, across 1 mm.
    const along = [Math.SQRT1_2, Math.SQRT1_2, 0];
    const covariance = Float64Array.from({ length: 9 }, (_, k) => {
      const [r, c] = [Math.floor(k / 3), k % 3];
      return (r === c ? 1e-6 : 0) + along[r]! * along[c]!;
    }) as Mat3;
    for (let i = 0; i < 15; i++) {
      const position = flight.position(state.time + 0.04 * i, vec3.create());
      const error = random.normal();
      for (let n = 0; n < 3; n++) position[n as 0] += along[n]! * error;
      expect(fit.addWithCovariance(state.time + 0.04 * i, position, covariance)).toBe(true);
      const sphere = Float64Array.of(1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4) as Mat3;
      round.addWithCovariance(state.time + 0.04 * i, position, sphere);
      plain.add(state.time + 0.04 * i, position, 0.01);
    }
    const settings = { gravity: down, time: state.time, drag: state.drag, dragSigma: 0 };
    expect(fit.solve(settings)).toBe(FitStatus.ok);
    const error = vec3.subtract(fit.state.position, state.position, vec3.create());
    expect(Math.abs(error[2])).toBeLessThan(0.01);
    expect(Math.abs(error[0] - error[1])).toBeLessThan(0.01);
    expect(Math.abs(error[0] + error[1])).toBeGreaterThan(0.02);
    // A round covariance is the same as a standard deviation.
    expect(round.solve(settings)).toBe(FitStatus.ok);
    expect(plain.solve(settings)).toBe(FitStatus.ok);
    expect(distance(plain.state.velocity, round.state.velocity)).toBeLessThan(1e-9);
    expect(plain.chiSquare / round.chiSquare).toBeCloseTo(1, 9);
  });

  it("names what it cannot fit", () => {
    const fit = new FlightFit(3, { duration: 1 });
    const settings = { gravity: down, time: 0, drag: 0.032, dragSigma: 0 };
    const origin = vec3.create();
    expect(fit.solve(settings)).toBe(FitStatus.underdetermined);
    expect(fit.add(0, origin, 0.01)).toBe(true);
    expect(fit.solve(settings)).toBe(FitStatus.underdetermined);
    expect(fit.add(0, origin, 0.01)).toBe(true);
    expect(fit.solve(settings)).toBe(FitStatus.underdetermined);
    expect(fit.add(0.5, vec3.create(1, 0, 0), 0.01)).toBe(true);
    expect(fit.add(0.6, origin, 0.01)).toBe(false);
    expect(fit.solve(settings)).toBe(FitStatus.ok);
    expect(fit.solve({ ...settings, drag: Number.NaN })).toBe(FitStatus.invalid);
    expect(fit.solve({ ...settings, gravity: vec3.create(Number.NaN, 0, 0) })).toBe(FitStatus.invalid);
    expect(fit.solve({ ...settings, time: 5 })).toBe(FitStatus.unflyable);
    const random = new Random("one time");
    for (let run = 0; run < 50; run++) {
      fit.clear();
      const time = random.uniformIn(0.5, 0.9);
      // At one time, and at times too close together to tell a velocity beyond rounding.
      const apart = run % 2 === 0 ? 0 : 1e-8;
      for (let i = 0; i < 3; i++) fit.add(time + apart * i, vec3.create(1, i, 0), 0.01 + random.uniform());
      expect(fit.solve(settings)).toBe(FitStatus.underdetermined);
    }
    fit.clear();
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(fit.add(bad, origin, 0.01)).toBe(false);
      expect(fit.add(0, vec3.create(bad, 0, 0), 0.01)).toBe(false);
      expect(fit.add(0, origin, bad)).toBe(false);
    }
    expect(fit.add(0, origin, 0)).toBe(false);
    expect(fit.addWithCovariance(0, origin, new Float64Array(9) as Mat3)).toBe(false);
    expect(fit.count).toBe(0);
  });
});
