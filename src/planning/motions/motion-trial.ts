import { obstacleNameOf } from "../../collision/making/obstacle-parts.js";
import { Random } from "../../math/random.js";
import { ProfileStatus } from "../../motion/jerk-limited-motion.js";
import { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { timePath } from "../paths/time-path.js";
import type { GoalPosture, GoalSearch } from "./goal-postures.js";
import type { MotionReason } from "./motion-answer.js";
import type { MotionPlannerName } from "./motion-request.js";
import { type MotionWorkspace, PATH_MARGIN } from "./motion-workspace.js";
import type { ResolvedGoal } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";
import { withinToolLimits } from "./tool-limits.js";
import { MotionVerdict, MotionVerifier } from "./verify-motion.js";

/** A motion that passed the last check. */
export interface FoundMotion {
  readonly motion: PiecewiseMotion;
  readonly goal: number;
  readonly planner: MotionPlannerName;
  readonly length: number;
  /** Of the path behind it; absent: it has none. */
  readonly corners?: readonly Float64Array[];
}

/** Most reasons that are kept. */
const MOST_REASONS = 20;

/** What all searches for one request's motion share: the request, what they have tried, and what was wrong with it. */
export class MotionTrial {
  readonly resolved: ResolvedMotion;
  readonly workspace: MotionWorkspace;
  readonly verifier: MotionVerifier;
  readonly #isOver: () => boolean;
  /** Of the joints that move. */
  readonly start: Float64Array;
  readonly isResting: boolean;
  readonly reasons: MotionReason[] = [];
  /** Motions that were checked. */
  attempts = 0;
  /** Configurations that the last check has looked at. */
  samples = 0;
  /** Whether a search was ended by its budget. */
  isCutShort = false;
  #withinTool: PiecewiseMotion | null = null;

  constructor(resolved: ResolvedMotion, workspace: MotionWorkspace, isOver: () => boolean) {
    this.resolved = resolved;
    this.workspace = workspace;
    this.verifier = new MotionVerifier(resolved, workspace);
    this.#isOver = isOver;
    this.start = Float64Array.from(resolved.dofs, (dof) => resolved.start.q[dof]!);
    this.isResting = resolved.dofs.every((dof, i) => resolved.start.qd[dof] === 0 && resolved.acceleration[i] === 0);
    if (workspace.path === null) return;
    workspace.path.margin = PATH_MARGIN;
    workspace.path.setPosture(resolved.start.q);
  }

  find(goal: ResolvedGoal, index: number, time: number): GoalSearch {
    const { goals, space, path } = this.workspace;
    const random = new Random(`goal ${index} ${this.resolved.seed}`);
    const isEnough = (q: Float64Array) => Number.isFinite(time) && this.shortest(q) <= time;
    return goals.find(this.resolved, goal, index, time, space, path, random, isEnough);
  }

  /** Shortest time of the straight motion to `q`. */
  shortest(q: Float64Array): number {
    const { profiles } = this.workspace;
    return this.profile(q, "shortest") === ProfileStatus.invalid ? Number.POSITIVE_INFINITY : profiles.motion.duration;
  }

  profile(q: Float64Array, duration: number | "shortest"): ProfileStatus {
    const { start, dofs, acceleration, limits } = this.resolved;
    const velocity = Float64Array.from(dofs, (dof) => start.qd[dof]!);
    return this.workspace.profiles.plan({ position: this.start, velocity, acceleration }, { position: q }, limits, {
      duration,
    });
  }

  lengthTo(q: Float64Array): number {
    return this.workspace.space.distance(this.start, 0, q, 0);
  }

  /** What brings the robot to rest, and no motion for one that rests; null: that is not free. */
  brake(): PiecewiseMotion | null {
    const { start, dofs, acceleration, limits } = this.resolved;
    if (this.isResting) return timePath([this.start], limits);
    const velocity = Float64Array.from(dofs, (dof) => start.qd[dof]!);
    const stop = this.start.map((q, i) => {
      const along = acceleration[i]! / limits.maxJerk[i]!;
      const top = velocity[i]! + 0.5 * acceleration[i]! * Math.abs(along);
      return (
        q + 0.5 * top * (Math.abs(top) / limits.maxAcceleration[i]! + limits.maxAcceleration[i]! / limits.maxJerk[i]!)
      );
    });
    for (let i = 0; i < stop.length; i++) stop[i] = Math.min(Math.max(stop[i]!, limits.lower[i]!), limits.upper[i]!);
    if (this.profile(stop, "shortest") === ProfileStatus.invalid) return null;
    const motion = copyOf(this.workspace.profiles.motion);
    const { path } = this.workspace;
    return path === null || path.isFree(stop) ? motion : null;
  }

  /** Whether a motion passes the last check; notes what it touches if it does not. */
  passes(motion: PiecewiseMotion, posture: GoalPosture): boolean {
    this.attempts++;
    this.#withinTool = withinToolLimits(this.resolved, motion, this.workspace.state, this.isResting);
    if (this.#withinTool === null) {
      this.note({
        kind: "limits",
        goal: posture.goal,
        sentence: "the tool's speed or a torque is beyond its limit at any pace",
      });
      return false;
    }
    const goal = this.resolved.goals[posture.goal]!;
    const verdict = this.verifier.verify(this.resolved, this.#withinTool, goal);
    this.samples += this.workspace.motion?.samples ?? 0;
    if (verdict === MotionVerdict.ok) return true;
    const contact = this.workspace.motion?.contact ?? null;
    if (verdict === MotionVerdict.collision && contact !== null) {
      const { bodies, time } = contact;
      this.note({
        kind: "collision",
        goal: posture.goal,
        bodies: bodies.map(obstacleNameOf),
        time,
        sentence: `${touching(bodies)} after ${time.toFixed(3)} s on the way to goal ${posture.goal}`,
      });
    } else if (verdict === MotionVerdict.collision) {
      this.note({ kind: "unproven", goal: posture.goal, sentence: "the way is not proven to be free" });
    } else this.note({ kind: "limits", goal: posture.goal, sentence: `a motion fails its last check: ${verdict}` });
    return false;
  }

  /** The first reasons say most; of the same two bodies once. */
  note(reason: MotionReason): void {
    const isKnown = this.reasons.some(
      ({ kind, goal, bodies }) =>
        kind === reason.kind && goal === reason.goal && String(bodies) === String(reason.bodies),
    );
    if (!isKnown && this.reasons.length < MOST_REASONS) this.reasons.push(reason);
  }

  foundBy(planner: MotionPlannerName, motion: PiecewiseMotion, { goal }: GoalPosture, length: number): FoundMotion {
    return { motion: this.#withinTool ?? motion, goal, planner, length };
  }

  isStopped(): boolean {
    if (!this.#isOver()) return false;
    this.isCutShort = true;
    return true;
  }
}

/** The same motion in memory of its own. */
export function copyOf(motion: PiecewiseMotion): PiecewiseMotion {
  const copy = new PiecewiseMotion(motion.joints, Math.max(1, ...motion.counts));
  copy.copyFrom(motion);
  return copy;
}

/** Two bodies, as a reason names them. */
export function touching(bodies: readonly string[]): string {
  return `${obstacleNameOf(bodies[0]!)} touches ${obstacleNameOf(bodies[1]!)}`;
}
