import { describe, expect, test } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { freeFlight } from "../../src/simulation/world/ball-world.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { Launches } from "../../src/view/launches.js";
import { deep } from "../support/deep.js";
import { errorCode } from "../support/error-code.js";

const robot = loadRobot("agile-justin");

/** What was made, or the code of the error. */
function tried<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    return error instanceof FlycatcherError ? error.code : "another error";
  }
}

describe("launches", () => {
  test("go through the seed's series", () => {
    const launches = new Launches(robot, 5, defaultBall, 2);
    const series = new ThrowGenerator(throwSpaceOf(robot), 5);
    expect(launches.make({ balls: 2 })).toEqual([series.make(0, 0), series.make(1, 0)]);
    expect(launches.make({})).toEqual([series.make(2, 0)]);
  });

  test("fit their presets, and are never the same ball twice", () => {
    const launches = new Launches(robot, 1, defaultBall, 2);
    const ids = new Set<number>();
    for (const { name } of launches.presets) {
      for (const ball of launches.make({ preset: name, balls: 2 })) {
        ids.add(ball.id);
        if (name === "left") expect(ball.aim[1]).toBeGreaterThan(0.5);
        if (name === "right") expect(ball.aim[1]).toBeLessThan(-0.5);
        if (name === "high") expect(ball.aim[2]).toBeGreaterThan(1.5);
      }
    }
    expect(ids.size).toBe(2 * launches.presets.length);
  });

  test("of one's own are aimed where they pass the robot", () => {
    const [ball] = new Launches(robot, 1, defaultBall, 2).make({
      launches: [{ position: [5, 0.2, 1.5], velocity: [-6, 0, 4] }],
    });
    expect(ball!.state.position).toEqual(Float64Array.of(5, 0.2, 1.5));
    expect(Math.abs(ball!.aim[0])).toBeLessThan(0.2);
    expect(ball!.flightTime).toBeGreaterThan(0.8);
  });

  test("of one's own are such that the world can throw them", () => {
    const launches = new Launches(robot, 1, defaultBall, 2);
    const random = new Random("launches");
    const draw = () => [0, 1, 2].map(() => random.uniformIn(-11, 11));
    const outcomes = { thrown: 0, refused: 0 };
    for (let n = 0; n < deep(2000, 200_000); n++) {
      const made = tried(() => launches.make({ launches: [{ position: draw(), velocity: draw() }] }));
      if (typeof made === "string") {
        expect(made).toBe("FLY_LIVE_THROW");
        outcomes.refused++;
      } else {
        expect(freeFlight(made[0]!, defaultBall).lands).toBeGreaterThan(0);
        outcomes.thrown++;
      }
    }
    expect(Math.min(outcomes.thrown, outcomes.refused)).toBeGreaterThan(10);
  });

  test.each([
    [{ balls: 3 }],
    [{ balls: 0 }],
    [{ preset: "sideways" }],
    [{ launches: [{ position: [0, 0], velocity: [1, 0, 0] }] }],
    [{ launches: [{ position: [0, 0, 1], velocity: [50, 0, 0] }] }],
    [{ launches: [{ position: [Number.NaN, 0, 1], velocity: [1, 0, 0] }] }],
    // Below the floor, in the air for longer than it is simulated, far from the robot.
    [{ launches: [{ position: [5, 0, -0.1], velocity: [-6, 0, 4] }] }],
    [{ launches: [{ position: [5, 0, 0.02], velocity: [-6, 0, 4] }] }],
    [{ launches: [{ position: [5, 0, 1.6], velocity: [-1, 0, 16] }] }],
    [{ launches: [{ position: [5, 0, 1.5], velocity: [6, 0, 4] }] }],
    [{ launches: [{ position: [5, 5, 1.5], velocity: [-6, 0, 4] }] }],
  ])("refuse %j", (request) => {
    expect(errorCode(() => new Launches(robot, 1, defaultBall, 2).make(request))).toBe("FLY_LIVE_THROW");
  });
});
