import { FlycatcherError } from "../runtime/errors.js";
import { COEFFICIENTS, MotionState, PIECE, PiecewiseMotion } from "./piecewise-motion.js";

/** Step in position and velocity, relative to 1, that joined motions may have: rounding of commands and messages. */
const JOIN_TOLERANCE = 1e-6;

/** The motion whose positions are the velocities of `motion`. */
export function differentiated(motion: PiecewiseMotion): PiecewiseMotion {
  const out = likeOf(motion);
  eachPiece(motion, (joint, at) => {
    const c = (k: number) => (k + 1) * motion.pieces[at + 2 + k]!;
    out.append(joint, motion.pieces[at]!, c(0), c(1), c(2), c(3), c(4));
  });
  for (let i = 0; i < motion.joints; i++) out.end(i, motion.endVelocity[i]!, 0);
  return out;
}

/** The same way in `factor` times the time: velocities fall by it, accelerations by its square, jerks by its cube. */
export function retimed(motion: PiecewiseMotion, factor: number): PiecewiseMotion {
  if (!(factor > 0 && factor < Infinity))
    throw invalid("The time scale of a motion is invalid.", "above 0", `${factor}`);
  const out = likeOf(motion, motion.duration * factor);
  const c = new Float64Array(COEFFICIENTS);
  eachPiece(motion, (joint, at) => {
    for (let k = 0, scale = 1; k < COEFFICIENTS; k++, scale *= factor) c[k] = motion.pieces[at + 1 + k]! / scale;
    out.append(joint, motion.pieces[at]! * factor, c[0]!, c[1], c[2], c[3], c[4], c[5]);
  });
  for (let i = 0; i < motion.joints; i++) out.end(i, motion.endPosition[i]!, motion.endVelocity[i]! / factor);
  return out;
}

/**
 * `motion` begun `delay` seconds later: until then the joints wait where it begins, which is at rest. A negative delay
 * leaves its first part out: what is left of it, counted from 0 again.
 */
export function shifted(motion: PiecewiseMotion, delay: number): PiecewiseMotion {
  if (!Number.isFinite(delay)) throw invalid("The delay of a motion is invalid.", "a finite time", `${delay}`);
  return delay < 0 ? remainder(motion, -delay) : delayed(motion, delay);
}

function delayed(motion: PiecewiseMotion, delay: number): PiecewiseMotion {
  const start = new MotionState(motion.joints);
  motion.evaluate(0, start);
  if (delay > 0 && !start.velocity.every((speed) => Math.abs(speed) <= JOIN_TOLERANCE)) {
    throw invalid("A motion that begins in motion cannot wait.", "a start at rest", `velocities ${start.velocity}`);
  }
  const out = new PiecewiseMotion(motion.joints, motion.capacity + 1);
  out.clear(motion.duration + delay);
  if (delay > 0) for (let i = 0; i < motion.joints; i++) out.append(i, 0, start.position[i]!);
  appendAll(motion, delay, out);
  return out;
}

function remainder(motion: PiecewiseMotion, from: number): PiecewiseMotion {
  const out = likeOf(motion, Math.max(0, motion.duration - from));
  const c = new Float64Array(COEFFICIENTS);
  for (let i = 0; i < motion.joints; i++) {
    for (let k = 0; k < motion.counts[i]!; k++) {
      if (motion.pieceEnd(i, k) <= from) continue;
      const at = (i * motion.capacity + k) * PIECE;
      recentre(motion.pieces, at + 1, Math.max(0, from - motion.pieces[at]!), c);
      out.append(i, Math.max(0, motion.pieces[at]! - from), c[0]!, c[1], c[2], c[3], c[4], c[5]);
    }
    if (out.counts[i] === 0) out.append(i, 0, motion.endPosition[i]!);
    out.end(i, motion.endPosition[i]!, motion.endVelocity[i]!);
  }
  return out;
}

/** Coefficients of the same polynomial counted from `x`: Horner's scheme, once for each of them. */
function recentre(pieces: Float64Array, first: number, x: number, out: Float64Array): void {
  for (let k = 0; k < COEFFICIENTS; k++) out[k] = pieces[first + k]!;
  for (let k = 0; k < COEFFICIENTS; k++) {
    for (let j = COEFFICIENTS - 2; j >= k; j--) out[j] = out[j]! + x * out[j + 1]!;
  }
}

