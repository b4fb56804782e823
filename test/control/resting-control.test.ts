import { describe, expect, it } from "vitest";
import { ControlCycle } from "../../src/control/control-cycle.js";
import { DriverState } from "../../src/control/driver.js";
import { NeckFollower } from "../../src/control/neck/neck-follower.js";
import * as vec3 from "../../src/math/vec3.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { SelfCollisionMonitor } from "../../src/safety/monitor/self-collision-monitor.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const period = 1e-3;
const arm = robot.model.groups.find(({ name }) => name === "rightArm")!;

/** Control that nobody guards: with a history every tick is computed, without one those at rest are not. */
class Unguarded {
  readonly neck = new NeckFollower(robot, ready, period);
  readonly control: ControlCycle;
  readonly #state = new DriverState(robot.model.dofCount);

  constructor(history: number) {
    const guard = { idle: new SelfCollisionMonitor(robot) };
    const options = { period, history, monitor: {}, guard };
    this.control = new ControlCycle(robot, ready, [{ name: arm.name, dofs: arm.dofs }], options, [this.neck]);
  }

  tick(k: number): void {
    const time = k * period;
    if (k === 300) this.#look(time);
    if (k === 700) this.#move(time, 0.2, time + 0.4);
    if (k === 1600) this.#move(time, 0, Number.POSITIVE_INFINITY);
    this.control.tick(this.#state, time);
  }

  /** A ball comes by. */
  #look(time: number): void {
    const state = { time, position: vec3.create(4, 0.5, 1.6), velocity: vec3.create(-5, 0, 3), drag: 0.03 };
    this.neck.watch([{ track: 1, state, covariance: null, lastSeen: time, confirmed: true }]);
  }

  /** All joints of the arm to `ready` plus `offset`, the hand to close at a time. */
  #move(time: number, offset: number, closeHandAt: number): void {
    const { maxVelocity, maxAcceleration } = robot.model;
    const pick = (values: Float64Array) => Float64Array.from(arm.dofs, (dof) => values[dof]!);
    const tStart = time + 0.01;
    const [q0, w0] = [new Float64Array(arm.dofs.length), new Float64Array(arm.dofs.length)];
    this.control.motion.of(arm.name).commandedAt(tStart, q0, w0);
    const ramps = new JointRamps(arm.dofs.length);
    const target = pick(ready).map((q) => q + offset);
    ramps.plan(q0, w0, target, 0.6, pick(maxVelocity), pick(maxAcceleration));
    this.control.offer(arm.name, { id: 1, tStart, ramps, closeHandAt });
  }
}

describe("control of a robot that nobody guards", () => {
  it("commands the same whether it computes ticks at rest or not, through looks, motions and hands that close", () => {
    const [computed, resting] = [new Unguarded(10), new Unguarded(0)];
    let standing = 0;
    for (let k = 1; k <= 4000; k++) {
      computed.tick(k);
      resting.tick(k);
      const [a, b] = [computed.control.command, resting.control.command];
      expect([b.time, b.cycle, b.mode]).toEqual([a.time, a.cycle, a.mode]);
      for (const part of ["q", "qd", "qdd"] as const) {
        if (a[part].some((value, i) => value !== b[part][i])) throw new Error(`${part} differs in tick ${k}`);
      }
      if (a.qd.every((speed) => speed === 0)) standing++;
    }
    // The test is of rest as well as of motion.
    expect(standing).toBeGreaterThan(500);
    expect(standing).toBeLessThan(3500);
  });
});
