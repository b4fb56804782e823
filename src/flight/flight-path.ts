import type { Vec3 } from "../math/vec3.js";

/** Where a ball is, how it moves and how the air slows it, at one moment. */
export interface BallState {
  /** [s] */
  time: number;
  /** [m] */
  readonly position: Vec3;
  /** [m/s] */
  readonly velocity: Vec3;
  /** k of the drag −k·|v|·v [1/m] */
  drag: number;
}

/**
 * A flight as a function of time, twice continuously differentiable, and all that planning needs of one. `velocity` and
 * `acceleration` are the exact derivatives of `position`, not a second approximation beside it. Outside [begin, end]
 * it goes on smoothly, but no longer as a ball would.
 */
export interface FlightPath {
  /** [s] */
  readonly begin: number;
  /** [s] */
  readonly end: number;
  /** [m] */
  position(t: number, out: Vec3): Vec3;
  /** [m/s] */
  velocity(t: number, out: Vec3): Vec3;
  /** [m/s²] */
  acceleration(t: number, out: Vec3): Vec3;
  /** All three at once. */
  evaluate(t: number, position: Vec3, velocity: Vec3, acceleration: Vec3): void;
}

/** Outcome of computing a flight. */
export const FlightStatus = {
  ok: 0,
  /** The interval needs more steps than there is memory for. */
  tooLong: 1,
  /** A number is NaN or infinite, or the interval is empty. */
  invalid: 2,
  /** The ball would be so fast that the air stops it within a few steps: backwards in time, speed grows without bound. */
  diverged: 3,
} as const;
export type FlightStatus = (typeof FlightStatus)[keyof typeof FlightStatus];

/** Flights one after the other, as of a ball that bounces: twice differentiable but where one ends and the next begins. */
export class PiecewiseFlight implements FlightPath {
  readonly #pieces: readonly FlightPath[];
  readonly #joints: readonly number[];

  /** `joints` are the times at which each piece but the last ends [s]. */
  constructor(pieces: readonly FlightPath[], joints: readonly number[]) {
    this.#pieces = pieces;
    this.#joints = joints;
  }

  get begin(): number {
    return this.#pieces[0]!.begin;
  }

  get end(): number {
    return this.#pieces.at(-1)!.end;
  }

  #at(t: number): FlightPath {
    let k = 0;
    while (k < this.#joints.length && t >= this.#joints[k]!) k++;
    return this.#pieces[k]!;
  }

  position(t: number, out: Vec3): Vec3 {
    return this.#at(t).position(t, out);
  }

  velocity(t: number, out: Vec3): Vec3 {
    return this.#at(t).velocity(t, out);
  }

  acceleration(t: number, out: Vec3): Vec3 {
    return this.#at(t).acceleration(t, out);
  }

  evaluate(t: number, position: Vec3, velocity: Vec3, acceleration: Vec3): void {
    this.#at(t).evaluate(t, position, velocity, acceleration);
  }
}
