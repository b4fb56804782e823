import { describe, expect, it } from "vitest";
import { type Assignment, NONE } from "../../../bench/planning/assign.js";
import { TwoArmPlanner, type TwoArmRequest } from "../../../bench/planning/two-arm-planner.js";
import { HullBodies } from "../../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../../src/collision/hull-distance.js";
import { FlightStatus } from "../../../src/flight/ball.js";
import type { Flight } from "../../../src/flight/flight.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import { ConcurrentMotions } from "../../../src/planning/body/concurrent-motions.js";
import { baseFromLinksAt } from "../../../src/planning/body/moving-base-links.js";
import { MovingBasePath } from "../../../src/planning/body/moving-base-path.js";
import type { CatchTask } from "../../../src/planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../../../src/planning/problem/checks.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { justin, latest, ready, Throws } from "../body/body-setup.js";

const { model } = justin;
const planner = new TwoArmPlanner(justin, ["leftArm", "rightArm"]);
const still = (dofs: readonly number[]): JointRamps => {
  const ramps = new JointRamps(dofs.length);
  ramps.hold(Float64Array.from(dofs, (dof) => ready[dof]!));
  return ramps;
};
const idle = planner.arms.map(({ group }) => still(group.dofs));

function request(flights: readonly Flight[]): TwoArmRequest {
  const tasks = planner.arms.map(({ group, maxVelocity, maxAcceleration }) =>
    flights.map((flight): CatchTask => {
      const path = new MovingBasePath(justin, group.baseLink);
      const motion = { ramps: still(path.bodyDofs), start: 0 };
      if (path.reset(flight, motion, null, 0, latest) !== FlightStatus.ok) throw new Error("no path");
      return {
        mode: "soft",
        q0: Float64Array.from(group.dofs, (dof) => ready[dof]!),
        w0: new Float64Array(group.dofs.length),
        maxVelocity,
        maxAcceleration,
        path,
        keepOut: new KeepOutSet(justin.keepOut, baseFromLinksAt(justin, path, ready, 0)),
        earliest: 0,
        latest,
        success: null,
        checks: ALL_CHECKS,
      };
    }),
  );
  return { tasks, posture: ready, idle, budget: { starts: 8, solve: iterationBudget(100) } };
}

const state = new RobotState(model);
const bodies = new HullBodies(justin.hulls);
const hulls = new HullDistance();

/** The robot with both arms where their motions have them at `t`. */
function robotAt({ options }: Assignment, t: number): RobotState {
  state.q.set(ready);
  for (const [arm, { group }] of planner.arms.entries()) {
    const q = (options[arm]?.ramps ?? idle[arm]!).positions(t, new Float64Array(7));
    for (const [i, dof] of group.dofs.entries()) state.q[dof] = q[i]!;
  }
  forwardKinematics(state);
  return state;
}

/** Least distance of the checked pairs, sampled in time. */
function leastDistance(assignment: Assignment): number {
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t <= latest; t += 0.01) {
    bodies.placeAll(robotAt(assignment, t).linkPoses);
    for (const [a, b] of justin.pairs) {
      hulls.measure(
        bodies.points[a]!,
        bodies.pointCount[a]!,
        bodies.points[b]!,
        bodies.pointCount[b]!,
        new Int32Array(MEMORY_SIZE),
        0,
      );
      least = Math.min(least, hulls.distance - bodies.radius[a]! - bodies.radius[b]!);
    }
  }
  return least;
}

/** Whether the hand of each arm that has a ball is at it, facing it, at the time of its catch. */
function expectCaught(assignment: Assignment, flights: readonly Flight[]): void {
  for (const [arm, ball] of assignment.balls.entries()) {
    if (ball === NONE) continue;
    const t = assignment.options[arm]!.x.at(-1)!;
    const worldFromHand = robotAt(assignment, t).worldFromLink[planner.arms[arm]!.group.tipLink]!;
    const hand = pose.getTranslation(worldFromHand, vec3.create());
    expect(vec3.distance(hand, flights[ball]!.position(t, vec3.create()))).toBeLessThan(1e-4);
    const direction = vec3.normalize(flights[ball]!.velocity(t, vec3.create()), vec3.create());
    expect(vec3.dot(direction, vec3.create(worldFromHand[2], worldFromHand[5], worldFromHand[8]))).toBeLessThan(
      -0.9999,
    );
  }
}

