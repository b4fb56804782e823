import { describe, expect, it } from "vitest";
import { defaultActionThreshold, isActionable, sigmaAtCatchPlane } from "../../src/catching/action-threshold.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";

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
    // 4.5 m at 6 m/s are 0.75 s: the speed's error makes 0.75·σ aside, and with what it comes early or late 1.0·σ in height.
    expect(isActionable(ball(5, 0.01, 0.2), 1, defaultActionThreshold)).toBe(true);
    expect(isActionable(ball(5, 0.01, 0.4), 1, defaultActionThreshold)).toBe(false);
    expect(isActionable(ball(5, 0.4, 0.01), 1, defaultActionThreshold)).toBe(false);
    expect(isActionable(ball(5, 0.01, 0.4), 2, defaultActionThreshold)).toBe(true);
    expect(isActionable(ball(5, 0.01, 0.4), 2, { sigma: 0.35, hurry: 0.55 })).toBe(false);
  });

  it("is known from where balls like it come by", () => {
    const known = ball(5, 0.02, 0.1);
    const random = new Random(3);
    const places = Array.from({ length: 20_000 }, () => {
      const [p, v] = [known.state.position, known.state.velocity].map((mean, k) =>
        Array.from(mean, (value) => value + (k === 0 ? 0.02 : 0.1) * random.normal()),
      ) as [number[], number[]];
      const time = (0.5 - p[0]!) / v[0]!;
      return [p[1]! + time * v[1]!, p[2]! + time * v[2]! - 0.5 * 9.81 * time * time];
    });
    const variances = [0, 1].map((i) => {
      const values = places.map((place) => place[i]!);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    });
    const sampled = Math.sqrt(variances[0]! + variances[1]!);
    expect(Math.abs(sigmaAtCatchPlane(known, known.covariance!) / sampled - 1)).toBeLessThan(0.02);
  });

  it("does not when there is no time left to wait, or nothing to doubt", () => {
    expect(isActionable(ball(3, 0.4, 2), 1, defaultActionThreshold)).toBe(true);
    expect(isActionable({ ...ball(5, 1, 1), covariance: null }, 1, defaultActionThreshold)).toBe(true);
  });

  it("does not for a ball that flies away", () => {
    const away = ball(5, 1, 1);
    vec3.set(6, 0, 2, away.state.velocity);
    expect(isActionable(away, 1, defaultActionThreshold)).toBe(true);
  });
});
