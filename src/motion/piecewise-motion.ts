import { FlycatcherError } from "../runtime/errors.js";

/** Position, velocity, acceleration and jerk of N joints at one time; in rad or m, and s. */
export class MotionState {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;

  constructor(joints: number) {
    this.position = new Float64Array(joints);
    this.velocity = new Float64Array(joints);
    this.acceleration = new Float64Array(joints);
    this.jerk = new Float64Array(joints);
  }
}

/** Coefficients of a piece: c₀ + c₁τ + … + c₅τ⁵, τ counted from the start of the piece. */
export const COEFFICIENTS = 6;
/** Numbers of a piece: its start and its coefficients. */
export const PIECE = 1 + COEFFICIENTS;

/**
 * A motion of N joints: each is a polynomial of degree up to 5 in every one of its pieces. Ramps, jerk-limited profiles and
 * splines are such motions. It counts from 0 to `duration`. Before, joints are where they start; afterwards they are where they
 * end, with the velocity they end with, as at rest as the motion was made to end.
 *
 * All memory is made by the constructor. To fill it, `clear` and then, joint by joint, `append` and `end`.
 *
 * @example
 * const motion = motionOfRamps(ramps);
 * const state = new MotionState(motion.joints);
 * motion.evaluate(0.25, state);
 * state.jerk[0]; // 0: ramps step in acceleration
 */
export class PiecewiseMotion {
  readonly joints: number;
  /** Pieces that each joint has room for. */
  readonly capacity: number;
  /** Pieces of joint i begin at i·capacity·PIECE: start, c₀ … c₅. */
  readonly pieces: Float64Array;
  /** Pieces of each joint. */
  readonly counts: Int32Array;
  /** Position and velocity of each joint at the end. */
  readonly endPosition: Float64Array;
  readonly endVelocity: Float64Array;
  readonly #duration = new Float64Array(1);

  constructor(joints: number, capacity: number) {
    this.joints = joints;
    this.capacity = capacity;
    this.pieces = new Float64Array(joints * capacity * PIECE);
    this.counts = new Int32Array(joints);
    this.endPosition = new Float64Array(joints);
    this.endVelocity = new Float64Array(joints);
  }

  /** [s] */
  get duration(): number {
    return this.#duration[0]!;
  }

  /** Takes all pieces out. */
  clear(duration: number): void {
    this.#duration[0] = duration;
    this.counts.fill(0);
  }

  /** A piece of `joint` from time `start` on, after those it has; the coefficients of degree 0 to 5. */
  append(joint: number, start: number, c0: number, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0): void {
    const at = this.addPiece(joint);
    this.pieces[at] = start;
    this.pieces[at + 1] = c0;
    this.pieces[at + 2] = c1;
    this.pieces[at + 3] = c2;
    this.pieces[at + 4] = c3;
    this.pieces[at + 5] = c4;
    this.pieces[at + 6] = c5;
  }

  /** Makes room for one more piece of `joint`; where in `pieces` it is to be written. */
  addPiece(joint: number): number {
    const count = this.counts[joint]!;
    if (count === this.capacity) throw new RangeError(`joint ${joint}: expected at most ${this.capacity} pieces`);
    this.counts[joint] = count + 1;
    return (joint * this.capacity + count) * PIECE;
  }

  /** Where `joint` is from the end of the motion on, and the velocity it has there. */
  end(joint: number, position: number, velocity: number): void {
    this.endPosition[joint] = position;
    this.endVelocity[joint] = velocity;
  }

  /** All four at `t`. At a step it is what begins; before 0 the first instant's; from the end on neither acceleration nor jerk. */
  evaluate(t: number, out: MotionState): void {
    const { pieces, joints } = this;
    const { position, velocity, acceleration, jerk } = out;
    if (t >= this.#duration[0]!) {
      for (let i = 0; i < joints; i++) {
        position[i] = this.endPosition[i]!;
        velocity[i] = this.endVelocity[i]!;
        acceleration[i] = jerk[i] = 0;
      }
      return;
    }
    for (let i = 0; i < joints; i++) {
      const at = this.pieceAt(i, t);
      const x = t <= pieces[at]! ? 0 : t - pieces[at]!;
      const c1 = pieces[at + 2]!;
      const c2 = pieces[at + 3]!;
      const c3 = pieces[at + 4]!;
      const c4 = pieces[at + 5]!;
      const c5 = pieces[at + 6]!;
      position[i] = pieces[at + 1]! + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))));
      velocity[i] = c1 + x * (2 * c2 + x * (3 * c3 + x * (4 * c4 + 5 * x * c5)));
      acceleration[i] = 2 * c2 + x * (6 * c3 + x * (12 * c4 + 20 * x * c5));
      jerk[i] = 6 * c3 + x * (24 * c4 + 60 * x * c5);
    }
  }

  positions(t: number, out: Float64Array): Float64Array {
    if (t >= this.#duration[0]!) {
      out.set(this.endPosition);
      return out;
    }
    for (let i = 0; i < this.joints; i++) {
      const at = this.pieceAt(i, t);
      const x = t <= this.pieces[at]! ? 0 : t - this.pieces[at]!;
      let value = 0;
      for (let k = COEFFICIENTS; k >= 1; k--) value = value * x + this.pieces[at + k]!;
      out[i] = value;
    }
    return out;
  }

  /** Offset in `pieces` of the piece in which joint i is at `t`. */
  pieceAt(joint: number, t: number): number {
    const first = joint * this.capacity * PIECE;
    let at = first + (this.counts[joint]! - 1) * PIECE;
    while (at > first && t < this.pieces[at]!) at -= PIECE;
    return at;
  }

  /** When piece k of the joint ends. */
  pieceEnd(joint: number, k: number): number {
    if (k + 1 >= this.counts[joint]!) return this.#duration[0]!;
    return this.pieces[(joint * this.capacity + k + 1) * PIECE]!;
  }

  /** Takes over `other`, which has as many joints and no more pieces than there is room for. */
  copyFrom(other: PiecewiseMotion): void {
    if (other.joints !== this.joints) {
      throw new FlycatcherError("FLY_MOTION_INVALID", `${this.joints} joints expected, ${other.joints} found.`, {
        path: "/joints",
        expected: `${this.joints} joints`,
        found: `${other.joints}`,
      });
    }
    this.clear(other.duration);
    for (let i = 0; i < this.joints; i++) {
      const from = i * other.capacity * PIECE;
      const count = other.counts[i]!;
      if (count > this.capacity) throw new RangeError(`joint ${i}: expected at most ${this.capacity} pieces`);
      this.pieces.set(other.pieces.subarray(from, from + count * PIECE), i * this.capacity * PIECE);
      this.counts[i] = count;
    }
    this.endPosition.set(other.endPosition);
    this.endVelocity.set(other.endVelocity);
  }
}
