import { describe, expect, it } from "vitest";
import { gravity } from "../../../src/flight/ball.js";
import { FlightPrediction } from "../../../src/flight/prediction.js";
import type { ArmPlanRequest } from "../../../src/planning/arm/arm-plan.js";
import { ArmSight } from "../../../src/planning/arm/arm-sight.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { resolvePerception } from "../../../src/planning/success/perception.js";
import { assumedCovariance, SuccessModel } from "../../../src/planning/success/success-model.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { standing } from "../../catching/scene.js";

const robot = loadRobot("agile-justin");
const posture = robot.postures.get("ready")!;
const arm = buildCatchArm(robot, "rightArm");
const tStart = 5.25;

/** 7 × 7, of which the drag is known. */
function covariance(scale: number): Float64Array {
  const all = new Float64Array(49);
  const some = assumedCovariance();
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) all[7 * r + c] = scale * some[6 * r + c]!;
  return all;
}

function ask(id: number, known: Float64Array | null): ArmPlanRequest {
  return {
    id,
    track: 0,
    mode: "soft",
    tStart,
    q0: new Float64Array(7),
    w0: new Float64Array(7),
    ball: new ThrowGenerator(throwSpaceOf(robot), 3).make(id, 5).state,
    covariance: known,
    lastSeen: 5,
    ...standing(arm, posture, tStart),
    earliest: tStart + 0.05,
    latest: 6.5,
    previous: null,
    running: null,
  };
}

/** The same model, made by hand on the run's own clock. */
function probability({ ball, covariance: known, lastSeen }: ArmPlanRequest, t: number): number {
  const state = new RobotState(robot.model);
  state.q.set(posture);
  forwardKinematics(state);
  const prediction = new FlightPrediction();
  prediction.reset(ball, known!, gravity(), 5, 6.6);
  const block = Float64Array.from({ length: 36 }, (_, k) => known![7 * Math.floor(k / 6) + (k % 6)]!);
  const perception = resolvePerception(robot, state, robot.frames.world);
  return new SuccessModel({
    prediction,
    covariance: block,
    lastSeen,
    until: 6.5,
    perception,
    hand: arm.hand,
  }).probability(t);
}

describe("an arm's view of a ball", () => {
  const sight = new ArmSight(robot, arm.group.baseLink, arm.hand, posture);

  it("tells how surely the ball of the last question is caught, when asked", () => {
    const [first, second] = [ask(0, covariance(1)), ask(1, covariance(0.1))];
    sight.look(first);
    const view = sight.look(second)!;
    expect(view.success!.probability(0.6)).toBeCloseTo(probability(second, tStart + 0.6), 6);
    expect(view.success).toBe(view.success);
    expect(sight.look(first)!.success!.probability(0.6)).toBeCloseTo(probability(first, tStart + 0.6), 6);
    expect(probability(first, tStart + 0.6)).not.toBeCloseTo(probability(second, tStart + 0.6), 4);
  });

  it("does not tell where nothing is known of it, also right after it was", () => {
    sight.look(ask(0, covariance(1)));
    expect(sight.look(ask(0, null))!.success).toBeNull();
  });

  it("refuses a covariance that is not finite at once, before the probability is asked for", () => {
    const broken = covariance(1);
    broken[8] = Number.NaN;
    expect(sight.look(ask(0, broken))).toBeNull();
  });
});
