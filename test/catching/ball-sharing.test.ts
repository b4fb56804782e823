import { describe, expect, it } from "vitest";
import { isComing, isNewcomer, shareBalls } from "../../src/catching/ball-sharing.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";

/** A ball `ahead` metres before the robot that will come by `aside` metres on the left. */
function ball(track: number, ahead: number, aside: number, sideSpeed = 0): BallPrediction {
  const velocity = vec3.create(-6, sideSpeed, 2);
  const position = vec3.create(ahead, aside - (ahead / 6) * sideSpeed, 1.5);
  return { track, state: { time: 0, position, velocity, drag: 0.03 }, covariance: null, lastSeen: 0, confirmed: true };
}

/** The same, not confirmed, with a velocity known to `sigma`. */
function doubtful(prediction: BallPrediction, sigma: number): BallPrediction {
  const covariance = new Float64Array(49);
  for (let i = 3; i < 6; i++) covariance[8 * i] = sigma ** 2;
  return { ...prediction, confirmed: false, covariance };
}

const arms = [
  { name: "rightArm", side: -0.3 },
  { name: "leftArm", side: 0.3 },
];

describe("two balls and two arms", () => {
  it("go together by their sides, however the balls fly there now", () => {
    const shares = shareBalls([ball(1, 5, 0.4, -1.5), ball(2, 4, 0.1, 1.5)], arms);
    expect(shares.get(1)).toBe("leftArm");
    expect(shares.get(2)).toBe("rightArm");
  });

  it("never make arms cross, nor do two balls get the same arm", () => {
    const random = new Random(7);
    for (let k = 0; k < 200; k++) {
      const balls = [1, 2].map((track) => {
        const ahead = random.uniformIn(1, 6);
        return ball(track, ahead, random.uniformIn(-1, 1), random.uniformIn(-1, 1));
      });
      const shares = shareBalls(balls, arms);
      expect(new Set(shares.values()).size).toBe(2);
      const asides = balls.map(({ state: { position, velocity } }) => position[1] + (position[0] / 6) * velocity[1]);
      const isFirstLeft = asides[0]! > asides[1]!;
      expect(shares.get(isFirstLeft ? 1 : 2)).toBe("leftArm");
    }
  });

  it("of three balls the nearest two count", () => {
    const shares = shareBalls([ball(1, 5, 0.9), ball(2, 2, 0.1), ball(3, 3, -0.5)], arms);
    expect([...shares.keys()].sort()).toEqual([2, 3]);
  });
});

describe("a ball that comes", () => {
  it("is any that flies towards the robot and will not pass far aside", () => {
    expect(isComing(ball(1, 4, 0.3))).toBe(true);
    expect(isComing(ball(1, 4, 3))).toBe(false);
    expect(isComing(ball(1, 0.1, 0.3))).toBe(false);
    const away = ball(1, 4, 0.3);
    vec3.set(6, 0, 2, away.state.velocity);
    expect(isComing(away)).toBe(false);
  });

  it("counts before it is confirmed, but not at the first sight of it", () => {
    expect(isComing(doubtful(ball(1, 4, 0.3), 0.3))).toBe(true);
    expect(isComing(doubtful(ball(1, 4, 0.3), 1.2))).toBe(false);
  });
});

describe("something round that was seen once or twice", () => {
  it("may be a ball that was just thrown, as long as nobody can say where it flies", () => {
    const seenOnce = doubtful(ball(1, 4.5, 0.3), 10);
    expect(isNewcomer(seenOnce)).toBe(true);
    expect(isNewcomer(doubtful(ball(1, 4.5, 0.3), 0.2))).toBe(false);
    expect(isNewcomer(ball(1, 4.5, 0.3))).toBe(false);
  });

  it("is none of a thrower's beside or behind the robot, on the floor, or where there is no place", () => {
    const at = (x: number, y: number, z: number): BallPrediction => {
      const one = doubtful(ball(1, 4.5, 0), 10);
      return { ...one, state: { ...one.state, position: vec3.create(x, y, z) } };
    };
    expect(isNewcomer(at(4, 0, 1.6))).toBe(true);
    for (const place of [at(0.5, 0, 1.6), at(9, 0, 1.6), at(4, 3, 1.6), at(4, 0, 0.1), at(Number.NaN, 0, 1.6)]) {
      expect(isNewcomer(place)).toBe(false);
    }
  });
});
