import type { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import type { Robot } from "../../src/robot/robot.js";

/** Joint motion as a function of time: positions, speeds and accelerations in model order. */
export interface JointMotion {
  evaluate(time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void;
}

/** How far the joints of a kind of group go from where they start, to either side [rad or m]. */
export interface ReachOptions {
  readonly arm: number;
  readonly torso: number;
  readonly neck: number;
  readonly base: number;
  /** Duration of the reach as a multiple of the shortest that all joints allow, at least 1. */
  readonly slowness: number;
  /** The goal moves by up to this share of the reach at each new plan, as a ball's prediction does. */
  readonly indecision: number;
}

/** A fast catch: a big, hasty motion of both arms, the body helping, the goal corrected at every camera frame. */
export const hastyReach: ReachOptions = {
  arm: 0.7,
  torso: 0.1,
  neck: 0.3,
  base: 0.2,
  slowness: 1.05,
  indecision: 0.15,
};

/** A new plan comes with every camera frame [s]. */
const REPLAN_PERIOD = 0.04;
/** No new plan so shortly before the end [s]. */
const LAST_REPLAN = 0.1;

interface Segment {
  readonly start: number;
  readonly ramps: JointRamps;
}

/**
 * A seeded motion of the kind that shakes the head: from rest to a random goal as fast as the joints can, replanned on
 * the way; what was reached is held. Ramps, as the planner makes them.
 */
export class ReachingMotion implements JointMotion {
  /** When it begins and when it is over [s]. */
  readonly start: number;
  readonly end: number;
  readonly #segments: Segment[] = [];

  /**
   * @param q0 where it begins, at rest; model order
   * @param about what the goal is drawn about; where it begins, if not given
   */
  constructor(
    robot: Robot,
    q0: Float64Array,
    start: number,
    random: Random,
    options: ReachOptions = hastyReach,
    about: Float64Array = q0,
  ) {
    const { maxVelocity, maxAcceleration, dofCount, lower, upper } = robot.model;
    const reach = reachOf(robot, options);
    const goal = about.map((q, dof) =>
      clamp(q + random.uniformIn(-reach[dof]!, reach[dof]!), lower[dof]!, upper[dof]!),
    );
    const still = new Float64Array(dofCount);
    const ramps = new JointRamps(dofCount);
    const shortest = ramps.minimalTimes(q0, still, goal, maxVelocity, maxAcceleration, new Float64Array(dofCount));
    this.start = start;
    this.end = start + options.slowness * shortest;
    ramps.plan(q0, still, goal, this.end - start, maxVelocity, maxAcceleration);
    this.#segments.push({ start, ramps });
    for (let t = start + REPLAN_PERIOD; t < this.end - LAST_REPLAN; t += REPLAN_PERIOD) {
      const share = (options.indecision * (this.end - t)) / (this.end - start);
      this.#replan(robot, t, goal, reach, share, random);
    }
  }

  evaluate(time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    let k = this.#segments.length - 1;
    while (k > 0 && time < this.#segments[k]!.start) k--;
    const { start, ramps } = this.#segments[k]!;
    ramps.evaluate(time - start, q, qd, qdd);
    if (time < this.start) qdd.fill(0);
  }

  /** A new goal nearby, if the joints can still make it in time. */
  #replan(robot: Robot, time: number, goal: Float64Array, reach: Float64Array, share: number, random: Random): void {
    const { maxVelocity, maxAcceleration, dofCount, lower, upper } = robot.model;
    const [q, qd, qdd] = [0, 1, 2].map(() => new Float64Array(dofCount)) as [Float64Array, Float64Array, Float64Array];
    this.evaluate(time, q, qd, qdd);
    const moved = goal.map((g, dof) => {
      const way = share * reach[dof]!;
      return clamp(g + random.uniformIn(-way, way), lower[dof]!, upper[dof]!);
    });
    const ramps = new JointRamps(dofCount);
    if (ramps.plan(q, qd, moved, this.end - time, maxVelocity, maxAcceleration) !== RampStatus.ok) return;
    this.#segments.push({ start: time, ramps });
  }
}

function reachOf({ model }: Robot, options: ReachOptions): Float64Array {
  const reach = new Float64Array(model.dofCount);
  for (const { kind, dofs } of model.groups) {
    const way = kind === "base" || kind === "torso" || kind === "neck" ? options[kind] : options.arm;
    for (const dof of dofs) reach[dof] = way;
  }
  return reach;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
