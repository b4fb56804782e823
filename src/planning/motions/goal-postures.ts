import type { PathCheck } from "../../collision/path-check.js";
import * as pose from "../../math/pose.js";
import type { Random } from "../../math/random.js";
import { reachableDistance, stoppingTime } from "../../motion/minimal-time.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import type { JointSpace } from "../paths/joint-space.js";
import { type FreeAxes, ReachSolver } from "./reach-solver.js";
import type { ResolvedGoal } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";

/** Configurations that a goal is met in. */
export interface GoalPosture {
  /** Of the joints that move. */
  readonly q: Float64Array;
  /** Index of the goal. */
  readonly goal: number;
  /** How far the joints have to go, against what they could by the time asked for, or at full speed in a second. */
  readonly stretch: number;
}

/** What came of looking for them. */
export interface GoalSearch {
  /** Free ones, those with the least way first. */
  readonly postures: readonly GoalPosture[];
  /** Two bodies that touch in one that was found but is not free; null: none was found that touches. */
  readonly contact: readonly [string, string] | null;
  /** How near to the goal's position the frame came [m]; 0 if it got there. */
  readonly missedBy: number;
}

/** Configurations to start from, at most, and solutions after which to stop. */
const MOST_SEEDS = 32;
const MOST_TIMED_SEEDS = 80;
const ENOUGH = 6;
/** Two results nearer than this in every joint are one [rad or m]. */
const SAME = 0.02;
/** Speed of a joint over this time is what stretches it by 1, where no time is asked for [s]. */
const UNTIMED = 1;
/** Least half width: a joint that cannot move has some, so that it does not divide by zero. */
const NARROW = 1e-6;

/** Finds configurations of the joints that move in which a goal is met, clear of the robot and of what stands about it. */
export class GoalPostures {
  readonly #solvers = new Map<string, ReachSolver>();
  readonly #target = pose.create();
  #middle = new Float64Array(0);
  #halfWidth = new Float64Array(0);

  /**
   * For a goal at `time` [s]; Infinity: whenever. `isEnough` is asked of each free posture; true ends the search. A robot
   * without bodies has no check.
   */
  find(
    resolved: ResolvedMotion,
    goal: ResolvedGoal,
    index: number,
    time: number,
    space: JointSpace,
    check: PathCheck | null,
    random: Random,
    isEnough: (q: Float64Array) => boolean,
  ): GoalSearch {
    this.#window(resolved, time);
    const start = Float64Array.from(resolved.dofs, (dof) => resolved.start.q[dof]!);
    if (goal.kind === "joints") {
      const q = goal.q.slice();
      space.unwrap([start, q]);
      const isFree = check === null || check.isFree(q);
      const postures = isFree ? [{ q, goal: index, stretch: this.#stretch(q) }] : [];
      return { postures, contact: isFree ? null : check.namesOf(check.blamed), missedBy: 0 };
    }
    const solver = this.#solver(resolved, goal.frame, goal.free);
    goal.course.poseAt(Number.isFinite(time) ? time : 0, this.#target);
    const postures: GoalPosture[] = [];
    let contact: GoalSearch["contact"] = null;
    let missedBy = Number.POSITIVE_INFINITY;
    const isTimed = Number.isFinite(time);
    // With a time to keep many postures are of no use, if none of them is reached by then.
    for (let k = 0; k < (resolved.isTimed ? MOST_TIMED_SEEDS : MOST_SEEDS); k++) {
      if (!resolved.isTimed && postures.length >= ENOUGH) break;
      const q = start.slice();
      if (k > 0) space.sample(random, q);
      const isThere = solver.solve(this.#target, this.#middle, this.#halfWidth, isTimed ? 0.9 : 0, q);
      missedBy = Math.min(missedBy, isThere ? 0 : solver.positionError);
      if (!isThere || postures.some((known) => areSame(known.q, q))) continue;
      if (check === null || check.isFree(q)) {
        postures.push({ q, goal: index, stretch: solver.stretch });
        if (isEnough(q)) break;
      } else contact = check.namesOf(check.blamed);
    }
    postures.sort((one, other) => one.stretch - other.stretch);
    return { postures, contact, missedBy };
  }

  #solver({ robot, dofs, start }: ResolvedMotion, frame: number, free: FreeAxes): ReachSolver {
    // The held joints are part of the chain, so another posture is another chain.
    const held = robot.model.dofNames.map((_, dof) => (dofs.includes(dof) ? 0 : start.q[dof]!));
    const key = JSON.stringify([frame, free, held]);
    if (this.#solvers.size > 16 && !this.#solvers.has(key)) this.#solvers.clear();
    return getOrCreate(this.#solvers, key, () => {
      return new ReachSolver(
        new KinematicChain(robot.model, robot.frames.world, frame, dofs, Float64Array.from(held)),
        free,
      );
    });
  }

  /** The middle and the half width of what each joint can reach by `time`. */
  #window({ dofs, start, limits }: ResolvedMotion, time: number): void {
    const { maxVelocity, maxAcceleration, maxJerk } = limits;
    if (this.#middle.length !== dofs.length) {
      this.#middle = new Float64Array(dofs.length);
      this.#halfWidth = new Float64Array(dofs.length);
    }
    for (const [i, dof] of dofs.entries()) {
      const [q0, w0] = [start.q[dof]!, start.qd[dof]!];
      const [v, a] = [maxVelocity[i]!, maxAcceleration[i]!];
      this.#middle[i] = q0;
      this.#halfWidth[i] = UNTIMED * v;
      if (!Number.isFinite(time)) continue;
      // What the jerk takes: as long as it needs to the full acceleration and back, or a third of the time if there is less.
      const left = Math.max(time - a / maxJerk[i]!, 0.66 * time);
      if (left <= stoppingTime(w0, a)) {
        this.#middle[i] = q0 + 0.5 * w0 * time;
        this.#halfWidth[i] = NARROW;
        continue;
      }
      const high = reachableDistance(1, left, w0, v, a);
      const low = reachableDistance(-1, left, w0, v, a);
      this.#middle[i] = q0 + 0.5 * (high + low);
      this.#halfWidth[i] = Math.max(NARROW, 0.5 * (high - low));
    }
  }

  #stretch(q: Float64Array): number {
    return q.reduce((most, value, i) => Math.max(most, Math.abs(value - this.#middle[i]!) / this.#halfWidth[i]!), 0);
  }
}

function areSame(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => Math.abs(value - b[i]!) < SAME);
}
