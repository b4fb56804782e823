import type { Random } from "../../src/math/random.js";
import type { Evaluation, NonlinearProblem } from "../../src/optimisation/problem-interface.js";

const n = 8;
const equalities = 5;
const inequalities = 31;
const rows = equalities + inequalities;

/**
 * A smooth random problem of the catch problem's size: a convex objective with a ripple, gently curved equalities, and
 * convex inequalities, all satisfied (most with little room) by a hidden point within the bounds.
 */
export class RandomProblem implements NonlinearProblem {
  readonly n = n;
  readonly equalityCount = equalities;
  readonly inequalityCount = inequalities;
  readonly lower = new Float64Array(n).fill(-2);
  readonly upper = new Float64Array(n).fill(2);
  readonly #target: Float64Array;
  readonly #hidden: Float64Array;
  readonly #normals: Float64Array;
  readonly #curvature: Float64Array;
  readonly #room: Float64Array;

  constructor(random: Random) {
    const normal = (count: number) => Float64Array.from({ length: count }, () => random.normal());
    this.#target = normal(n);
    this.#hidden = Float64Array.from({ length: n }, () => random.uniformIn(-1, 1));
    this.#normals = normal(rows * n);
    this.#curvature = normal(rows).map((value, k) => (k < equalities ? 0.1 * value : -0.3 * Math.abs(value)));
    this.#room = Float64Array.from({ length: rows }, (_, k) => (k < equalities ? 0 : random.uniformIn(0, 1)));
  }

  evaluate(x: Float64Array, out: Evaluation): void {
    this.evaluateValues(x, out);
    for (let i = 0; i < n; i++) {
      const away = x[i]! - this.#target[i]!;
      out.gradient[i] = (1 + i) * away + 0.1 * Math.cos(3 * x[i]!) * 3;
      for (let k = 0; k < rows; k++) {
        const lift = x[i]! - this.#hidden[i]!;
        out.jacobian[k * n + i] = this.#normals[k * n + i]! + 2 * this.#curvature[k]! * lift;
      }
    }
  }

  evaluateValues(x: Float64Array, out: Evaluation): void {
    out.objective = 0;
    for (let i = 0; i < n; i++)
      out.objective += 0.5 * (1 + i) * (x[i]! - this.#target[i]!) ** 2 + 0.1 * Math.sin(3 * x[i]!);
    for (let k = 0; k < rows; k++) {
      let value = this.#room[k]!;
      for (let i = 0; i < n; i++) {
        const lift = x[i]! - this.#hidden[i]!;
        value += this.#normals[k * n + i]! * lift + this.#curvature[k]! * lift * lift;
      }
      out.constraints[k] = value;
    }
  }
}
