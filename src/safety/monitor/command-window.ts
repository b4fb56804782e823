import type { Robot } from "../../robot/robot.js";

/**
 * The last commands of a robot that follows them late. Each dof is to be where it was commanded its delay ago, and passes through
 * all that was commanded since before it comes to what is commanded next.
 */
export class CommandWindow {
  /** Where each dof is to be by now [rad or m]. [dofCount] */
  readonly due: Float64Array;
  /** The longest delay [s]. */
  readonly delay: number;
  /** Ticks by which each dof is late. [dofCount] */
  readonly #ticks: Int32Array;
  /** Commands of the last ticks, one after the other. */
  readonly #kept: Float64Array;
  readonly #length: number;
  #newest = 0;

  /** `tickPeriod` [s] is the time between two commands. */
  constructor({ model, commandDelay }: Robot, tickPeriod: number) {
    const { dofCount } = model;
    this.due = new Float64Array(dofCount);
    this.delay = Math.max(0, ...(commandDelay ?? []));
    this.#ticks = Int32Array.from({ length: dofCount }, (_, dof) => Math.ceil((commandDelay?.[dof] ?? 0) / tickPeriod));
    this.#length = 1 + Math.max(0, ...this.#ticks);
    this.#kept = new Float64Array(dofCount * this.#length);
  }

  /** The robot has stood at `q` for so long that it is there. */
  begin(q: Float64Array): void {
    for (let k = 0; k < this.#length; k++) this.#kept.set(q, k * q.length);
    this.due.set(q);
  }

  /** The command of a tick. */
  add(q: Float64Array): void {
    const { due } = this;
    this.#newest = (this.#newest + 1) % this.#length;
    this.#kept.set(q, this.#newest * due.length);
    for (let i = 0; i < due.length; i++) due[i] = this.#kept[this.#at(i, this.#ticks[i]!)]!;
  }

  /** Widens intervals of all dofs by the commands that they have not come to. */
  widen(low: Float64Array, high: Float64Array): void {
    for (let i = 0; i < low.length; i++) {
      for (let k = 0; k <= this.#ticks[i]!; k++) {
        const q = this.#kept[this.#at(i, k)]!;
        if (q < low[i]!) low[i] = q;
        if (q > high[i]!) high[i] = q;
      }
    }
  }

  /** Place of the command of a dof so many ticks ago. */
  #at(dof: number, ticks: number): number {
    return ((this.#newest + this.#length - ticks) % this.#length) * this.due.length + dof;
  }
}