describe("planning for two arms", () => {
  it("catches two balls wherever the arms can, neither touching the other nor the robot", {
    timeout: deep(30_000, 600_000),
  }, () => {
    const throws = new Throws("two balls");
    const count = deep(6, 100);
    let both = 0;
    for (let k = 0; k < count; k++) {
      const flights = [throws.flight(2 * k), throws.flight(2 * k + 1)];
      const assignment = planner.plan(request(flights));
      expect(assignment.balls.filter((ball) => ball !== NONE)).toHaveLength(assignment.caught);
      expect(new Set(assignment.balls).size).toBe(2);
      expectCaught(assignment, flights);
      expect(leastDistance(assignment)).toBeGreaterThan(0);
      if (assignment.caught === 2) both++;
    }
    expect(both).toBeGreaterThan(count / 4);
  });

  it("gives a single ball to one arm, and the other stands", () => {
    const flights = [new Throws("one ball").flight(0)];
    const assignment = planner.plan(request(flights));
    expect(assignment.caught).toBe(1);
    expect(assignment.options.filter((option) => option === null)).toHaveLength(1);
    expectCaught(assignment, flights);
  });

  it("keeps the arms apart when both balls come to one place", () => {
    const flight = new Throws("one place").flight(2);
    const assignment = planner.plan(request([flight, flight]));
    expect(assignment.caught).toBeGreaterThanOrEqual(1);
    expect(leastDistance(assignment)).toBeGreaterThan(0);
    expectCaught(assignment, [flight, flight]);
  });

  it("gives the same bits again", () => {
    const throws = new Throws("again");
    const flights = [throws.flight(0), throws.flight(1)];
    const first = planner.plan(request(flights));
    planner.plan(request([throws.flight(2)]));
    const second = planner.plan(request(flights));
    expect(second.balls).toEqual(first.balls);
    expect(second.options.map((option) => option?.x)).toEqual(first.options.map((option) => option?.x));
  });
});

describe("the motion of two arms", () => {
  const motion = new ConcurrentMotions(
    justin,
    planner.arms.map(({ group }) => group.dofs),
  );

  it("is clear while they stand", () => {
    expect(motion.isClear(idle, ready)).toBe(true);
    expect(motion.contact).toEqual([-1, -1]);
  });

  /** A motion beyond the joints' limits is refused before anything comes near. */
  const withinLimits = (angle: number, dof: number): number =>
    Math.min(model.upper[dof]! - 0.05, Math.max(model.lower[dof]! + 0.05, angle));

  it("is clear exactly if sampled distances say so, for arms that swing about before the chest", () => {
    const random = new Random("swings");
    const tally = { clear: 0, touching: 0 };
    for (let n = 0; n < deep(25, 150); n++) {
      const swings = planner.arms.map(({ group, maxVelocity, maxAcceleration }) => {
        const q0 = Float64Array.from(group.dofs, (dof) => ready[dof]!);
        const q = q0.map((angle, i) => withinLimits(angle + random.uniformIn(-1.2, 1.2), group.dofs[i]!));
        const ramps = new JointRamps(7);
        expect(ramps.plan(q0, new Float64Array(7), q, 1.5, maxVelocity, maxAcceleration)).toBe(RampStatus.ok);
        return ramps;
      });
      const isClear = motion.isClear(swings, ready);
      const options = swings.map((ramps) => ({ x: new Float64Array(8), ramps, cost: 0, probability: null, slack: 0 }));
      const least = leastDistance({ balls: [0, 1], caught: 2, options });
      if (Math.abs(least) < 0.01) continue;
      expect(isClear).toBe(least > 0);
      tally[isClear ? "clear" : "touching"]++;
      if (!isClear) expect(Math.min(...motion.contact)).toBeGreaterThanOrEqual(0);
    }
    expect(tally.clear).toBeGreaterThan(2);
    expect(tally.touching).toBeGreaterThan(2);
  });
});
