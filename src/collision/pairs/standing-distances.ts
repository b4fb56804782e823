import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { HullBodies } from "../hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../hull-distance.js";

/** Exact distances of a robot's pairs at one configuration: to tell whether a slow motion leads apart. */
export class StandingDistances {
  readonly #state: RobotState;
  readonly #bodies: HullBodies;
  readonly #pairs: Robot["pairs"];
  readonly #distance = new HullDistance();
  readonly #memory: Int32Array;

  constructor(robot: Robot) {
    this.#state = new RobotState(robot.model);
    this.#bodies = new HullBodies(robot.hulls);
    this.#pairs = robot.pairs;
    this.#memory = new Int32Array(MEMORY_SIZE * robot.pairs.length);
  }

  /** Places the robot. */
  place(q: Float64Array): void {
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#bodies.placeAll(this.#state.linkPoses);
  }

  /** Distance of a pair's surfaces where the robot was placed [m], negative in overlap by no more than the radii. */
  measure(pair: number): number {
    const { points, pointCount, radius } = this.#bodies;
    const [a, b] = this.#pairs[pair]!;
    const at = MEMORY_SIZE * pair;
    this.#distance.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.#memory, at);
    return this.#distance.distance - radius[a]! - radius[b]!;
  }
}
