import { describe, expect, it } from "vitest";
import { type BallState, FlightStatus, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { createPlaneCrossing, crossPlane } from "../../src/flight/plane-crossing.js";
import { createUncertainCrossing, FlightPrediction } from "../../src/flight/prediction.js";
import * as cholesky from "../../src/math/cholesky.js";
import type { Mat3 } from "../../src/math/mat3.js";
import * as matrix from "../../src/math/matrix.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { deep } from "../support/deep.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";
import { identity } from "../support/matrices.js";
import { distance, randomThrow } from "./reference.js";

const down = gravity();

/** A covariance as a tracker has it: 1 cm, 10 cm/s, 0.005 1/m, correlated. */
function randomCovariance(random: Random): Float64Array {
  const scale = [0.01, 0.01, 0.01, 0.1, 0.1, 0.1, 0.005];
  const root = Float64Array.from({ length: 49 }, (_, k) => {
    return scale[Math.floor(k / 7)]! * ((k % 8 === 0 ? 1 : 0) + 0.3 * random.normal());
  });
  return matrix.multiplyTransposeRight(root, root, 7, 7, 7, new Float64Array(49));
}

/** A state drawn from the normal distribution about `mean` with the factor of its covariance. */
function draw(mean: BallState, factor: Float64Array, random: Random): BallState {
  const z = Float64Array.from({ length: 7 }, () => random.normal());
  const moved = matrix.multiplyVector(factor, z, 7, 7, new Float64Array(7));
  const position = vec3.create();
  const velocity = vec3.create();
  for (let n = 0; n < 3; n++) {
    position[n as 0] = mean.position[n]! + moved[n]!;
    velocity[n as 0] = mean.velocity[n]! + moved[3 + n]!;
  }
  return { time: mean.time, position, velocity, drag: mean.drag + moved[6]! };
}

function addOuter(sum: Float64Array, x: ArrayLike<number>, size: number, weight: number): void {
  for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) sum[r * size + c]! += weight * x[r]! * x[c]!;
}

/** Greatest deviation of two covariances, each entry against the standard deviations of its row and column. */
function relativeDeviation(a: Float64Array, b: Float64Array, size: number): number {
  let worst = 0;
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < size; c++) {
      const scale = Math.sqrt(b[r * size + r]! * b[c * size + c]!);
      worst = Math.max(worst, Math.abs(a[r * size + c]! - b[r * size + c]!) / scale);
    }
  }
  return worst;
}

