import { StandingDistances } from "../../collision/pairs/standing-distances.js";
import { catchGroups } from "../../planning/problem/catch-arm.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";

/** Distance to the arms below which a head that stands should not begin to move [m]. */
const LEAST_ROOM = 0.03;
/** How far from the neck's axes the head reaches [m]. */
const LEVER = 0.25;
/** How long a neck goes on before it brakes [s]. */
const REACTION = 0.01;
/** Faster than this no two bodies approach each other [m/s]: an arm with all its joints at their greatest speed, and the head. */
const GREATEST_APPROACH = 8;
/** Nothing is left alone for longer [s]. */
const LONGEST_UNWATCHED = 0.01;

/**
 * Tells whether there is room for the head to move. Motions of the arms are planned, and checked, about a head that stands;
 * a neck that follows a ball while a hand passes close by, or holds a ball beside the face, would make the safety monitor stop the
 * robot amid a catch.
 */
export class HeadClearance {
  readonly #distances: StandingDistances;
  /** Of the robot's pairs those of a body that the neck carries and one that an arm carries. */
  readonly #pairs: readonly number[];
  readonly #q: Float64Array;
  readonly #dofs: readonly number[];
  readonly #deceleration: Float64Array;
  /** Before that nothing can have come near [s]. */
  #clearUntil = Number.NEGATIVE_INFINITY;

  /** `dofs` are the neck's. */
  constructor(robot: Robot, dofs: readonly number[]) {
    const { model, hulls, pairs, frames } = robot;
    const arms = catchGroups(robot).flatMap((group) => group.dofs);
    const carrying = hulls.map(({ link }) => dofsBetween(model, frames.world, link));
    const isCarried = (hull: number, by: readonly number[]): boolean => carrying[hull]!.some((dof) => by.includes(dof));
    const isMet = (a: number, b: number): boolean => isCarried(a, dofs) && isCarried(b, arms);
    this.#distances = new StandingDistances(robot);
    this.#pairs = pairs.flatMap(([a, b], k) => (isMet(a, b) || isMet(b, a) ? [k] : []));
    this.#q = new Float64Array(model.dofCount);
    this.#dofs = dofs;
    this.#deceleration = Float64Array.from(dofs, (dof) => model.maxAcceleration[dof]!);
  }

  /**
   * Whether a head at `neck`, moving at `speed`, all other joints at `command`, must brake at `time` [s] to keep its distance;
   * arrays of the neck's joints and of all. Times rise. Where nothing is near it is not looked at again before something
   * can be.
   */
  isTight(time: number, command: Float64Array, neck: Float64Array, speed: Float64Array): boolean {
    if (this.#pairs.length === 0 || time < this.#clearUntil) return false;
    this.#q.set(command);
    for (let i = 0; i < this.#dofs.length; i++) this.#q[this.#dofs[i]!] = neck[i]!;
    this.#distances.place(this.#q);
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#pairs.length; k++) least = Math.min(least, this.#distances.measure(this.#pairs[k]!));
    const clear = (least - this.#roomAt(speed, LONGEST_UNWATCHED)) / GREATEST_APPROACH;
    this.#clearUntil = time + Math.min(clear, LONGEST_UNWATCHED);
    return !(least > this.#roomAt(speed, 0));
  }

  /** The robot is, or may be, elsewhere than motions have brought it. */
  forget(): void {
    this.#clearUntil = Number.NEGATIVE_INFINITY;
  }

  /** What a head needs that moves at `speed` and may go faster for a while [s]. */
  #roomAt(speed: Float64Array, faster: number): number {
    let room = LEAST_ROOM;
    for (let i = 0; i < speed.length; i++) {
      const rate = Math.abs(speed[i]!) + faster * this.#deceleration[i]!;
      room += LEVER * rate * (REACTION + rate / (2 * this.#deceleration[i]!));
    }
    return room;
  }
}
