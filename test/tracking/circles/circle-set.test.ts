import { describe, expect, it } from "vitest";
import { FoundCircles, insertCircle, isDuplicate } from "../../../src/tracking/circles/circle-set.js";

const covariance = new Float64Array(9);

function setOf(
  ...circles: readonly (readonly [u: number, r: number, score: number, evidence: number])[]
): FoundCircles {
  const set = new FoundCircles(2);
  for (const [u, r, score, evidence] of circles) insertCircle(set, u, 0, r, score, evidence, covariance);
  return set;
}

describe("circles at about the same place", () => {
  it("keep the one for which most speaks, whatever the scores and the order", () => {
    const panel = [10, 6, 0.4, 1] as const;
    const ball = [12, 9, 0.2, 3] as const;
    for (const set of [setOf(panel, ball), setOf(ball, panel)]) {
      expect([...set.r.subarray(0, set.count)]).toEqual([9]);
      expect(set.evidence[0]).toBe(3);
    }
  });

  it("are looked at again only if they are larger", () => {
    const set = setOf([10, 6, 0.4, 1]);
    expect(isDuplicate(set, 12, 0, 6, 1.2)).toBe(true);
    expect(isDuplicate(set, 12, 0, 9, 1.2)).toBe(false);
    expect(isDuplicate(set, 12, 0, 9, Number.POSITIVE_INFINITY)).toBe(true);
    expect(isDuplicate(set, 30, 0, 6, 1.2)).toBe(false);
  });
});

describe("circles at different places", () => {
  it("are ordered by score, and the worst gives way", () => {
    const set = setOf([0, 5, 0.3, 9], [50, 5, 0.1, 9], [100, 5, 0.6, 1]);
    expect([...set.score]).toEqual([0.6, 0.3]);
    expect([...set.u]).toEqual([100, 0]);
    expect([...set.evidence]).toEqual([1, 9]);
  });
});
