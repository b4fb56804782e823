import { describe, expect, it } from "vitest";
import { HandoverOutcome } from "../../src/control/motion-execution.js";
import { RobotMotion } from "../../src/control/robot-motion.js";
import { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";

const posture = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5);
const parts = [
  { name: "left", dofs: [3, 1] },
  { name: "right", dofs: [4] },
];

function rampsTo(q0: number[], w0: number[], q: number[], T: number): JointRamps {
  const ramps = new JointRamps(q.length);
  const limit = Float64Array.from(q, () => 100);
  const status = ramps.plan(Float64Array.from(q0), Float64Array.from(w0), Float64Array.from(q), T, limit, limit);
  expect(status).toBe(RampStatus.ok);
  return ramps;
}

const never = Number.POSITIVE_INFINITY;

describe("RobotMotion", () => {
  it("puts the motions of its parts together, and leaves other joints alone", () => {
    const motion = new RobotMotion(posture, parts);
    const plan = { id: 1, tStart: 0.1, ramps: rampsTo([0.4, 0.2], [0, 0], [1.4, 1.2], 1), closeHandAt: never };
    expect(motion.of("left").offer(plan)).toBe(HandoverOutcome.accepted);
    motion.tick(0.05);
    expect([...motion.q]).toEqual([...posture]);
    motion.tick(0.6);
    expect(motion.q[3]).toBeCloseTo(0.9, 12);
    expect(motion.q[1]).toBeCloseTo(0.7, 12);
    expect(motion.qd[3]).toBeGreaterThan(0);
    expect([motion.q[0], motion.q[2], motion.q[4]]).toEqual([0.1, 0.3, 0.5]);
    motion.tick(2);
    expect([...motion.q]).toEqual([0.1, 1.2, 0.3, 1.4, 0.5]);
    expect([...motion.qd]).toEqual([0, 0, 0, 0, 0]);
  });

  it("knows the command of a later time", () => {
    const motion = new RobotMotion(posture, parts);
    motion.of("right").offer({ id: 1, tStart: 0.1, ramps: rampsTo([0.5], [0], [1], 1), closeHandAt: never });
    const [q, qd] = [posture.slice(), new Float64Array(5)];
    motion.commandedAt(0.6, q, qd);
    motion.tick(0.6);
    expect(q).toEqual(motion.q);
    expect(qd).toEqual(motion.qd);
  });

  it("forgets its motions where the robot was stopped", () => {
    const motion = new RobotMotion(posture, parts);
    motion.of("right").offer({ id: 1, tStart: 0.1, ramps: rampsTo([0.5], [0], [1], 1), closeHandAt: never });
    motion.tick(0.6);
    const stopped = motion.q.slice();
    motion.rest(stopped);
    motion.tick(0.7);
    expect(motion.q).toEqual(stopped);
    expect(motion.of("right").running).toBe(-1);
    const onwards = rampsTo([stopped[4]!], [0], [1], 1);
    expect(motion.of("right").offer({ id: 2, tStart: 0.8, ramps: onwards, closeHandAt: never })).toBe("accepted");
  });

  it("refuses parts that share a joint, and parts nobody knows", () => {
    expect(() => new RobotMotion(posture, [...parts, { name: "third", dofs: [1] }])).toThrow("same joint");
    expect(() => new RobotMotion(posture, parts).of("tail")).toThrow("tail");
  });
});

describe("what is left of a motion", () => {
  it("is the same motion from there on", () => {
    const random = new Random("remainder");
    for (let n = 0; n < 200; n++) {
      const limits = [Float64Array.of(1, 1), Float64Array.of(10, 10)] as const;
      const q0 = Float64Array.of(random.normal(), random.normal());
      const w0 = Float64Array.of(random.uniformIn(-1.2, 1.2), random.uniformIn(-1.2, 1.2));
      const q = Float64Array.of(random.normal(), random.normal());
      const whole = new JointRamps(2);
      const T = whole.minimalTimes(q0, w0, q, ...limits, new Float64Array(2)) * random.uniformIn(1, 2);
      expect(whole.plan(q0, w0, q, T, ...limits)).toBe(RampStatus.ok);
      const cut = random.uniformIn(-0.1, 1.1) * T;
      const rest = new JointRamps(2);
      rest.continueFrom(whole, cut);
      let worst = 0;
      for (let t = 0; t < T; t += T / 37) {
        const at = (ramps: JointRamps, time: number) => {
          const values = [new Float64Array(2), new Float64Array(2), new Float64Array(2)] as const;
          ramps.evaluate(time, ...values);
          return [...values[0], ...values[1]];
        };
        const expected = at(whole, Math.max(cut, 0) + t);
        for (const [i, value] of at(rest, t).entries()) worst = Math.max(worst, Math.abs(value - expected[i]!));
      }
      expect(worst).toBeLessThan(1e-9);
    }
  });
});
