import type { Evaluation, NonlinearProblem } from "../../src/optimisation/problem-interface.js";

type Term = Dual | number;

/** A number with its gradient: exact derivatives of the test problems without writing them out. */
export class Dual {
  readonly value: number;
  readonly gradient: readonly number[];

  constructor(value: number, gradient: readonly number[]) {
    this.value = value;
    this.gradient = gradient;
  }

  #chain(value: number, slope: number): Dual {
    return new Dual(
      value,
      this.gradient.map((part) => slope * part),
    );
  }

  plus(other: Term): Dual {
    if (typeof other === "number") return this.#chain(this.value + other, 1);
    return new Dual(
      this.value + other.value,
      this.gradient.map((part, i) => part + other.gradient[i]!),
    );
  }

  minus(other: Term): Dual {
    return this.plus(typeof other === "number" ? -other : other.times(-1));
  }

  times(other: Term): Dual {
    if (typeof other === "number") return this.#chain(this.value * other, other);
    return new Dual(
      this.value * other.value,
      this.gradient.map((part, i) => part * other.value + this.value * other.gradient[i]!),
    );
  }

  over(other: Term): Dual {
    return this.times(typeof other === "number" ? 1 / other : other.power(-1));
  }

  power(exponent: number): Dual {
    return this.#chain(this.value ** exponent, exponent * this.value ** (exponent - 1));
  }

  get squared(): Dual {
    return this.times(this);
  }

  get exp(): Dual {
    return this.#chain(Math.exp(this.value), Math.exp(this.value));
  }

  get log(): Dual {
    return this.#chain(Math.log(this.value), 1 / this.value);
  }

  get sqrt(): Dual {
    return this.#chain(Math.sqrt(this.value), 0.5 / Math.sqrt(this.value));
  }

  get sin(): Dual {
    return this.#chain(Math.sin(this.value), Math.cos(this.value));
  }

  get magnitude(): Dual {
    return this.#chain(Math.abs(this.value), Math.sign(this.value));
  }
}

/** Σ of products and numbers. */
export function sum(...terms: Term[]): Dual {
  const first = terms.find((term) => typeof term !== "number")!;
  return terms.reduce<Dual>((total, term) => total.plus(term), first.times(0));
}

/** Product of unknowns and numbers. */
export function product(...factors: Term[]): Dual {
  const first = factors.find((factor) => typeof factor !== "number")!;
  return factors.reduce<Dual>((total, factor) => total.times(factor), first.times(0).plus(1));
}

type Formula = (x: readonly Dual[]) => Dual;

export interface SmoothProblemParts {
  readonly n: number;
  readonly objective: Formula;
  readonly equalities?: readonly Formula[];
  readonly inequalities?: readonly Formula[];
  readonly lower?: readonly number[];
  readonly upper?: readonly number[];
}

/** A problem written as formulas. */
export class SmoothProblem implements NonlinearProblem {
  readonly n: number;
  readonly equalityCount: number;
  readonly inequalityCount: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly #objective: Formula;
  readonly #constraints: readonly Formula[];

  constructor({ n, objective, equalities = [], inequalities = [], lower, upper }: SmoothProblemParts) {
    this.n = n;
    this.equalityCount = equalities.length;
    this.inequalityCount = inequalities.length;
    this.lower = Float64Array.from(lower ?? new Array(n).fill(-Infinity));
    this.upper = Float64Array.from(upper ?? new Array(n).fill(Infinity));
    this.#objective = objective;
    this.#constraints = [...equalities, ...inequalities];
  }

  evaluate(x: Float64Array, out: Evaluation): void {
    const unknowns = Array.from(x, (value, i) => {
      const axis = new Array<number>(x.length).fill(0);
      axis[i] = 1;
      return new Dual(value, axis);
    });
    const objective = this.#objective(unknowns);
    out.objective = objective.value;
    out.gradient.set(objective.gradient);
    for (const [k, constraint] of this.#constraints.entries()) {
      const { value, gradient } = constraint(unknowns);
      out.constraints[k] = value;
      out.jacobian.set(gradient, k * this.n);
    }
  }

  evaluateValues(x: Float64Array, out: Evaluation): void {
    const unknowns = Array.from(x, (value) => new Dual(value, []));
    out.objective = this.#objective(unknowns).value;
    for (const [k, constraint] of this.#constraints.entries()) out.constraints[k] = constraint(unknowns).value;
  }
}