describe("a prediction", () => {
  it("has the covariance that thousands of drawn flights have", () => {
    const random = new Random("monte carlo");
    const prediction = new FlightPrediction();
    const flight = new Flight();
    const runs = deep(10_000, 100_000);
    const state = { ...randomThrow(random), time: 0 };
    const covariance = randomCovariance(random);
    expect(prediction.reset(state, covariance, down, 0, 1.2)).toBe(FlightStatus.ok);
    const mean = [...prediction.position(1, vec3.create()), ...prediction.velocity(1, vec3.create()), state.drag];
    const factor = new Float64Array(49);
    cholesky.factor(covariance, 7, factor);
    const sampled = new Float64Array(49);
    for (let i = 0; i < runs; i++) {
      const other = draw(state, factor, random);
      flight.reset(other, down, 0, 1.2);
      const end = [...flight.position(1, vec3.create()), ...flight.velocity(1, vec3.create()), other.drag];
      addOuter(
        sampled,
        end.map((value, n) => value - mean[n]!),
        7,
        1 / runs,
      );
    }
    // A sampled variance is off by √(2/runs), relatively; the second order of the flight adds some 1 %.
    const claimed = prediction.covariance(1, new Float64Array(49));
    expect(relativeDeviation(sampled, claimed, 7)).toBeLessThan(5 * Math.sqrt(2 / runs) + 0.01);
    const positions = prediction.positionCovariance(1, new Float64Array(9) as Mat3);
    for (let k = 0; k < 9; k++) expect(positions[k]).toBeCloseTo(claimed[Math.floor(k / 3) * 7 + (k % 3)]!, 14);
  }, 120_000);

  it("starts with the covariance it was given, and takes a 6 × 6 one as a known drag", () => {
    const random = new Random("given");
    const prediction = new FlightPrediction();
    const state = { ...randomThrow(random), time: 0.4 };
    const covariance = randomCovariance(random);
    prediction.reset(state, covariance, down, 0, 1.8);
    expect(relativeDeviation(prediction.covariance(0.4, new Float64Array(49)), covariance, 7)).toBeLessThan(1e-12);
    const six = Float64Array.from({ length: 36 }, (_, k) => covariance[Math.floor(k / 6) * 7 + (k % 6)]!);
    const seven = covariance.map((value, k) => (k % 7 === 6 || k >= 42 ? 0 : value));
    const other = new FlightPrediction();
    prediction.reset(state, six, down, 0, 1.8);
    other.reset(state, seven, down, 0, 1.8);
    expect(prediction.covariance(1.1, new Float64Array(49))).toEqual(other.covariance(1.1, new Float64Array(49)));
    expect(prediction.covariance(1.1, new Float64Array(49))[48]).toBe(0);
  });

  it("changes its position's covariance at the rate of the mixed blocks, dP/dt = P_pv + P_vp", () => {
    const random = new Random("rate");
    const prediction = new FlightPrediction();
    const state = { ...randomThrow(random), time: 0 };
    prediction.reset(state, randomCovariance(random), down, 0, 1.8);
    const [ahead, behind] = [new Float64Array(9) as Mat3, new Float64Array(9) as Mat3];
    const whole = prediction.covariance(0.77, new Float64Array(49));
    prediction.positionCovariance(0.77 + 1e-5, ahead);
    prediction.positionCovariance(0.77 - 1e-5, behind);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const rate = (ahead[3 * r + c]! - behind[3 * r + c]!) / 2e-5;
        expect(rate).toBeCloseTo(whole[7 * r + 3 + c]! + whole[7 * c + 3 + r]!, 8);
      }
    }
  });

  it("crosses a plane where, when and as surely as drawn flights do", () => {
    const random = new Random("crossing");
    const prediction = new FlightPrediction();
    const flight = new Flight();
    const runs = deep(3_000, 30_000);
    const state = { ...randomThrow(random), time: 0 };
    const covariance = randomCovariance(random);
    const plane = { normal: vec3.create(0.6, 0, 0.8), offset: 1.2 };
    prediction.reset(state, covariance, down, 0, 2);
    const crossing = createUncertainCrossing();
    expect(prediction.crossPlane(plane, 0, 2, crossing)).toBe(true);
    const factor = new Float64Array(49);
    cholesky.factor(covariance, 7, factor);
    const other = createPlaneCrossing();
    const sampled = new Float64Array(9);
    let timeVariance = 0;
    for (let i = 0; i < runs; i++) {
      flight.reset(draw(state, factor, random), down, 0, 2);
      expect(crossPlane(flight, plane, 0, 2, other)).toBe(true);
      addOuter(sampled, vec3.subtract(other.position, crossing.position, vec3.create()), 3, 1 / runs);
      timeVariance += (other.time - crossing.time) ** 2 / runs;
    }
    const tolerance = 5 * Math.sqrt(2 / runs) + 0.03;
    expect(relativeDeviation(sampled, crossing.covariance, 3)).toBeLessThan(tolerance);
    expect(Math.abs(timeVariance / crossing.timeSigma ** 2 - 1)).toBeLessThan(tolerance);
    // The point lies in the plane: no extent along its normal.
    const along = matrix.multiplyVector(crossing.covariance, plane.normal, 3, 3, new Float64Array(3));
    expect(vec3.norm(along as vec3.Vec3)).toBeLessThan(1e-15);
  });

  it("refuses what is not finite", () => {
    const prediction = new FlightPrediction();
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0.03 };
    const covariance = new Float64Array(36);
    expect(prediction.reset(state, covariance, down, 0, 1)).toBe(FlightStatus.ok);
    covariance[7] = Number.NaN;
    expect(prediction.reset(state, covariance, down, 0, 1)).toBe(FlightStatus.invalid);
    expect(prediction.reset({ ...state, drag: Infinity }, new Float64Array(36), down, 0, 1)).toBe(FlightStatus.invalid);
  });

  it("is a flight path like any other", () => {
    const random = new Random("path");
    const prediction = new FlightPrediction();
    const flight = new Flight();
    const state = { ...randomThrow(random), time: 0 };
    prediction.reset(state, randomCovariance(random), down, 0, 1.8);
    flight.reset(state, down, 0, 1.8);
    const [p, v, a] = [vec3.create(), vec3.create(), vec3.create()];
    prediction.evaluate(0.7, p, v, a);
    expect(distance(p, flight.position(0.7, vec3.create()))).toBe(0);
    expect(v).toEqual(prediction.velocity(0.7, vec3.create()));
    expect(a).toEqual(prediction.acceleration(0.7, vec3.create()));
    expect([prediction.begin, prediction.end]).toEqual([flight.begin, flight.end]);
    expect(prediction.transition(0, new Float64Array(49))).toEqual(identity(7));
  });

  it("allocates nothing", () => {
    const prediction = new FlightPrediction();
    const random = new Random("heap");
    const state = { ...randomThrow(random), time: 0 };
    const covariance = randomCovariance(random);
    const [P, S] = [new Float64Array(49), new Float64Array(9) as Mat3];
    prediction.reset(state, covariance, down, 0, 3);
    const reading = heapBytesPerCall((i) => {
      prediction.covariance(i % 3, P);
      prediction.positionCovariance(i % 3, S);
    }, 5_000);
    expect(reading).toBeLessThan(allocationFree);
    const resetting = heapBytesPerCall(
      (i) => void prediction.reset(state, covariance, down, 0, 1 + (i % 2)),
      300,
      4_000,
    );
    // A few boxed numbers a step at most; one array a step would be some 100 bytes.
    expect(resetting).toBeLessThan(4_000);
  });
});

