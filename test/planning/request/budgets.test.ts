import { describe, expect, it } from "vitest";
import { exampleRequest } from "../../../src/planning/request/example-request.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";

/** A clock that goes on by `step` seconds whenever it is read. */
function steppingClock(step: number): () => number {
  let now = 0;
  return () => {
    now += step;
    return now;
  };
}

describe.each(listRobots())("a request for %s that can be answered, with little time", (name) => {
  const example = exampleRequest(loadRobot(name));
  const { group: _, ...anyArm } = example;

  it("is never called unreachable", () => {
    const planner = new Planner({ clock: steppingClock(1e-4) });
    for (const request of [example, anyArm]) {
      for (const milliseconds of [0.01, 0.15, 0.3, 0.6, 1, 1.7, 2.5, 4]) {
        const answer = planner.plan({ ...request, budget: { milliseconds } });
        expect(answer.status).not.toBe("unreachable");
        expect(answer.statistics.starts).toBeGreaterThan(0);
        if (answer.catch === undefined) {
          expect(answer.status).toBe("budget-exhausted");
          expect(answer.reasons![0]!.kind).toBe("budget");
        }
      }
    }
  });
});

it("has the budget that was given although its robot must be loaded first, also with a deadline set before", () => {
  let now = 0;
  const robot = loadRobot("panda");
  const slow = {
    get: () => {
      now += 5;
      return robot;
    },
  };
  const planner = new Planner({ robots: slow, clock: () => now });
  const answer = planner.plan(exampleRequest(robot), { started: 0, deadline: 0.06 });
  expect(answer.status).toBe("solved");
});
