import { FlycatcherError } from "../runtime/errors.js";
import { COEFFICIENTS, PIECE, PiecewiseMotion } from "./piecewise-motion.js";

/** A motion as JSON. */
export interface MotionDescription {
  /** [s] */
  readonly duration: number;
  readonly joints: readonly {
    /** In ascending order of `start` [s]; coefficients of the powers of the time since then, at most six. */
    readonly pieces: readonly { readonly start: number; readonly coefficients: readonly number[] }[];
    /** From the duration on. */
    readonly end: { readonly position: number; readonly velocity: number };
  }[];
}

/** `motion` as JSON; `parseMotion` makes the same numbers of it. */
export function describeMotion(motion: PiecewiseMotion): MotionDescription {
  const joints = Array.from({ length: motion.joints }, (_, i) => ({
    pieces: Array.from({ length: motion.counts[i]! }, (_, k) => describePiece(motion, i, k)),
    end: { position: motion.endPosition[i]!, velocity: motion.endVelocity[i]! },
  }));
  return { duration: motion.duration, joints };
}

function describePiece(motion: PiecewiseMotion, joint: number, k: number) {
  const at = (joint * motion.capacity + k) * PIECE;
  const coefficients = Array.from(motion.pieces.subarray(at + 1, at + PIECE));
  while (coefficients.length > 1 && coefficients.at(-1) === 0) coefficients.pop();
  return { start: motion.pieces[at]!, coefficients };
}

/** The motion that JSON describes; refuses one that is none, naming the place. */
export function parseMotion(description: unknown): PiecewiseMotion {
  const { duration, joints } = objectAt(description, "");
  if (!(numberAt(duration, "/duration") >= 0)) throw refusal("/duration", "0 s or more", duration);
  const list = listAt(joints, "/joints");
  const rows = list.map((joint, i) => {
    const { pieces, end } = objectAt(joint, `/joints/${i}`);
    return { pieces: listAt(pieces, `/joints/${i}/pieces`), end: objectAt(end, `/joints/${i}/end`) };
  });
  const motion = new PiecewiseMotion(rows.length, Math.max(1, ...rows.map(({ pieces }) => pieces.length)));
  motion.clear(duration as number);
  for (const [i, { pieces, end }] of rows.entries()) {
    if (pieces.length === 0) throw refusal(`/joints/${i}/pieces`, "one piece or more", []);
    for (const [k, piece] of pieces.entries()) parsePiece(piece, `/joints/${i}/pieces/${k}`, motion, i);
    const path = `/joints/${i}/end`;
    motion.end(i, numberAt(end.position, `${path}/position`), numberAt(end.velocity, `${path}/velocity`));
  }
  return motion;
}

function parsePiece(piece: unknown, path: string, motion: PiecewiseMotion, joint: number): void {
  const { start, coefficients } = objectAt(piece, path);
  const count = motion.counts[joint]!;
  const before = count === 0 ? 0 : motion.pieces[(joint * motion.capacity + count - 1) * PIECE]!;
  const time = numberAt(start, `${path}/start`);
  if (count === 0 ? time !== 0 : !(time >= before && time <= motion.duration)) {
    throw refusal(`${path}/start`, count === 0 ? "0 s" : `${before} … ${motion.duration} s`, start);
  }
  const list = listAt(coefficients, `${path}/coefficients`);
  if (list.length < 1 || list.length > COEFFICIENTS) {
    throw refusal(`${path}/coefficients`, `1 to ${COEFFICIENTS} numbers`, list);
  }
  const c = list.map((value, k) => numberAt(value, `${path}/coefficients/${k}`));
  motion.append(joint, time, c[0]!, c[1], c[2], c[3], c[4], c[5]);
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refusal(path, "an object", value);
}

function listAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw refusal(path, "a list", value);
}

function numberAt(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw refusal(path, "a finite number", value);
}

/** Characters of what was found that are shown. */
const SHOWN = 60;

function refusal(path: string, expected: string, found: unknown): FlycatcherError {
  const shown = (JSON.stringify(found) ?? String(found)).slice(0, SHOWN);
  return new FlycatcherError("FLY_MOTION_INVALID", "The motion is invalid", { path, expected, found: shown });
}
