import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import type { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { RampStatus } from "../../motion/ramp.js";
import { dofsBetween, forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { ConcurrentMotions } from "../body/concurrent-motions.js";
import { baseFromLinksAt } from "../body/moving-base-links.js";
import { AimStatus, hasNeck, NeckPointing } from "../body/neck.js";
import { asksFor, Check } from "../problem/checks.js";
import { centimetres } from "../problem/figures.js";
import { KeepOutSet } from "../problem/keep-out.js";
import type { CatchSolution } from "../search/catch-solution.js";
import type { Reason } from "./answer.js";
import type { MovingCarrier } from "./arm-task.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** All that moves for a catch. */
export interface PlannedMotion {
  /** As indices of the model: of the arm, then of the body, then of the neck. */
  readonly dofs: readonly number[];
  /** In the order of `dofs`. */
  readonly ramps: JointRamps;
  /** Least distance of the hand to a keep-out shape at the catch [m]. */
  readonly clearance: number;
  /** With limited jerk, where that was asked for: of the arm, and to be executed instead of the ramps. */
  readonly rounded: PiecewiseMotion | null;
}

type CarriedVerdict =
  | { readonly motion: PlannedMotion; readonly refusal: null }
  | { readonly motion: null; readonly refusal: Reason };

/** Hand to ball in the world [m]: above what the path's interpolation costs, 5e-5, and far below the hand's 2 cm. */
const HAND_TOLERANCE = 1e-4;
/** Depth inside a keep-out shape that counts as touching its surface [m]: as much as the hand may be off. */
const CONTACT_TOLERANCE = 1e-4;
/** Rounding of a position [rad or m], and the relative one of a speed or an acceleration. */
const ROUNDING = 1e-7;
const LIMIT_TOLERANCE = 1e-6;
/** How often the joints' positions are looked at [s]; their extremes are known besides. */
const STEP = 0.01;

/**
 * The last check of a catch from a moving base. What the solver and its verifier took for a base at rest is checked
 * again with the whole robot, body, arm and neck at once: the hand is at the ball in the world, the keep-out shapes are
 * looked at where they are at the catch, no joint leaves its limits, coupled ones included, and nothing touches at any time.
 * Keep-out shapes and contact only where the request asks for that.
 *
 * The neck turns to the ball as it will be caught or, where that would touch something, stays.
 */
export class CarriedMotions {
  readonly #robot: Robot;
  readonly #group: JointGroup;
  readonly #bodyDofs: readonly number[];
  /** Null, and no dofs, where the robot has no neck that can point. */
  readonly #neck: NeckPointing | null;
  readonly #neckDofs: readonly number[];
  readonly #check: ConcurrentMotions;
  readonly #state: RobotState;

  constructor(robot: Robot, group: JointGroup) {
    this.#robot = robot;
    this.#group = group;
    this.#bodyDofs = dofsBetween(robot.model, robot.frames.world, group.baseLink);
    this.#neck = pointingNeck(robot);
    this.#neckDofs = this.#neck?.group.dofs ?? [];
    this.#check = new ConcurrentMotions(robot, [group.dofs, this.#bodyDofs, this.#neckDofs]);
    this.#state = new RobotState(robot.model);
  }

  /** What is to be executed for a catch found as seen from `carrier`, or why it must not be. */
  verify(resolved: ResolvedRequest, carrier: MovingCarrier, solution: CatchSolution): CarriedVerdict {
    const time = solution.x[this.#group.dofs.length]!;
    const bodyAndArm = [solution.ramps, carrier.ramps];
    this.#place(resolved, bodyAndArm, time);
    const ball = carrier.flight.position(time, vec3.create());
    const clearance = this.#clearance(resolved, carrier, time);
    const hand = this.#explainHand(ball) ?? this.#explainKeepOut(resolved, clearance);
    if (hand !== null) return { motion: null, refusal: hand };
    let refusal: Reason | null = null;
    for (const neck of this.#neckRamps(resolved, ball, time)) {
      const motions = [...bodyAndArm, neck];
      refusal =
        this.#explainLimits(resolved, joinRamps([carrier.ramps, neck]), motions) ??
        this.#explainContact(resolved, motions);
      if (refusal === null)
        return { motion: { dofs: this.#dofs, ramps: joinRamps(motions), clearance, rounded: null }, refusal };
    }
    return { motion: null, refusal: refusal! };
  }

  get #dofs(): readonly number[] {
    return [...this.#group.dofs, ...this.#bodyDofs, ...this.#neckDofs];
  }

  /** The whole robot at `t`; what has no motion stands as at the start. */
  #place({ start }: ResolvedRequest, motions: readonly JointRamps[], t: number): void {
    const { q, qd } = this.#state;
    q.set(start.q);
    qd.set(start.qd);
    const dofs = this.#dofs;
    let first = 0;
    for (const motion of motions) {
      const positions = motion.positions(t, new Float64Array(motion.count));
      for (let i = 0; i < motion.count; i++) q[dofs[first + i]!] = positions[i]!;
      first += motion.count;
    }
    forwardKinematics(this.#state);
  }

  #clearance({ keepOut }: ResolvedRequest, { path }: MovingCarrier, time: number): number {
    const { baseLink, tipLink } = this.#group;
    const shapes = new KeepOutSet(keepOut, baseFromLinksAt(this.#robot, path, this.#state.q, time));
    const baseFromHand = relativePose(this.#state, baseLink, tipLink, pose.create());
    return shapes.clearance(pose.getTranslation(baseFromHand, vec3.create()));
  }

  #explainHand(ball: vec3.Vec3): Reason | null {
    const worldFromHand = relativePose(this.#state, this.#robot.frames.world, this.#group.tipLink, pose.create());
    const distance = vec3.distance(pose.getTranslation(worldFromHand, vec3.create()), ball);
    if (distance <= HAND_TOLERANCE) return null;
    const sentence = `With the body moved the hand is ${centimetres(distance)} from the ball.`;
    return { kind: "out-of-reach", sentence, distance };
  }

  #explainKeepOut({ checks }: ResolvedRequest, clearance: number): Reason | null {
    if (!asksFor(checks, Check.keepOut) || clearance >= -CONTACT_TOLERANCE) return null;
    const sentence = `The body still moves at the catch, and the hand is ${centimetres(-clearance)} inside a keep-out shape.`;
    return { kind: "keep-out", sentence, distance: -clearance };
  }

  /** Of body and neck, which `joined` has the ramps of; those of the arm have been checked. */
  #explainLimits(resolved: ResolvedRequest, joined: JointRamps, motions: readonly JointRamps[]): Reason | null {
    const { model } = this.#robot;
    const dofs = [...this.#bodyDofs, ...this.#neckDofs];
    const speeds = joined.peakSpeeds(new Float64Array(joined.count));
    const [low, high] = [new Float64Array(joined.count), new Float64Array(joined.count)];
    joined.extremes(low, high);
    for (const [i, dof] of dofs.entries()) {
      const joint = model.dofNames[dof]!;
      const fastest = Math.max(resolved.velocityScale * model.maxVelocity[dof]!, Math.abs(joined.w0[i]!));
      const hardest = resolved.accelerationScale * model.maxAcceleration[dof]! * (1 + LIMIT_TOLERANCE);
      const isSlow = speeds[i]! <= fastest * (1 + LIMIT_TOLERANCE);
      const isGentle = Math.abs(joined.a[i]!) <= hardest && Math.abs(joined.ab[i]!) <= hardest;
      if (!(isSlow && isGentle)) return { kind: "too-fast", sentence: `${joint} would have to be too fast.`, joint };
      if (!isWithin(low[i]!, model.lower[dof]!, model.upper[dof]!)) return overshoot(joint);
      if (!isWithin(high[i]!, model.lower[dof]!, model.upper[dof]!)) return overshoot(joint);
    }
    return this.#explainCoupling(resolved, motions);
  }

  /** Joints that follow others have limits of their own. */
  #explainCoupling(resolved: ResolvedRequest, motions: readonly JointRamps[]): Reason | null {
    const { model } = this.#robot;
    const duration = Math.max(...motions.map((motion) => motion.duration));
    const steps = Math.ceil(duration / STEP);
    for (let k = 0; k <= steps; k++) {
      this.#place(resolved, motions, Math.min(k * STEP, duration));
      for (let joint = 1; joint < model.linkCount; joint++) {
        if (model.termStart[joint] === model.termStart[joint + 1]) continue;
        const position = this.#state.jointPosition[joint]!;
        if (isWithin(position, model.jointLower[joint]!, model.jointUpper[joint]!)) continue;
        return overshoot(model.linkNames[joint]!);
      }
    }
    return null;
  }

  #explainContact({ start, checks }: ResolvedRequest, motions: readonly JointRamps[]): Reason | null {
    if (!asksFor(checks, Check.motion) || this.#check.isClear(motions, start.q)) return null;
    const bodies = this.#check.contact.map((body) => this.#robot.hulls[body]?.name);
    const touching = bodies.includes(undefined) ? "the robot comes too near to itself" : bodies.join(" touches ");
    return { kind: "collision", sentence: `While body and arm move together, ${touching}.` };
  }

  /**
   * Motions of the neck for a ball caught at `ball` (in the world) at `time`, the best first: to look at it then, or as soon
   * after as the neck can; and to stay, or come to rest. The state is that of the robot at the catch.
   */
  #neckRamps(resolved: ResolvedRequest, ball: vec3.Vec3, time: number): JointRamps[] {
    const { start, velocityScale, accelerationScale } = resolved;
    const { model, frames } = this.#robot;
    const pick = (values: Float64Array, scale = 1) => Float64Array.from(this.#neckDofs, (dof) => values[dof]! * scale);
    const state = [pick(start.q), pick(start.qd)] as const;
    const limits = [pick(model.maxVelocity, velocityScale), pick(model.maxAcceleration, accelerationScale)] as const;
    const resting = new JointRamps(this.#neckDofs.length).stop(...state, ...limits);
    if (this.#neck === null) return [resting];
    const baseFromWorld = relativePose(this.#state, this.#neck.baseLink, frames.world, pose.create());
    const target = state[0].slice();
    const status = this.#neck.aim(pose.transformPoint(baseFromWorld, ball, vec3.create()), target, target);
    if (status === AimStatus.invalid) return [resting];
    const turning = new JointRamps(this.#neckDofs.length);
    const quickest = turning.minimalTimes(...state, target, ...limits, new Float64Array(this.#neckDofs.length));
    const duration = Math.max(time, quickest * (1 + SLACK));
    return turning.plan(...state, target, duration, ...limits) === RampStatus.ok ? [turning, resting] : [resting];
  }
}

function overshoot(joint: string): Reason {
  return { kind: "overshoot", sentence: `${joint} goes beyond its limit before it comes to rest.`, joint };
}

function isWithin(position: number, lower: number, upper: number): boolean {
  return position >= lower - ROUNDING && position <= upper + ROUNDING;
}

/** Motions that happen at once, as one. */
function joinRamps(motions: readonly JointRamps[]): JointRamps {
  return new JointRamps(motions.reduce((sum, { count }) => sum + count, 0)).join(motions);
}

/** Added to a shortest time, so that rounding makes no ramp too fast. */
const SLACK = 1e-9;

/** The neck of a robot, if it has one and that can point its cameras. */
function pointingNeck(robot: Robot): NeckPointing | null {
  if (!hasNeck(robot)) return null;
  try {
    return new NeckPointing(robot);
  } catch (error) {
    if (error instanceof FlycatcherError && error.code === "FLY_NECK_UNSUPPORTED") return null;
    throw error;
  }
}

/** All joints to rest together, as soon as the slowest can. */
