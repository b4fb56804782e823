import { Random } from "../../math/random.js";
import { joined, retimed, shifted } from "../../motion/motion-algebra.js";
import type { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { optimisePath } from "../paths/optimise-path.js";
import { PathOutcome, type PathPlanner, type PathProblem } from "../paths/path-planner.js";
import { shortenPath } from "../paths/shorten-path.js";
import { timePath } from "../paths/time-path.js";
import type { GoalPosture } from "./goal-postures.js";
import type { MotionPlannerName } from "./motion-request.js";
import type { FoundMotion, MotionTrial } from "./motion-trial.js";

/** Speeds and delays with which a path is tried about obstacles that move. */
const PACES = [1, 0.7, 0.45];
const DELAYS = [0, 0.25, 0.5, 1, 1.5, 2, 3];
/** How much of the velocity's change at corners is used: where the cut corner touches, less, and at last none. */
const CORNERS = [1, 0.45, 0.15, 0];
/** Configurations that the first tree may look at, and how many times more each one after it. */
const FIRST_ROOM = 3000;
const ROOM_GROWTH = 1.7;
/** Share of all configurations that one group after the other may look at. */
const GROUPWISE_SHARE = 0.1;
/** Share of all configurations that trees may look at before the roadmap has its turn. */
const TREE_SHARE = 0.7;

/** Motions along paths around what is in the way. */
export class PathSearch {
  readonly #trial: MotionTrial;

  constructor(trial: MotionTrial) {
    this.#trial = trial;
  }

  /** A path around what is in the way, from where the robot comes to rest. */
  byPath(postures: readonly GoalPosture[]): FoundMotion | null {
    const { planner, seed, samples } = this.#trial.resolved;
    const { trees, roadmap, groupwise } = this.#trial.workspace;
    if (planner === "lazy-prm") return this.byPlanner(planner, roadmap, postures, `lazy-prm ${seed}`, samples);
    const most = planner === "auto" ? TREE_SHARE * samples : samples;
    let used = 0;
    if (groupwise !== null) {
      used = GROUPWISE_SHARE * samples;
      const found = this.byPlanner("rrt-connect", groupwise, postures, `groups ${seed}`, used);
      if (found !== null || this.#trial.isStopped()) return found;
    }
    for (let k = 0, room = FIRST_ROOM; used < most; k++, room *= ROOM_GROWTH) {
      const found = this.byPlanner(
        "rrt-connect",
        trees[k % trees.length]!,
        postures,
        `tree ${k} ${seed}`,
        Math.min(room, most - used),
      );
      if (found !== null || this.#trial.isStopped()) return found;
      used += room;
    }
    return planner === "auto"
      ? this.byPlanner("lazy-prm", roadmap, postures, `lazy-prm ${seed}`, samples - used)
      : null;
  }

  byPlanner(
    name: MotionPlannerName,
    planner: PathPlanner,
    postures: readonly GoalPosture[],
    stream: string,
    samples: number,
  ): FoundMotion | null {
    const { path: check, space } = this.#trial.workspace;
    const brake = this.#trial.brake();
    if (check === null || brake === null) return null;
    const goals = postures.map(({ q }) => q);
    const problem: PathProblem = { space, check, start: brake.endPosition.slice(), goals };
    const random = new Random(stream);
    const budget = { samples, isOver: () => this.#trial.isStopped() };
    const result = planner.plan(problem, random, budget);
    if (result.outcome !== PathOutcome.found) {
      if (result.outcome === PathOutcome.exhausted) this.#trial.isCutShort = true;
      return null;
    }
    const corners = shortenPath(problem, result.path, random, budget);
    const posture = { ...postures[result.goal]!, q: corners[corners.length - 1]! };
    return this.#timed(name, brake, corners, posture);
  }

  /** The motion along a path, corners cut as far as that is free; about moving obstacles slower or later. */
  #timed(
    name: MotionPlannerName,
    brake: PiecewiseMotion,
    corners: readonly Float64Array[],
    posture: GoalPosture,
  ): FoundMotion | null {
    const { limits, robot } = this.#trial.resolved;
    const length = this.#trial.workspace.space.length(corners);
    for (const corner of CORNERS) {
      const along = timePath(corners, limits, { corner });
      for (const motion of this.#variants(brake, along, robot.movers !== undefined)) {
        if (this.#trial.passes(motion, posture)) {
          return { ...this.#trial.foundBy(name, motion, posture, length), corners };
        }
        if (this.#trial.isStopped()) return null;
      }
      if (corners.length <= 2) break;
    }
    return null;
  }

  /** The motion that arrives when asked for, and about moving obstacles others. */
  *#variants(brake: PiecewiseMotion, along: PiecewiseMotion, isMoving: boolean): Generator<PiecewiseMotion> {
    const { earliest, isTimed } = this.#trial.resolved;
    const shortest = brake.duration + along.duration;
    const fitted = (pace: number, delay: number): PiecewiseMotion => {
      const paced = pace === 1 ? along : retimed(along, 1 / pace);
      const waited = delay > 0 ? shifted(paced, delay) : paced;
      return brake.duration > 0 ? joined([brake, waited]) : waited;
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

  /** The motion along the same path with its corners moved together, if that is sooner. */
  #optimised(found: FoundMotion, postures: readonly GoalPosture[]): FoundMotion {
    const { path: check, space } = this.#trial.workspace;
    const brake = this.#trial.brake();
    const { corners = [], planner } = found;
    if (check === null || brake === null || corners.length < 3) return found;
    const problem: PathProblem = { space, check, start: corners[0]!, goals: postures.map(({ q }) => q) };
    const budget = { samples: Number.POSITIVE_INFINITY, isOver: () => this.#trial.isStopped() };
    const moved = optimisePath(problem, corners, budget);
    const posture = { q: corners[corners.length - 1]!, goal: found.goal, stretch: 0 };
    const other = this.#timed(planner, brake, moved, posture);
    return other !== null && other.motion.duration < found.motion.duration ? other : found;
  }

  /** Shorter motions by the optimisation of the path and by further searches, as many as asked for and as the time allows. */
  improved(found: FoundMotion, postures: readonly GoalPosture[]): FoundMotion {
    const { improve, seed, samples } = this.#trial.resolved;
    const { trees } = this.#trial.workspace;
    let best = improve > 0 ? this.#optimised(found, postures) : found;
    for (let k = 1; k <= improve && !this.#trial.isStopped(); k++) {
      const other = this.byPlanner("rrt-connect", trees[0]!, postures, `improve ${k} ${seed}`, samples);
      if (other === null) continue;
      const optimised = this.#optimised(other, postures);
      if (optimised.motion.duration < best.motion.duration) best = optimised;
    }
    this.#trial.isCutShort = false;
    return best;
  }
}
