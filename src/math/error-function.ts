/**
 * The error function erf(x) = 2/√π ∫₀ˣ exp(−s²) ds and its complement, good to some 1e-14 of their value. The
 * probability that a normal variable stays within ±a standard deviations is erf(a/√2).
 */

/** Below this the series needs fewer terms than the continued fraction, and cancels nothing. */
const SERIES_LIMIT = 2.5;
/** Beyond this 1 − erf is zero in double precision. */
const UNDERFLOW_LIMIT = 27.3;
const TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);

/** erf(x), odd, from −1 to 1; NaN for NaN. */
export function erf(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < SERIES_LIMIT) return erfSeries(x);
  return x < 0 ? erfcFraction(magnitude) - 1 : 1 - erfcFraction(magnitude);
}

/** 2/√π · exp(−x²) · Σ 2ⁿx²ⁿ⁺¹/(2n+1)!!, all terms of one sign (Abramowitz & Stegun 7.1.6). */
function erfSeries(x: number): number {
  const doubled = 2 * x * x;
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= doubled / (2 * n + 1);
    sum += term;
  }
  return TWO_OVER_ROOT_PI * Math.exp(-x * x) * sum;
}

/** exp(−x²)/√π · 1/(x + ½/(x + 1/(x + 3⁄2/(x + …)))) for x > 0 (A & S 7.1.14), by Lentz's method. */
function erfcFraction(x: number): number {
  if (x > UNDERFLOW_LIMIT) return 0;
  let fraction = x;
  let c = x;
  let d = 0;
  for (let k = 1; k <= 500; k++) {
    const numerator = k / 2;
    d = 1 / (x + numerator * d);
    c = x + numerator / c;
    const ratio = c * d;
    fraction *= ratio;
    if (Math.abs(ratio - 1) < 1e-16) break;
  }
  return Math.exp(-x * x) / (fraction * Math.sqrt(Math.PI));
}

/** Degrees of freedom of a circle or a point, and of a pair of circles. */
export type Freedom = 3 | 6;

/** Bisection halves the interval of squared distances this often: to the last bit. */
const HALVINGS = 60;
const GREATEST = 200;

/** Probability that a squared Mahalanobis distance with 3 or 6 degrees of freedom is below x. */
export function chiSquareProbability(x: number, freedom: Freedom): number {
  const tail = Math.exp(-x / 2);
  if (freedom === 6) return 1 - tail * (1 + x / 2 + (x * x) / 8);
  return erf(Math.sqrt(x / 2)) - Math.sqrt((2 * x) / Math.PI) * tail;
}

/** The squared distance below which a share `probability` of true measurements lies; for construction, not hot paths. */
export function chiSquareQuantile(probability: number, freedom: Freedom): number {
  let low = 0;
  let high = GREATEST;
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (chiSquareProbability(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return high;
}
