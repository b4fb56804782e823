import { describe, expect, it } from "vitest";
import { BeliefPool, beliefCovariance, copyBelief, createBelief } from "../../../src/tracking/filter/ball-belief.js";
import { beliefAbout } from "./reference.js";

describe("beliefs", () => {
  it("come from a pool as often as there is room, and again when given back", () => {
    const pool = new BeliefPool(3);
    const taken = [pool.acquire()!, pool.acquire()!, pool.acquire()!];
    expect(new Set(taken).size).toBe(3);
    expect([pool.acquire(), pool.available]).toEqual([null, 0]);
    for (const [n, belief] of taken.entries()) copyBelief(beliefAbout(n, [n, 0, 0], [0, 0, 0], [1, 2, 3]), belief);
    // Their memory is one block, and yet none writes into another's part.
    expect(taken.map(({ time, mean, factor }) => [time, mean[0], factor[0], factor[48]])).toEqual([
      [0, 0, 1, 3],
      [1, 1, 1, 3],
      [2, 2, 1, 3],
    ]);
    pool.release(taken[1]!);
    expect(pool.available).toBe(1);
    expect(pool.acquire()).toBe(taken[1]);
  });

  it("have the covariance factor·factorᵀ", () => {
    const belief = createBelief();
    belief.factor.set([2, 0, 0, 0, 0, 0, 0, 3, 1]);
    const covariance = beliefCovariance(belief, new Float64Array(49));
    expect([covariance[0], covariance[1], covariance[7], covariance[8]]).toEqual([4, 6, 6, 10]);
  });
});
