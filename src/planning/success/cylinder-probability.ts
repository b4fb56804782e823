import { erf } from "../../math/error-function.js";

/** Directions over half a turn for a round distribution; a long one needs as many more as it is longer. */
const DIRECTIONS = 24;
/** A distribution longer than this counts as this long, so that the work stays bounded. */
const GREATEST_RATIO = 200;
/** Least share of the variance along the axis that is its own, so that nothing divides by zero. */
const LEAST_OWN_VARIANCE = 1e-12;

/** Nodes and weights of Gauss–Legendre quadrature on [0, 1], eight points (Abramowitz & Stegun, table 25.4). */
const nodes = [0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363];
const weights = [0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763];
const radialNodes = [...nodes.map((x) => 0.5 * (1 - x)), ...nodes.map((x) => 0.5 * (1 + x))];
const radialWeights = [...weights, ...weights].map((w) => 0.5 * w);

/**
 * Probability that a centred normal vector (x, y, z) lies in a cylinder about the z axis: x² + y² ≤ radius², |z| ≤ half
 * length. `covariance` is 3 × 3, row-major.
 *
 * In coordinates that make (x, y) round, the circle is an ellipse with the radius ρ(ψ) = R/√(σ₁²cos²ψ + σ₂²sin²ψ) in
 * direction ψ. With u = 1 − exp(−ρ²/2), uniform for a normal pair, P = 1/2π ∫dψ ∫₀^{u(ψ)} C du, C being the probability
 * that z, normal about κ·(x, y), is within its bounds. The outer integrand is smooth and periodic, so that the trapezoid
 * rule converges exponentially; the inner one is smooth in u.
 */
export function probabilityInCylinder(radius: number, halfLength: number, covariance: Float64Array): number {
  const frame = principalFrame(covariance);
  const { long, short, alongLong, alongShort } = frame;
  if (!(long > 0)) return long === 0 ? within(halfLength, 0, Math.sqrt(covariance[8]!)) : Number.NaN;
  const own = Math.max(covariance[8]! - alongLong ** 2 - alongShort ** 2, LEAST_OWN_VARIANCE * covariance[8]!);
  const sigma = Math.sqrt(own);
  const directions = Math.ceil(DIRECTIONS * Math.sqrt(long / short));
  let sum = 0;
  for (let d = 0; d < directions; d++) {
    const c = Math.cos((Math.PI * d) / directions);
    const s = Math.sin((Math.PI * d) / directions);
    const share = -Math.expm1((-0.5 * radius * radius) / (long * c * c + short * s * s));
    const lean = alongLong * c + alongShort * s;
    let inner = 0;
    for (let k = 0; k < radialNodes.length; k++) {
      const rho = Math.sqrt(-2 * Math.log1p(-share * radialNodes[k]!));
      inner += radialWeights[k]! * within(halfLength, lean * rho, sigma);
    }
    sum += share * inner;
  }
  return sum / directions;
}

/** Variances of (x, y) along its principal axes, and the covariance of z with each of them in units of its deviation. */
function principalFrame(covariance: Float64Array) {
  const xx = covariance[0]!;
  const xy = covariance[1]!;
  const yy = covariance[4]!;
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const long = 0.5 * (xx + yy) + Math.hypot(0.5 * (xx - yy), xy);
  // det/long instead of a difference, which would cancel.
  const short = Math.max((xx * yy - xy * xy) / long, long / GREATEST_RATIO ** 2);
  const xz = covariance[2]!;
  const yz = covariance[5]!;
  return {
    long,
    short,
    alongLong: (c * xz + s * yz) / Math.sqrt(long),
    alongShort: (c * yz - s * xz) / Math.sqrt(short),
  };
}

/** Probability that a normal variable about `mean` is within ±`bound`. */
function within(bound: number, mean: number, sigma: number): number {
  if (sigma === 0) return Math.abs(mean) <= bound ? 1 : 0;
  const scale = 1 / (sigma * Math.SQRT2);
  return 0.5 * (erf((bound - mean) * scale) + erf((bound + mean) * scale));
}
