import { describe, expect, it } from "vitest";
import { defaultTimes } from "../../../src/catching/catch-times.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { ArmPlanRequest } from "../../../src/planning/arm/arm-plan.js";
import { TimedPlanner } from "../../../src/planning/arm/timed-planner.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { BallWorld } from "../../../src/simulation/world/ball-world.js";
import { ThrowGenerator, type ThrowSpace, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { askAbout, placeJoints, standing } from "../../catching/scene.js";
import { LockStepPlanner } from "../../catching/support/lock-step-planner.js";

const robot = loadRobot("agile-justin");
const posture = robot.postures.get("ready")!;
const arm = buildCatchArm(robot, "rightArm");
const space = throwSpaceOf(robot);
const rightSide: ThrowSpace = { ...space, target: { ...space.target, aside: [-0.5, -0.3], height: [1, 1.4] } };
const released = 5;

/** A question about throw `id`, released at 5 s, the arm standing ready at 5.25 s. */
function ask(id: number, from = rightSide): ArmPlanRequest {
  return askAbout(arm, posture, new ThrowGenerator(from, 3).make(id, released), released + 0.25);
}

function answerTo(request: ArmPlanRequest, planner = new TimedPlanner(arm, posture)) {
  return planner.plan(request);
}

describe("the inline planner", () => {
  it("takes the best catch it has found when its time is up", () => {
    const whole = answerTo(ask(0)).plan!;
    // Each reading of the clock is so much later than the one before.
    const answerIn = (step: number) => {
      let now = released;
      const clock = () => {
        now += step;
        return now;
      };
      return answerTo(ask(0), new TimedPlanner(arm, posture, { deadline: { clock, transport: 0.01 } })).plan;
    };
    expect(answerIn(0)!.objective).toBe(whole.objective);
    const soon = answerIn(0.1)?.objective ?? Number.POSITIVE_INFINITY;
    const later = answerIn(0.002)?.objective ?? Number.POSITIVE_INFINITY;
    expect(soon).toBeGreaterThan(whole.objective);
    expect(later).toBeLessThanOrEqual(soon);
  });

  it("finds catches that bring the true hand to the true ball", () => {
    const world = new BallWorld(robot, posture);
    for (let id = 0; id < 5; id++) {
      const answer = answerTo(ask(id));
      expect(answer.plan).not.toBeNull();
      const { ramps, tCatch, tStart } = answer.plan!;
      const q = ramps.positions(tCatch - tStart, new Float64Array(7));
      placeJoints(world, arm.group.dofs, q);
      const flying = world.release(new ThrowGenerator(rightSide, 3).make(id, released));
      const ball = flying.path.position(tCatch, vec3.create());
      const hand = world.worldFromLink(arm.group.tipLink);
      expect(vec3.distance(ball, vec3.create(hand[9], hand[10], hand[11]))).toBeLessThan(1e-5);
    }
  });

  it("answers the same question with the same bits, whatever was asked before", () => {
    const fresh = answerTo(ask(2));
    const used = new TimedPlanner(arm, posture);
    for (const id of [0, 1]) answerTo(ask(id), used);
    expect(answerTo(ask(2), used)).toEqual(fresh);
  });

  it("plans on from a plan in execution", () => {
    const first = answerTo(ask(1)).plan!;
    const tStart = first.tStart + 0.1;
    const q0 = new Float64Array(7);
    const w0 = new Float64Array(7);
    first.ramps.evaluate(0.1, q0, w0, new Float64Array(7));
    const next = answerTo({
      ...ask(1),
      ...standing(arm, posture, tStart),
      tStart,
      q0,
      w0,
      earliest: tStart + 0.05,
      previous: first,
    }).plan!;
    expect(next.tCatch).toBeGreaterThan(tStart);
    expect(Math.abs(next.tCatch - first.tCatch)).toBeLessThan(0.05);
    expect([...next.ramps.q0]).toEqual([...q0]);
  });

  it("says why a ball cannot be caught", () => {
    const far: ThrowSpace = { ...space, target: { ahead: 0.5, aside: [3, 3], height: [1, 1] } };
    const answer = answerTo(ask(0, far));
    expect(answer).toMatchObject({ plan: null, reason: expect.stringContaining("out of reach") });
    const nowhere = { ...ask(0), ball: { ...ask(0).ball, drag: Number.NaN } };
    expect(answerTo(nowhere)).toMatchObject({ plan: null, reason: expect.stringContaining("not that of a flight") });
  });

  it("says that the arm is too slow for a ball that is nearly there", () => {
    const { flightTime } = new ThrowGenerator(rightSide, 3).make(1, released);
    const tStart = released + flightTime - 0.08;
    const answer = answerTo({ ...ask(1), ...standing(arm, posture, tStart), tStart, earliest: tStart + 0.05 });
    expect(answer).toMatchObject({
      plan: null,
      reason: expect.stringMatching(/^too fast: rightArm\d stays \d+\.\d° behind/),
    });
  });

  it("measures its time by the stopwatch it is given", () => {
    let now = 0;
    const planner = new TimedPlanner(arm, posture, {
      stopwatch: () => {
        now += 7;
        return now;
      },
    });
    answerTo(ask(0), planner);
    expect(planner.timings).toEqual({ coldMs: [7], fruitlessMs: [], warmMs: [] });
  });
});

describe("the lock-step planner", () => {
  it("keeps the answer until the budget has passed, however quick the planner is", () => {
    const planner = new LockStepPlanner(new TimedPlanner(arm, posture), defaultTimes);
    planner.submit(ask(0), 1000);
    expect(planner.collect(1000)).toBeNull();
    expect(planner.collect(1000 + defaultTimes.coldBudgetNs - 1)).toBeNull();
    const answer = planner.collect(1_000_000 + defaultTimes.coldBudgetNs)!;
    expect(answer.answeredNs).toBe(1000 + defaultTimes.coldBudgetNs);
    expect(planner.collect(1e12)).toBeNull();
    planner.submit({ ...ask(0), previous: answer.plan }, 0);
    expect(planner.collect(defaultTimes.warmBudgetNs - 1)).toBeNull();
    expect(planner.collect(defaultTimes.warmBudgetNs)).not.toBeNull();
  });
});
