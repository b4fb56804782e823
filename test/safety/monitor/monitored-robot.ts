import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import type { Robot } from "../../../src/robot/robot.js";
import type { MonitorOptions } from "../../../src/safety/monitor/monitor-options.js";
import { MonitorAction } from "../../../src/safety/monitor/monitor-words.js";
import { SelfCollisionMonitor } from "../../../src/safety/monitor/self-collision-monitor.js";
import { LateCommands } from "../../../src/simulation/late-commands.js";

/** Motions of a robot in numbers, filled tick by tick. */
export interface Motion {
  time: number;
  q: Float64Array;
  qd: Float64Array;
  qdd: Float64Array;
}

export const TICK = 1e-3;

/** A robot that does what the monitor sends, exactly, and as late as its command delay says. */
export class MonitoredRobot {
  readonly monitor: SelfCollisionMonitor;
  readonly state: Motion;
  readonly command: Motion;
  now = 0;
  readonly #late: LateCommands;

  constructor(robot: Robot, q: Float64Array, options: MonitorOptions = {}) {
    const still = (): Float64Array => new Float64Array(q.length);
    this.monitor = new SelfCollisionMonitor(robot, options);
    this.#late = new LateCommands(robot, q, TICK);
    this.state = { time: 0, q: q.slice(), qd: still(), qdd: still() };
    this.command = { time: 0, q: q.slice(), qd: still(), qdd: still() };
  }

  /** Commands to stay where the robot is. */
  hold(): void {
    this.command.q.set(this.state.q);
    this.command.qd.fill(0);
    this.command.qdd.fill(0);
  }

  /** One tick with the command as it is. */
  tick(): MonitorAction {
    const { monitor, state } = this;
    this.now += TICK;
    state.time = this.now;
    monitor.step(state, this.command, this.now);
    if (monitor.action === MonitorAction.withhold) return monitor.action;
    this.#late.step(monitor.command.q, monitor.command.qd, monitor.command.qdd);
    if (state.q.length === this.#late.q.length) state.q.set(this.#late.q);
    if (state.qd.length === this.#late.qd.length) state.qd.set(this.#late.qd);
    return monitor.action;
  }

  /** Follows ramps of some dofs from their beginning; calls back after each tick, and ends early if that says so. */
  follow(ramps: JointRamps, dofs: readonly number[], afterTick: () => boolean): void {
    const [q, qd, qdd] = [0, 0, 0].map(() => new Float64Array(dofs.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let t = TICK; t <= ramps.duration + 2 * TICK; t += TICK) {
      ramps.evaluate(t, q, qd, qdd);
      for (const [i, dof] of dofs.entries()) {
        this.command.q[dof] = q[i]!;
        this.command.qd[dof] = qd[i]!;
        this.command.qdd[dof] = qdd[i]!;
      }
      this.tick();
      if (!afterTick()) return;
    }
  }
}

/** The motion to `target` in the least time that a round number of tenths of a second allows. */
export function rampsTo(robot: Robot, dofs: readonly number[], from: Float64Array, target: Float64Array): JointRamps {
  const pick = (values: Float64Array): Float64Array => Float64Array.from(dofs, (dof) => values[dof]!);
  const ramps = new JointRamps(dofs.length);
  const [wmax, amax] = [pick(robot.model.maxVelocity), pick(robot.model.maxAcceleration)];
  for (let T = 0.1; T < 10; T += 0.1) {
    if (ramps.plan(pick(from), new Float64Array(dofs.length), pick(target), T, wmax, amax) === RampStatus.ok)
      return ramps;
  }
  throw new Error("no motion within ten seconds");
}
