import { describe, expect, it } from "vitest";
import type { ArmPlanAnswer, ArmPlanRequest } from "../../src/catching/arm-planner.js";
import { InlineArmPlanner } from "../../src/catching/inline-arm-planner.js";
import { PlannerPractice } from "../../src/catching/planner-practice.js";
import { waitingPosture } from "../../src/catching/run-parts.js";
import { POSITION_TOLERANCE, VELOCITY_TOLERANCE } from "../../src/control/motion-execution.js";
import { buildCatchArm } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";

const robot = loadRobot("agile-justin");
const waiting = waitingPosture(robot);

describe("what a planner practises on", () => {
  it("is a search and then replans of a motion under way, each from where the one before will be", () => {
    const arm = buildCatchArm(robot, "rightArm", waiting);
    const planner = new InlineArmPlanner(arm, waiting, { starts: 4 });
    const practice = new PlannerPractice(arm, waiting, "soft");
    const asked: ArmPlanRequest[] = [];
    const ask = (request: ArmPlanRequest): ArmPlanAnswer => {
      asked.push(request);
      planner.submit(request, 0);
      return planner.collect()!;
    };
    const caught = Array.from({ length: 6 }, (_, id) => practice.play(id, ask)).filter((isCaught) => isCaught);
    expect(caught.length).toBeGreaterThan(2);
    const again = asked.filter(({ previous }) => previous !== null);
    expect(again.length).toBeGreaterThan(10);
    for (const { previous, tStart, q0, w0, carrier } of again) {
      const [q, qd, qdd] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
      previous!.ramps.evaluate(tStart - previous!.tStart, q, qd, qdd);
      expect(carrier.head).not.toBeNull();
      for (let i = 0; i < 7; i++) {
        expect(Math.abs(q0[i]! - q[i]!)).toBeLessThan(POSITION_TOLERANCE);
        expect(Math.abs(w0[i]! - qd[i]!)).toBeLessThan(VELOCITY_TOLERANCE);
      }
    }
    expect(again.some(({ w0 }) => w0.some((speed) => Math.abs(speed) > 0.5))).toBe(true);
  });
});
