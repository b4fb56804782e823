import { describe, expect, it } from "vitest";
import type { BallPrediction } from "../../src/catching/arm-planner.js";
import { defaultCommitment, isWorthActing } from "../../src/catching/commitment.js";
import * as vec3 from "../../src/math/vec3.js";

/** A ball `ahead` metres before the robot, whose place and velocity are known to these standard deviations. */
function ball(ahead: number, placeSigma: number, speedSigma: number): BallPrediction {
  const covariance = new Float64Array(49);
  for (let i = 0; i < 3; i++) {
    covariance[8 * i] = placeSigma ** 2;
    covariance[8 * (i + 3)] = speedSigma ** 2;
  }
  const state = { time: 0, position: vec3.create(ahead, 0, 1.5), velocity: vec3.create(-6, 0, 2), drag: 0.032 };
  return { track: 1, state, covariance, lastSeen: 0, confirmed: true };
}

describe("whether a prediction is worth acting upon", () => {
  it("depends on how far off the ball may come by", () => {
    // 4.5 m at 6 m/s are 0.75 s: across the path the speed's error makes 0.75·√2·σ.
    expect(isWorthActing(ball(5, 0.01, 0.1), defaultCommitment)).toBe(true);
    expect(isWorthActing(ball(5, 0.01, 0.2), defaultCommitment)).toBe(false);
    expect(isWorthActing(ball(5, 0.2, 0.01), defaultCommitment)).toBe(false);
  });

  it("does not when there is no time left to wait, or nothing to doubt", () => {
    expect(isWorthActing(ball(3, 0.2, 2), defaultCommitment)).toBe(true);
    expect(isWorthActing({ ...ball(5, 1, 1), covariance: null }, defaultCommitment)).toBe(true);
  });

  it("does not for a ball that flies away", () => {
    const away = ball(5, 1, 1);
    vec3.set(6, 0, 2, away.state.velocity);
    expect(isWorthActing(away, defaultCommitment)).toBe(true);
  });
});
