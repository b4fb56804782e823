import { areValidRamps } from "../../collision/motion-check.js";
import { SpanStack } from "../../collision/span-stack.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { commandDelayOf } from "../../robot/command-delay.js";
import type { Robot, RobotModel } from "../../robot/robot.js";
import type { BrakingOptions } from "../braking/braking-intervals.js";
import { PLAUSIBLE_SPEED } from "../monitor/monitor-input.js";
import { completeNumbers } from "../monitor/monitor-options.js";
import { OpenPairs } from "./open-pairs.js";
import { SpanBox } from "./span-box.js";

/** The monitor's settings that matter here, and what is granted to the robot. */
interface MonitorForecastOptions {
  /** The distance that the monitor keeps [m]; its default, 0.002. */
  readonly margin?: number;
  readonly braking?: BrakingOptions;
  /** Spans of time after which to give up; 1024 by default. */
  readonly maxSamples?: number;
}

const defaults = completeNumbers({});
/**
 * How far the measured robot may trail behind its commands beside its known delay, and ticks may be apart [s]. Beyond that it may
 * stray by half of the monitor's errors. More lag makes larger boxes and more doubt.
 */
const LAG = 0.002;
const DEFAULT_MAX_SAMPLES = 1024;
/** A motion is first cut into spans no longer than this [s]: in longer ones hardly a pair is clear. */
const LONGEST_SPAN = 0.26;
/** Spans up to this are worth a look at the swept hulls [s]; in longer ones they are too large to be of use. Tried out. */
const SWEPT_SPAN = 0.07;
/** Spans are not halved further than to this [s]: two ticks. */
const SHORTEST_SPAN = 2e-3;
/** Half of what the monitor tolerates beyond joint limits: the other half is for the measured robot to stray. */
const LIMIT_TOLERANCE = 0.5 * defaults.limitTolerance;
const NONE = -1;

/**
 * Whether the self-collision monitor would brake a motion: its own criterion along the ramps of some dofs, all others
 * standing, at every time and not only at ticks.
 *
 * At a tick the monitor has a box of joint positions, from which the robot cannot escape until standstill if it brakes, and
 * brakes if a pair could be nearer than the margin within the box. Over a span of time all its boxes lie in one larger box
 * (`SpanBox`), which is looked at instead, in a way that no bound of the monitor for a box within is below what is found
 * (`OpenPairs`). Spans in which a pair stays open are halved, down to two ticks. The same input gives the same result to
 * the last bit.
 *
 * @example
 * const monitor = new MonitorForecast(robot, arm.dofs);
 * if (!monitor.isClear(ramps, posture)) robot.hulls[monitor.bodyA]!.name;
 */
export class MonitorForecast {
  /** Dofs that move, in the order of the ramps. */
  readonly dofs: Int32Array;
  /** The pair of the first doubt, indices of `robot.hulls`; −1 if there is none. */
  bodyA = NONE;
  bodyB = NONE;
  /** Spans of time that the last forecast looked at. */
  samples = 0;

  readonly #dofCount: number;
  readonly #maxSamples: number;
  readonly #limits: RampLimits;
  readonly #box: SpanBox;
  readonly #pairs: OpenPairs;
  readonly #spans = new SpanStack();

  /** For motions of the given dofs, all others standing. */
  constructor(robot: Robot, dofs: ArrayLike<number>, options: MonitorForecastOptions = {}) {
    const { margin = defaults.margin, maxSamples = DEFAULT_MAX_SAMPLES } = options;
    this.dofs = Int32Array.from(dofs);
    this.#dofCount = robot.model.dofCount;
    this.#maxSamples = maxSamples;
    this.#limits = new RampLimits(robot.model, this.dofs, LIMIT_TOLERANCE);
    const lag = LAG + commandDelayOf(robot, { dofs: Array.from(dofs) });
    this.#box = new SpanBox(robot, this.dofs, options.braking, lag);
    this.#pairs = new OpenPairs(robot, this.dofs, this.#box, margin);
  }

