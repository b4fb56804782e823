import type { PairTable } from "../../collision/pairs/pair-table.js";
import { StandingDistances } from "../../collision/pairs/standing-distances.js";
import type { Robot } from "../../robot/robot.js";
import type { BrakingRamp } from "./braking-ramp.js";
import type { InputCheck, MonitoredCommand } from "./monitor-input.js";
import { BrakeReason } from "./monitor-words.js";

/** Speed limit of a dof that has none, for recovery only [rad/s or m/s]. */
const UNKNOWN_SPEED = 1;
/** What a step may exceed its share of the speed limit by: rounding [rad or m]. */
const STEP_TOLERANCE = 1e-9;

/**
 * What a robot may do that stands within the margin, or beyond a limit: move slowly, each step leading apart every pair
 * that is too near, at the step's end and still at the end of the brake after it, and back every joint that is too far.
 * Staying where it is is always allowed.
 */
export class RecoveryRule {
  readonly #input: InputCheck;
  readonly #distances: StandingDistances;
  /** Greatest speed of each dof [rad/s or m/s]. */
  readonly #speed: Float64Array;
  readonly #margin: number;
  /** Distances before a step, and the end of a brake. */
  readonly #before: Float64Array;
  readonly #end: Float64Array;

  /** `robot` is that of the pair table. `share` of the speed limits is allowed. */
  constructor(robot: Robot, input: InputCheck, margin: number, share: number) {
    this.#input = input;
    this.#margin = margin;
    this.#distances = new StandingDistances(robot);
    this.#speed = robot.model.maxVelocity.map((limit) => share * (limit < Infinity ? limit : UNKNOWN_SPEED));
    this.#before = new Float64Array(robot.pairs.length);
    this.#end = new Float64Array(robot.model.dofCount);
  }

  /** Judges the step from the motion commanded last to `command`, `period` [s] later, for the pairs' bounds of it. */
  judge(last: BrakingRamp, command: MonitoredCommand, period: number, pairs: PairTable): BrakeReason {
    if (!this.#isSlow(last, command, period)) return BrakeReason.recoveryTooFast;
    if (isHolding(last, command)) return BrakeReason.none;
    const leaves = this.#input.leadsBack(last.q, command.q) && this.#leadsApart(last, command, pairs);
    return leaves ? BrakeReason.none : BrakeReason.recoveryNotLeaving;
  }

  #isSlow(last: BrakingRamp, command: MonitoredCommand, period: number): boolean {
    for (let i = 0; i < this.#speed.length; i++) {
      const speed = this.#speed[i]!;
      if (!(Math.abs(command.qd[i]!) <= speed)) return false;
      if (!(Math.abs(command.q[i]! - last.q[i]!) <= speed * period + STEP_TOLERANCE)) return false;
    }
    return true;
  }

  #leadsApart(last: BrakingRamp, command: MonitoredCommand, pairs: PairTable): boolean {
    this.#distances.place(last.q);
    for (let pair = 0; pair < pairs.count; pair++) {
      if (!(pairs.lowerBound[pair]! > this.#margin)) this.#before[pair] = this.#distances.measure(pair);
    }
    last.findEnd(command.q, command.qd, this.#end);
    return this.#areFartherApart(command.q, pairs) && this.#areFartherApart(this.#end, pairs);
  }

  #areFartherApart(q: Float64Array, pairs: PairTable): boolean {
    this.#distances.place(q);
    for (let pair = 0; pair < pairs.count; pair++) {
      const isClear = pairs.lowerBound[pair]! > this.#margin;
      if (!isClear && !(this.#distances.measure(pair) > this.#before[pair]!)) return false;
    }
    return true;
  }
}

function isHolding(last: BrakingRamp, command: MonitoredCommand): boolean {
  for (let i = 0; i < last.q.length; i++) if (command.q[i] !== last.q[i] || command.qd[i] !== 0) return false;
  return true;
}
