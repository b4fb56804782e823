import { describe, expect, test } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { Launches } from "../../src/view/launches.js";
import { errorCode } from "../support/error-code.js";

const robot = loadRobot("agile-justin");

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

  test.each([
    [{ balls: 3 }],
    [{ balls: 0 }],
    [{ preset: "sideways" }],
    [{ launches: [{ position: [0, 0], velocity: [1, 0, 0] }] }],
    [{ launches: [{ position: [0, 0, 1], velocity: [50, 0, 0] }] }],
    [{ launches: [{ position: [Number.NaN, 0, 1], velocity: [1, 0, 0] }] }],
  ])("refuse %j", (request) => {
    expect(errorCode(() => new Launches(robot, 1, defaultBall, 2).make(request))).toBe("FLY_LIVE_THROW");
  });
});
