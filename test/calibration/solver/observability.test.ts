import { describe, expect, it } from "vitest";
import { analyseObservability, correlations } from "../../../src/calibration/solver/observability.js";
import { Random } from "../../../src/math/random.js";
import { deep } from "../../support/deep.js";

const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
const components = names.map((name, i) => ({
  name,
  words: `the ${name}`,
  unit: "",
  family: "letters",
  spread: 10 ** (i - 3),
  free: true,
  priorSigma: Number.POSITIVE_INFINITY,
}));
const n = names.length;

/** JᵀJ of random rows whose columns are combined as `mix` says, in units of the spreads. */
function information(random: Random, mix: (row: number[]) => number[]): Float64Array {
  const matrix = new Float64Array(n * n);
  for (let k = 0; k < 40; k++) {
    const row = mix(Array.from({ length: n }, () => 10 * random.normal())).map(
      (value, i) => value / components[i]!.spread,
    );
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j] = matrix[i * n + j]! + row[i]! * row[j]!;
  }
  return matrix;
}

describe("observability", () => {
  it("of good data is complete, and the covariance is the inverse", () => {
    const random = new Random("good");
    for (let run = 0; run < deep(20, 500); run++) {
      const matrix = information(random, (row) => row);
      const { rank, unobservable, covariance, sigmas, condition } = analyseObservability(matrix, components);
      expect([rank, unobservable.length]).toEqual([n, 0]);
      expect(condition).toBeLessThan(100);
      for (let i = 0; i < n; i++) {
        expect(sigmas[i]).toBeCloseTo(Math.sqrt(covariance[i * n + i]!), 12);
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let k = 0; k < n; k++) sum += matrix[i * n + k]! * covariance[k * n + j]!;
          const scale = components[j]!.spread / components[i]!.spread;
          expect(sum / scale).toBeCloseTo(i === j ? 1 : 0, 8);
        }
      }
    }
  });

  it("names what takes part in a freedom and nothing else, several freedoms apart", () => {
    const random = new Random("free");
    for (let run = 0; run < deep(20, 500); run++) {
      // Only alpha − 2·beta and delta + epsilon are seen.
      const matrix = information(random, ([a, , c, d, , f]) => [a!, -2 * a!, c!, d!, d!, f!]);
      const { rank, unobservable, sigmas } = analyseObservability(matrix, components);
      expect(rank).toBe(4);
      const sets = unobservable.map(({ parameters }) => [...parameters].sort().join());
      expect(sets.sort()).toEqual(["alpha,beta", "delta,epsilon"]);
      expect(unobservable.map(({ sentence }) => sentence).join()).toMatch(
        /the alpha and the beta cannot be distinguished|the beta and the alpha cannot/,
      );
      expect([...sigmas].map(Number.isFinite)).toEqual([false, false, true, false, false, true]);
    }
  });

  it("names a parameter that nothing sees alone", () => {
    const matrix = information(new Random("unseen"), (row) => row.map((value, i) => (i === 2 ? 0 : value)));
    const { unobservable, condition } = analyseObservability(matrix, components);
    expect(unobservable.map(({ sentence }) => sentence)).toEqual(["the gamma cannot be determined from this data"]);
    expect(condition).toBe(Number.POSITIVE_INFINITY);
  });

  it("has correlations of one on the diagonal, and within ±1 beside it", () => {
    const { covariance } = analyseObservability(
      information(new Random("correlated"), (row) => row),
      components,
    );
    for (const [k, value] of correlations(covariance, n).entries()) {
      if (k % (n + 1) === 0) expect(value).toBeCloseTo(1, 12);
      else expect(Math.abs(value)).toBeLessThan(1);
    }
  });
});