describe("crossPlane", () => {
  it("finds the first of two crossings, from either side, and the ends", () => {
    const flight = new Flight();
    const state = { time: 0, position: vec3.create(), velocity: vec3.create(2, 0, 5), drag: 0 };
    flight.reset(state, down, 0, 1.5);
    const crossing = createPlaneCrossing();
    const height = (offset: number) => ({ normal: vec3.create(0, 0, 1), offset });
    const up = (5 - Math.sqrt(25 - 2 * 9.81)) / 9.81;
    expect(crossPlane(flight, height(1), 0, 1.5, crossing)).toBe(true);
    expect(crossing.time).toBeCloseTo(up, 12);
    expect(crossing.position[2]).toBeCloseTo(1, 12);
    expect(crossing.velocity[0]).toBeCloseTo(2, 12);
    expect(crossPlane(flight, height(1), up + 0.01, 1.5, crossing)).toBe(true);
    expect(crossing.time).toBeCloseTo((5 + Math.sqrt(25 - 2 * 9.81)) / 9.81, 12);
    expect(crossPlane(flight, height(3), 0, 1.5, crossing)).toBe(false);
    expect(crossPlane(flight, height(0), 0, 1.5, crossing)).toBe(true);
    expect(crossing.time).toBeCloseTo(0, 12);
    expect(crossPlane(flight, { normal: vec3.create(1, 0, 0), offset: 2.999 }, 0, 1.5, crossing)).toBe(true);
    expect(crossing.time).toBeCloseTo(1.4995, 12);
    expect(crossPlane(flight, height(Number.NaN), 0, 1.5, crossing)).toBe(false);
  });
});
