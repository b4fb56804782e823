import { FlycatcherError } from "../runtime/errors.js";
import { PiecewiseMotion } from "./piecewise-motion.js";

/** A state that a spline passes; velocity and acceleration are 0 where they are missing. */
export interface MotionKnot {
  /** [s] */
  readonly time: number;
  readonly position: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
  readonly acceleration?: ArrayLike<number>;
}

/**
 * The motion through all knots, the first at time 0: between two of them the polynomial of degree 5 that has position,
 * velocity and acceleration of both.
 */
export function motionThrough(knots: readonly MotionKnot[]): PiecewiseMotion {
  refuseBadKnots(knots);
  const joints = knots[0]!.position.length;
  const motion = new PiecewiseMotion(joints, Math.max(1, knots.length - 1));
  const last = knots.at(-1)!;
  motion.clear(last.time);
  for (let i = 0; i < joints; i++) {
    if (knots.length === 1) motion.append(i, 0, last.position[i]!);
    for (let k = 0; k + 1 < knots.length; k++) appendQuintic(knots[k]!, knots[k + 1]!, i, motion);
    motion.end(i, last.position[i]!, last.velocity?.[i] ?? 0);
  }
  return motion;
}

function appendQuintic(from: MotionKnot, to: MotionKnot, i: number, motion: PiecewiseMotion): void {
  const h = to.time - from.time;
  const [v0, v1] = [(from.velocity?.[i] ?? 0) * h, (to.velocity?.[i] ?? 0) * h];
  const [a0, a1] = [(from.acceleration?.[i] ?? 0) * h * h, (to.acceleration?.[i] ?? 0) * h * h];
  const D = to.position[i]! - from.position[i]!;
  const c3 = 10 * D - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
  const c4 = -15 * D + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
  const c5 = 6 * D - 3 * (v0 + v1) - 0.5 * (a0 - a1);
  motion.append(i, from.time, from.position[i]!, v0 / h, a0 / 2 / h ** 2, c3 / h ** 3, c4 / h ** 4, c5 / h ** 5);
}

function refuseBadKnots(knots: readonly MotionKnot[]): void {
  const refuse = (path: string, expected: string, found: unknown) => {
    throw new FlycatcherError("FLY_MOTION_INVALID", "A knot is invalid", { path, expected, found: String(found) });
  };
  if (knots.length === 0) refuse("/", "one knot or more", "none");
  for (const [k, { time, position, velocity, acceleration }] of knots.entries()) {
    const isAfter = k === 0 ? time === 0 : time > knots[k - 1]!.time && time < Infinity;
    if (!isAfter) refuse(`/${k}/time`, k === 0 ? "0 s" : `more than ${knots[k - 1]!.time} s`, time);
    const joints = knots[0]!.position.length;
    for (const [name, values] of Object.entries({ position, velocity, acceleration })) {
      if (values === undefined) continue;
      const isSound = values.length === joints && Array.from(values).every(Number.isFinite);
      if (!isSound) refuse(`/${k}/${name}`, `${joints} finite numbers`, Array.from(values).join(", "));
    }
  }
}
