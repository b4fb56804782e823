import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/math/random.js";
import { UrArm } from "../../../../src/simulation/controllers/ur/ur-arm.js";

const timestep = 0.001;
const maxVelocity = new Float64Array(6).fill(2);

function armAt(...start: number[]): UrArm {
  return new UrArm({ start: Float64Array.from({ length: 6 }, (_, i) => start[i] ?? 0), maxVelocity, timestep });
}

describe("UrArm", () => {
  it.each([0.03, 0.1])(
    "follows a set-point of constant speed the look-ahead of %f s and the delay behind",
    (lookahead) => {
      const arm = armAt();
      arm.lookahead = lookahead;
      const goal = new Float64Array(6);
      for (let tick = 1; tick <= 4000; tick++) {
        goal.fill(0.5 * tick * timestep);
        arm.servo(goal);
        arm.advance();
      }
      const lag = (goal[0]! - arm.q[0]!) / 0.5;
      expect(lag).toBeCloseTo(lookahead + 0.004, 3);
      expect(arm.qd[0]).toBeCloseTo(0.5, 3);
    },
  );

  it("moves as the differential equation says, integrated in a thousand times smaller steps", () => {
    const arm = armAt(0.005);
    const goal = new Float64Array(6);
    const omega = 2 / arm.lookahead;
    let [x, v] = [0.005, 0];
    for (let tick = 0; tick < 200; tick++) {
      arm.servo(goal);
      arm.advance();
      if (tick < 4) continue;
      for (let k = 0; k < 1000; k++) {
        v += (-omega * omega * x - 2 * omega * v) * 1e-6;
        x += v * 1e-6;
      }
      expect(arm.q[0]).toBeCloseTo(x, 6);
    }
  });

  it("keeps the speed that the slider permits, whatever it is sent to", () => {
    const random = new Random("ur-arm");
    const arm = armAt();
    arm.speedFraction = 0.5;
    const goal = new Float64Array(6);
    for (let tick = 0; tick < 5000; tick++) {
      if (tick % 50 === 0) for (let i = 0; i < 6; i++) goal[i] = random.uniformIn(-3, 3);
      const before = arm.q.slice();
      arm.servo(goal);
      arm.advance();
      for (let i = 0; i < 6; i++) {
        expect(Math.abs(arm.qd[i]!)).toBeLessThanOrEqual(1 + 1e-12);
        expect(Math.abs(arm.q[i]! - before[i]!)).toBeLessThanOrEqual(1.01e-3);
      }
    }
  });

  it("stops at the deceleration of stopj, and then stands", () => {
    const arm = armAt();
    const goal = new Float64Array(6);
    for (let tick = 1; tick <= 1000; tick++) {
      goal[0] = tick * timestep;
      arm.servo(goal);
      arm.advance();
    }
    const start = arm.q[0]!;
    const speed = arm.qd[0]!;
    arm.stop(4);
    for (let tick = 0; tick < 1000; tick++) arm.advance();
    expect(arm.isStanding).toBe(true);
    expect(arm.q[0]! - start).toBeCloseTo((speed * speed) / 8, 3);
  });
});
