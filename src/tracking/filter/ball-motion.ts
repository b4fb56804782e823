import { STATE_SIZE } from "../../flight/sensitivity.js";
import type { Vec3 } from "../../math/vec3.js";

/** Longest step of the integration [s]: for a thrown ball its error is then some 1e-7 m a second. */
const GREATEST_STEP = 0.05;

/**
 * Carries states (position, velocity, drag; 7 numbers each, one after the other) over `duration` [s] under gravity and
 * quadratic drag, v̇ = g − k·|v|·v, in place: the classical Runge–Kutta method of order 4, in equal steps. A filter wants
 * no path between its measurements; where one is wanted there is `Flight`. All states in one call, written out in plain
 * numbers: so none of them is boxed.
 */
export function moveBalls(states: Float64Array, gravity: Vec3, duration: number): void {
  const steps = Math.max(1, Math.ceil(duration / GREATEST_STEP));
  const h = duration / steps;
  const half = 0.5 * h;
  const sixth = h / 6;
  const gx = gravity[0];
  const gy = gravity[1];
  const gz = gravity[2];
  for (let o = 0; o < states.length; o += STATE_SIZE) {
    const k = states[o + 6]!;
    for (let n = 0; n < steps; n++) {
      const x1 = states[o + 3]!;
      const y1 = states[o + 4]!;
      const z1 = states[o + 5]!;
      const r1 = k * Math.sqrt(x1 * x1 + y1 * y1 + z1 * z1);
      const x2 = x1 + half * (gx - r1 * x1);
      const y2 = y1 + half * (gy - r1 * y1);
      const z2 = z1 + half * (gz - r1 * z1);
      const r2 = k * Math.sqrt(x2 * x2 + y2 * y2 + z2 * z2);
      const x3 = x1 + half * (gx - r2 * x2);
      const y3 = y1 + half * (gy - r2 * y2);
      const z3 = z1 + half * (gz - r2 * z2);
      const r3 = k * Math.sqrt(x3 * x3 + y3 * y3 + z3 * z3);
      const x4 = x1 + h * (gx - r3 * x3);
      const y4 = y1 + h * (gy - r3 * y3);
      const z4 = z1 + h * (gz - r3 * z3);
      const r4 = k * Math.sqrt(x4 * x4 + y4 * y4 + z4 * z4);
      states[o] = states[o]! + sixth * (x1 + 2 * (x2 + x3) + x4);
      states[o + 1] = states[o + 1]! + sixth * (y1 + 2 * (y2 + y3) + y4);
      states[o + 2] = states[o + 2]! + sixth * (z1 + 2 * (z2 + z3) + z4);
      states[o + 3] = x1 + h * gx - sixth * (r1 * x1 + 2 * (r2 * x2 + r3 * x3) + r4 * x4);
      states[o + 4] = y1 + h * gy - sixth * (r1 * y1 + 2 * (r2 * y2 + r3 * y3) + r4 * y4);
      states[o + 5] = z1 + h * gz - sixth * (r1 * z1 + 2 * (r2 * z2 + r3 * z3) + r4 * z4);
    }
  }
}
