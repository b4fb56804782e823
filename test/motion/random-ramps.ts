import type { Random } from "../../src/math/random.js";
import { minimalTime } from "../../src/motion/minimal-time.js";

/** One joint's task: from (q0, w0) to rest at q0 + D in T, under limits. */
export interface RampCase {
  readonly q0: number;
  readonly w0: number;
  readonly D: number;
  readonly T: number;
  readonly wmax: number;
  readonly amax: number;
}

function logUniform(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.uniform();
}

/** Standing, within the limit, exactly at it, and up to twice beyond it. */
function randomSpeed(random: Random, wmax: number): number {
  const sign = random.uniform() < 0.5 ? -1 : 1;
  const kind = random.uniform();
  if (kind < 0.15) return 0;
  if (kind < 0.65) return random.uniformIn(-wmax, wmax);
  if (kind < 0.7) return sign * wmax;
  if (kind < 0.75) return sign * wmax * 1e-9 * random.uniform();
  return sign * wmax * random.uniformIn(1, 2);
}

/**
 * Anything a joint may be asked for, with the awkward cases far more often than chance would have them. D is what
 * is left of it once target and start are rounded, so that both sides of a test speak of the same distance.
 */
export function randomCase(random: Random): RampCase {
  const q0 = random.uniformIn(-3, 3);
  const wmax = logUniform(random, 0.1, 10);
  const amax = logUniform(random, 0.5, 200);
  const w0 = randomSpeed(random, wmax);
  const kind = random.uniform();
  const brake = (w0 * Math.abs(w0)) / (2 * amax);
  let D = random.uniformIn(-3, 3);
  if (kind < 0.05) D = 0;
  else if (kind < 0.1) D = brake;
  else if (kind < 0.15) D = brake * (1 + 1e-12 * random.normal());
  else if (kind < 0.2) D = 1e-9 * random.normal();
  D = q0 + D - q0;
  const least = minimalTime(w0, D, wmax, amax);
  const slack = random.uniform();
  let T = least;
  if (slack > 0.8) T = least * (1 + 1e-9 * random.uniform());
  else if (slack > 0.1) T = least + logUniform(random, 1e-6, 5);
  // The kink: D = w0·T/2 is the constant brake, possible with any T from |w0|/amax on.
  if (kind > 0.97 && Math.abs(w0) < wmax) {
    T = Math.abs(w0) / amax + random.uniform();
    D = q0 + 0.5 * w0 * T - q0;
  }
  return { q0, w0, D, T, wmax, amax };
}
