/**
 * Real polynomials of low degree, coefficients ascending: c[0] + c[1]·x + … . Coefficients stand in a longer array from
 * `first` on, `count` of them, so that pieces of a motion are used where they are.
 */
export function evaluatePolynomial(c: Float64Array, first: number, count: number, x: number): number {
  let value = 0;
  for (let k = count - 1; k >= 0; k--) value = value * x + c[first + k]!;
  return value;
}

/** The highest degree of which `rootsWithin` finds roots. */
const MAX_DEGREE = 8;
const ROW = MAX_DEGREE + 1;
/** Row d: the derivative that has degree d; between its neighbours' roots a polynomial is monotone. */
const derivatives = new Float64Array(ROW * ROW);
const knots = new Float64Array(ROW + 2);
const found = new Float64Array(ROW + 2);

/**
 * Real roots of odd multiplicity in [low, high], ascending, to `out`; returns their number. Between two roots of its derivative a
 * polynomial is monotone, so each sign change there is one root, found by bisection with Newton's steps. It starts from the
 * linear derivative and goes up, so no root is missed and no closed formula loses its digits.
 */
export function rootsWithin(
  c: Float64Array,
  first: number,
  count: number,
  low: number,
  high: number,
  out: Float64Array,
): number {
  let degree = count - 1;
  while (degree > 0 && c[first + degree] === 0) degree--;
  if (degree < 1) return 0;
  for (let k = 0; k <= degree; k++) derivatives[degree * ROW + k] = c[first + k]!;
  for (let d = degree - 1; d >= 1; d--) {
    for (let k = 0; k <= d; k++) derivatives[d * ROW + k] = derivatives[(d + 1) * ROW + k + 1]! * (k + 1);
  }
  let roots = 0;
  for (let d = 1; d <= degree; d++) {
    knots[0] = low;
    for (let k = 0; k < roots; k++) knots[k + 1] = found[k]!;
    knots[roots + 1] = high;
    roots = rootsBetweenKnots(d, roots + 2);
  }
  for (let k = 0; k < roots; k++) out[k] = found[k]!;
  return roots;
}

/** Roots of row `d` between neighbouring knots, to `found`. */
function rootsBetweenKnots(d: number, count: number): number {
  let roots = 0;
  for (let k = 0; k + 1 < count; k++) {
    const atLow = evaluatePolynomial(derivatives, d * ROW, d + 1, knots[k]!);
    const atHigh = evaluatePolynomial(derivatives, d * ROW, d + 1, knots[k + 1]!);
    // A root in a knot belongs to the piece that it begins; the last knot has no such piece.
    const begins = atLow === 0;
    const ends = k + 2 === count && atHigh === 0;
    if (begins) found[roots++] = knots[k]!;
    else if (atLow < 0 === atHigh < 0 && !ends) continue;
    else if (atHigh !== 0 || ends) found[roots++] = ends ? knots[k + 1]! : monotoneRoot(d, k, atLow);
  }
  return roots;
}

/** The root of row `d` between knots k and k + 1, where it is monotone and changes its sign. */
function monotoneRoot(d: number, k: number, atLow: number): number {
  let low = knots[k]!;
  let high = knots[k + 1]!;
  let x = 0.5 * (low + high);
  for (let i = 0; i < 100; i++) {
    let value = 0;
    let slope = 0;
    for (let j = d; j >= 0; j--) {
      slope = slope * x + value;
      value = value * x + derivatives[d * ROW + j]!;
    }
    if (value === 0) return x;
    if (value < 0 === atLow < 0) low = x;
    else high = x;
    const newton = x - value / slope;
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (Math.abs(next - x) <= Number.EPSILON * Math.abs(x) || next === low || next === high) return next;
    x = next;
  }
  return x;
}
