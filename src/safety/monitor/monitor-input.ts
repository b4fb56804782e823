import type { RobotModel } from "../../robot/robot.js";
import { BrakeReason } from "./monitor-words.js";

/** The robot as measured. */
export interface MonitoredState {
  /** When it was measured [s], on the clock of `step`'s `now`. */
  readonly time: number;
  /** q [rad or m] and q̇ in model order. [dofCount] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
}

/** Where the robot is told to be at the end of the tick. */
export interface MonitoredCommand {
  /** q [rad or m], q̇ and q̈ in model order. [dofCount] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
}

interface InputLimits {
  /** Greatest age of a state [s]. */
  readonly maxStateAge: number;
  /** How far beyond its limits a joint may be [rad or m]. */
  readonly limitTolerance: number;
}

/** Looks for what is wrong with the monitor's input, trusting nothing but the model. Every comparison fails for NaN. */
export class InputCheck {
  readonly #model: RobotModel;
  readonly #limits: InputLimits;
  /** How far each joint is beyond its limits, in excess of the tolerance [rad or m]; at most 0 within. [dofCount] */
  readonly #excess: Float64Array;
  readonly #excessBefore: Float64Array;

  constructor(model: RobotModel, limits: InputLimits) {
    this.#model = model;
    this.#limits = limits;
    this.#excess = new Float64Array(model.dofCount);
    this.#excessBefore = new Float64Array(model.dofCount);
  }

  judgeState(state: MonitoredState, now: number): BrakeReason {
    const { dofCount } = this.#model;
    if (state.q.length !== dofCount || state.qd.length !== dofCount) return BrakeReason.sizeMismatch;
    if (!(areFinite(state.q) && areFinite(state.qd))) return BrakeReason.invalidState;
    if (!(Math.abs(now - state.time) <= this.#limits.maxStateAge)) return BrakeReason.staleState;
    return BrakeReason.none;
  }

  judgeCommand(command: MonitoredCommand): BrakeReason {
    const { dofCount } = this.#model;
    const fits = command.q.length === dofCount && command.qd.length === dofCount && command.qdd.length === dofCount;
    if (!fits) return BrakeReason.sizeMismatch;
    const isSound = areFinite(command.q) && areFinite(command.qd) && areFinite(command.qdd);
    return isSound ? BrakeReason.none : BrakeReason.invalidCommand;
  }

  /** Whether a state may be where commands begin: near the limits and not much faster than the robot can be. */
  isPlausible({ q, qd }: MonitoredState): boolean {
    this.#measureExcess(q);
    for (let dof = 0; dof < q.length; dof++) if (!(this.#excess[dof]! <= PLAUSIBLE_EXCESS)) return false;
    return this.isAttainable(qd);
  }

  /** Whether the robot could move as fast as that. */
  isAttainable(qd: Float64Array): boolean {
    const { maxVelocity } = this.#model;
    for (let dof = 0; dof < qd.length; dof++) {
      if (!(Math.abs(qd[dof]!) <= PLAUSIBLE_SPEED * maxVelocity[dof]!)) return false;
    }
    return true;
  }

  /** Whether no joint is beyond its limits by more than the tolerance. */
  isWithinLimits(q: Float64Array): boolean {
    this.#measureExcess(q);
    for (let dof = 0; dof < q.length; dof++) if (!(this.#excess[dof]! <= 0)) return false;
    return true;
  }

  /** Whether every joint that is beyond its limits at `to` was farther beyond them at `from`. */
  leadsBack(from: Float64Array, to: Float64Array): boolean {
    this.#measureExcess(from);
    this.#excessBefore.set(this.#excess);
    this.#measureExcess(to);
    for (let dof = 0; dof < to.length; dof++) {
      const after = this.#excess[dof]!;
      if (after > 0 && !(after < this.#excessBefore[dof]!)) return false;
    }
    return true;
  }

  #measureExcess(q: Float64Array): void {
    const { lower, upper } = this.#model;
    const tolerance = this.#limits.limitTolerance;
    for (let dof = 0; dof < q.length; dof++) {
      const below = lower[dof]! - q[dof]!;
      const above = q[dof]! - upper[dof]!;
      this.#excess[dof] = (below > above ? below : above) - tolerance;
    }
  }
}

/** How far beyond its limits a joint can be found [rad or m], and how much faster than its speed limit it can be. */
const PLAUSIBLE_EXCESS = 0.5;
export const PLAUSIBLE_SPEED = 2;

/** Greatest number taken for a position, velocity or acceleration: beyond it squares lose all meaning. */
const LARGEST = 1e9;

function areFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]!) <= LARGEST)) return false;
  return true;
}
