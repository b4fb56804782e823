import { type Dual, product, SmoothProblem, type SmoothProblemParts, sum } from "./smooth-problem.js";

/** A problem of Hock & Schittkowski, Test Examples for Nonlinear Programming Codes (1981), with its start and optimum. */
export interface HockSchittkowski {
  readonly number: number;
  readonly problem: SmoothProblem;
  readonly start: Float64Array;
  readonly optimum: number;
}

function example(number: number, start: number[], optimum: number, parts: Omit<SmoothProblemParts, "n">) {
  const problem = new SmoothProblem({ n: start.length, ...parts });
  return { number, problem, start: Float64Array.from(start), optimum } satisfies HockSchittkowski;
}

const positive = (n: number) => new Array<number>(n).fill(0);
const squares = (x: readonly Dual[]) => sum(...x.map((value) => value.squared));

/** Unknowns are written x1 …, as in the book. */
export const hockSchittkowski: readonly HockSchittkowski[] = [
  example(1, [-2, 1], 0, {
    objective: ([x1, x2]) => sum(x2!.minus(x1!.squared).squared.times(100), x1!.minus(1).squared),
    lower: [-Infinity, -1.5],
  }),
  example(6, [-1.2, 1], 0, {
    objective: ([x1]) => x1!.minus(1).squared,
    equalities: [([x1, x2]) => x2!.minus(x1!.squared).times(10)],
  }),
  example(7, [2, 2], -Math.sqrt(3), {
    objective: ([x1, x2]) => x1!.squared.plus(1).log.minus(x2!),
    equalities: [([x1, x2]) => x1!.squared.plus(1).squared.plus(x2!.squared).minus(4)],
  }),
  example(10, [-10, 10], -1, {
    objective: ([x1, x2]) => x1!.minus(x2!),
    inequalities: [([x1, x2]) => sum(x1!.squared.times(-3), product(2, x1!, x2!), x2!.squared.times(-1), 1)],
  }),
  example(14, [2, 2], 9 - 2.875 * Math.sqrt(7), {
    objective: ([x1, x2]) => sum(x1!.minus(2).squared, x2!.minus(1).squared),
    equalities: [([x1, x2]) => x1!.minus(x2!.times(2)).plus(1)],
    inequalities: [([x1, x2]) => sum(x1!.squared.times(-0.25), x2!.squared.times(-1), 1)],
  }),
  example(26, [-2.6, 2, 2], 0, {
    objective: ([x1, x2, x3]) => sum(x1!.minus(x2!).squared, x2!.minus(x3!).power(4)),
    equalities: [([x1, x2, x3]) => sum(product(x2!.squared.plus(1), x1!), x3!.power(4), -3)],
  }),
  example(27, [2, 2, 2], 0.04, {
    objective: ([x1, x2]) => sum(x1!.minus(1).squared.times(0.01), x2!.minus(x1!.squared).squared),
    equalities: [([x1, , x3]) => sum(x1!, x3!.squared, 1)],
  }),
  example(28, [-4, 1, 1], 0, {
    objective: ([x1, x2, x3]) => sum(x1!.plus(x2!).squared, x2!.plus(x3!).squared),
    equalities: [([x1, x2, x3]) => sum(x1!, x2!.times(2), x3!.times(3), -1)],
  }),
  example(35, [0.5, 0.5, 0.5], 1 / 9, {
    objective: ([x1, x2, x3]) =>
      sum(
        sum(x1!.times(-8), x2!.times(-6), x3!.times(-4), 9),
        sum(x1!.squared.times(2), x2!.squared.times(2), x3!.squared),
        sum(product(2, x1!, x2!), product(2, x1!, x3!)),
      ),
    inequalities: [([x1, x2, x3]) => sum(x1!.times(-1), x2!.times(-1), x3!.times(-2), 3)],
    lower: positive(3),
  }),
  example(39, [2, 2, 2, 2], -1, {
    objective: ([x1]) => x1!.times(-1),
    equalities: [
      ([x1, x2, x3]) => sum(x2!, x1!.power(3).times(-1), x3!.squared.times(-1)),
      ([x1, x2, , x4]) => sum(x1!.squared, x2!.times(-1), x4!.squared.times(-1)),
    ],
  }),
  example(40, [0.8, 0.8, 0.8, 0.8], -0.25, {
    objective: (x) => product(-1, ...x),
    equalities: [
      ([x1, x2]) => sum(x1!.power(3), x2!.squared, -1),
      ([x1, , x3, x4]) => x1!.squared.times(x4!).minus(x3!),
      ([, x2, , x4]) => x4!.squared.minus(x2!),
    ],
  }),
  example(43, [0, 0, 0, 0], -44, {
    objective: ([x1, x2, x3, x4]) =>
      sum(
        sum(x1!.squared, x2!.squared, x3!.squared.times(2), x4!.squared),
        sum(x1!.times(-5), x2!.times(-5), x3!.times(-21), x4!.times(7)),
      ),
    inequalities: [
      ([x1, x2, x3, x4]) => sum(8, squares([x1!, x2!, x3!, x4!]).times(-1), x1!.times(-1), x2!, x3!.times(-1), x4!),
      ([x1, x2, x3, x4]) =>
        sum(10, squares([x1!, x2!, x3!, x4!]).times(-1), x2!.squared.plus(x4!.squared).times(-1), x1!, x4!),
      ([x1, x2, x3, x4]) =>
        sum(5, x1!.squared.times(-2), x2!.squared.times(-1), x3!.squared.times(-1), x1!.times(-2), x2!, x4!),
    ],
  }),
  example(63, [2, 2, 2], 961.7151721, {
    objective: ([x1, x2, x3]) =>
      sum(
        1000,
        squares([x1!, x2!, x3!]).times(-1),
        x2!.squared.times(-1),
        product(-1, x1!, x2!),
        product(-1, x1!, x3!),
      ),
    equalities: [([x1, x2, x3]) => sum(x1!.times(8), x2!.times(14), x3!.times(7), -56), (x) => squares(x).minus(25)],
    lower: positive(3),
  }),
  example(65, [-5, 5, 0], 0.9535288567, {
    objective: ([x1, x2, x3]) =>
      sum(x1!.minus(x2!).squared, x1!.plus(x2!).minus(10).squared.over(9), x3!.minus(5).squared),
    inequalities: [(x) => squares(x).times(-1).plus(48)],
    lower: [-4.5, -4.5, -5],
    upper: [4.5, 4.5, 5],
  }),
  example(71, [1, 5, 5, 1], 17.0140173, {
    objective: ([x1, x2, x3, x4]) => product(x1!, x4!, sum(x1!, x2!, x3!)).plus(x3!),
    equalities: [(x) => squares(x).minus(40)],
    inequalities: [(x) => product(...x).minus(25)],
    lower: [1, 1, 1, 1],
    upper: [5, 5, 5, 5],
  }),
  example(76, [0.5, 0.5, 0.5, 0.5], -4.681818181, {
    objective: ([x1, x2, x3, x4]) =>
      sum(
        sum(x1!.squared, x2!.squared.times(0.5), x3!.squared, x4!.squared.times(0.5)),
        sum(product(-1, x1!, x3!), product(x3!, x4!)),
        sum(x1!.times(-1), x2!.times(-3), x3!, x4!.times(-1)),
      ),
    inequalities: [
      ([x1, x2, x3, x4]) => sum(5, x1!.times(-1), x2!.times(-2), x3!.times(-1), x4!.times(-1)),
      ([x1, x2, x3, x4]) => sum(4, x1!.times(-3), x2!.times(-1), x3!.times(-2), x4!),
      ([, x2, x3]) => sum(x2!, x3!.times(4), -1.5),
    ],
    lower: positive(4),
  }),
  example(77, [2, 2, 2, 2, 2], 0.24150513, {
    objective: ([x1, x2, x3, x4, x5]) =>
      sum(
        x1!.minus(1).squared,
        x1!.minus(x2!).squared,
        x3!.minus(1).squared,
        x4!.minus(1).power(4),
        x5!.minus(1).power(6),
      ),
    equalities: [
      ([x1, , , x4, x5]) => sum(x1!.squared.times(x4!), x4!.minus(x5!).sin, -2 * Math.SQRT2),
      ([, x2, x3, x4]) => sum(x2!, x3!.power(4).times(x4!.squared), -8 - Math.SQRT2),
    ],
  }),
  example(78, [-2, 1.5, 2, -1, -1], -2.91970041, {
    objective: (x) => product(...x),
    equalities: [
      (x) => squares(x).minus(10),
      ([, x2, x3, x4, x5]) => product(x2!, x3!).minus(product(5, x4!, x5!)),
      ([x1, x2]) => sum(x1!.power(3), x2!.power(3), 1),
    ],
  }),
  example(80, [-2, 2, 2, -1, -1], 0.0539498478, {
    objective: (x) => product(...x).exp,
    equalities: [
      (x) => squares(x).minus(10),
      ([, x2, x3, x4, x5]) => product(x2!, x3!).minus(product(5, x4!, x5!)),
      ([x1, x2]) => sum(x1!.power(3), x2!.power(3), 1),
    ],
    lower: [-2.3, -2.3, -3.2, -3.2, -3.2],
    upper: [2.3, 2.3, 3.2, 3.2, 3.2],
  }),
  example(93, [5.54, 4.4, 12.02, 11.82, 0.702, 0.852], 135.075961, {
    objective: ([x1, x2, x3, x4, x5, x6]) => {
      const first = product(x1!, x4!, sum(x1!, x2!, x3!));
      const second = product(x2!, x3!, sum(x1!, x2!.times(1.57), x4!));
      return sum(
        first.times(0.0204),
        second.times(0.0187),
        product(0.0607, first, x5!.squared),
        product(0.0437, second, x6!.squared),
      );
    },
    inequalities: [
      (x) => product(0.001, ...x).minus(2.07),
      ([x1, x2, x3, x4, x5, x6]) =>
        sum(
          1,
          product(-0.00062, x1!, x4!, x5!.squared, sum(x1!, x2!, x3!)),
          product(-0.00058, x2!, x3!, x6!.squared, sum(x1!, x2!.times(1.57), x4!)),
        ),
    ],
    lower: positive(6),
  }),
  example(100, [1, 2, 0, 4, 0, 1, 1], 680.6300573, {
    objective: ([x1, x2, x3, x4, x5, x6, x7]) =>
      sum(
        sum(x1!.minus(10).squared, x2!.minus(12).squared.times(5), x3!.power(4), x4!.minus(11).squared.times(3)),
        sum(x5!.power(6).times(10), x6!.squared.times(7), x7!.power(4), product(-4, x6!, x7!)),
        sum(x6!.times(-10), x7!.times(-8)),
      ),
    inequalities: [
      ([x1, x2, x3, x4, x5]) =>
        sum(127, x1!.squared.times(-2), x2!.power(4).times(-3), x3!.times(-1), x4!.squared.times(-4), x5!.times(-5)),
      ([x1, x2, x3, x4, x5]) => sum(282, x1!.times(-7), x2!.times(-3), x3!.squared.times(-10), x4!.times(-1), x5!),
      ([x1, x2, , , , x6, x7]) => sum(196, x1!.times(-23), x2!.squared.times(-1), x6!.squared.times(-6), x7!.times(8)),
      ([x1, x2, x3, , , x6, x7]) =>
        sum(
          sum(x1!.squared.times(-4), x2!.squared.times(-1), product(3, x1!, x2!)),
          sum(x3!.squared.times(-2), x6!.times(-5), x7!.times(11)),
        ),
    ],
  }),
  example(113, [2, 3, 5, 5, 1, 2, 7, 3, 6, 10], 24.3062091, {
    objective: ([x1, x2, x3, x4, x5, x6, x7, x8, x9, x10]) =>
      sum(
        sum(x1!.squared, x2!.squared, product(x1!, x2!), x1!.times(-14), x2!.times(-16), x3!.minus(10).squared),
        sum(x4!.minus(5).squared.times(4), x5!.minus(3).squared, x6!.minus(1).squared.times(2), x7!.squared.times(5)),
        sum(x8!.minus(11).squared.times(7), x9!.minus(10).squared.times(2), x10!.minus(7).squared, 45),
      ),
    inequalities: [
      ([x1, x2, , , , , x7, x8]) => sum(105, x1!.times(-4), x2!.times(-5), x7!.times(3), x8!.times(-9)),
      ([x1, x2, , , , , x7, x8]) => sum(x1!.times(-10), x2!.times(8), x7!.times(17), x8!.times(-2)),
      ([x1, x2, , , , , , , x9, x10]) => sum(x1!.times(8), x2!.times(-2), x9!.times(-5), x10!.times(2), 12),
      ([x1, x2, x3, x4]) =>
        sum(x1!.minus(2).squared.times(-3), x2!.minus(3).squared.times(-4), x3!.squared.times(-2), x4!.times(7), 120),
      ([x1, x2, x3, x4]) => sum(x1!.squared.times(-5), x2!.times(-8), x3!.minus(6).squared.times(-1), x4!.times(2), 40),
      ([x1, x2, , , x5, x6]) =>
        sum(x1!.minus(8).squared.times(-0.5), x2!.minus(4).squared.times(-2), x5!.squared.times(-3), x6!, 30),
      ([x1, x2, , , x5, x6]) =>
        sum(x1!.squared.times(-1), x2!.minus(2).squared.times(-2), product(2, x1!, x2!), x5!.times(-14), x6!.times(6)),
      ([x1, x2, , , , , , , x9, x10]) =>
        sum(x1!.times(3), x2!.times(-6), x9!.minus(8).squared.times(-12), x10!.times(7)),
    ],
  }),
];
