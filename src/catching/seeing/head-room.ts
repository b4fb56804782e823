import { dofsBetween } from "../../planning/body/body-kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { StandingDistances } from "../../safety/monitor/standing-distances.js";

/** Distance to all that the neck does not carry below which a head that stands should not begin to move [m]. */
const LEAST_ROOM = 0.03;
/** How far from the neck's axes the head reaches [m]. */
const LEVER = 0.25;
/** How long a neck goes on before it brakes [s]. */
const REACTION = 0.01;

/**
 * Tells whether there is room for the head to move. Motions of the arms are planned, and checked, about a head that stands;
 * a neck that follows a ball while a hand passes close by, or holds a ball beside the face, would make the safety monitor stop the
 * robot amid a catch.
 */
export class HeadRoom {
  readonly #distances: StandingDistances;
  /** Of the robot's pairs those of which the neck carries one body. */
  readonly #pairs: readonly number[];
  readonly #q: Float64Array;
  readonly #dofs: readonly number[];
  readonly #deceleration: Float64Array;

  /** `dofs` are the neck's. */
  constructor(robot: Robot, dofs: readonly number[]) {
    const { model, hulls, pairs, frames } = robot;
    const isCarried = hulls.map(({ link }) => dofsBetween(model, frames.world, link).some((dof) => dofs.includes(dof)));
    this.#distances = new StandingDistances(robot);
    this.#pairs = pairs.flatMap(([a, b], k) => (isCarried[a] === isCarried[b] ? [] : [k]));
    this.#q = new Float64Array(model.dofCount);
    this.#dofs = dofs;
    this.#deceleration = Float64Array.from(dofs, (dof) => model.maxAcceleration[dof]!);
  }

  /**
   * Whether a head at `neck`, moving at `speed`, all other joints at `command`, must brake now to keep its distance; arrays of
   * the neck's joints and of all.
   */
  isTight(command: Float64Array, neck: Float64Array, speed: Float64Array): boolean {
    if (this.#pairs.length === 0) return false;
    let room = LEAST_ROOM;
    this.#q.set(command);
    for (let i = 0; i < this.#dofs.length; i++) {
      this.#q[this.#dofs[i]!] = neck[i]!;
      const rate = Math.abs(speed[i]!);
      room += LEVER * rate * (REACTION + rate / (2 * this.#deceleration[i]!));
    }
    this.#distances.place(this.#q);
    for (let k = 0; k < this.#pairs.length; k++) if (!(this.#distances.measure(this.#pairs[k]!) > room)) return true;
    return false;
  }
}
