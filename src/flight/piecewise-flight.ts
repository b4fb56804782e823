import type { Vec3 } from "../math/vec3.js";
import type { FlightPath } from "./flight-path.js";

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
