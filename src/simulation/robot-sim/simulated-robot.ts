import { RobotAction as Action, type RobotAction } from "../../control/udp/robot-session.js";
import type { Robot, RobotHand } from "../../robot/robot.js";
import { BrakingIntervals } from "../../safety/braking/braking-intervals.js";
import { BrakingRamp } from "../../safety/monitor/braking-ramp.js";
import type { Challenges } from "../head-motion/challenges.js";
import { EncoderSimulator } from "../head-motion/encoder-simulator.js";
import { LateCommands } from "../late-commands.js";
import type { PhysicsWorld } from "../mujoco/physics-world.js";
import type { RobotCommand } from "../world/catch-world.js";

/** Where a client wants the joints, in model order. */
interface RobotTarget {
  readonly target: Float64Array;
  readonly targetVelocity: Float64Array;
}

/**
 * The controller inside a robot, about the simulated world: follows its client's commands, goes on by itself for the few
 * cycles in which none comes, and brakes at the joints' greatest deceleration when it is told to. What it says of itself
 * has the encoders' noise.
 */
export class SimulatedRobot {
  readonly robot: Robot;
  readonly world: PhysicsWorld;
  /** Where the joints were last sent to, and how fast [count]. */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** What the encoders and torque sensors say. */
  readonly reading: { readonly q: Float64Array; readonly qd: Float64Array; readonly effort: Float64Array };
  /** How far each hand is told to be closed: 0 open, 1 closed. */
  readonly closing: Float64Array;
  readonly #brake: BrakingRamp;
  /** What the joints follow: set points of a while ago, where the robot is late. */
  readonly #late: LateCommands;
  readonly #command: RobotCommand;
  readonly #encoders: EncoderSimulator;
  readonly #startQ: Float64Array;
  readonly #startQd: Float64Array;
  readonly #still: Float64Array;

  /** `lag`: what follows late, the joints by the robot's `commandDelay`, or the controller that sends them set points. */
  constructor(world: PhysicsWorld, challenges: Challenges, seed: number | string, lag: "joints" | "controller") {
    const { robot, physics } = world;
    const count = robot.model.dofCount;
    this.robot = robot;
    this.world = world;
    this.q = Float64Array.from(physics.setPoints.position);
    this.qd = new Float64Array(count);
    this.closing = new Float64Array(robot.hands.length);
    const late = lag === "joints" ? robot : { model: robot.model };
    this.#late = new LateCommands(late, this.q, physics.timestep);
    this.#command = { q: this.#late.q, qd: this.#late.qd, closing: this.closing };
    this.#brake = new BrakingRamp(new BrakingIntervals(robot).deceleration);
    this.#encoders = new EncoderSimulator(robot, challenges, seed);
    this.reading = { q: new Float64Array(count), qd: new Float64Array(count), effort: physics.torque };
    this.#startQ = new Float64Array(count);
    this.#startQd = new Float64Array(count);
    this.#still = new Float64Array(count);
    this.read();
  }

  /** Moves on by `steps` steps of the world, as the protocol's session says; `afterStep` is called after each. */
  advance(action: RobotAction, target: RobotTarget, steps: number, afterStep: () => void): void {
    this.#startQ.set(this.q);
    this.#startQd.set(this.qd);
    const { timestep } = this.world.physics;
    for (let step = 1; step <= steps; step++) {
      if (action === Action.follow) this.#approach(target, step / steps, steps * timestep);
      else if (action === Action.extrapolate) this.#goOn(timestep);
      else this.#slowDown(timestep);
      if (action !== Action.follow) this.#stayWithinLimits();
      this.#moveHands();
      this.#late.step(this.q, this.qd, this.#still);
      this.world.step(this.#command);
      afterStep();
    }
  }

  /** Reads the encoders: `reading` is of the world's time now. */
  read(): void {
    const { q, qd } = this.world.physics;
    this.#encoders.read(q, qd, this.reading.q, this.reading.qd);
  }

  /** The cubic between two commands at `share` of the time between them, which is `duration` [s]. */
  #approach({ target, targetVelocity }: RobotTarget, share: number, duration: number): void {
    const s = share;
    const [h0, h1] = [(1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2];
    const [h2, h3] = [s * s * (3 - 2 * s), s * s * (s - 1)];
    const [d0, d1, d3] = [6 * s * (s - 1), (1 - s) * (1 - 3 * s), s * (3 * s - 2)];
    for (let i = 0; i < this.q.length; i++) {
      const [p0, p1, v0, v1] = [this.#startQ[i]!, target[i]!, this.#startQd[i]!, targetVelocity[i]!];
      this.q[i] = s === 1 ? p1 : h0 * p0 + h1 * duration * v0 + h2 * p1 + h3 * duration * v1;
      this.qd[i] = s === 1 ? v1 : (d0 * (p0 - p1)) / duration + d1 * v0 + d3 * v1;
    }
  }

  #goOn(timestep: number): void {
    for (let i = 0; i < this.q.length; i++) this.q[i] = this.q[i]! + timestep * this.qd[i]!;
  }

  #slowDown(timestep: number): void {
    this.#brake.set(this.q, this.qd, this.#still);
    this.#brake.advance(timestep);
    this.q.set(this.#brake.q);
    this.qd.set(this.#brake.qd);
  }

  /** By itself no joint goes beyond its limits, or farther beyond than it was led: one that gets there stands. */
  #stayWithinLimits(): void {
    const { lower, upper } = this.robot.model;
    for (let i = 0; i < this.q.length; i++) {
      const least = Math.min(lower[i]!, this.#startQ[i]!);
      const greatest = Math.max(upper[i]!, this.#startQ[i]!);
      const q = this.q[i]!;
      if (q >= least && q <= greatest) continue;
      this.q[i] = q > greatest ? greatest : least;
      this.qd[i] = 0;
    }
  }

  #moveHands(): void {
    const { hands } = this.robot;
    for (let h = 0; h < hands.length; h++) this.closing[h] = closingOf(hands[h]!, this.q);
  }
}

/** How far a hand is closed by its fingers' set-points: where they are between open and closed, by least squares. */
function closingOf({ dofs, open, closed }: RobotHand, q: Float64Array): number {
  let along = 0;
  let length = 0;
  for (let k = 0; k < dofs.length; k++) {
    const way = closed[k]! - open[k]!;
    along += way * (q[dofs[k]!]! - open[k]!);
    length += way * way;
  }
  return length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
}
