import { ProfileStatus } from "../../motion/jerk-limited-motion.js";
import type { GoalSearch } from "./goal-postures.js";
import { copyOf, type FoundMotion, type MotionTrial, touching } from "./motion-trial.js";
import type { PathSearch } from "./path-search.js";
import type { ResolvedGoal } from "./resolve-goals.js";

/** Goals in motion are looked at so many times in a window, and then twice as finely about the first that is met. */
const TIMES = 24;
const REFINEMENTS = 5;
/** Where a window has no end, a moving goal is looked at until then [s]. */
const LAST = 10;
/** Share of all configurations that a path to one meeting may look at. */
const MEETING_SHARE = 0.3;
/** A meeting missed by no more than rounding [s]. */
const ROUNDING = 1e-9;

/** Motions that end where something that moves is at their end. */
export class MeetingSearch {
  readonly #trial: MotionTrial;
  readonly #paths: PathSearch;

  constructor(trial: MotionTrial, paths: PathSearch) {
    this.#trial = trial;
    this.#paths = paths;
  }

  /** To where something that moves will be: at the time asked for, or as early in the window as it can be met. */
  toMoving(index: number): FoundMotion | null {
    const { earliest, latest, isTimed, goals } = this.#trial.resolved;
    if (isTimed) return this.#meet(goals[index]!, index, earliest, true);
    const end = Math.min(latest, earliest + LAST);
    let met: FoundMotion | null = null;
    let [from, to] = [earliest, end];
    for (let k = 0; k <= TIMES && met === null && !this.#trial.isStopped(); k++) {
      to = earliest + ((end - earliest) * k) / TIMES;
      met = this.#meet(goals[index]!, index, to, false);
      if (met === null) from = to;
    }
    for (let k = 0; met !== null && k < REFINEMENTS && to > from && !this.#trial.isStopped(); k++) {
      const middle = 0.5 * (from + to);
      const sooner = this.#meet(goals[index]!, index, middle, false);
      if (sooner === null) from = middle;
      else [met, to] = [sooner, middle];
    }
    if (met === null)
      this.#trial.reasons.push({
        kind: "too-fast",
        goal: index,
        sentence: `goal ${index} is not met between ${earliest} and ${end} s`,
      });
    return met;
  }

  /** The motion that is at a moving goal at `time`, at rest; `isWanted`: no other time will do. */
  #meet(goal: ResolvedGoal, index: number, time: number, isWanted: boolean): FoundMotion | null {
    const search = this.#trial.find(goal, index, time);
    const postures = search.postures.map((posture) => ({ posture, shortest: this.#trial.shortest(posture.q) }));
    for (const { posture, shortest } of postures.sort((a, b) => a.shortest - b.shortest)) {
      if (shortest > time) break;
      if (this.#trial.profile(posture.q, time) !== ProfileStatus.ok) continue;
      const motion = copyOf(this.#trial.workspace.profiles.motion);
      if (this.#trial.passes(motion, posture))
        return this.#trial.foundBy("straight", motion, posture, this.#trial.lengthTo(posture.q));
    }
    const brake = this.#trial.brake();
    for (const { posture, shortest } of isWanted && this.#trial.workspace.path !== null && brake !== null
      ? postures
      : []) {
      if (shortest > time || this.#trial.isStopped()) break;
      const { trees } = this.#trial.workspace;
      const { seed, samples } = this.#trial.resolved;
      const found = this.#paths.byPlanner("rrt-connect", trees[0]!, [posture], `meet ${seed}`, MEETING_SHARE * samples);
      if (found !== null && Math.abs(found.motion.duration - time) <= ROUNDING) return found;
    }
    if (isWanted) this.#explainMeeting(search, index, time, postures[0]?.shortest);
    return null;
  }

  #explainMeeting(search: GoalSearch, index: number, time: number, shortest: number | undefined): void {
    if (shortest !== undefined && shortest > time) {
      const late = shortest - time;
      this.#trial.reasons.push({
        kind: "too-fast",
        goal: index,
        time: late,
        sentence: `goal ${index} is met at ${time} s at the earliest ${late.toFixed(3)} s later`,
      });
    } else if (search.contact !== null) {
      this.#trial.reasons.push({
        kind: "collision",
        goal: index,
        bodies: [...search.contact],
        sentence: `at goal ${index} ${touching(search.contact)}`,
      });
    } else if (search.postures.length === 0) {
      this.#trial.reasons.push({
        kind: "out-of-reach",
        goal: index,
        distance: search.missedBy,
        sentence: `goal ${index} is out of reach at ${time} s`,
      });
    }
  }
}
