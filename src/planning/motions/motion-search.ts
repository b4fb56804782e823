import { joined, retimed } from "../../motion/motion-algebra.js";
import type { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { GoalPosture } from "./goal-postures.js";
import { lineMotion } from "./line-motion.js";
import { MeetingSearch } from "./meeting-search.js";
import type { MotionReason } from "./motion-answer.js";
import { copyOf, type FoundMotion, MotionTrial, touching } from "./motion-trial.js";
import type { MotionWorkspace } from "./motion-workspace.js";
import { PathSearch } from "./path-search.js";
import type { ResolvedGoal } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";

/** How a search ended. */
export interface MotionOutcome {
  readonly found: FoundMotion | null;
  readonly reasons: readonly MotionReason[];
  readonly isCutShort: boolean;
  readonly samples: number;
  readonly attempts: number;
}

/** Distance that is kept where the start or the goal leaves no more [m]. */
const NARROW_MARGIN = 2e-4;
/** How much longer a straight motion is tried about obstacles that move. */
const SLOWER = 1.5;

/** The search for one request's motion. */
export class MotionSearch {
  readonly #workspace: MotionWorkspace;
  readonly #isOver: () => boolean;
  readonly #trial: MotionTrial;
  readonly #paths: PathSearch;
  readonly #meetings: MeetingSearch;

  constructor(resolved: ResolvedMotion, workspace: MotionWorkspace, isOver: () => boolean) {
    this.#workspace = workspace;
    this.#isOver = isOver;
    this.#trial = new MotionTrial(resolved, workspace, isOver);
    this.#paths = new PathSearch(this.#trial);
    this.#meetings = new MeetingSearch(this.#trial, this.#paths);
  }

  run(): MotionOutcome {
    this.#refuseStart();
    const found = this.#search();
    const { path } = this.#workspace;
    return {
      found,
      reasons: this.#trial.reasons,
      isCutShort: this.#trial.isCutShort && found === null,
      samples: (path?.samples ?? 0) + this.#trial.samples,
      attempts: this.#trial.attempts,
    };
  }

  #search(): FoundMotion | null {
    const { via, line, goals } = this.#trial.resolved;
    if (via.length > 0) return this.#byWay();
    if (line !== null) return this.#alongLine(line);
    const moving = goals.findIndex((goal) => goal.kind === "pose" && goal.isMoving);
    return moving >= 0 ? this.#meetings.toMoving(moving) : this.#toStanding();
  }

  #refuseStart(): void {
    const { path } = this.#workspace;
    if (path === null) return;
    const isClear = path.isRestFree() && path.isFree(this.#trial.start);
    if (isClear) return;
    // Nearer than the paths' margin, but apart: a start that a motion may leave.
    const nearest = this.#workspace.clearance!.nearest(this.#trial.resolved.start.q, 1);
    if (nearest === null || nearest.distance > 0) {
      path.margin = Math.min(path.margin, 0.5 * (nearest?.distance ?? 0));
      return;
    }
    throw new FlycatcherError("FLY_MOTION_START_COLLIDES", "Two bodies touch at the start", {
      path: "/start",
      expected: "a robot clear of itself and of the obstacles",
      found: touching(nearest.bodies),
    });
  }

  /** To the first standing goal to which there is a motion, as soon as there is one or at the time asked for. */
  #toStanding(): FoundMotion | null {
    const postures = this.#posturesOf(
      this.#trial.resolved.goals,
      this.#trial.resolved.isTimed ? this.#trial.resolved.earliest : Number.POSITIVE_INFINITY,
    );
    if (postures.length === 0) return null;
    const straight = this.#straight(postures);
    // Nothing arrives sooner than straight motions do.
    if (straight !== null || this.#trial.resolved.planner === "straight") return straight;
    const found = this.#paths.byPath(postures);
    return found === null ? null : this.#paths.improved(found, postures);
  }

  /** Postures of all goals. One that is inside an obstacle is an error, as nothing could be done about it. */
  #posturesOf(goals: readonly ResolvedGoal[], time: number): GoalPosture[] {
    const searches = goals.map((goal, k) => ({ goal, search: this.#trial.find(goal, k, time) }));
    const postures = searches.flatMap(({ search }) => [...search.postures]);
    if (postures.length > 0) return postures.sort((a, b) => a.stretch - b.stretch);
    const { path } = this.#workspace;
    if (path !== null && path.margin > NARROW_MARGIN && searches.some(({ search }) => search.contact !== null)) {
      path.margin = NARROW_MARGIN;
      return this.#posturesOf(goals, time);
    }
    for (const [k, { goal, search }] of searches.entries()) {
      if (search.contact !== null) throw goalCollides(goal, search.contact);
      this.#trial.reasons.push({
        kind: "out-of-reach",
        goal: k,
        distance: search.missedBy,
        sentence: `goal ${k} is out of reach: the frame comes within ${search.missedBy.toFixed(3)} m of it, or not in its orientation`,
      });
    }
    return [];
  }

  /** The motion straight to each posture in turn, every joint as it likes; the first that passes. */
  #straight(postures: readonly GoalPosture[]): FoundMotion | null {
    const { earliest } = this.#trial.resolved;
    const timed = postures.map((posture) => ({ posture, shortest: this.#trial.shortest(posture.q) }));
    timed.sort((a, b) => a.shortest - b.shortest);
    for (const { posture, shortest } of timed) {
      if (!Number.isFinite(shortest)) continue;
      const wanted = Math.max(earliest, shortest);
      for (const duration of [wanted, wanted * SLOWER]) {
        if (duration > wanted && !(this.#trial.resolved.robot.movers !== undefined)) break;
        if (duration > wanted && this.#trial.resolved.isTimed) break;
        this.#trial.profile(posture.q, duration > shortest ? duration : "shortest");
        const motion = copyOf(this.#workspace.profiles.motion);
        if (this.#trial.passes(motion, posture))
          return this.#trial.foundBy("straight", motion, posture, this.#trial.lengthTo(posture.q));
        if (this.#trial.isStopped()) return null;
      }
    }
    return null;
  }

  /** From place to place, at rest at each. */
  #byWay(): FoundMotion | null {
    const { via, goals } = this.#trial.resolved;
    const legs: FoundMotion[] = [];
    let here: ResolvedMotion = {
      ...this.#trial.resolved,
      via: [],
      earliest: 0,
      latest: Number.POSITIVE_INFINITY,
      isTimed: false,
    };
    for (const places of [...via.map((place) => [place]), goals]) {
      const leg = new MotionSearch({ ...here, goals: places }, this.#workspace, this.#isOver);
      const { found, reasons, isCutShort } = leg.run();
      this.#trial.attempts += leg.#trial.attempts;
      if (found === null) {
        this.#trial.reasons.push(...reasons);
        this.#trial.isCutShort = isCutShort;
        return null;
      }
      legs.push(found);
      here = restingAt(here, found.motion.endPosition);
    }
    const { goal, planner } = legs[legs.length - 1]!;
    const motion = this.#atTime(legs.map((leg) => leg.motion));
    const length = legs.reduce((sum, leg) => sum + leg.length, 0);
    const posture = { q: motion.endPosition.slice(), goal, stretch: 0 };
    this.#workspace.path?.setPosture(this.#trial.resolved.start.q);
    return this.#trial.passes(motion, posture) ? this.#trial.foundBy(planner, motion, posture, length) : null;
  }

  /** Motions one after the other, slowed down to arrive when asked for, those that begin at rest. */
  #atTime(motions: readonly PiecewiseMotion[]): PiecewiseMotion {
    const isFree = (k: number) => k > 0 || this.#trial.isResting;
    const sum = (chosen: readonly PiecewiseMotion[]) => chosen.reduce((total, { duration }) => total + duration, 0);
    const loose = sum(motions.filter((_, k) => isFree(k)));
    const left = this.#trial.resolved.earliest - (sum(motions) - loose);
    const factor = loose > 0 && left > loose ? left / loose : 1;
    return joined(motions.map((motion, k) => (isFree(k) && factor > 1 ? retimed(motion, factor) : motion)));
  }

  /** Along the straight line of the goal's frame. */
  #alongLine(tolerance: number): FoundMotion | null {
    if (!this.#trial.isResting) {
      this.#trial.reasons.push({
        kind: "line",
        sentence: "a straight line begins at rest, and the robot moves at the start",
      });
      return null;
    }
    for (const [k, goal] of this.#trial.resolved.goals.entries()) {
      if (goal.kind !== "pose") continue;
      const line = lineMotion(this.#trial.resolved, goal, tolerance);
      if ("sentence" in line) {
        this.#trial.reasons.push({ kind: "line", goal: k, ...line });
        continue;
      }
      const motion = this.#atTime([line.motion]);
      const posture = { q: motion.endPosition.slice(), goal: k, stretch: 0 };
      if (this.#trial.passes(motion, posture))
        return this.#trial.foundBy("straight", motion, posture, this.#trial.lengthTo(posture.q));
    }
    return null;
  }
}

function restingAt(resolved: ResolvedMotion, q: Float64Array): ResolvedMotion {
  const start = Object.assign(Object.create(Object.getPrototypeOf(resolved.start)), resolved.start, {
    q: resolved.start.q.slice(),
    qd: new Float64Array(resolved.start.qd.length),
  }) as ResolvedMotion["start"];
  for (const [i, dof] of resolved.dofs.entries()) start.q[dof] = q[i]!;
  return { ...resolved, start, acceleration: new Float64Array(q.length) };
}

function goalCollides(goal: ResolvedGoal, bodies: readonly [string, string]): FlycatcherError {
  return new FlycatcherError("FLY_MOTION_GOAL_COLLIDES", "Two bodies touch at the goal", {
    path: goal.path,
    expected: "a goal clear of the robot itself and of the obstacles",
    found: touching(bodies),
  });
}
