import type { Robot } from "../robot/robot.js";

/**
 * Joints that follow their commands late, as a real robot's do: what was commanded a while ago comes out, for each joint by its own
 * delay. Whole steps of the world.
 */
export class LateCommands {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  /** Steps by which each dof is late. [dofCount] */
  readonly #steps: Int32Array;
  /** Commands of the last steps, one after the other. */
  readonly #kept: Float64Array;
  readonly #length: number;
  #count = 0;

  /** `step` [s] is that of the world; the joints stand in `posture` at first. */
  constructor({ model, commandDelay }: Pick<Robot, "model" | "commandDelay">, posture: Float64Array, step: number) {
    const { dofCount } = model;
    this.q = posture.slice();
    this.qd = new Float64Array(dofCount);
    this.qdd = new Float64Array(dofCount);
    this.#steps = Int32Array.from({ length: dofCount }, (_, dof) => Math.round((commandDelay?.[dof] ?? 0) / step));
    this.#length = 1 + Math.max(0, ...this.#steps);
    this.#kept = new Float64Array(3 * dofCount * this.#length);
    for (let k = 0; k < this.#length; k++) this.#kept.set(posture, 3 * dofCount * k);
  }

  /** Takes the command of this step, and puts what the joints follow now into `q`, `qd` and `qdd`. */
  step(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    const { length: dofs } = this.q;
    const at = 3 * dofs * (this.#count % this.#length);
    this.#kept.set(q, at);
    this.#kept.set(qd, at + dofs);
    this.#kept.set(qdd, at + 2 * dofs);
    for (let i = 0; i < dofs; i++) {
      const from = 3 * dofs * ((this.#count + this.#length - this.#steps[i]!) % this.#length) + i;
      this.q[i] = this.#kept[from]!;
      this.qd[i] = this.#kept[from + dofs]!;
      this.qdd[i] = this.#kept[from + 2 * dofs]!;
    }
    this.#count++;
  }
}
