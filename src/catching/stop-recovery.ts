import type { ControlCycle } from "../control/control-cycle.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { JointRamps } from "../motion/joint-ramps.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { brakeWords, MonitorPhase } from "../safety/monitor/monitor-words.js";
import type { SelfCollisionMonitor } from "../safety/monitor/self-collision-monitor.js";
import type { CatchDirector } from "./director.js";
import { planReturn } from "./way-back.js";

/** How long a robot that was stopped stands before it moves again [s]. */
const STAND = 0.3;
/** How far back on its way it goes, where it stands within the margin [s]: ever farther, until it is clear. */
const RETREATS = [0.4, 0.8, 1.6] as const;
/** By how much it tries to bring apart what is too near where no way back does [m]. */
const ESCAPES = [0.02, 0.05] as const;
/** Share of its speed with which it does: below the monitor's tenth. */
const RETREAT_SHARE = 0.08;
/** From offer to begin of a motion [s]. */
const NOTICE = 0.005;
/** Stops in a row from which it does not come free by itself. */
const MOST_ATTEMPTS = 5;

/** Whoever leads the catches, as far as stops go. */
type StoppedDirector = Pick<CatchDirector, "halt" | "release"> & Partial<Pick<CatchDirector, "fail">>;

type Stage = "running" | "standing" | "retreating" | "stuck";

/**
 * What follows when the safety monitor stops the robot: all catches are called off. When it has stood for a while it is let
 * go; if it stands too near to itself it first goes back the way it came, slowly, until the monitor is content; where that
 * does not help, for it came creeping, what is too near goes straight apart. Then the arms return to wait.
 */
export class StopRecovery {
  /** Stops so far. */
  stops = 0;
  /** Whether a person holds the robot: it does not go on before it is let go. */
  isHeld = false;
  readonly #control: ControlCycle;
  readonly #director: StoppedDirector;
  readonly #robot: Robot;
  #stage: Stage = "running";
  #since = 0;
  #attempts = 0;
  /** Where it was some time before it was stopped, latest first, and how many of these it has gone back to. */
  #retreats: readonly Float64Array[] = [];
  #tried = 0;
  /** When it will have gone back there [s]. */
  #arrival = 0;

  constructor(robot: Robot, control: ControlCycle, director: StoppedDirector) {
    this.#robot = robot;
    this.#control = control;
    this.#director = director;
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** To be called after each tick of control. */
  step(nowNs: number): void {
    const now = nowNs / 1e9;
    const { monitor } = this.#control;
    if (this.#control.isStopped && (this.#stage === "running" || this.#stage === "retreating")) this.#stop(nowNs);
    if (this.isHeld) this.#since = now;
    if (this.#stage === "standing" && monitor.phase === MonitorPhase.stopped && now >= this.#since + STAND) {
      this.#control.resume();
    }
    if (this.#control.isStopped || this.#stage === "running" || this.#stage === "stuck") return;
    const isSafe = monitor.phase === MonitorPhase.safe;
    if (!isSafe) this.#retreat(now, nowNs);
    else if (this.#isStanding()) this.#release(nowNs);
  }

  /** Goes back; if that has not made it clear, farther back. */
  #retreat(now: number, nowNs: number): void {
    const isThere = this.#stage === "retreating" && now > this.#arrival && this.#isStanding();
    if (this.#stage !== "standing" && !isThere) return;
    if (isThere) this.#tried++;
    const target = this.#retreats[this.#tried] ?? this.#escape();
    if (target === null) this.#giveUp("no motion leads out of the safety margin", nowNs);
    else this.#go(target, now);
  }

  /** Where the two bodies for which it was stopped are farther apart; null if there is nowhere left to try. */
  #escape(): Float64Array | null {
    const { monitor, motion } = this.#control;
    const gain = ESCAPES[this.#tried - this.#retreats.length];
    if (gain === undefined || monitor.pair < 0) return null;
    const dofs = motion.parts.flatMap(({ dofs }) => dofs);
    return escapeFrom(this.#robot, motion.q, monitor, dofs, gain);
  }

  #giveUp(reason: string, nowNs: number): void {
    this.#stage = "stuck";
    this.#director.fail?.(reason, nowNs);
  }

  #stop(nowNs: number): void {
    const { history, monitor } = this.#control;
    if (this.#stage === "running") {
      this.stops++;
      this.#attempts = 0;
      this.#tried = 0;
      this.#retreats = RETREATS.flatMap((ago) => {
        const before = history.since(nowNs / 1e9 - ago);
        return before === null ? [] : [Float64Array.from(before.commanded)];
      });
      this.#director.halt(`the monitor braked: ${brakeWords(monitor.reason)}`, nowNs);
    }
    this.#attempts++;
    this.#since = nowNs / 1e9;
    this.#stage = "standing";
    if (this.#attempts > MOST_ATTEMPTS) this.#giveUp("stopped repeatedly on the way back", nowNs);
  }

  /** All parts to `target`, together and slowly. */
  #go(target: Float64Array, now: number): void {
    const { motion } = this.#control;
    const { maxVelocity, maxAcceleration } = this.#robot.model;
    const pick = (dofs: readonly number[], values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
    this.#stage = "retreating";
    const all = motion.parts.flatMap(({ dofs }) => dofs);
    const limits = { maxVelocity: pick(all, maxVelocity), maxAcceleration: pick(all, maxAcceleration) };
    const still = new Float64Array(all.length);
    const whole = planReturn(limits, pick(all, motion.q), still, pick(all, target), RETREAT_SHARE);
    this.#arrival = now + NOTICE + whole.duration;
    let first = 0;
    for (const { name, dofs } of motion.parts) {
      const ramps = new JointRamps(dofs.length);
      ramps.copySlice(whole, first);
      first += dofs.length;
      this.#control.offer(name, { id: 0, tStart: now + NOTICE, ramps, closeHandAt: Number.POSITIVE_INFINITY });
    }
  }

  #isStanding(): boolean {
    return this.#control.motion.qd.every((speed) => speed === 0);
  }

  #release(nowNs: number): void {
    this.#stage = "running";
    this.#director.release(RETREAT_SHARE, nowNs);
  }
}

