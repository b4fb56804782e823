import type { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";
import type { MonitorOptions } from "../../../src/safety/monitor/monitor-options.js";
import { MonitorPhase } from "../../../src/safety/monitor/monitor-words.js";
import { UrdfShapes } from "../../collision/reference/urdf-shapes.js";
import { MonitoredRobot } from "../monitor/monitored-robot.js";
import { placeNaturally } from "./natural-configurations.js";

/** A natural motion takes this many times the least time, and no less than this [s]: what a person would call unhurried. */
const NATURAL_STRETCH = 2.5;
const NATURAL_TIME = 1;
/** A catch takes a second and moves the arm's joints by no more than this [rad]. */
const CATCH_TIME = 1;
const CATCH_REACH = 0.7;
/** Times between two looks at the URDF's shapes along a motion [s]. */
const LOOK = 0.02;

/** Motions of a robot's arms, torso and neck between configurations in which the URDF's shapes are apart. */
export class MonitoredMotions {
  readonly #robot: Robot;
  readonly #random: Random;
  readonly #state: RobotState;
  readonly #shapes: UrdfShapes;
  readonly #dofs: readonly number[];
  readonly #options: MonitorOptions;

  constructor(robot: Robot, random: Random, options: MonitorOptions = {}) {
    this.#robot = robot;
    this.#options = options;
    this.#random = random;
    this.#state = new RobotState(robot.model);
    this.#shapes = new UrdfShapes(robot);
    this.#dofs = robot.model.groups.filter(({ kind }) => kind !== "base").flatMap(({ dofs }) => [...dofs]);
  }

  /** How many of `count` motions at full speed that hit the robot do so with the monitor in between. */
  countMissed(count: number): number {
    const ready = this.#robot.postures.get("ready")!;
    let missed = 0;
    for (let k = 0; k < count; k++) {
      let ramps = this.#fastMotion(ready);
      while (!this.#touches(ramps, ready)) ramps = this.#fastMotion(ready);
      if (!this.#stopsInTime(ramps, ready)) missed++;
    }
    return missed;
  }

  /** How many of `count` motions from `ready` to natural configurations that touch nothing the monitor brakes. */
  countFalseBrakes(count: number): number {
    return this.#countBraked(count, (ready) => this.#naturalMotion(ready));
  }

  /** How many of `count` motions of all arms like those of a catch that touch nothing the monitor brakes. */
  countFalseCatchBrakes(count: number): number {
    return this.#countBraked(count, (ready) => this.#catchMotion(ready));
  }

  #countBraked(count: number, draw: (ready: Float64Array) => JointRamps): number {
    const ready = this.#robot.postures.get("ready")!;
    let braked = 0;
    for (let k = 0; k < count; k++) {
      let ramps = draw(ready);
      while (this.#touches(ramps, ready)) ramps = draw(ready);
      const guarded = new MonitoredRobot(this.#robot, ready, this.#options);
      guarded.follow(ramps, this.#dofs, () => guarded.monitor.brakes === 0);
      if (guarded.monitor.brakes > 0) braked++;
    }
    return braked;
  }

  /** As fast as the joints allow, to anywhere within their limits. */
  #fastMotion(from: Float64Array): JointRamps {
    const { lower, upper } = this.#robot.model;
    const target = Float64Array.from(this.#dofs, (dof) => this.#random.uniformIn(lower[dof]!, upper[dof]!));
    return this.#ramps(from, target, 1.0001, 0);
  }

  #naturalMotion(from: Float64Array): JointRamps {
    placeNaturally(this.#robot, this.#random, this.#state);
    const target = Float64Array.from(this.#dofs, (dof) => this.#state.q[dof]!);
    return this.#ramps(from, target, NATURAL_STRETCH, NATURAL_TIME);
  }

  #catchMotion(from: Float64Array): JointRamps {
    const { lower, upper, groups } = this.#robot.model;
    const armDofs = new Set(groups.filter(({ hand }) => hand !== undefined).flatMap(({ dofs }) => [...dofs]));
    const target = Float64Array.from(this.#dofs, (dof) => {
      const reach = armDofs.has(dof) ? this.#random.uniformIn(-CATCH_REACH, CATCH_REACH) : 0;
      return Math.min(upper[dof]!, Math.max(lower[dof]!, from[dof]! + reach));
    });
    return this.#ramps(from, target, 1.0001, CATCH_TIME);
  }

  #ramps(from: Float64Array, target: Float64Array, stretch: number, shortest: number): JointRamps {
    const { maxVelocity, maxAcceleration } = this.#robot.model;
    const pick = (values: Float64Array): Float64Array => Float64Array.from(this.#dofs, (dof) => values[dof]!);
    const ramps = new JointRamps(this.#dofs.length);
    const [q0, w0] = [pick(from), new Float64Array(this.#dofs.length)];
    const [wmax, amax] = [pick(maxVelocity), pick(maxAcceleration)];
    const least = ramps.minimalTimes(q0, w0, target, wmax, amax, new Float64Array(this.#dofs.length));
    const status = ramps.plan(q0, w0, target, Math.max(shortest, stretch * least), wmax, amax);
    if (status !== RampStatus.ok) throw new Error(`no motion: ${status}`);
    return ramps;
  }

  /** Whether the URDF's shapes touch on the way, with nobody to intervene. */
  #touches(ramps: JointRamps, posture: Float64Array): boolean {
    const q = new Float64Array(this.#dofs.length);
    for (let t = 0; t <= ramps.duration + LOOK; t += LOOK) {
      ramps.positions(t, q);
      this.#state.q.set(posture);
      for (const [i, dof] of this.#dofs.entries()) this.#state.q[dof] = q[i]!;
      if (!this.#areApart()) return true;
    }
    return false;
  }

  /** Whether the monitor brakes, the robot comes to rest, and its shapes are apart until then and there. */
  #stopsInTime(ramps: JointRamps, posture: Float64Array): boolean {
    const guarded = new MonitoredRobot(this.#robot, posture, this.#options);
    const { monitor, state } = guarded;
    let [areApart, ticks] = [true, 0];
    guarded.follow(ramps, this.#dofs, () => {
      if (monitor.phase === MonitorPhase.safe && ticks++ % 10 !== 0) return true;
      this.#state.q.set(state.q);
      areApart &&= this.#areApart();
      return areApart && monitor.phase !== MonitorPhase.stopped;
    });
    return areApart && monitor.phase === MonitorPhase.stopped;
  }

  #areApart(): boolean {
    forwardKinematics(this.#state);
    return this.#shapes.place(this.#state).areApart();
  }
}
