import { beforeEach, describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import { ALL_CHECKS, Check } from "../../../src/planning/problem/checks.js";
import type { ArmClearance } from "../../../src/planning/problem/hull-clearance.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { CatchVerifier, type PlannedCatch, Verdict } from "../../../src/planning/search/verify.js";
import { catchSetup, catchTask } from "../catch-setup.js";

const setup = catchSetup("lwr-arm", "arm");
const random = new Random("verify");
const task = catchTask(setup, "soft", setup.throwBall(random));
const solver = new CatchSolver(setup.arm, task);
const solution = solver.createSolution();
solver.cold(task, { starts: 8, solve: iterationBudget(100) }, solution);
const verifier = new CatchVerifier(setup.arm);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
let plan: Mutable<PlannedCatch> & { ramps: JointRamps };

beforeEach(() => {
  const ramps = new JointRamps(7);
  ramps.copyFrom(solution.ramps);
  plan = {
    q0: task.q0.slice(),
    w0: task.w0.slice(),
    maxVelocity: task.maxVelocity.slice(),
    maxAcceleration: task.maxAcceleration.slice(),
    ramps,
    q: solution.x.slice(0, 7),
    time: solution.x[7]!,
    path: task.path,
    keepOut: task.keepOut,
    checks: ALL_CHECKS,
  };
});

describe("the verifier", () => {
  it("lets a sound plan pass", () => {
    expect(solution.found).toBe(true);
    expect(verifier.verify(plan)).toBe(Verdict.ok);
    expect(verifier.clearance).toBe(solution.clearance);
  });

  const fields = ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T"] as const;
  it.each(fields)("refuses a NaN or an infinity in %s", (field) => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      plan.ramps[field][3] = bad;
      expect(verifier.verify(plan)).toBe(Verdict.notFinite);
    }
  });

  it("refuses a NaN catch time", () => {
    plan.time = Number.NaN;
    expect(verifier.verify(plan)).toBe(Verdict.notFinite);
  });

  it("refuses a start that is not the robot's", () => {
    plan.q0[2]! += 1e-3;
    expect(verifier.verify(plan)).toBe(Verdict.start);
    plan.q0[2]! -= 1e-3;
    plan.w0[2]! += 1e-2;
    expect(verifier.verify(plan)).toBe(Verdict.start);
  });

  it("refuses ramps that end elsewhere, later, or with phases out of order", () => {
    plan.ramps.a[1]! *= 1.01;
    expect(verifier.verify(plan)).toBe(Verdict.end);
    plan.ramps.a[1]! /= 1.01;
    plan.time -= 0.01;
    expect(verifier.verify(plan)).toBe(Verdict.end);
    plan.time += 0.01;
    plan.ramps.t1[1] = plan.ramps.t2[1]! + 0.01;
    expect(verifier.verify(plan)).toBe(Verdict.end);
  });

  it("refuses an overshoot beyond the joint limits, though the end is within", () => {
    // From just below the limit at speed: the joint must turn back, and turns beyond its limit.
    const upper = setup.arm.upper[0]!;
    plan.q0[0] = upper - 0.01;
    plan.w0[0] = 1;
    plan.q[0] = upper - 0.2;
    plan.ramps.plan(plan.q0, plan.w0, plan.q, plan.time, plan.maxVelocity, plan.maxAcceleration);
    expect(verifier.verify(plan)).toBe(Verdict.positionLimit);
  });

  it("refuses more than the limits of speed and acceleration", () => {
    plan.maxVelocity.fill(1e-3);
    expect(verifier.verify(plan)).toBe(Verdict.velocityLimit);
    plan.maxVelocity.set(task.maxVelocity);
    plan.maxAcceleration.fill(1e-3);
    expect(verifier.verify(plan)).toBe(Verdict.accelerationLimit);
  });

  it("refuses a hand that is not at the ball, or does not face it", () => {
    plan.time += 0.05;
    expect(verifier.verify(plan)).toBe(Verdict.handPosition);
    plan.time -= 0.05;
    // The last joint turns the hand about its z axis; the sixth tilts it about the wrist, so that it also moves.
    const tilted = { ...task.path, evaluate: turnedPath };
    expect(verifier.verify({ ...plan, path: { ...tilted, ...methods() } })).toBe(Verdict.handDirection);
  });

  it("refuses a hand inside a keep-out shape", () => {
    const ball = task.path.position(plan.time, vec3.create());
    const shape = { name: "here", link: 0, geometry: { type: "sphere" as const, center: ball, radius: 0.01 } };
    plan.keepOut = new KeepOutSet([shape], () => pose.create());
    expect(verifier.verify(plan)).toBe(Verdict.keepOut);
    plan.checks = ALL_CHECKS - Check.keepOut;
    expect(verifier.verify(plan)).toBe(Verdict.ok);
    expect(verifier.clearance).toBeCloseTo(-0.01, 4);
  });

  /** A verifier whose arm is `distance` clear of the robot at the catch, and touches it on any way. */
  function touching(distance: number): CatchVerifier {
    const clearance: ArmClearance = {
      count: 1,
      evaluate: (_, values, row) => {
        values[row] = distance;
      },
      evaluateWithJacobian: () => {
        throw new Error("the verifier needs no derivative");
      },
      blamed: -1,
      isMotionFree: () => false,
    };
    return new CatchVerifier({ ...setup.arm, clearance });
  }

  it("refuses an arm that touches the robot, at the catch and on its way, unless that is not asked for", () => {
    expect(touching(-0.01).verify(plan)).toBe(Verdict.selfCollision);
    expect(touching(0.01).verify(plan)).toBe(Verdict.motionCollision);
    plan.checks = ALL_CHECKS - Check.motion;
    expect(touching(-0.01).verify(plan)).toBe(Verdict.selfCollision);
    expect(touching(0.01).verify(plan)).toBe(Verdict.ok);
    plan.checks = ALL_CHECKS - Check.clearance;
    expect(touching(-0.01).verify(plan)).toBe(Verdict.motionCollision);
    plan.checks = 0;
    expect(touching(-0.01).verify(plan)).toBe(Verdict.ok);
  });

  it("looks at limits and hand whatever is asked for", () => {
    plan.checks = 0;
    plan.time += 0.05;
    expect(verifier.verify(plan)).toBe(Verdict.handPosition);
    plan.maxVelocity.fill(1e-3);
    expect(verifier.verify(plan)).toBe(Verdict.velocityLimit);
  });
});

/** The same ball, flying another way. */
function turnedPath(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void {
  task.path.evaluate(t, position, velocity, acceleration);
  vec3.set(velocity[1], velocity[2], velocity[0], velocity);
}

function methods() {
  const { path } = task;
  return {
    begin: path.begin,
    end: path.end,
    position: path.position.bind(path),
    velocity: path.velocity.bind(path),
    acceleration: path.acceleration.bind(path),
  };
}
