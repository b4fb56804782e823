import { FlycatcherError } from "../runtime/errors.js";
import { COEFFICIENTS, PIECE, PiecewiseMotion } from "./piecewise-motion.js";

/** A motion as JSON. */
export interface MotionDescription {
  /** Names of the joints. */
  readonly joints: readonly string[];
  /** [s] */
  readonly duration: number;
  /** Of each joint, in ascending order of `start` [s]: coefficients of the powers of the time since then, at most six. */
  readonly pieces: readonly (readonly { readonly start: number; readonly c: readonly number[] }[])[];
}

/** `motion` as JSON; `parseMotion` makes the same motion of it. */
export function describeMotion(motion: PiecewiseMotion, names: readonly string[]) {
  const pieces = Array.from({ length: motion.joints }, (_, i) =>
    Array.from({ length: motion.counts[i]! }, (_, k) => describePiece(motion, i, k)),
  );
  return { joints: [...names], duration: motion.duration, pieces };
}

function describePiece(motion: PiecewiseMotion, joint: number, k: number) {
  const at = (joint * motion.capacity + k) * PIECE;
  const c = Array.from(motion.pieces.subarray(at + 1, at + PIECE));
  while (c.length > 1 && c.at(-1) === 0) c.pop();
  return { start: motion.pieces[at]!, c };
}

/** The motion that JSON describes, and the names of its joints; refuses one that is none, naming the place. */
export function parseMotion(description: unknown): { readonly motion: PiecewiseMotion; readonly joints: string[] } {
  const { duration, joints, pieces } = objectAt(description, "");
  if (!(numberAt(duration, "/duration") >= 0)) throw refusal("/duration", "0 s or more", duration);
  const names = listAt(joints, "/joints").map((name, i) => nameAt(name, `/joints/${i}`));
  const rows = listAt(pieces, "/pieces").map((row, i) => listAt(row, `/pieces/${i}`));
  if (rows.length !== names.length) throw refusal("/pieces", `pieces of ${names.length} joints`, rows.length);
  const motion = new PiecewiseMotion(rows.length, Math.max(1, ...rows.map((row) => row.length)));
  motion.clear(duration as number);
  for (const [i, row] of rows.entries()) {
    if (row.length === 0) throw refusal(`/pieces/${i}`, "one piece or more", row);
    for (const [k, piece] of row.entries()) parsePiece(piece, `/pieces/${i}/${k}`, motion, i);
    endWhereItLeads(motion, i);
  }
  return { motion, joints: names };
}

function parsePiece(piece: unknown, path: string, motion: PiecewiseMotion, joint: number): void {
  const { start, c } = objectAt(piece, path);
  const count = motion.counts[joint]!;
  const before = count === 0 ? 0 : motion.pieces[(joint * motion.capacity + count - 1) * PIECE]!;
  const time = numberAt(start, `${path}/start`);
  if (count === 0 ? time !== 0 : !(time >= before && time <= motion.duration)) {
    throw refusal(`${path}/start`, count === 0 ? "0 s" : `${before} … ${motion.duration} s`, start);
  }
  const list = listAt(c, `${path}/c`);
  if (list.length < 1 || list.length > COEFFICIENTS) throw refusal(`${path}/c`, `1 to ${COEFFICIENTS} numbers`, list);
  const numbers = list.map((value, k) => numberAt(value, `${path}/c/${k}`));
  motion.append(joint, time, numbers[0]!, numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
}

/** The end is where the last piece leads. */
function endWhereItLeads(motion: PiecewiseMotion, joint: number): void {
  const at = motion.pieceAt(joint, motion.duration);
  const x = motion.duration - motion.pieces[at]!;
  let position = 0;
  let velocity = 0;
  for (let k = COEFFICIENTS; k >= 1; k--) {
    velocity = velocity * x + position;
    position = position * x + motion.pieces[at + k]!;
  }
  motion.end(joint, position, velocity);
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refusal(path, "an object", value);
}

function listAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw refusal(path, "a list", value);
}

function nameAt(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw refusal(path, "a name", value);
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
