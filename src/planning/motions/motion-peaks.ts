import { PIECE, type PiecewiseMotion } from "../../motion/piecewise-motion.js";

/** Extremes of one joint over a whole motion. */
export interface JointExtremes {
  lowest: number;
  highest: number;
  velocity: number;
  acceleration: number;
  jerk: number;
  /** Greatest step of position, velocity and acceleration from one piece to the next, and at the end. */
  positionStep: number;
  velocityStep: number;
  accelerationStep: number;
}

/**
 * Extremes of a joint of a motion of cubic pieces, exactly: velocities are greatest at the ends of a piece or where its
 * acceleration vanishes, positions where its velocity does. Pieces of a higher degree give NaN, which passes no limit.
 */
export function jointExtremes(motion: PiecewiseMotion, joint: number): JointExtremes {
  const { pieces, capacity, counts } = motion;
  const out: JointExtremes = {
    lowest: Number.POSITIVE_INFINITY,
    highest: Number.NEGATIVE_INFINITY,
    velocity: 0,
    acceleration: 0,
    jerk: 0,
    positionStep: 0,
    velocityStep: 0,
    accelerationStep: 0,
  };
  let before: readonly [number, number, number] | null = null;
  for (let k = 0; k < counts[joint]!; k++) {
    const at = (joint * capacity + k) * PIECE;
    const [start, c0, c1, c2, c3, c4, c5] = pieces.subarray(at, at + PIECE) as unknown as number[];
    const length = motion.pieceEnd(joint, k) - start!;
    const bad = c4! !== 0 || c5! !== 0 || !(length >= 0) ? Number.NaN : 0;
    const position = (t: number) => c0! + t * (c1! + t * (c2! + t * c3!)) + bad;
    const velocity = (t: number) => c1! + t * (2 * c2! + 3 * t * c3!);
    const acceleration = (t: number) => 2 * c2! + 6 * t * c3!;
    if (before !== null) {
      out.positionStep = greater(out.positionStep, Math.abs(c0! - before[0]));
      out.velocityStep = greater(out.velocityStep, Math.abs(c1! - before[1]));
      out.accelerationStep = greater(out.accelerationStep, Math.abs(2 * c2! - before[2]));
    }
    const still = c3! === 0 ? [] : [-c2! / (3 * c3!)];
    const turns = rootsOf(3 * c3!, 2 * c2!, c1!);
    for (const t of [0, length, ...still.filter((t) => t > 0 && t < length)]) out.velocity = greater(out.velocity, Math.abs(velocity(t)));
    for (const t of [0, length, ...turns.filter((t) => t > 0 && t < length)]) {
      out.lowest = -greater(-out.lowest, -position(t));
      out.highest = greater(out.highest, position(t));
    }
    out.acceleration = greater(out.acceleration, Math.max(Math.abs(acceleration(0)), Math.abs(acceleration(length))));
    out.jerk = greater(out.jerk, Math.abs(6 * c3!));
    before = [position(length), velocity(length), acceleration(length)];
  }
  const [position, velocity, acceleration] = before!;
  out.positionStep = greater(out.positionStep, Math.abs(motion.endPosition[joint]! - position));
  out.velocityStep = greater(out.velocityStep, Math.abs(motion.endVelocity[joint]! - velocity));
  out.accelerationStep = greater(out.accelerationStep, Math.abs(acceleration));
  return out;
}

/** The greater of two, NaN above all. */
function greater(a: number, b: number): number {
  return a >= b ? a : b > a ? b : Number.NaN;
}

/** Real roots of a·t² + b·t + c. */
function rootsOf(a: number, b: number, c: number): number[] {
  if (a === 0) return b === 0 ? [] : [-c / b];
  const square = b * b - 4 * a * c;
  if (square < 0) return [];
  const sum = -0.5 * (b + Math.sign(b || 1) * Math.sqrt(square));
  return sum === 0 ? [0] : [sum / a, c / sum];
}
