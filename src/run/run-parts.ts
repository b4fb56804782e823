import { BODY } from "../catching/arm-surroundings.js";
import type { MotionPart } from "../control/robot-motion.js";
import { MovingObstacleClearance } from "../planning/arm/moving-obstacle-clearance.js";
import { type PlannerTimings, TimedPlanner, type TimedPlannerOptions } from "../planning/arm/timed-planner.js";
import { buildCatchArm, type CatchArm } from "../planning/problem/catch-arm.js";
import { dofsBetween } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import { SelfCollisionMonitor } from "../safety/monitor/self-collision-monitor.js";

/**
 * What a run needs of a robot and what takes long to make: arms with their collision bodies, planners with their
 * workspaces. None of it remembers anything from one use to the next, so that runs one after the other may share it, and
 * come out the same.
 */
export class RunParts {
  readonly robot: Robot;
  /** The posture in which the robot waits. */
  readonly waiting: Float64Array;
  /** Of all planners made here. */
  readonly timings: PlannerTimings = { coldMs: [], fruitlessMs: [], warmMs: [] };
  readonly #arms = new Map<string, CatchArm>();
  readonly #planners = new Map<string, TimedPlanner>();
  readonly #clearances = new Map<string, MovingObstacleClearance>();
  #monitor: SelfCollisionMonitor | null = null;

  constructor(robot: Robot, waiting: Float64Array) {
    this.robot = robot;
    this.waiting = waiting;
  }

  armsOf(groups: readonly string[]): CatchArm[] {
    return groups.map((group) => this.arm(group));
  }

  arm(group: string): CatchArm {
    return getOrCreate(this.#arms, group, () => buildCatchArm(this.robot, group, this.waiting));
  }

  /** What checks an arm's motions that nobody plans; null where the robot has no collision bodies. */
  clearance(group: string): MovingObstacleClearance | null {
    if (this.robot.hulls.length === 0) return null;
    return getOrCreate(this.#clearances, group, () => new MovingObstacleClearance(this.arm(group), this.waiting));
  }

  /** The planner of an arm; the stopwatch of the first one asked for is kept. */
  planner(group: string, options: TimedPlannerOptions): TimedPlanner {
    const { starts, coldIterations, warmIterations } = options;
    const key = JSON.stringify([group, starts, coldIterations, warmIterations]);
    const create = () => new TimedPlanner(this.arm(group), this.waiting, { ...options, timings: this.timings });
    return getOrCreate(this.#planners, key, create);
  }

  /** A monitor that is never asked, for runs that nobody guards. */
  get idleMonitor(): SelfCollisionMonitor {
    this.#monitor ??= new SelfCollisionMonitor(this.robot);
    return this.#monitor;
  }
}

/** What of a robot gets motions of its own: the arms that catch, and what carries them. */
export function movingParts({ model, frames }: Robot, arms: readonly CatchArm[]): MotionPart[] {
  const parts: MotionPart[] = arms.map(({ group }) => ({ name: group.name, dofs: group.dofs }));
  const carriers = new Set(arms.flatMap(({ group }) => dofsBetween(model, frames.world, group.baseLink)));
  const body = Array.from(carriers).sort((a, b) => a - b);
  return body.length === 0 ? parts : [...parts, { name: BODY, dofs: body }];
}

/** The posture in which the robot waits for a ball. */
export function waitingPosture(robot: Robot): Float64Array {
  const posture = robot.postures.get("ready");
  if (posture !== undefined) return posture;
  throw new FlycatcherError("FLY_LIVE_POSTURE_MISSING", `${robot.name} cannot wait for a ball`, {
    path: "/postures/ready",
    expected: "a posture",
    found: "none",
  });
}
