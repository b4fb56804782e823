import { describe, expect, it } from "vitest";
import { POSITION_TOLERANCE, VELOCITY_TOLERANCE } from "../../src/control/motion-execution.js";
import type { ArmPlanRequest, ArmPlanResult } from "../../src/planning/arm/arm-plan.js";
import { TimedPlanner } from "../../src/planning/arm/timed-planner.js";
import { buildCatchArm } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { PlannerWarmUp } from "../../src/run/planner-warm-up.js";
import { waitingPosture } from "../../src/run/run-parts.js";

const robot = loadRobot("agile-justin");
const waiting = waitingPosture(robot);

describe("what a planner practises on", () => {
  it("is a search and then replans of a motion under way, each from where the one before will be", () => {
    const arm = buildCatchArm(robot, "rightArm", waiting);
    const planner = new TimedPlanner(arm, waiting, { starts: 4 });
    const practice = new PlannerWarmUp(arm, waiting, "soft");
    const asked: ArmPlanRequest[] = [];
    const ask = (request: ArmPlanRequest): ArmPlanResult => {
      asked.push(request);
      return planner.plan(request);
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
