import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import type { JointRamps } from "../../../src/motion/joint-ramps.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { Robot } from "../../../src/robot/robot.js";
import { BrakingIntervals, MEASURED_SHARE } from "../../../src/safety/braking/braking-intervals.js";
import { MonitorForecast } from "../../../src/safety/forecast/monitor-forecast.js";
import { SelfCollisionMonitor } from "../../../src/safety/monitor/self-collision-monitor.js";
import { deep } from "../../support/deep.js";
import { TICK } from "../monitor/monitored-robot.js";
import { armOf, randomRamps } from "./random-ramps.js";

/** What a forecast grants to the measured robot, or a multiple of it. */
interface Straying {
  /** By how much it is known to follow its commands late, and how far it trails behind them beside that [s]. */
  readonly delay: number;
  readonly lag: number;
  /** [rad], [rad/s] */
  readonly position: number;
  readonly velocity: number;
}

type CommandsOverTime = (t: number) => { q: Float64Array; qd: Float64Array; qdd: Float64Array };

/** Age that a measured state may have [s]. */
const OLDEST = 0.003;

/**
 * Lets a monitor look at a motion whose robot trails and strays at every tick anew, each joint on its own. Before the
 * motion the joints came with random accelerations. Returns whether the monitor braked.
 */
class StrayingRobot {
  readonly #robot: Robot;
  readonly #dofs: readonly number[];
  readonly #random: Random;
  readonly #straying: Straying;

  constructor(robot: Robot, dofs: readonly number[], straying: Straying, random: Random) {
    this.#robot = robot;
    this.#dofs = dofs;
    this.#straying = straying;
    this.#random = random;
  }

  isBraked(ramps: JointRamps, margin: number): boolean {
    const random = this.#random;
    const monitor = new SelfCollisionMonitor(this.#robot, { margin });
    const motion = this.#motionOf(ramps);
    const phase = TICK * random.uniform();
    const state = { ...motion(phase - TICK), time: 0 };
    monitor.step(state, motion(phase - TICK), 0);
    let now = 0;
    for (let t = phase; t < ramps.duration + 3 * TICK; t += TICK) {
      now += TICK;
      const age = OLDEST * random.uniform();
      monitor.step({ ...this.#measure(motion, t, age), time: now - age }, motion(t), now);
      if (monitor.brakes > 0) return true;
    }
    return monitor.brakes > 0;
  }

  /** The commands over time: those of the ramps, and before them those of any motion that leads there. */
  #motionOf(ramps: JointRamps): CommandsOverTime {
    const ready = this.#robot.postures.get("ready")!;
    const before = this.#dofs.map((dof) => this.#robot.model.maxAcceleration[dof]! * this.#random.uniformIn(-1, 1));
    const make = (): Float64Array => new Float64Array(this.#dofs.length);
    const [q, qd, qdd] = [make(), make(), make()];
    return (t) => {
      ramps.evaluate(t, q, qd, qdd);
      const out = { q: ready.slice(), qd: new Float64Array(ready.length), qdd: new Float64Array(ready.length) };
      for (const [i, dof] of this.#dofs.entries()) {
        const past = t < 0 ? before[i]! : 0;
        out.q[dof] = q[i]! + (t < 0 ? t * (ramps.w0[i]! + 0.5 * past * t) : 0);
        out.qd[dof] = t < 0 ? ramps.w0[i]! + past * t : qd[i]!;
        out.qdd[dof] = t < 0 ? past : qdd[i]!;
      }
      return out;
    };
  }

  /** A state that, taken forward by its age, is where it is granted to be at t. */
  #measure(motion: CommandsOverTime, t: number, age: number) {
    const { delay, lag, position, velocity } = this.#straying;
    const random = this.#random;
    const isFarthest = random.uniform() < 0.5;
    const stray = (size: number): number =>
      size * (isFarthest ? (random.uniform() < 0.5 ? -1 : 1) : random.uniformIn(-1, 1));
    const { q, qd } = motion(t - delay);
    const [oldest, other] = [motion(t - delay - lag), motion(t - delay - lag * random.uniform())];
    for (const dof of this.#dofs) {
      const seen = isFarthest || random.uniform() < 0.5 ? oldest : other;
      qd[dof] = seen.qd[dof]! + stray(velocity);
      q[dof] = seen.q[dof]! + stray(position) - age * qd[dof]!;
    }
    return { q, qd };
  }
}

/** The largest margin on a ladder with which a motion is certain to pass; NaN if there is none. */
class MarginLadder {
  readonly #steps: readonly { readonly margin: number; readonly forecast: MonitorForecast }[];
  readonly #posture: Float64Array;

  constructor(robot: Robot, dofs: readonly number[], steps: number) {
    this.#posture = robot.postures.get("ready")!;
    this.#steps = Array.from({ length: steps }, (_, k) => {
      const margin = 0.1 * (k / steps) ** 2;
      return { margin, forecast: new MonitorForecast(robot, dofs, { margin }) };
    });
  }

  highest(ramps: JointRamps): number {
    let highest = Number.NaN;
    for (const { margin, forecast } of this.#steps) {
      if (!forecast.isClear(ramps, this.#posture)) break;
      highest = margin;
    }
    return highest;
  }
}

describe.each([
  { name: "lwr-arm", motions: deep(20, 1500) },
  { name: "panda", motions: deep(20, 1500) },
  { name: "ur10e-net", motions: deep(10, 800) },
  { name: "agile-justin", motions: deep(5, 400) },
])("a motion of $name that is certain to pass, by a hair's breadth", ({ name, motions }) => {
  const robot = loadRobot(name);
  const dofs = armOf(robot);
  const { positionError, velocityError } = new BrakingIntervals(robot);
  const share = 1 - MEASURED_SHARE;
  const delay = Math.max(...dofs.map((dof) => robot.commandDelay?.[dof] ?? 0));
  const granted = { delay, lag: 0.002, position: share * positionError, velocity: share * velocityError };

  it(
    "passes however the robot trails and strays within what is granted, and not beyond",
    () => {
      const random = new Random("granted");
      const ladder = new MarginLadder(robot, dofs, 40);
      const robotWithin = new StrayingRobot(robot, dofs, granted, random);
      const beyond = { delay, lag: 5 * granted.lag, position: 20 * granted.position, velocity: 20 * granted.velocity };
      const robotBeyond = new StrayingRobot(robot, dofs, beyond, random);
      const braked = { within: 0, beyond: 0 };
      for (let k = 0; k < motions; ) {
        const ramps = randomRamps(robot, dofs, 1.2, random);
        const margin = ladder.highest(ramps);
        if (Number.isNaN(margin)) continue;
        k++;
        if (robotWithin.isBraked(ramps, margin)) braked.within++;
        if (robotBeyond.isBraked(ramps, margin)) braked.beyond++;
      }
      expect(braked.within).toBe(0);
      expect(braked.beyond).toBeGreaterThan(0);
    },
    deep(120_000, 1_800_000),
  );
});
