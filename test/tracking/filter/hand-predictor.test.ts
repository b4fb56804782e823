import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { BallBelief, BELIEF_SIZE } from "../../../src/tracking/filter/ball-belief.js";
import { HandPredictor } from "../../../src/tracking/filter/hand-predictor.js";

const hand = { acceleration: 30, correlationTime: 0.1 };

/** Position, velocity, acceleration of one axis. */
const entries = [0, 3, 7];

function covarianceOf({ factor }: BallBelief): number[][] {
  return entries.map((r) =>
    entries.map((c) => {
      let sum = 0;
      for (let n = 0; n < BELIEF_SIZE; n++) sum += factor[r * BELIEF_SIZE + n]! * factor[c * BELIEF_SIZE + n]!;
      return sum;
    }),
  );
}

/** Ṗ = F·P + P·Fᵀ + Q of the process ẍ = a, ȧ = −a/τ + white noise, by the classical Runge–Kutta method. */
function integrate(covariance: number[][], duration: number, steps = 2000): number[][] {
  const { acceleration, correlationTime } = hand;
  const F = [
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, -1 / correlationTime],
  ];
  const density = (2 * acceleration ** 2) / correlationTime;
  const slope = (P: number[][]): number[][] =>
    P.map((_, r) =>
      P.map((__, c) => {
        let sum = r === 2 && c === 2 ? density : 0;
        for (let n = 0; n < 3; n++) sum += F[r]![n]! * P[n]![c]! + P[r]![n]! * F[c]![n]!;
        return sum;
      }),
    );
  const plus = (P: number[][], h: number, D: number[][]) => P.map((row, r) => row.map((x, c) => x + h * D[r]![c]!));
  let P = covariance;
  const h = duration / steps;
  for (let k = 0; k < steps; k++) {
    const k1 = slope(P);
    const k2 = slope(plus(P, h / 2, k1));
    const k3 = slope(plus(P, h / 2, k2));
    const k4 = slope(plus(P, h, k3));
    P = P.map((row, r) => row.map((x, c) => x + (h / 6) * (k1[r]![c]! + 2 * (k2[r]![c]! + k3[r]![c]!) + k4[r]![c]!)));
  }
  return P;
}

describe("the motion of a hand", () => {
  it.each([0.001, 0.0019, 0.0021, 0.01, 0.04, 0.3, 1])("has the covariance of its process, over %f s", (duration) => {
    const random = new Random(`hand ${duration}`);
    const predictor = new HandPredictor(hand);
    const belief = new BallBelief();
    belief.mean.set([1, 2, 3, 0.5, -0.5, 0, 0, 2, 3, 4]);
    for (const r of [0, 1, 2, 3, 4, 5, 7, 8, 9]) {
      for (const c of [0, 1, 2, 3, 4, 5, 7, 8, 9]) {
        if (c < r) belief.factor[r * BELIEF_SIZE + c] = 0.02 * random.normal();
        if (c === r) belief.factor[r * BELIEF_SIZE + c] = random.uniformIn(0.02, 0.2);
      }
    }
    const expected = integrate(covarianceOf(belief), duration);
    const out = new BallBelief();
    expect(predictor.predict(belief, duration, out)).toBe(true);
    const found = covarianceOf(out);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const scale = Math.sqrt(expected[r]![r]! * expected[c]![c]!);
        expect(Math.abs(found[r]![c]! - expected[r]![c]!) / scale).toBeLessThan(2e-3);
      }
    }
    const decay = Math.exp(-duration / 0.1);
    expect(out.mean[7]).toBeCloseTo(2 * decay, 12);
    expect(out.mean[3]).toBeCloseTo(0.5 + 0.2 * (1 - decay), 12);
  });

  it("refuses what is no number, and leaves the output alone", () => {
    const belief = new BallBelief();
    belief.mean[0] = Number.NaN;
    const out = new BallBelief();
    out.mean[0] = 5;
    expect(new HandPredictor(hand).predict(belief, 0.04, out)).toBe(false);
    expect(out.mean[0]).toBe(5);
  });
});
