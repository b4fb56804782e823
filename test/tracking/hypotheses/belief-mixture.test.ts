import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { BallBelief, BELIEF_SIZE, copyBelief } from "../../../src/tracking/filter/ball-belief.js";
import { BeliefMixture, logAdd } from "../../../src/tracking/hypotheses/belief-mixture.js";

const entries = [0, 1, 2, 3, 4, 5, 7, 8, 9];

function randomBelief(random: Random): BallBelief {
  const belief = new BallBelief();
  for (const r of entries) {
    belief.mean[r] = random.normal();
    for (const c of entries) if (c < r) belief.factor[r * BELIEF_SIZE + c] = 0.3 * random.normal();
    belief.factor[r * (BELIEF_SIZE + 1)] = random.uniformIn(0.1, 1);
  }
  return belief;
}

function secondMoment({ mean, factor }: BallBelief, r: number, c: number): number {
  let sum = mean[r]! * mean[c]!;
  for (let n = 0; n < BELIEF_SIZE; n++) sum += factor[r * BELIEF_SIZE + n]! * factor[c * BELIEF_SIZE + n]!;
  return sum;
}

describe("a mixture of two beliefs", () => {
  it("has the first and second moments of both", () => {
    const random = new Random("mixture");
    const mixture = new BeliefMixture(entries);
    for (let k = 0; k < 100; k++) {
      const [a, b, out] = [randomBelief(random), randomBelief(random), new BallBelief()];
      const [logA, logB] = [random.uniformIn(-9, 0), random.uniformIn(-9, 0)];
      const log = mixture.merge(a, logA, b, logB, out);
      expect(log).toBeCloseTo(Math.log(Math.exp(logA) + Math.exp(logB)), 12);
      const share = Math.exp(logA - log);
      for (const r of entries) {
        expect(out.mean[r]).toBeCloseTo(share * a.mean[r]! + (1 - share) * b.mean[r]!, 10);
        for (const c of entries) {
          const expected = share * secondMoment(a, r, c) + (1 - share) * secondMoment(b, r, c);
          expect(secondMoment(out, r, c)).toBeCloseTo(expected, 9);
        }
      }
    }
  });

  it("may be written over either of them, and takes one alone as it is", () => {
    const random = new Random("in place");
    const mixture = new BeliefMixture(entries);
    const [a, b] = [randomBelief(random), randomBelief(random)];
    const expected = new BallBelief();
    mixture.merge(a, -1, b, -2, expected);
    const [overA, overB] = [copyBelief(a, new BallBelief()), copyBelief(b, new BallBelief())];
    mixture.merge(overA, -1, b, -2, overA);
    mixture.merge(a, -1, overB, -2, overB);
    expect(overA).toEqual(expected);
    expect(overB).toEqual(expected);
    const alone = new BallBelief();
    expect(mixture.merge(a, Number.NEGATIVE_INFINITY, b, -3, alone)).toBe(-3);
    expect(alone).toEqual(b);
  });

  it("costs nothing for two that are equal, more the farther they are apart, and in proportion to their weight", () => {
    const mixture = new BeliefMixture(entries);
    const a = randomBelief(new Random("cost"));
    let before = 0;
    expect(mixture.cost(a, -1, a, -2)).toBeCloseTo(0, 10);
    for (const offset of [0.1, 0.5, 1, 3]) {
      const b = copyBelief(a, new BallBelief());
      b.mean[0]! += offset;
      const cost = mixture.cost(a, -1, b, -2);
      expect(cost).toBeGreaterThan(before);
      expect(mixture.cost(a, -4, b, -5)).toBeCloseTo(cost * Math.exp(-3), 10);
      before = cost;
    }
  });

  it("adds probabilities of which none is left", () => {
    expect(logAdd(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
    expect(logAdd(0, 0)).toBeCloseTo(Math.log(2), 14);
  });
});
