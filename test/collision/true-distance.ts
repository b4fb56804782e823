import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import type { Robot } from "../../src/robot/robot.js";
import type { RobotState } from "../../src/robot/state.js";
import { bruteForceDistance, type Point } from "./brute-force-distance.js";

/** The true distances of a robot's bodies, by brute force. */
export class TrueDistances {
  readonly #robot: Robot;
  #points: readonly (readonly Point[])[] = [];

  constructor(robot: Robot) {
    this.#robot = robot;
  }

  /** Takes up the robot's state, whose forward kinematics are done. */
  place(state: RobotState): this {
    this.#points = this.#robot.hulls.map(({ points, link }) =>
      Array.from({ length: points.length / 3 }, (_, i): Point => {
        const world = pose.transformPoint(state.worldFromLink[link]!, vec3.view(points, 3 * i), vec3.create());
        return [world[0], world[1], world[2]];
      }),
    );
    return this;
  }

  /** Distance of the surfaces of two bodies [m], negative by up to their radii where they overlap. */
  between(a: number, b: number): number {
    return bruteForceDistance(this.#points[a]!, this.#points[b]!) - this.#radii(a, b);
  }

  /** Whether two bodies are as near as `distance`; quick for those that some plane shows to be farther apart. */
  areWithin(a: number, b: number, distance: number): boolean {
    const [first, second] = [this.#points[a]!, this.#points[b]!];
    const least = distance + this.#radii(a, b);
    const between = minus(middle(first), middle(second));
    if (gapAlong(between, first, second) > least) return false;
    if (directions.some((direction) => gapAlong(direction, first, second) > least)) return false;
    return this.between(a, b) <= distance;
  }

  #radii(a: number, b: number): number {
    return this.#robot.hulls[a]!.radius + this.#robot.hulls[b]!.radius;
  }
}

const directions: readonly Point[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Point => [x, y, z])),
);

/** How far apart two sets' shadows on a direction are; −Infinity for the zero vector. */
function gapAlong(direction: Point, a: readonly Point[], b: readonly Point[]): number {
  const [x, y, z] = direction;
  const length = Math.hypot(x, y, z);
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const p of a) least = Math.min(least, x * p[0] + y * p[1] + z * p[2]);
  for (const p of b) greatest = Math.max(greatest, x * p[0] + y * p[1] + z * p[2]);
  return length > 0 ? (least - greatest) / length : Number.NEGATIVE_INFINITY;
}

function middle(points: readonly Point[]): Point {
  const sum: [number, number, number] = [0, 0, 0];
  for (const point of points) for (let k = 0; k < 3; k++) sum[k] = sum[k]! + point[k]! / points.length;
  return sum;
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
