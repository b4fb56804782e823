import { JointRamps, rampFields } from "../motion/joint-ramps.js";
import { HandShape } from "./hand-motion.js";

/** A motion of a group of joints, as control takes it. */
export interface MotionPlan {
  readonly id: number;
  /** When it begins, on the run's clock [s]; the ramps count from there. */
  readonly tStart: number;
  readonly ramps: JointRamps;
  /** When the hand is told to close [s]; Infinity: it opens as the motion begins. */
  readonly closeHandAt: number;
}

/** What became of a plan that was offered. Whatever it was but `accepted`, the motion in hand goes on. */
export const HandoverOutcome = {
  accepted: "accepted",
  /** The tick at which it should have begun is over. */
  late: "late",
  /** It does not begin where the joints will be, or not as fast as they will move. */
  mismatch: "mismatch",
  /** It holds a number that is not finite, or has another number of joints. */
  invalid: "invalid",
  /** Too many motions wait for their time already. */
  full: "full",
  /** The robot is being stopped, or was stopped and nobody has let it go on. */
  stopped: "stopped",
} as const;
export type HandoverOutcome = (typeof HandoverOutcome)[keyof typeof HandoverOutcome];

/** How far a plan's start may be from the command running then: rounding, and nothing that a joint would feel. */
export const POSITION_TOLERANCE = 1e-6;
export const VELOCITY_TOLERANCE = 1e-4;

/** Motions that wait for their time, besides the one that runs: one is usual, two where plans come early. */
const WAITING = 3;

/**
 * The pure part of the control loop: evaluates the ramps of the plan in hand at each tick, and takes the next plan over
 * at the first tick at or after its tStart. A plan that arrives after that tick, or does not begin where the running
 * command will be by then, is refused and counted; so commands are continuous in position and velocity whatever is
 * offered. Memory is made by the constructor alone; a tick costs no more than the box V8 puts around the number it is
 * handed.
 */
export class MotionExecution {
  readonly count: number;
  /** The command of the last tick: position, velocity, acceleration. */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  hand: HandShape = HandShape.open;
  /** Tick at which the hand was last told to close [s]; NaN while it is open. */
  handClosedAt = Number.NaN;
  /** Plans offered so far, by what became of them. */
  readonly handovers: Record<HandoverOutcome, number> = {
    accepted: 0,
    late: 0,
    mismatch: 0,
    invalid: 0,
    full: 0,
    stopped: 0,
  };

  /** The running motion, then those that wait, by tStart. Only the first `#filled` count. */
  readonly #slots: Slot[];
  #filled = 1;
  #lastTick = Number.NEGATIVE_INFINITY;
  readonly #halfTick: number;
  readonly #startQ: Float64Array;
  readonly #startQd: Float64Array;

  /** Holds `q`, with an open hand, until the first plan; `tickPeriod` [s] is that of the loop. */
  constructor(q: Float64Array, tickPeriod = 1e-3) {
    this.count = q.length;
    this.q = Float64Array.from(q);
    this.qd = new Float64Array(q.length);
    this.qdd = new Float64Array(q.length);
    this.#startQ = new Float64Array(q.length);
    this.#startQd = new Float64Array(q.length);
    this.#halfTick = tickPeriod / 2;
    this.#slots = Array.from({ length: 1 + WAITING }, () => new Slot(q.length));
    this.#slots[0]!.ramps.hold(q);
  }

  /** Identity of the plan that runs; −1 before the first. */
  get running(): number {
    return this.#slots[0]!.id;
  }

  /** Offers a plan before the tick about to come; it is copied. Those that wait for a later time make way for it. */
  offer(plan: MotionPlan): HandoverOutcome {
    const handover = this.#consider(plan);
    this.handovers[handover]++;
    return handover;
  }

