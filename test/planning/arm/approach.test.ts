import { describe, expect, it } from "vitest";
import * as vec3 from "../../../src/math/vec3.js";
import type { ArmPlanRequest, CatchPlan } from "../../../src/planning/arm/arm-plan.js";
import { MovingObstacleClearance } from "../../../src/planning/arm/moving-obstacle-clearance.js";
import { TimedPlanner } from "../../../src/planning/arm/timed-planner.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { contactTolerance } from "../../../src/planning/search/verify.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { BallWorld } from "../../../src/simulation/world/ball-world.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { askAbout, placeJoints, standing } from "../../catching/scene.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("agile-justin");
const posture = robot.postures.get("ready")!;
const arm = buildCatchArm(robot, "rightArm");
const throws = new ThrowGenerator(throwSpaceOf(robot), 17);
const planner = new TimedPlanner(arm, posture, { starts: 6 });
const released = 5;

/** A question about throw `id`, so long after its release that many cannot be caught any more. */
function ask(id: number, after: number): ArmPlanRequest {
  return askAbout(arm, posture, throws.make(id, released), released + after);
}

function approachTo(request: ArmPlanRequest, by = planner): CatchPlan | null {
  const answer = by.plan(request);
  return answer.plan === null ? answer.approach : null;
}

/** Throws that come too late to be caught, with the motion towards them. */
const late = Array.from({ length: deep(40, 300) }, (_, id) => {
  const request = ask(id, 0.45);
  return { id, request, approach: approachTo(request) };
}).flatMap(({ approach, ...asked }) => (approach === null ? [] : [{ ...asked, approach }]));

describe("the motion towards a ball for which there is no catch", () => {
  it("is found for many balls that come a little too early", () => {
    expect(late.length).toBeGreaterThan(8);
  });

  it("brings the true hand as near to the true ball as it says, and nearer than standing would", () => {
    const world = new BallWorld(robot, posture);
    const distance = (ball: vec3.Vec3): number => {
      const hand = world.worldFromLink(arm.group.tipLink);
      return vec3.distance(ball, vec3.create(hand[9], hand[10], hand[11]));
    };
    for (const { id, approach, request } of late) {
      const ball = world.release(throws.make(id, released)).path.position(approach.tCatch, vec3.create());
      placeJoints(world, arm.group.dofs, request.q0);
      const before = distance(ball);
      const q = approach.ramps.positions(approach.tCatch - approach.tStart, new Float64Array(7));
      placeJoints(world, arm.group.dofs, q);
      expect(distance(ball)).toBeCloseTo(approach.shortfall, 5);
      expect(approach.shortfall).toBeLessThan(before);
      expect(approach.shortfall).toBeGreaterThan(0);
      expect(approach.objective).toBeNaN();
    }
  });

  it("keeps all limits, and is clear of the robot", () => {
    const clearance = new MovingObstacleClearance(arm, posture);
    const [q, qd, qdd] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
    for (const { approach } of late) {
      expect(clearance.isMotionFree(approach.ramps)).toBe(true);
      for (let t = 0; t <= approach.ramps.duration; t += 0.01) {
        approach.ramps.evaluate(t, q, qd, qdd);
        for (let i = 0; i < 7; i++) {
          expect(q[i]).toBeGreaterThanOrEqual(arm.lower[i]! - 1e-9);
          expect(q[i]).toBeLessThanOrEqual(arm.upper[i]! + 1e-9);
          expect(Math.abs(qd[i]!)).toBeLessThanOrEqual(arm.maxVelocity[i]! * (1 + 1e-6));
          expect(Math.abs(qdd[i]!)).toBeLessThanOrEqual(arm.maxAcceleration[i]! * (1 + 1e-6));
        }
      }
    }
  });

  it("neither waits for the ball nor comes to rest inside a keep-out shape", () => {
    const world = new BallWorld(robot, posture);
    const handAt = ({ ramps }: CatchPlan, t: number): vec3.Vec3 => {
      placeJoints(world, arm.group.dofs, ramps.positions(t, new Float64Array(7)));
      const hand = world.worldFromLink(arm.group.tipLink);
      return vec3.create(hand[9], hand[10], hand[11]);
    };
    const radius = 0.15;
    for (const { request, approach } of late.slice(0, deep(6, 40))) {
      const center = handAt(approach, approach.ramps.duration);
      const geometry = { type: "sphere", center, radius } as const;
      const vase = { name: "vase", link: robot.frames.world, geometry };
      const careful = buildCatchArm({ ...robot, keepOut: [...robot.keepOut, vase] }, "rightArm");
      const other = approachTo(request, new TimedPlanner(careful, posture, { starts: 6 }));
      if (other === null) continue;
      for (const t of [other.tCatch - other.tStart, other.ramps.duration])
        expect(vec3.distance(handAt(other, t), center)).toBeGreaterThanOrEqual(radius - contactTolerance);
    }
  });

  it("is none where the motion in execution comes as near already, nor after a solve from the plan before", () => {
    for (const { request, approach } of late.slice(0, 5)) {
      // An arm that stands where the ball will be needs no motion towards it.
      expect(approachTo({ ...request, running: catchOf(request, approach) })).toBeNull();
      expect(approachTo({ ...request, previous: approach })).toBeNull();
    }
  });
});

/** A motion that would end with the hand at the ball: where the approach ends when it has all the time it needs. */
function catchOf(request: ArmPlanRequest, approach: CatchPlan): CatchPlan {
  const q0 = approach.unknowns.slice(0, 7);
  const search = { ...request, q0, tStart: request.tStart - 0.3 };
  const { plan } = planner.plan({ ...search, ...standing(arm, posture, search.tStart), earliest: request.earliest });
  expect(plan).not.toBeNull();
  return plan!;
}