/** One motion after the other. Each has to begin where, and as fast as, the one before ends. */
export function joined(motions: readonly PiecewiseMotion[]): PiecewiseMotion {
  const joints = motions[0]?.joints ?? 0;
  const out = new PiecewiseMotion(
    joints,
    motions.reduce((sum, motion) => sum + Math.max(1, ...motion.counts), 0),
  );
  out.clear(motions.reduce((sum, { duration }) => sum + duration, 0));
  let start = 0;
  for (const [k, motion] of motions.entries()) {
    if (k > 0) refuseStep(motions[k - 1]!, motion, k);
    appendAll(motion, start, out);
    start += motion.duration;
  }
  return out;
}

function refuseStep(before: PiecewiseMotion, motion: PiecewiseMotion, k: number): void {
  if (motion.joints !== before.joints) {
    throw invalid(`Motion ${k} does not fit.`, `${before.joints} joints`, `${motion.joints}`);
  }
  const start = new MotionState(motion.joints);
  motion.evaluate(0, start);
  for (let i = 0; i < motion.joints; i++) {
    const [p, v] = [before.endPosition[i]!, before.endVelocity[i]!];
    const isSame =
      Math.abs(start.position[i]! - p) <= JOIN_TOLERANCE && Math.abs(start.velocity[i]! - v) <= JOIN_TOLERANCE;
    if (isSame) continue;
    const found = `${start.position[i]} at velocity ${start.velocity[i]}`;
    throw invalid(`Motion ${k} steps in joint ${i}.`, `a start from ${p} at velocity ${v}`, found);
  }
}

/** Joints of several motions beside each other; those that end sooner keep the velocity they end with. */
export function beside(motions: readonly PiecewiseMotion[]): PiecewiseMotion {
  const capacity = 1 + Math.max(0, ...motions.flatMap(({ counts }) => Array.from(counts)));
  const duration = Math.max(0, ...motions.map((motion) => motion.duration));
  const out = new PiecewiseMotion(
    motions.reduce((sum, { joints }) => sum + joints, 0),
    capacity,
  );
  out.clear(duration);
  let first = 0;
  for (const motion of motions) {
    appendAll(motion, 0, out, first);
    const wait = duration - motion.duration;
    for (let i = 0; i < motion.joints && wait > 0; i++) {
      const [p, v] = [motion.endPosition[i]!, motion.endVelocity[i]!];
      out.append(first + i, motion.duration, p, v);
      out.end(first + i, p + v * wait, v);
    }
    first += motion.joints;
  }
  return out;
}

/** Position, velocity, acceleration and jerk every `period` seconds, the start and the end included. */
export function sampled(
  motion: PiecewiseMotion,
  period: number,
): { readonly time: number; readonly state: MotionState }[] {
  if (!(period > 0)) throw invalid("The period of samples is invalid.", "above 0 s", `${period}`);
  const steps = Math.ceil(motion.duration / period - 1e-9);
  return Array.from({ length: steps + 1 }, (_, k) => {
    const time = k === steps ? motion.duration : k * period;
    const state = new MotionState(motion.joints);
    motion.evaluate(time, state);
    return { time, state };
  });
}

function appendAll(motion: PiecewiseMotion, delay: number, out: PiecewiseMotion, first = 0): void {
  eachPiece(motion, (joint, at) => {
    const c = motion.pieces.subarray(at + 1, at + PIECE);
    out.append(first + joint, motion.pieces[at]! + delay, c[0]!, c[1], c[2], c[3], c[4], c[5]);
  });
  for (let i = 0; i < motion.joints; i++) out.end(first + i, motion.endPosition[i]!, motion.endVelocity[i]!);
}

function eachPiece(motion: PiecewiseMotion, visit: (joint: number, at: number) => void): void {
  for (let i = 0; i < motion.joints; i++) {
    for (let k = 0; k < motion.counts[i]!; k++) visit(i, (i * motion.capacity + k) * PIECE);
  }
}

function likeOf(motion: PiecewiseMotion, duration = motion.duration): PiecewiseMotion {
  const out = new PiecewiseMotion(motion.joints, motion.capacity);
  out.clear(duration);
  return out;
}

function invalid(message: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_MOTION_INVALID", message, { expected, found });
}
