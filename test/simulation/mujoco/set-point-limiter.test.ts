import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { SetPointLimiter } from "../../../src/simulation/mujoco/set-point-limiter.js";
import { deep } from "../../support/deep.js";

const dt = 1e-3;

function limits(vmax: number, amax: number, range = Number.POSITIVE_INFINITY) {
  return {
    lower: Float64Array.of(-range),
    upper: Float64Array.of(range),
    maxVelocity: Float64Array.of(vmax),
    maxAcceleration: Float64Array.of(amax),
  };
}

describe("set-points of a robot", () => {
  it("are the commands where these keep to the limits: a ramp at full speed and acceleration passes", () => {
    const [vmax, amax] = [Float64Array.of(2), Float64Array.of(20)];
    const ramps = new JointRamps(1);
    ramps.plan(Float64Array.of(0), Float64Array.of(0), Float64Array.of(1), 0.62, vmax, amax);
    const limiter = new SetPointLimiter(limits(2, 20), dt);
    const [q, qd, qdd] = [new Float64Array(1), new Float64Array(1), new Float64Array(1)];
    for (let k = 1; k <= 700; k++) {
      ramps.evaluate(k * dt, q, qd, qdd);
      limiter.step(q, qd);
      expect(limiter.position[0]).toBe(q[0]);
    }
    expect(limiter.limited).toBe(0);
  });

  it("never pass a limit, whatever is asked for, and reach a command that stands", () => {
    const random = new Random("set-points");
    let worstSpeed = 0;
    let worstChange = 0;
    for (let run = 0; run < deep(100, 5000); run++) {
      const [vmax, amax, range] = [random.uniformIn(0.5, 10), random.uniformIn(5, 500), random.uniformIn(0.2, 3)];
      const limiter = new SetPointLimiter(limits(vmax, amax, range), dt);
      let [position, velocity] = [0, 0];
      const [q, qd] = [new Float64Array(1), new Float64Array(1)];
      for (let k = 0; k < 800; k++) {
        // Commands that jump and claim any speed, then one that stands.
        if (k % 97 === 0) q[0] = random.uniformIn(-4, 4);
        qd[0] = k < 400 ? random.uniformIn(-20, 20) : 0;
        limiter.step(q, qd);
        const moved = (limiter.position[0]! - position) / dt;
        worstSpeed = Math.max(worstSpeed, Math.abs(moved) / vmax);
        worstChange = Math.max(worstChange, (Math.abs(moved - velocity) - 1e-9) / (amax * dt));
        [position, velocity] = [limiter.position[0]!, moved];
      }
      // Seconds to come to rest anywhere within reach.
      for (let k = 0; k < 13_000; k++) limiter.step(q, qd);
      expect(limiter.position[0]).toBeCloseTo(Math.max(-range, Math.min(range, q[0]!)), 9);
      expect(limiter.velocity[0]).toBeCloseTo(0, 6);
    }
    expect(worstSpeed).toBeLessThanOrEqual(1 + 1e-5);
    expect(worstChange).toBeLessThanOrEqual(1 + 1e-5);
  });

  it("brake where the command is not a number", () => {
    const limiter = new SetPointLimiter(limits(2, 20), dt);
    const zero = new Float64Array(1);
    for (let k = 0; k < 200; k++) limiter.step(Float64Array.of(1), zero);
    for (let k = 0; k < 200; k++) limiter.step(Float64Array.of(Number.NaN), zero);
    expect(limiter.velocity[0]).toBe(0);
    expect(Number.isFinite(limiter.position[0]!)).toBe(true);
  });

  it("pass on everything where there are no limits", () => {
    const none = Number.POSITIVE_INFINITY;
    const limiter = new SetPointLimiter(limits(none, none), dt);
    limiter.step(Float64Array.of(5), Float64Array.of(0));
    expect(limiter.position[0]).toBe(5);
  });

  it("close Agile Justin's hand in its closing time", () => {
    const { model, hands } = loadRobot("agile-justin");
    const limiter = new SetPointLimiter(model, dt);
    const [hand] = hands;
    const target = new Float64Array(model.dofCount);
    for (const [k, dof] of hand!.dofs.entries()) target[dof] = hand!.open[k]!;
    limiter.reset(target);
    for (const [k, dof] of hand!.dofs.entries()) target[dof] = hand!.closed[k]!;
    const isClosed = () => hand!.dofs.every((dof) => Math.abs(limiter.position[dof]! - target[dof]!) < 1e-6);
    let ticks = 0;
    while (!isClosed() && ticks < 1000) {
      limiter.step(target, new Float64Array(model.dofCount));
      ticks++;
    }
    expect(ticks * dt).toBeLessThanOrEqual(hand!.closingTime);
    expect(ticks * dt).toBeGreaterThan(0.9 * hand!.closingTime);
  });
});
