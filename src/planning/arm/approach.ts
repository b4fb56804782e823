import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { RampStatus } from "../../motion/ramp.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import type { KeepOutSet } from "../problem/keep-out.js";
import type { CatchSolution } from "../search/catch-solution.js";
import { contactTolerance } from "../search/verify.js";

/** A hand that will be farther from the ball than this when it comes by need not set out [m]. */
const GREATEST_SHORTFALL = 0.5;
/** Of a motion that is no catch [m]: 0 is that of a catch. */
const LEAST_SHORTFALL = 1e-9;
/** What a new motion must gain over the one in execution to be worth a change [m]. */
const LEAST_GAIN = 0.01;

/**
 * Where an arm heads for which there is no catch of its ball as it is predicted: as near to one as it comes. With the next
 * image the prediction moves by centimetres, and then the arm is where it can make use of that; one that waits for a
 * catch only falls further behind. The motion keeps the joints' limits and is as clear of the robot as a catch would be, and
 * its hand waits for the ball and comes to rest outside all keep-out shapes.
 */
export class ApproachSearch {
  readonly ramps: JointRamps;
  /** Of the motion found last: how far the hand is from the ball when it comes by [m], and when that is [s]. */
  shortfall = Number.NaN;
  time = Number.NaN;
  readonly #arm: CatchArm;
  readonly #q: Float64Array;
  readonly #times: Float64Array;
  readonly #lowest: Float64Array;
  readonly #highest: Float64Array;
  readonly #hand = vec3.create();
  readonly #ball = vec3.create();

  constructor(arm: CatchArm) {
    const count = arm.group.dofs.length;
    this.#arm = arm;
    this.ramps = new JointRamps(count);
    this.#q = new Float64Array(count);
    this.#times = new Float64Array(count);
    this.#lowest = new Float64Array(count);
    this.#highest = new Float64Array(count);
  }

  /**
   * From a search for a catch that found none. `running` is what is being executed for this ball, if anything: where it ends
   * and when its hand closes, from the task's start on [s]. False: nothing would be gained.
   */
  find(task: CatchTask, { starts, leastViolated }: CatchSolution, running: RunningCatch | null): boolean {
    if (starts === 0) return false;
    const { q0, w0, maxVelocity, maxAcceleration } = task;
    const { lower, upper, clearance } = this.#arm;
    const q = this.#q;
    for (let i = 0; i < q.length; i++) q[i] = Math.min(upper[i]!, Math.max(lower[i]!, leastViolated[i]!));
    this.time = leastViolated[q.length]!;
    const fastest = this.ramps.minimalTimes(q0, w0, q, maxVelocity, maxAcceleration, this.#times);
    const duration = Math.max(this.time, fastest * (1 + ROUNDING));
    if (this.ramps.plan(q0, w0, q, duration, maxVelocity, maxAcceleration) !== RampStatus.ok) return false;
    this.ramps.positions(this.time, q);
    // What lacks room, not time, may well be at the ball; it is no catch all the same.
    this.shortfall = Math.max(LEAST_SHORTFALL, this.#distance(task, q, this.time));
    const before = running === null ? GREATEST_SHORTFALL : this.#distance(task, running.end, running.time) - LEAST_GAIN;
    if (!(this.shortfall < before) || !this.#isWithinLimits() || !this.#keepsOut(task)) return false;
    return clearance === null || clearance.isMotionFree(this.ramps);
  }

  /** Of the hand from the ball at time `t`, the arm being at `q` [m]. */
  #distance({ path }: CatchTask, q: Float64Array, t: number): number {
    const { chain } = this.#arm;
    chain.update(q);
    pose.getTranslation(chain.baseFromTip, this.#hand);
    return vec3.distance(this.#hand, path.position(t, this.#ball));
  }

  #keepsOut({ keepOut }: CatchTask): boolean {
    return this.#isOutside(keepOut, this.time) && this.#isOutside(keepOut, this.ramps.duration);
  }

  #isOutside(keepOut: KeepOutSet, t: number): boolean {
    const { chain } = this.#arm;
    this.ramps.positions(t, this.#q);
    chain.update(this.#q);
    return keepOut.clearance(pose.getTranslation(chain.baseFromTip, this.#hand)) >= -contactTolerance;
  }

  /** A joint that must turn back first may overshoot its limit. */
  #isWithinLimits(): boolean {
    const { lower, upper } = this.#arm;
    this.ramps.extremes(this.#lowest, this.#highest);
    for (let i = 0; i < lower.length; i++) {
      if (!(this.#lowest[i]! >= lower[i]! - LIMIT_ROUNDING && this.#highest[i]! <= upper[i]! + LIMIT_ROUNDING))
        return false;
    }
    return true;
  }
}

/** A motion in execution: where it ends, in the order of the arm's dofs, and when the hand closes. */
interface RunningCatch {
  readonly end: Float64Array;
  readonly time: number;
}

/** Of the shortest time, so that no joint needs more than its greatest acceleration. */
const ROUNDING = 1e-6;
/** Of positions [rad]. */
const LIMIT_ROUNDING = 1e-9;
