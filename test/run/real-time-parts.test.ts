import { describe, expect, it } from "vitest";
import { adaptiveTimes, defaultTimes } from "../../src/catching/catch-times.js";
import { MotionMirror } from "../../src/catching/motion-mirror.js";
import { GentleJoints } from "../../src/control/joint-limiter.js";
import { HandoverOutcome } from "../../src/control/motion-execution.js";
import { RobotMotion } from "../../src/control/robot-motion.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { FrameChange, FramePace, frameQualities } from "../../src/simulation/frame-pace.js";
import { InjectedFaults } from "../../src/simulation/injected-faults.js";

describe("the mirror of control's motions", () => {
  const parts = [{ name: "arm", dofs: [0, 1] }];
  const posture = Float64Array.of(0.1, 0.2);

  function planAt(motion: RobotMotion, tStart: number, id: number): { id: number; tStart: number; ramps: JointRamps } {
    const q0 = new Float64Array(2);
    const w0 = new Float64Array(2);
    motion.of("arm").commandedAt(tStart, q0, w0);
    const ramps = new JointRamps(2);
    const limits = Float64Array.of(2, 2);
    ramps.plan(q0, w0, Float64Array.of(0.5 + (id % 3) / 10, 0.4), 1, limits, Float64Array.of(20, 20));
    return { id, tStart, ramps };
  }

  it("has control's command to the bit, though its word comes late", () => {
    const control = new RobotMotion(posture, parts);
    const mirror = new MotionMirror(posture, parts, 1e-3);
    const closeHandAt = Number.POSITIVE_INFINITY;
    for (let tick = 1; tick <= 400; tick++) {
      const now = tick / 1000;
      if (tick % 40 === 1) {
        const plan = { ...planAt(mirror.motion, now + 0.02, tick), closeHandAt };
        mirror.sent("arm", plan, tick * 1e6);
        expect(control.of("arm").offer(plan)).toBe(HandoverOutcome.accepted);
      }
      // Control's word arrives 10 ms after the plan has begun.
      if (tick > 30 && tick % 40 === 31)
        expect(mirror.handedOver("arm", tick - 30, HandoverOutcome.accepted)).toBe(true);
      control.tick(now);
      mirror.advance(now);
    }
    const [a, b] = [new Float64Array(2), new Float64Array(2)];
    control.of("arm").commandedAt(0.5, a, new Float64Array(2));
    mirror.motion.of("arm").commandedAt(0.5, b, new Float64Array(2));
    expect([...b]).toEqual([...a]);
    expect(mirror.divergences).toBe(0);
  });

  it("applies control's word even after the plan's time, and after it was given up", () => {
    const control = new RobotMotion(posture, parts);
    const mirror = new MotionMirror(posture, parts, 1e-3);
    const plan = { ...planAt(mirror.motion, 0.02, 1), closeHandAt: 1 };
    mirror.sent("arm", plan, 0);
    expect(control.of("arm").offer(plan)).toBe(HandoverOutcome.accepted);
    for (let tick = 1; tick <= 500; tick++) {
      control.tick(tick / 1000);
      mirror.advance(tick / 1000);
    }
    expect(mirror.overdue(1e8)).toEqual([]);
    expect(mirror.overdue(3e8)).toEqual(["arm"]);
    expect(mirror.overdue(4e8)).toEqual([]);
    // Nobody waits for it any more, but the arm moves all the same.
    expect(mirror.handedOver("arm", 1, HandoverOutcome.accepted)).toBe(false);
    expect([...mirror.motion.of("arm").q]).toEqual([...control.of("arm").q]);
    expect(mirror.handedOver("arm", 1, HandoverOutcome.accepted)).toBe(false);
    expect(mirror.divergences).toBe(0);
  });

  it("is set right about a part that moved without its knowledge, once that stands", () => {
    const mirror = new MotionMirror(posture, parts, 1e-3);
    const plan = { ...planAt(mirror.motion, 0.02, 1), closeHandAt: 1 };
    mirror.sent("arm", plan, 0);
    expect(mirror.handedOver("arm", 1, HandoverOutcome.mismatch)).toBe(true);
    expect(mirror.divergences).toBe(1);
    const q = Float64Array.of(0.3, -0.4);
    mirror.correct("arm", q);
    mirror.advance(0.5);
    expect([...mirror.motion.of("arm").q]).toEqual([...q]);
  });
});