  /**
   * Takes over a plan of which it is known that another execution has accepted it, even if its time has come before the
   * word of it did: for whoever mirrors that other one.
   */
  adopt(plan: MotionPlan): void {
    let before = 0;
    while (before + 1 < this.#filled && this.#slots[before + 1]!.tStart < plan.tStart) before++;
    const at = Math.min(before + 1, WAITING);
    this.#slots[at]!.copy(plan);
    this.#filled = at + 1;
    if (plan.tStart <= this.#lastTick) this.tick(this.#lastTick);
  }

  /** Counts a plan that was not even looked at: the robot is being stopped. */
  refuse(): HandoverOutcome {
    this.handovers.stopped++;
    return HandoverOutcome.stopped;
  }

  #consider(plan: MotionPlan): HandoverOutcome {
    if (!isSound(plan, this.count)) return HandoverOutcome.invalid;
    if (!(plan.tStart > this.#lastTick)) return HandoverOutcome.late;
    let before = 0;
    while (before + 1 < this.#filled && this.#slots[before + 1]!.tStart < plan.tStart) before++;
    this.#slots[before]!.evaluate(plan.tStart, this.#startQ, this.#startQd);
    if (!this.#continues(plan.ramps)) return HandoverOutcome.mismatch;
    if (before + 1 >= this.#slots.length) return HandoverOutcome.full;
    this.#slots[before + 1]!.copy(plan);
    this.#filled = before + 2;
    return HandoverOutcome.accepted;
  }

  #continues({ q0, w0 }: JointRamps): boolean {
    for (let i = 0; i < this.count; i++) {
      if (!(Math.abs(q0[i]! - this.#startQ[i]!) <= POSITION_TOLERANCE)) return false;
      if (!(Math.abs(w0[i]! - this.#startQd[i]!) <= VELOCITY_TOLERANCE)) return false;
    }
    return true;
  }

  /** The command at `time` [s], which must not go back: to `q`, `qd`, `qdd` and `hand`. */
  tick(time: number): void {
    while (this.#filled > 1 && this.#slots[1]!.tStart <= time) this.#switch();
    this.#lastTick = time;
    const { tStart, ramps, closeHandAt } = this.#slots[0]!;
    ramps.evaluate(time - tStart, this.q, this.qd, this.qdd);
    if (this.hand === HandShape.open && time >= closeHandAt - this.#halfTick) {
      this.hand = HandShape.closed;
      this.handClosedAt = time;
    }
  }

  /**
   * Whether the command of the last tick stays for good, unless a plan comes: the motion is over, no other waits, and the
   * hand is as it is to be.
   */
  get isAtRest(): boolean {
    const { tStart, ramps, closeHandAt } = this.#slots[0]!;
    const isHandDone = this.hand === HandShape.closed || closeHandAt === Number.POSITIVE_INFINITY;
    return this.#filled === 1 && isHandDone && this.#lastTick - tStart >= ramps.duration;
  }

  /** In place of `tick`, where it is at rest: time passes, and the command stays. */
  pass(time: number): void {
    this.#lastTick = time;
  }

  #switch(): void {
    const done = this.#slots[0]!;
    for (let k = 1; k < this.#filled; k++) this.#slots[k - 1] = this.#slots[k]!;
    this.#filled--;
    this.#slots[this.#filled] = done;
    // A catch replanned while the fingers close does not open them again.
    if (this.#slots[0]!.closeHandAt !== Number.POSITIVE_INFINITY) return;
    this.hand = HandShape.open;
    this.handClosedAt = Number.NaN;
  }

  /** Forgets all motions and holds `q` from now on: the robot was stopped there by other means. */
  rest(q: Float64Array): void {
    this.#filled = 1;
    const slot = this.#slots[0]!;
    slot.id = -1;
    slot.ramps.hold(q);
    this.q.set(q);
    this.qd.fill(0);
    this.qdd.fill(0);
  }

  /** What is left at `t` [s] of the motions accepted so far: the one that will run then, its ramps counted from `t`. */
  remainderAt(t: number, out: JointRamps): void {
    const { ramps, tStart } = this.#slotAt(t);
    out.continueFrom(ramps, t - tStart);
  }

  /** The command as it will be at `t` [s], no earlier than the last tick, by the motions accepted so far. */
  commandedAt(t: number, outQ: Float64Array, outQd: Float64Array): void {
    this.#slotAt(t).evaluate(t, outQ, outQd);
  }

  /** What is being executed at `t`. */
  #slotAt(t: number): Slot {
    let at = 0;
    while (at + 1 < this.#filled && this.#slots[at + 1]!.tStart <= t) at++;
    return this.#slots[at]!;
  }
}

/** Memory of one motion. */
class Slot {
  id = -1;
  tStart = 0;
  closeHandAt = Number.POSITIVE_INFINITY;
  readonly ramps: JointRamps;
  readonly #qdd: Float64Array;

  constructor(count: number) {
    this.ramps = new JointRamps(count);
    this.#qdd = new Float64Array(count);
  }

  copy(plan: MotionPlan): void {
    this.id = plan.id;
    this.tStart = plan.tStart;
    this.closeHandAt = plan.closeHandAt;
    this.ramps.copyFrom(plan.ramps);
  }

  evaluate(t: number, outQ: Float64Array, outQd: Float64Array): void {
    this.ramps.evaluate(t - this.tStart, outQ, outQd, this.#qdd);
  }
}

/** x − x is 0 for a finite number and NaN for any other, and NaN survives the sum. */
function isSound({ tStart, ramps, closeHandAt }: MotionPlan, count: number): boolean {
  if (ramps.count !== count || Number.isNaN(closeHandAt)) return false;
  let sum = tStart - tStart;
  for (let f = 0; f < rampFields.length; f++) {
    const values = ramps[rampFields[f]!];
    for (let i = 0; i < count; i++) sum += values[i]! - values[i]!;
  }
  for (let i = 0; i < count; i++) sum += ramps.end[i]! - ramps.end[i]!;
  return sum === 0;
}
