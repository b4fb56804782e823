import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { CourseSpeed } from "../motion/pose-course.js";
import type { MovingBody, Robot } from "../robot/robot.js";
import type { MovingPairs } from "./moving-pairs.js";

/** Where the moving obstacles of a robot's world are, and how far they can be from there within a span of time. */
export class ObstacleDrift {
  readonly #movers: readonly MovingBody[];
  readonly #pairs: MovingPairs;
  /** Greatest distance of each obstacle's points from the origin of its frame [m]. */
  readonly #reach: Float64Array;
  readonly #pose: pose.Pose = pose.create();
  readonly #speed: CourseSpeed = { linear: 0, angular: 0 };

  constructor(robot: Robot, movers: readonly MovingBody[], pairs: MovingPairs) {
    this.#movers = movers;
    this.#pairs = pairs;
    this.#reach = Float64Array.from(movers, ({ body }) => {
      const { points } = robot.hulls[body]!;
      let greatest = 0;
      for (let i = 0; i < points.length; i += 3) greatest = Math.max(greatest, vec3.norm(vec3.view(points, i)));
      return greatest;
    });
  }

  /** Places the obstacles as of `time` and writes to the pairs' `drift` how far they get within `half` before or after. */
  place(time: number, half: number): void {
    const { bodies, drift } = this.#pairs;
    for (let k = 0; k < this.#movers.length; k++) {
      const { body, course } = this.#movers[k]!;
      bodies.place(body, course.poseAt(time, this.#pose), 0);
      const { linear, angular } = course.speedBetween(time - half, time + half, this.#speed);
      drift[body] = (linear + angular * this.#reach[k]!) * half;
    }
  }
}
