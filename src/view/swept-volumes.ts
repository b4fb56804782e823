import { SweptPairs } from "../collision/pairs/swept-pairs.js";
import type { SweptHull } from "../collision/sweep/swept-hull.js";
import type { Robot } from "../robot/robot.js";
import { BrakingIntervals, type BrakingOptions } from "../safety/braking/braking-intervals.js";
import { makeSupportDirections } from "./support-directions.js";
import { createSweptPacket, SWEPT_UNIT, type SweptPacket } from "./swept-packet.js";

/** Bodies nearer than this are measured to the end: farther ones all have one colour [m]. */
const DETAIL = 0.2;
/** Told of bodies that are in no pair, or too far from all others to matter [m]. */
const FAR = 10;
const GREATEST = 32_767;

/**
 * The volumes that the safety monitor keeps apart, for drawings: braking intervals about a command, and every body swept
 * through all its joints. The monitor's own are in control's thread, and swept only as far as pairs need it.
 */
export class SweptVolumes {
  readonly packet: SweptPacket;
  readonly #braking: BrakingIntervals;
  readonly #pairs: SweptPairs;
  readonly #directions = makeSupportDirections().vectors;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #point = new Float64Array(3);

  constructor(robot: Robot, braking: BrakingOptions = {}) {
    this.#braking = new BrakingIntervals(robot, braking);
    this.#pairs = new SweptPairs(robot, { detail: DETAIL });
    this.#low = new Float64Array(robot.model.dofCount);
    this.#high = new Float64Array(robot.model.dofCount);
    this.packet = createSweptPacket(robot.hulls.length, this.#directions.length / 3);
  }

  /** The volumes of a robot commanded to be at `q`, to move at `qd` and to accelerate by `qdd`, to `packet`. */
  compute(time: number, q: Float64Array, qd: Float64Array, qdd: Float64Array): SweptPacket {
    this.#braking.compute(q, qd, qdd, this.#low, this.#high);
    this.#pairs.update(this.#low, this.#high);
    this.packet.time = time;
    this.#measure();
    const { paths } = this.#pairs.swept;
    for (let body = 0; body < this.packet.distances.length; body++) {
      const stages = paths.start[body + 1]! - paths.start[body]!;
      this.#outline(this.#pairs.swept.hull(body, stages), body);
    }
    return this.packet;
  }

  /** Each body's distance is that of its nearest pair. */
  #measure(): void {
    const { distances } = this.packet;
    const { bodyA, bodyB, lowerBound, count } = this.#pairs;
    distances.fill(FAR);
    for (let pair = 0; pair < count; pair++) {
      for (const body of [bodyA[pair]!, bodyB[pair]!]) {
        distances[body] = Math.min(distances[body]!, lowerBound[pair]!);
      }
    }
  }

  #outline(hull: SweptHull, body: number): void {
    const { points } = this.packet;
    const count = this.#directions.length;
    for (let k = 0; k < count; k += 3) {
      farthest(hull, this.#directions, k, this.#point);
      for (let axis = 0; axis < 3; axis++) {
        const place = this.#point[axis]! + hull.radius * this.#directions[k + axis]!;
        points[body * count + k + axis] = Math.max(-GREATEST, Math.min(GREATEST, Math.round(place / SWEPT_UNIT)));
      }
    }
  }
}

/** The point of a hull without its radius that is farthest in the direction at `at`: a corner with each span added or taken off. */
function farthest(
  { points, spans, slots, spanCount, count }: SweptHull,
  d: Float32Array,
  at: number,
  out: Float64Array,
): void {
  const [dx, dy, dz] = [d[at]!, d[at + 1]!, d[at + 2]!];
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    let [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
    for (let k = 3 * i * slots; k < 3 * (i * slots + spanCount); k += 3) {
      const sign = dx * spans[k]! + dy * spans[k + 1]! + dz * spans[k + 2]! < 0 ? -1 : 1;
      x += sign * spans[k]!;
      y += sign * spans[k + 1]!;
      z += sign * spans[k + 2]!;
    }
    const along = dx * x + dy * y + dz * z;
    if (!(along > greatest)) continue;
    greatest = along;
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }
}
