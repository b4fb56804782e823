import { describe, expect, it } from "vitest";
import { parseMotion } from "../../../src/motion/motion-description.js";
import { MotionState } from "../../../src/motion/piecewise-motion.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { deep } from "../../support/deep.js";
import { errorCode } from "../../support/error-code.js";

const planner = new Planner({ clock: null });
const modes = ["soft", "latest", "cool", "sure"] as const;
/** How often a motion is looked at [s]. */
const STEP = 1e-3;

function requests(robot: string, count: number): PlanRequest[] {
  const throws = new ThrowGenerator(throwSpaceOf(loadRobot(robot)), "limited jerk");
  return Array.from({ length: count }, (_, k) => {
    const { position, velocity } = throws.make(k, 0).state;
    return { robot, ball: { state: { position: [...position], velocity: [...velocity] } }, mode: modes[k % 4]! };
  });
}

/** Jerks of the joints by differences of sampled accelerations are no greater than `jerk`; the hand is at the ball in time. */
function expectLimitedJerk(request: PlanRequest, jerkOf: (dof: number) => number): boolean {
  const answer = planner.plan(request);
  if (answer.catch === undefined) return false;
  const { model, ...robot } = loadRobot(request.robot!);
  const { motion, joints } = parseMotion(answer.motion);
  const dofs = joints.map((name) => model.dofNames.indexOf(name));
  const state = new RobotState(model);
  state.q.set(robot.postures.get("ready")!);
  const [before, now] = [new MotionState(dofs.length), new MotionState(dofs.length)];
  motion.evaluate(0, before);
  for (const [i, dof] of dofs.entries()) {
    expect(before.position[i]).toBe(state.q[dof]);
    expect([before.velocity[i], before.acceleration[i]]).toEqual([0, 0]);
  }
  for (let t = STEP; t <= answer.catch.time + STEP; t += STEP) {
    motion.evaluate(t, now);
    for (const [i, dof] of dofs.entries()) {
      expect(now.position[i]).toBeGreaterThanOrEqual(model.lower[dof]! - 1e-9);
      expect(now.position[i]).toBeLessThanOrEqual(model.upper[dof]! + 1e-9);
      expect(Math.abs(now.velocity[i]!)).toBeLessThanOrEqual(model.maxVelocity[dof]! * (1 + 1e-9));
      expect(Math.abs(now.acceleration[i]!)).toBeLessThanOrEqual(model.maxAcceleration[dof]! * (1 + 1e-9));
      const jerk = (now.acceleration[i]! - before.acceleration[i]!) / STEP;
      expect(Math.abs(jerk)).toBeLessThanOrEqual(jerkOf(dof) * (1 + 1e-9) + 1e-9);
      before.acceleration[i] = now.acceleration[i]!;
    }
  }
  expect(motion.duration).toBe(answer.catch.arrival);
  expect(answer.catch.arrival).toBeLessThanOrEqual(answer.catch.time + 1e-9);
  motion.evaluate(answer.catch.time, now);
  for (const [i, dof] of dofs.entries()) state.q[dof] = now.position[i]!;
  forwardKinematics(state);
  const hand = state.worldFromLink[model.groups.find(({ name }) => name === answer.group)!.tipLink]!;
  for (let k = 0; k < 3; k++) expect(Math.abs(hand[9 + k]! - answer.catch.ballPosition[k]!)).toBeLessThan(1e-5);
  return true;
}

describe("a catch with limited jerk", () => {
  it("brings the Panda's hand to the ball within the jerks of its controller, in every mode", () => {
    const { maxJerk } = loadRobot("panda");
    const count = deep(12, 400);
    let caught = 0;
    let without = 0;
    for (const request of requests("panda", count)) {
      if (expectLimitedJerk({ ...request, limits: { jerk: "robot" } }, (dof) => maxJerk![dof]!)) caught++;
      const { catch: plain, motion } = planner.plan(request);
      expect(motion).toBeUndefined();
      if (plain !== undefined) without++;
    }
    expect(without).toBeGreaterThan(0.5 * count);
    expect(caught).toBeGreaterThanOrEqual(0.98 * without - 1);
  }, 60_000);

  it("takes a number as well, and samples what is to be executed", () => {
    const request = requests("lwr-arm", 3)[0]!;
    expect(expectLimitedJerk({ ...request, limits: { jerk: 400 } }, () => 400)).toBe(true);
    const {
      samples,
      motion,
      catch: caught,
    } = planner.plan({ ...request, limits: { jerk: 400 }, sample: { rateHz: 100 } });
    const now = new MotionState(motion!.joints.length);
    const closed = parseMotion(motion).motion;
    for (const [k, time] of samples!.time.entries()) {
      closed.evaluate(time, now);
      for (const [i, position] of samples!.position[k]!.entries()) expect(position).toBeCloseTo(now.position[i]!, 12);
    }
    expect(samples!.time.at(-1)).toBe(caught!.time);
  });

  it("says which joint would be too late for a jerk that is too small", () => {
    const { status, reasons, motion } = planner.plan({ ...requests("lwr-arm", 1)[0]!, limits: { jerk: 5 } });
    expect(status).toBe("unreachable");
    expect(motion).toBeUndefined();
    expect(reasons!.length).toBeGreaterThan(0);
  });

  it("is refused where the robot has no limits of jerk, or the body moves", () => {
    const ask =
      (robot: string, limits: NonNullable<PlanRequest["limits"]>, body?: NonNullable<PlanRequest["body"]>) => () =>
        planner.plan({ ...requests(robot, 1)[0]!, limits, ...(body !== undefined && { body }) });
    expect(errorCode(ask("lwr-arm", { jerk: "robot" }))).toBe("FLY_PLAN_JERK");
    expect(errorCode(ask("agile-justin", { jerk: 500 }, "rule"))).toBe("FLY_PLAN_JERK");
    expect(errorCode(ask("lwr-arm", { jerk: 0 }))).toBe("FLY_PLAN_REQUEST_INVALID");
    expect(errorCode(ask("lwr-arm", { jerk: Number.NaN }))).toBe("FLY_PLAN_REQUEST_INVALID");
  });
});