  /**
   * Whether the monitor is certain to let every command of a motion pass, whenever its ticks are; so the robot does not touch
   * itself either. `posture` has a position for every dof of the robot, of which those not moving count. False also where it
   * is too near to tell, beyond the limits of joints and speeds, and for ramps that do not fit or are no continuous motion.
   */
  isClear(ramps: JointRamps, posture: Float64Array): boolean {
    this.#blame(NONE);
    this.samples = 0;
    const fits = ramps.count === this.dofs.length && posture.length === this.#dofCount;
    if (!fits || !isFinitePosture(posture) || !areValidRamps(ramps, ramps.count)) return false;
    if (!this.#limits.contain(ramps)) return false;
    this.#box.begin(ramps, posture);
    this.#blame(this.#pairs.begin(this.#box.start));
    if (this.bodyA !== NONE) return false;
    this.#spans.fill(ramps.duration, this.#pairs.count, LONGEST_SPAN);
    return this.#subdivide(ramps);
  }

  #subdivide(ramps: JointRamps): boolean {
    const pairs = this.#pairs;
    const spans = this.#spans;
    const { span } = spans;
    while (spans.size > 0) {
      spans.take();
      this.#lookAtSpan(ramps);
      if (pairs.count === 0) continue;
      const length = span[1]! - span[0]!;
      if (length <= SWEPT_SPAN && this.#failsAt(ramps, 0.5 * (span[0]! + span[1]!))) return false;
      if (length <= SHORTEST_SPAN || this.samples >= this.#maxSamples || !spans.hasRoom) {
        this.#blame(pairs.first);
        return false;
      }
      spans.pushHalves(pairs.count);
    }
    return true;
  }

  /** Finds the pairs that stay open in the span taken last. */
  #lookAtSpan(ramps: JointRamps): void {
    const { span, open } = this.#spans;
    this.samples++;
    this.#box.takeSpan(ramps, span, this.#pairs.middle);
    this.#pairs.lookAtMiddle(open);
    if (this.#pairs.count > 0 && span[1]! - span[0]! <= SWEPT_SPAN) this.#pairs.lookAtSweeps();
  }

  /** Whether the monitor's criterion fails for an open pair at one time [s]. */
  #failsAt(ramps: JointRamps, time: number): boolean {
    this.#box.takeInstant(ramps, time);
    this.#blame(this.#pairs.findTooNear());
    return this.bodyA !== NONE;
  }

  #blame(pair: number): void {
    this.bodyA = pair === NONE ? NONE : this.#pairs.bodyA(pair);
    this.bodyB = pair === NONE ? NONE : this.#pairs.bodyB(pair);
  }
}

function isFinitePosture(posture: Float64Array): boolean {
  for (let i = 0; i < posture.length; i++) if (!Number.isFinite(posture[i])) return false;
  return true;
}

/** Whether ramps stay where the monitor has no other reason to brake: within the joints' limits, at attainable speeds. */
class RampLimits {
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #fastest: Float64Array;
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;

  /** `tolerance`: how far beyond its limits a joint may be commanded [rad or m]. */
  constructor({ lower, upper, maxVelocity }: RobotModel, dofs: Int32Array, tolerance: number) {
    this.#lower = Float64Array.from(dofs, (dof) => lower[dof]! - tolerance);
    this.#upper = Float64Array.from(dofs, (dof) => upper[dof]! + tolerance);
    this.#fastest = Float64Array.from(dofs, (dof) => PLAUSIBLE_SPEED * maxVelocity[dof]!);
    this.#least = new Float64Array(dofs.length);
    this.#greatest = new Float64Array(dofs.length);
  }

  contain(ramps: JointRamps): boolean {
    ramps.extremes(this.#least, this.#greatest);
    for (let i = 0; i < ramps.count; i++) {
      if (!(this.#least[i]! >= this.#lower[i]! && this.#greatest[i]! <= this.#upper[i]!)) return false;
    }
    ramps.peakSpeeds(this.#greatest);
    for (let i = 0; i < ramps.count; i++) if (!(this.#greatest[i]! <= this.#fastest[i]!)) return false;
    return true;
  }
}
