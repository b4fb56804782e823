import { describe, expect, it } from "vitest";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { gravityInRoot } from "../../../src/planning/request/ball-request.js";
import { sampleMotion, statusOf } from "../../../src/planning/request/describe-plan.js";
import { MotionTorques } from "../../../src/planning/request/motion-torques.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { CatchSolution } from "../../../src/planning/search/catch-solution.js";
import { inverseDynamics } from "../../../src/robot/dynamics/inverse-dynamics.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { request, robots } from "./requests.js";

const planner = new Planner({ robots, settings: { starts: 4 } });

/** Ramps with all phases, a reversal and a start above the speed limit among them. */
function ramps(): JointRamps {
  const made = new JointRamps(7);
  const robot = robots.get("lwr-arm");
  const q0 = robot.model.groups[0]!.dofs.map((dof) => robot.postures.get("ready")![dof]!);
  const w0 = [0.4, -0.5, 0, 1, 0, 2.5, 0];
  const q = q0.map((value, k) => value + [0.6, 0.4, -0.5, 0.2, 0, 0.4, 0.3][k]!);
  const limits = [new Float64Array(7).fill(2), new Float64Array(7).fill(18)] as const;
  made.plan(Float64Array.from(q0), Float64Array.from(w0), Float64Array.from(q), 0.7, ...limits);
  return made;
}

describe("MotionTorques", () => {
  const robot = robots.get("lwr-arm");
  const { dofs } = robot.model.groups[0]!;
  const posture = robot.postures.get("ready")!;
  const gravity = gravityInRoot(robot);

  it("finds the peaks of a motion, as looking at every tenth of a millisecond does", () => {
    const motion = ramps();
    const peaks = new MotionTorques(robot.model).peaks(posture, dofs, motion, gravity);
    const state = new RobotState(robot.model);
    const [qdd, torque] = [new Float64Array(robot.model.dofCount), new Float64Array(robot.model.dofCount)];
    const [q, qd, a] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
    const dense = new Float64Array(7);
    state.q.set(posture);
    for (let t = 0; t <= motion.duration; t += 1e-4) {
      motion.evaluate(t, q, qd, a);
      for (const [k, dof] of dofs.entries()) {
        state.q[dof] = q[k]!;
        state.qd[dof] = qd[k]!;
        qdd[dof] = a[k]!;
      }
      forwardKinematics(state);
      inverseDynamics(state, qdd, gravity, torque);
      for (const [k, dof] of dofs.entries()) dense[k] = Math.max(dense[k]!, Math.abs(torque[dof]!));
    }
    for (const [k, peak] of peaks.entries()) {
      expect(peak).toBeGreaterThan(0.99 * dense[k]! - 1e-6);
      expect(peak).toBeLessThan(1.01 * dense[k]! + 1e-3);
    }
  });

  it("is what holds the arm, where nothing moves", () => {
    const still = new JointRamps(7);
    still.hold(Float64Array.from(dofs, (dof) => posture[dof]!));
    const peaks = new MotionTorques(robot.model).peaks(posture, dofs, still, gravity);
    const state = new RobotState(robot.model);
    state.q.set(posture);
    forwardKinematics(state);
    const torque = inverseDynamics(
      state,
      new Float64Array(robot.model.dofCount),
      gravity,
      new Float64Array(robot.model.dofCount),
    );
    for (const [k, dof] of dofs.entries()) expect(peaks[k]).toBeCloseTo(Math.abs(torque[dof]!), 12);
    expect(Math.max(...peaks)).toBeGreaterThan(5);
  });

  it("leaves nothing behind from one motion to the next", () => {
    const torques = new MotionTorques(robot.model);
    const first = torques.peaks(posture, dofs, ramps(), gravity);
    torques.peaks(robot.postures.get("drop")!, dofs, ramps(), gravity);
    expect(torques.peaks(posture, dofs, ramps(), gravity)).toEqual(first);
  });
});