describe("faults of simulated sensors", () => {
  it("last as long as they were to, each by itself", () => {
    const faults = new InjectedFaults(InjectedFaults.memory());
    const seen = (time: number) => [
      faults.isFrozen("left", time),
      faults.isFrozen("right", time),
      faults.isImuSilent(time),
    ];
    expect(seen(0)).toEqual([false, false, false]);
    faults.freezeCamera("right", 2);
    faults.silenceImu(3);
    expect(seen(1.9)).toEqual([false, true, true]);
    expect(seen(2.5)).toEqual([false, false, true]);
    expect(seen(3.1)).toEqual([false, false, false]);
  });
});

describe("a camera's pace", () => {
  it("is lowered step by step when frames take too long, and not by a single one", () => {
    const pace = new FramePace(0.04, 0.6);
    expect(pace.took(0.5)).toBe(FrameChange.none);
    for (let k = 0; k < 20; k++) expect(pace.took(0.02)).toBe(FrameChange.none);
    const levels = Array.from({ length: 100 }, () => {
      pace.took(0.06);
      return pace.quality;
    });
    expect(levels.at(-1)).toEqual(frameQualities.at(-1));
    expect(new Set(levels).size).toBe(frameQualities.length);
  });

  it("goes back to more when frames are easy for long, and longer each time", () => {
    const pace = new FramePace(0.04, 0.6);
    const framesUntilRaised = (): number => {
      while (pace.quality !== frameQualities.at(-1)) pace.took(0.09);
      let frames = 1;
      while (pace.took(0.01) !== FrameChange.raised) frames++;
      return frames;
    };
    expect([framesUntilRaised(), framesUntilRaised(), framesUntilRaised()]).toEqual([20, 40, 80]);
    for (let k = 0; k < 2000; k++) pace.took(0.001);
    expect(pace.quality).toEqual(frameQualities[0]);
  });

  it("does not try what would not fit", () => {
    const pace = new FramePace(0.04, 0.6);
    while (pace.quality !== frameQualities[1]) pace.took(0.03);
    // 20 ms at three quarters of the size would be 36 ms at full size, of 24 ms that there are.
    for (let k = 0; k < 1000; k++) expect(pace.took(0.02)).toBe(FrameChange.none);
  });
});

describe("a camera's first pace", () => {
  it.each([
    [0.02, 0],
    [0.03, 1],
    [9, 1],
  ])("fits frames of %d s at full size, and is no lower than one step", (full, level) => {
    const pace = new FramePace(0.04, 0.6);
    pace.begin(() => full);
    expect(pace.quality).toEqual(frameQualities[level]);
  });
});

describe("the budget of a first plan", () => {
  it("follows what planning takes, within bounds, and comes back", () => {
    const times = adaptiveTimes(defaultTimes);
    expect(times.coldBudgetNs).toBe(defaultTimes.coldBudgetNs);
    times.searched(100e6);
    expect(times.coldBudgetNs).toBe(1.25 * defaultTimes.coldBudgetNs);
    for (let k = 0; k < 10; k++) times.searched(1e9);
    expect(times.coldBudgetNs).toBe(70e6);
    times.searched(20e6);
    expect(times.coldBudgetNs).toBeLessThan(70e6);
    for (let k = 0; k < 20; k++) times.searched(20e6);
    expect(times.coldBudgetNs).toBe(defaultTimes.coldBudgetNs);
  });
});

describe("joints that are led gently", () => {
  it("keep something in reserve of speed, acceleration and range, wherever they are sent", () => {
    const robot = loadRobot("agile-justin");
    const { model } = robot;
    const dofs = model.groups.find(({ kind }) => kind === "neck")!.dofs;
    const sent = [-9, 9];
    const leader = {
      dofs,
      follow: (time: number, _: Float64Array, q: Float64Array) => void q.fill(sent[Math.floor(time / 0.3) % 2]!),
      rest: () => undefined,
    };
    const posture = robot.postures.get("ready")!;
    const gentle = new GentleJoints(robot, leader, posture, 1e-3);
    const [q, qd, before] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    for (let k = 1; k < 2000; k++) {
      gentle.follow(k / 1000, posture, q, qd);
      for (const [i, dof] of dofs.entries()) {
        expect(Math.abs(qd[i]!)).toBeLessThanOrEqual(0.86 * model.maxVelocity[dof]!);
        expect(Math.abs(qd[i]! - before[i]!)).toBeLessThanOrEqual(0.61e-3 * model.maxAcceleration[dof]!);
        expect(q[i]).toBeGreaterThan(model.lower[dof]!);
        expect(q[i]).toBeLessThan(model.upper[dof]!);
      }
      before.set(qd);
    }
  });
});
