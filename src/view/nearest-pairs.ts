import { StandingDistances } from "../collision/pairs/standing-distances.js";
import type { SafetyMessage } from "../messages/page.js";
import type { Robot } from "../robot/robot.js";

/** The pairs of bodies that are nearest to each other as the robot stands. */
export class NearestPairs {
  readonly #robot: Robot;
  readonly #distances: StandingDistances;

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#distances = new StandingDistances(robot);
  }

  /** The `count` nearest at `q`, nearest first. */
  at(q: Float64Array, count: number): SafetyMessage["pairs"] {
    const { hulls, pairs } = this.#robot;
    this.#distances.place(q);
    const all = pairs.map(([a, b], k) => ({
      a: hulls[a]!.name,
      b: hulls[b]!.name,
      distance: this.#distances.measure(k),
    }));
    return all.sort((one, other) => one.distance - other.distance).slice(0, count);
  }
}
