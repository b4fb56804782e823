import { obstacleNameOf } from "../../collision/making/obstacle-parts.js";
import { Random } from "../../math/random.js";
import { ProfileStatus } from "../../motion/jerk-limited-motion.js";
import { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { PathOutcome, type PathPlanner, type PathProblem } from "../paths/path-planner.js";
import { shortenPath } from "../paths/shorten-path.js";
import { delayedMotion, joinMotions, slowedMotion, timePath } from "../paths/time-path.js";
import type { GoalPosture, GoalSearch } from "./goal-postures.js";
import { lineMotion } from "./line-motion.js";
import type { MotionReason } from "./motion-answer.js";
import { withinToolLimits } from "./tool-limits.js";
import type { MotionPlannerName } from "./motion-request.js";
import { type MotionWorkspace, PATH_MARGIN } from "./motion-workspace.js";
import type { ResolvedGoal, ResolvedMotion } from "./resolve-motion.js";
import { MotionVerdict, MotionVerifier } from "./verify-motion.js";

/** A motion that passed the last check. */
export interface FoundMotion {
  readonly motion: PiecewiseMotion;
  readonly goal: number;
  readonly planner: MotionPlannerName;
  readonly length: number;
}

/** How a search ended. */
export interface MotionOutcome {
  readonly found: FoundMotion | null;
  readonly reasons: readonly MotionReason[];
  readonly isCutShort: boolean;
  readonly samples: number;
  readonly attempts: number;
}

/** Goals in motion are looked at so many times in a window, and then twice as finely about the first that is met. */
const TIMES = 24;
const REFINEMENTS = 5;
/** Where a window has no end, a moving goal is looked at until then [s]. */
const LAST = 10;
/** Speeds and delays with which a path is tried about obstacles that move. */
const PACES = [1, 0.7, 0.45];
const DELAYS = [0, 0.25, 0.5, 1, 1.5, 2, 3];
/** How much of the velocity's change at corners is used: where the cut corner touches, less, and at last none. */
const CORNERS = [1, 0.45, 0.15, 0];
/** Configurations that the first tree may look at, and how many times more each one after it. */
const FIRST_ROOM = 3000;
const ROOM_GROWTH = 1.7;
/** Share of all configurations that trees may look at before the roadmap has its turn, and for one meeting. */
const TREE_SHARE = 0.7;
const MEETING_SHARE = 0.3;
/** Distance that is kept where the start or the goal leaves no more [m]. */
const NARROW_MARGIN = 2e-4;
/** A motion is late by more than rounding [s]. */
const LATE = 1e-9;

/** The search for one request's motion. */
export class MotionSearch {
  readonly #resolved: ResolvedMotion;
  readonly #workspace: MotionWorkspace;
  readonly #verifier: MotionVerifier;
  readonly #isOver: () => boolean;
  readonly #start: Float64Array;
  readonly #isResting: boolean;
  readonly #reasons: MotionReason[] = [];
  #attempts = 0;
  #samples = 0;
  #isCutShort = false;

  constructor(resolved: ResolvedMotion, workspace: MotionWorkspace, isOver: () => boolean) {
    this.#resolved = resolved;
    this.#workspace = workspace;
    this.#verifier = new MotionVerifier(resolved, workspace.motion, workspace.path);
    this.#isOver = isOver;
    this.#start = Float64Array.from(resolved.dofs, (dof) => resolved.start.q[dof]!);
    const isStill = resolved.dofs.every((dof, i) => resolved.start.qd[dof] === 0 && resolved.acceleration[i] === 0);
    this.#isResting = isStill;
    if (workspace.path === null) return;
    workspace.path.margin = PATH_MARGIN;
    workspace.path.setPosture(resolved.start.q);
  }

  run(): MotionOutcome {
    this.#refuseStart();
    const found = this.#search();
    const { path } = this.#workspace;
    return {
      found,
      reasons: this.#reasons,
      isCutShort: this.#isCutShort && found === null,
      samples: (path?.samples ?? 0) + this.#samples,
      attempts: this.#attempts,
    };
  }

  #search(): FoundMotion | null {
    const { via, line, goals } = this.#resolved;
    if (via.length > 0) return this.#byWay();
    if (line !== null) return this.#alongLine(line);
    const moving = goals.findIndex((goal) => goal.kind === "pose" && goal.isMoving);
    return moving >= 0 ? this.#toMoving(moving) : this.#toStanding();
  }

  #refuseStart(): void {
    const { path } = this.#workspace;
    if (path === null) return;
    const isClear = path.isRestFree() && path.isFree(this.#start);
    if (isClear) return;
    // Nearer than the paths' margin, but apart: a start that a motion may leave.
    const nearest = this.#workspace.clearance!.nearest(this.#resolved.start.q, 1);
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
    const postures = this.#posturesOf(this.#resolved.goals, this.#resolved.isTimed ? this.#resolved.earliest : Number.POSITIVE_INFINITY);
    if (postures.length === 0) return null;
    const straight = this.#straight(postures);
    // Nothing arrives sooner than straight motions do.
    if (straight !== null || this.#resolved.planner === "straight") return straight;
    const found = this.#byPath(postures);
    return found === null ? null : this.#improved(found, postures);
  }

  /** Postures of all goals. One that is inside an obstacle is an error, as nothing could be done about it. */
  #posturesOf(goals: readonly ResolvedGoal[], time: number): GoalPosture[] {
    const searches = goals.map((goal, k) => ({ goal, search: this.#find(goal, k, time) }));
    const postures = searches.flatMap(({ search }) => [...search.postures]);
    if (postures.length > 0) return postures.sort((a, b) => a.stretch - b.stretch);
    const { path } = this.#workspace;
    if (path !== null && path.margin > NARROW_MARGIN && searches.some(({ search }) => search.contact !== null)) {
      path.margin = NARROW_MARGIN;
      return this.#posturesOf(goals, time);
    }
    for (const [k, { goal, search }] of searches.entries()) {
      if (search.contact !== null) throw goalCollides(goal, search.contact);
      this.#reasons.push({
        kind: "out-of-reach",
        goal: k,
        distance: search.missedBy,
        sentence: `goal ${k} is out of reach: the frame comes within ${search.missedBy.toFixed(3)} m of it, or not in its orientation`,
      });
    }
    return [];
  }

  #find(goal: ResolvedGoal, index: number, time: number): GoalSearch {
    const { goals, space, path } = this.#workspace;
    const random = new Random(`goal ${index} ${this.#resolved.seed}`);
    const isEnough = (q: Float64Array) => Number.isFinite(time) && this.#shortest(q) <= time;
    return goals.find(this.#resolved, goal, index, time, space, path, random, isEnough);
  }

  /** Shortest time of the straight motion to `q`. */
  #shortest(q: Float64Array): number {
    const { profiles } = this.#workspace;
    return this.#profile(q, "shortest") === ProfileStatus.invalid ? Number.POSITIVE_INFINITY : profiles.motion.duration;
  }

  #profile(q: Float64Array, duration: number | "shortest"): ProfileStatus {
    const { start, dofs, acceleration, limits } = this.#resolved;
    const velocity = Float64Array.from(dofs, (dof) => start.qd[dof]!);
    return this.#workspace.profiles.plan({ position: this.#start, velocity, acceleration }, { position: q }, limits, { duration });
  }

  /** The motion straight to each posture in turn, every joint as it likes; the first that passes. */
  #straight(postures: readonly GoalPosture[]): FoundMotion | null {
    const { earliest } = this.#resolved;
    const timed = postures.map((posture) => ({ posture, shortest: this.#shortest(posture.q) }));
    timed.sort((a, b) => a.shortest - b.shortest);
    for (const { posture, shortest } of timed) {
      if (!Number.isFinite(shortest)) continue;
      const wanted = Math.max(earliest, shortest);
      for (const duration of [wanted, wanted * 1.5]) {
        if (duration > wanted && !(this.#resolved.robot.movers !== undefined)) break;
        if (duration > wanted && this.#resolved.isTimed) break;
        this.#profile(posture.q, duration > shortest ? duration : "shortest");
        const motion = copyOf(this.#workspace.profiles.motion);
        if (this.#passes(motion, posture)) return this.#foundBy("straight", motion, posture, this.#lengthTo(posture.q));
        if (this.#isStopped()) return null;
      }
    }
    return null;
  }

  #lengthTo(q: Float64Array): number {
    return this.#workspace.space.distance(this.#start, 0, q, 0);
  }

  /** A path around what is in the way, from where the robot comes to rest. */
  #byPath(postures: readonly GoalPosture[]): FoundMotion | null {
    const { planner, seed, samples } = this.#resolved;
    const { trees, roadmap } = this.#workspace;
    if (planner === "lazy-prm") return this.#byPlanner(planner, roadmap, postures, `lazy-prm ${seed}`, samples);
    const most = planner === "auto" ? TREE_SHARE * samples : samples;
    let used = 0;
    for (let k = 0, room = FIRST_ROOM; used < most; k++, room *= ROOM_GROWTH) {
      const found = this.#byPlanner("rrt-connect", trees[k % trees.length]!, postures, `tree ${k} ${seed}`, Math.min(room, most - used));
      if (found !== null || this.#isStopped()) return found;
      used += room;
    }
    return planner === "auto" ? this.#byPlanner("lazy-prm", roadmap, postures, `lazy-prm ${seed}`, samples - used) : null;
  }

  #byPlanner(
    name: MotionPlannerName,
    planner: PathPlanner,
    postures: readonly GoalPosture[],
    stream: string,
    samples: number,
  ): FoundMotion | null {
    const { path: check, space } = this.#workspace;
    const brake = this.#brake();
    if (check === null || brake === null) return null;
    const goals = postures.map(({ q }) => q);
    const problem: PathProblem = { space, check, start: brake.endPosition.slice(), goals };
    const random = new Random(stream);
    const budget = { samples, isOver: () => this.#isStopped() };
    const result = planner.plan(problem, random, budget);
    if (result.outcome !== PathOutcome.found) {
      if (result.outcome === PathOutcome.exhausted) this.#isCutShort = true;
      return null;
    }
    const corners = shortenPath(problem, result.path, random, budget);
    const posture = { ...postures[result.goal]!, q: corners[corners.length - 1]! };
    return this.#timed(name, brake, corners, posture);
  }

  /** What brings the robot to rest, and no motion for one that rests; null: that is not free. */
  #brake(): PiecewiseMotion | null {
    const { start, dofs, acceleration, limits } = this.#resolved;
    if (this.#isResting) return timePath([this.#start], limits);
    const velocity = Float64Array.from(dofs, (dof) => start.qd[dof]!);
    const stop = this.#start.map((q, i) => {
      const along = acceleration[i]! / limits.maxJerk[i]!;
      const top = velocity[i]! + 0.5 * acceleration[i]! * Math.abs(along);
      return q + 0.5 * top * (Math.abs(top) / limits.maxAcceleration[i]! + limits.maxAcceleration[i]! / limits.maxJerk[i]!);
    });
    for (let i = 0; i < stop.length; i++) stop[i] = Math.min(Math.max(stop[i]!, limits.lower[i]!), limits.upper[i]!);
    if (this.#profile(stop, "shortest") === ProfileStatus.invalid) return null;
    const motion = copyOf(this.#workspace.profiles.motion);
    const { path } = this.#workspace;
    return path === null || path.isFree(stop) ? motion : null;
  }

  /** The motion along a path, corners cut as far as that is free; about moving obstacles slower or later. */
  #timed(name: MotionPlannerName, brake: PiecewiseMotion, corners: readonly Float64Array[], posture: GoalPosture): FoundMotion | null {
    const { limits, robot } = this.#resolved;
    const length = this.#workspace.space.length(corners);
    for (const corner of CORNERS) {
      const along = timePath(corners, limits, { corner });
      for (const motion of this.#variants(brake, along, robot.movers !== undefined)) {
        if (this.#passes(motion, posture)) return this.#foundBy(name, motion, posture, length);
        if (this.#isStopped()) return null;
      }
      if (corners.length <= 2) break;
    }
    return null;
  }

  /** The motion that arrives when asked for, and about moving obstacles others. */
  *#variants(brake: PiecewiseMotion, along: PiecewiseMotion, isMoving: boolean): Generator<PiecewiseMotion> {
    const { earliest, isTimed } = this.#resolved;
    const shortest = brake.duration + along.duration;
    const fitted = (pace: number, delay: number): PiecewiseMotion => {
      const paced = pace === 1 ? along : slowedMotion(along, 1 / pace);
      const waited = delay > 0 ? delayedMotion(paced, brake.endPosition, delay) : paced;
      return brake.duration > 0 ? joinMotions([brake, waited]) : waited;
    };
    const wanted = along.duration > 0 ? along.duration / Math.max(along.duration, earliest - brake.duration) : 1;
    if (!isMoving || isTimed) {
      yield fitted(Math.min(1, wanted), 0);
      if (!isMoving) return;
    }
    for (const delay of DELAYS) {
      for (const pace of PACES) {
        if (isTimed && earliest > shortest) {
          const left = earliest - brake.duration - delay;
          if (left >= along.duration) yield fitted(along.duration / left, delay);
          break;
        }
        yield fitted(Math.min(pace, wanted), delay);
      }
    }
  }

  /** Shorter motions by further searches, as many as asked for and as the time allows. */
  #improved(found: FoundMotion, postures: readonly GoalPosture[]): FoundMotion {
    const { improve, seed, samples } = this.#resolved;
    const { trees } = this.#workspace;
    let best = found;
    for (let k = 1; k <= improve && !this.#isStopped(); k++) {
      const other = this.#byPlanner("rrt-connect", trees[0]!, postures, `improve ${k} ${seed}`, samples);
      if (other !== null && other.motion.duration < best.motion.duration) best = other;
    }
    this.#isCutShort = false;
    return best;
  }

  /** To where something that moves will be: at the time asked for, or as early in the window as it can be met. */
  #toMoving(index: number): FoundMotion | null {
    const { earliest, latest, isTimed, goals } = this.#resolved;
    if (isTimed) return this.#meet(goals[index]!, index, earliest, true);
    const end = Math.min(latest, earliest + LAST);
    let met: FoundMotion | null = null;
    let [from, to] = [earliest, end];
    for (let k = 0; k <= TIMES && met === null && !this.#isStopped(); k++) {
      to = earliest + ((end - earliest) * k) / TIMES;
      met = this.#meet(goals[index]!, index, to, false);
      if (met === null) from = to;
    }
    for (let k = 0; met !== null && k < REFINEMENTS && to > from && !this.#isStopped(); k++) {
      const middle = 0.5 * (from + to);
      const sooner = this.#meet(goals[index]!, index, middle, false);
      if (sooner === null) from = middle;
      else [met, to] = [sooner, middle];
    }
    if (met === null) this.#reasons.push({ kind: "too-fast", goal: index, sentence: `goal ${index} is not met between ${earliest} and ${end} s` });
    return met;
  }

  /** The motion that is at a moving goal at `time`, at rest; `isWanted`: no other time will do. */
  #meet(goal: ResolvedGoal, index: number, time: number, isWanted: boolean): FoundMotion | null {
    const search = this.#find(goal, index, time);
    const postures = search.postures.map((posture) => ({ posture, shortest: this.#shortest(posture.q) }));
    for (const { posture, shortest } of postures.sort((a, b) => a.shortest - b.shortest)) {
      if (shortest > time) break;
      if (this.#profile(posture.q, time) !== ProfileStatus.ok) continue;
      const motion = copyOf(this.#workspace.profiles.motion);
      if (this.#passes(motion, posture)) return this.#foundBy("straight", motion, posture, this.#lengthTo(posture.q));
    }
    const brake = this.#brake();
    for (const { posture, shortest } of isWanted && this.#workspace.path !== null && brake !== null ? postures : []) {
      if (shortest > time || this.#isStopped()) break;
      const { trees } = this.#workspace;
      const { seed, samples } = this.#resolved;
      const found = this.#byPlanner("rrt-connect", trees[0]!, [posture], `meet ${seed}`, MEETING_SHARE * samples);
      if (found !== null && Math.abs(found.motion.duration - time) <= LATE) return found;
    }
    if (isWanted) this.#explainMeeting(search, index, time, postures[0]?.shortest);
    return null;
  }

  #explainMeeting(search: GoalSearch, index: number, time: number, shortest: number | undefined): void {
    if (shortest !== undefined && shortest > time) {
      const late = shortest - time;
      this.#reasons.push({ kind: "too-fast", goal: index, time: late, sentence: `goal ${index} is met at ${time} s at the earliest ${late.toFixed(3)} s later` });
    } else if (search.contact !== null) {
      this.#reasons.push({ kind: "collision", goal: index, bodies: [...search.contact], sentence: `at goal ${index} ${touching(search.contact)}` });
    } else if (search.postures.length === 0) {
      this.#reasons.push({ kind: "out-of-reach", goal: index, distance: search.missedBy, sentence: `goal ${index} is out of reach at ${time} s` });
    }
  }

  /** From place to place, at rest at each. */
  #byWay(): FoundMotion | null {
    const { via, goals } = this.#resolved;
    const legs: FoundMotion[] = [];
    let here: ResolvedMotion = { ...this.#resolved, via: [], earliest: 0, latest: Number.POSITIVE_INFINITY, isTimed: false };
    for (const places of [...via.map((place) => [place]), goals]) {
      const leg = new MotionSearch({ ...here, goals: places }, this.#workspace, this.#isOver);
      const { found, reasons, isCutShort } = leg.run();
      this.#attempts += leg.#attempts;
      if (found === null) {
        this.#reasons.push(...reasons);
        this.#isCutShort = isCutShort;
        return null;
      }
      legs.push(found);
      here = restingAt(here, found.motion.endPosition);
    }
    const { goal, planner } = legs[legs.length - 1]!;
    const motion = this.#atTime(legs.map((leg) => leg.motion));
    const length = legs.reduce((sum, leg) => sum + leg.length, 0);
    const posture = { q: motion.endPosition.slice(), goal, stretch: 0 };
    this.#workspace.path?.setPosture(this.#resolved.start.q);
    return this.#passes(motion, posture) ? this.#foundBy(planner, motion, posture, length) : null;
  }

  /** Motions one after the other, slowed down to arrive when asked for, those that begin at rest. */
  #atTime(motions: readonly PiecewiseMotion[]): PiecewiseMotion {
    const isFree = (k: number) => k > 0 || this.#isResting;
    const sum = (chosen: readonly PiecewiseMotion[]) => chosen.reduce((total, { duration }) => total + duration, 0);
    const loose = sum(motions.filter((_, k) => isFree(k)));
    const left = this.#resolved.earliest - (sum(motions) - loose);
    const factor = loose > 0 && left > loose ? left / loose : 1;
    return joinMotions(motions.map((motion, k) => (isFree(k) && factor > 1 ? slowedMotion(motion, factor) : motion)));
  }

  /** Along the straight line of the goal's frame. */
  #alongLine(tolerance: number): FoundMotion | null {
    if (!this.#isResting) {
      this.#reasons.push({ kind: "line", sentence: "a straight line begins at rest, and the robot moves at the start" });
      return null;
    }
    for (const [k, goal] of this.#resolved.goals.entries()) {
      if (goal.kind !== "pose") continue;
      const line = lineMotion(this.#resolved, goal, tolerance);
      if ("sentence" in line) {
        this.#reasons.push({ kind: "line", goal: k, ...line });
        continue;
      }
      const motion = this.#atTime([line.motion]);
      const posture = { q: motion.endPosition.slice(), goal: k, stretch: 0 };
      if (this.#passes(motion, posture)) return this.#foundBy("straight", motion, posture, this.#lengthTo(posture.q));
    }
    return null;
  }

  /** Whether a motion passes the last check; notes what it touches if it does not. */
  #passes(motion: PiecewiseMotion, posture: GoalPosture): boolean {
    this.#attempts++;
    this.#withinTool = withinToolLimits(this.#resolved, motion, this.#isResting);
    if (this.#withinTool === null) {
      this.#note({ kind: "limits", goal: posture.goal, sentence: "the tool's speed or a torque is beyond its limit at any pace" });
      return false;
    }
    const goal = this.#resolved.goals[posture.goal]!;
    const verdict = this.#verifier.verify(this.#resolved, this.#withinTool, goal);
    this.#samples += this.#workspace.motion?.samples ?? 0;
    if (verdict === MotionVerdict.ok) return true;
    const contact = this.#workspace.motion?.contact ?? null;
    if (verdict === MotionVerdict.collision && contact !== null) {
      const { bodies, time } = contact;
      this.#note({ kind: "collision", goal: posture.goal, bodies: bodies.map(obstacleNameOf), time, sentence: `${touching(bodies)} after ${time.toFixed(3)} s on the way to goal ${posture.goal}` });
    } else if (verdict === MotionVerdict.collision) {
      this.#note({ kind: "unproven", goal: posture.goal, sentence: "the way is not proven to be free" });
    } else this.#note({ kind: "limits", goal: posture.goal, sentence: `a motion fails its last check: ${verdict}` });
    return false;
  }
  #withinTool: PiecewiseMotion | null = null;

  /** The first reasons say most; of the same two bodies once. */
  #note(reason: MotionReason): void {
    const isKnown = this.#reasons.some(({ kind, goal, bodies }) => kind === reason.kind && goal === reason.goal && String(bodies) === String(reason.bodies));
    if (!isKnown && this.#reasons.length < 20) this.#reasons.push(reason);
  }

  #foundBy(planner: MotionPlannerName, motion: PiecewiseMotion, { goal }: GoalPosture, length: number): FoundMotion {
    return { motion: this.#withinTool ?? motion, goal, planner, length };
  }

  #isStopped(): boolean {
    if (!this.#isOver()) return false;
    this.#isCutShort = true;
    return true;
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

function copyOf(motion: PiecewiseMotion): PiecewiseMotion {
  const copy = new PiecewiseMotion(motion.joints, Math.max(1, ...motion.counts));
  copy.copyFrom(motion);
  return copy;
}

function touching(bodies: readonly string[]): string {
  return `${obstacleNameOf(bodies[0]!)} touches ${obstacleNameOf(bodies[1]!)}`;
}

function goalCollides(goal: ResolvedGoal, bodies: readonly [string, string]): FlycatcherError {
  return new FlycatcherError("FLY_MOTION_GOAL_COLLIDES", "Two bodies touch at the goal", {
    path: goal.path,
    expected: "a goal clear of the robot itself and of the obstacles",
    found: touching(bodies),
  });
}