describe("ramps of an answer", () => {
  it("lead from start to catch, by their eight numbers alone", () => {
    for (const mode of ["soft", "cool"] as const) {
      const start = { velocity: { arm1: -0.3, arm2: 0.4 } };
      const answer = planner.plan(request({ mode, start }));
      for (const [k, ramp] of answer.ramps!.entries()) {
        const { q0, w0, ab, tb, a, t1, t2, T, q } = ramp;
        let [position, speed] = [q0, w0];
        for (const [acceleration, duration] of [
          [ab, tb],
          [a, t1 - tb],
          [0, t2 - t1],
          [-a, T - t2],
        ] as const) {
          expect(duration).toBeGreaterThanOrEqual(0);
          position += duration * (speed + 0.5 * acceleration * duration);
          speed += acceleration * duration;
        }
        expect(position).toBeCloseTo(q, 9);
        expect(speed).toBeCloseTo(0, 9);
        expect(q).toBe(answer.catch!.joints[k]);
        expect(T).toBeCloseTo(answer.catch!.arrival, 12);
      }
    }
  });

  it("carry torques with their share of the limit", () => {
    const { model } = robots.get("lwr-arm");
    for (const { joint, peakTorque, torqueRatio } of planner.plan(request()).ramps!) {
      expect(peakTorque).toBeGreaterThan(0);
      expect(torqueRatio).toBeCloseTo(peakTorque / model.maxEffort[model.dofNames.indexOf(joint)]!, 12);
    }
  });
});

describe("the sampled motion", () => {
  it("runs from 0 to the catch at the rate asked for", () => {
    const { samples, catch: caught, ramps: planned } = planner.plan(request({ sample: { rateHz: 100 } }));
    const { time, position, velocity } = samples!;
    expect(time[0]).toBe(0);
    expect(time.at(-1)).toBe(caught!.time);
    expect(time.length).toBe(Math.ceil(caught!.time * 100) + 1);
    expect(position[0]).toEqual(planned!.map(({ q0 }) => q0));
    expect(position.at(-1)).toEqual(caught!.joints);
    expect(velocity.at(-1)).toEqual(planned!.map(() => 0));
    expect(time[1]).toBeCloseTo(0.01, 12);
  });

  it("has positions that are the integral of its velocities", () => {
    const { time, position, velocity } = sampleMotion(ramps(), 0.7, 2000);
    for (let k = 1; k < time.length; k++) {
      const h = time[k]! - time[k - 1]!;
      for (let j = 0; j < 7; j++) {
        const moved = 0.5 * h * (velocity[k]![j]! + velocity[k - 1]![j]!);
        expect(Math.abs(position[k]![j]! - position[k - 1]![j]! - moved)).toBeLessThan(1e-5);
      }
    }
  });

  it("is left out if nobody asked", () => {
    expect(planner.plan(request()).samples).toBeUndefined();
  });
});

describe("what was verified", () => {
  const always = ["limits", "ramps", "hand"];

  it.each([
    [undefined, [...always, "hand-keep-out", "clearance", "motion"]],
    [
      ["motion", "hand-keep-out"],
      [...always, "hand-keep-out", "motion"],
    ],
    [["clearance"], [...always, "clearance"]],
    [[], always],
  ] as const)("is what was asked for, and what no request leaves out: %j", (verify, verified) => {
    const asked = verify === undefined ? {} : { verify: [...verify] };
    expect(planner.plan(request(asked)).verified).toEqual(verified);
  });
});

describe("the status", () => {
  it.each([
    [true, true, false, "solved"],
    [true, false, false, "feasible"],
    [true, true, true, "feasible"],
    [false, false, true, "budget-exhausted"],
    [false, false, false, "unreachable"],
  ])("found %s, optimal %s, cut short %s: %s", (found, optimal, cutShort, status) => {
    expect(statusOf({ found, optimal, cutShort } as CatchSolution)).toBe(status);
  });
});
