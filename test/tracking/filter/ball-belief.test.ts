import { describe, expect, it } from "vitest";
import { BallBelief, BELIEF_SIZE, beliefCovariance } from "../../../src/tracking/filter/ball-belief.js";

describe("beliefs", () => {
  it("have the covariance factor·factorᵀ", () => {
    const belief = new BallBelief();
    belief.factor[0] = 2;
    belief.factor.set([3, 1], BELIEF_SIZE);
    const covariance = beliefCovariance(belief, new Float64Array(49));
    expect([covariance[0], covariance[1], covariance[7], covariance[8]]).toEqual([4, 6, 6, 10]);
  });
});