/** Two bodies that are too near to each other, by number, and where they are nearest [m], in world. */
type NearBodies = Pick<SelfCollisionMonitor, "bodyA" | "bodyB" | "nearestA" | "nearestB">;

/** Change of a joint for its derivative [rad or m]. */
const STEP = 1e-6;
/** No joint goes farther than this [rad or m]. */
const FARTHEST = 0.3;

/**
 * Where to go from `q` for two bodies to come apart by about `gain` [m]: of all changes of the dofs in `dofs` the least, in the
 * sense of squares, that does so to first order; within the joint limits. Null if none of them parts the bodies.
 */
export function escapeFrom(
  robot: Robot,
  q: Float64Array,
  near: NearBodies,
  dofs: readonly number[],
  gain: number,
): Float64Array | null {
  const slope = partingSlope(robot, q, near, dofs);
  const squares = slope.reduce((sum, value) => sum + value * value, 0);
  if (!(squares > 1e-6)) return null;
  const { lower, upper } = robot.model;
  const target = Float64Array.from(q);
  for (const [k, dof] of dofs.entries()) {
    const way = Math.max(-FARTHEST, Math.min(FARTHEST, (gain * slope[k]!) / squares));
    target[dof] = Math.max(lower[dof]!, Math.min(upper[dof]!, q[dof]! + way));
  }
  return target;
}

/** How fast the two nearest points part with each dof, held on their bodies [m/rad or 1]. */
function partingSlope(robot: Robot, q: Float64Array, near: NearBodies, dofs: readonly number[]): number[] {
  const { bodyA, bodyB, nearestA, nearestB } = near;
  const state = new RobotState(robot.model);
  const linkA = robot.hulls[bodyA]!.link;
  const linkB = robot.hulls[bodyB]!.link;
  state.q.set(q);
  forwardKinematics(state);
  const onA = pose.transformPointInverse(state.worldFromLink[linkA]!, nearestA, vec3.create());
  const onB = pose.transformPointInverse(state.worldFromLink[linkB]!, nearestB, vec3.create());
  const [a, b] = [vec3.create(), vec3.create()];
  const distance = (): number => {
    forwardKinematics(state);
    pose.transformPoint(state.worldFromLink[linkA]!, onA, a);
    pose.transformPoint(state.worldFromLink[linkB]!, onB, b);
    return vec3.distance(a, b);
  };
  return dofs.map((dof) => {
    state.q[dof] = q[dof]! + STEP;
    const ahead = distance();
    state.q[dof] = q[dof]! - STEP;
    const behind = distance();
    state.q[dof] = q[dof]!;
    return (ahead - behind) / (2 * STEP);
  });
}
