import type { BallState } from "../../src/flight/ball.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";

/** Position and velocity after `time` (negative: before) by classical Runge–Kutta of order 4 in tiny steps. */
export function referenceFlight(state: BallState, gravity: Float64Array, time: number): [number[], number[]] {
  const steps = Math.max(1, Math.ceil(Math.abs(time) / 5e-4));
  const h = time / steps;
  let y = [...state.position, ...state.velocity];
  const derivative = (s: number[]): number[] => {
    const speed = Math.hypot(s[3]!, s[4]!, s[5]!);
    return [...s.slice(3), ...gravity].map((value, n) => (n < 3 ? value : value - state.drag * speed * s[n]!));
  };
  const moved = (from: number[], by: number[], factor: number): number[] => from.map((v, n) => v + factor * by[n]!);
  for (let i = 0; i < steps; i++) {
    const k1 = derivative(y);
    const k2 = derivative(moved(y, k1, h / 2));
    const k3 = derivative(moved(y, k2, h / 2));
    const k4 = derivative(moved(y, k3, h));
    y = y.map((v, n) => v + (h / 6) * (k1[n]! + 2 * k2[n]! + 2 * k3[n]! + k4[n]!));
  }
  return [y.slice(0, 3), y.slice(3)];
}

export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

/** A throw at the robot: from 4–6 m away, 5.5–8.5 m/s, as people throw. */
export function randomThrow(random: Random): BallState {
  const velocity = vec3.create(-random.uniformIn(4.5, 7.5), random.uniformIn(-1, 1), random.uniformIn(2, 5));
  const position = vec3.create(random.uniformIn(4, 6), random.uniformIn(-0.5, 0.5), random.uniformIn(1.3, 1.8));
  return { time: random.uniformIn(-1, 1), position, velocity, drag: random.uniformIn(0, 0.06) };
}
