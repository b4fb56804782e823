import { erf } from "../../math/error-function.js";

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
