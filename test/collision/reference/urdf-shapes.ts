import * as pose from "../../../src/math/pose.js";
import { poseFromOrigin } from "../../../src/robot/loading/build-model.js";
import type { Robot } from "../../../src/robot/robot.js";
import type { RobotState } from "../../../src/robot/state.js";
import { ballGap, type PlacedShape, urdfShape } from "./convex-shape.js";
import { type DistanceInterval, distanceInterval } from "./min-norm-point.js";

/** One collision shape of a robot's URDF, where its link is. */
interface RobotShape extends PlacedShape {
  readonly link: number;
  readonly linkFromShape: pose.Pose;
  /** Indices of the hulls that stand for its link. */
  readonly hulls: readonly number[];
}

/**
 * The collision shapes of a robot's URDF and the true distances between them, of those that the checked pairs of hulls
 * stand for: what the robot really is, as far as anyone knows.
 */
export class UrdfShapes {
  readonly #shapes: readonly RobotShape[];
  readonly #pairs: readonly (readonly [RobotShape, RobotShape])[];

  constructor(robot: Robot) {
    this.#shapes = robot.shapes.flatMap(({ collisions }, link) =>
      collisions.map((shape) => ({
        link,
        shape: urdfShape(shape.geometry),
        linkFromShape: poseFromOrigin(shape.origin),
        worldFromShape: pose.create(),
        hulls: hullsOf(robot, link),
      })),
    );
    const isChecked = new Set(robot.pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
    this.#pairs = this.#shapes.flatMap((first, i) =>
      this.#shapes.slice(0, i).flatMap((second) => {
        const isMeant = first.hulls.some((a) => second.hulls.some((b) => isChecked.has(`${a} ${b}`)));
        return isMeant ? [[first, second] as const] : [];
      }),
    );
  }

  get pairCount(): number {
    return this.#pairs.length;
  }

  /** Takes up the robot's state, whose forward kinematics are done. */
  place(state: RobotState): this {
    for (const { link, linkFromShape, worldFromShape } of this.#shapes) {
      pose.compose(state.worldFromLink[link]!, linkFromShape, worldFromShape);
    }
    return this;
  }

  /** Whether all shapes are proven to be farther apart than `margin` [m]. */
  areApart(margin = 0): boolean {
    return this.#pairs.every(([a, b]) => {
      if (ballGap(a, b) > margin) return true;
      return distanceInterval(a, b, { tolerance: 1e-7, sufficient: margin }).lower > margin;
    });
  }

  /** The true distance of the shapes that two hulls stand for [m], Infinity if they stand for none. */
  between(hullA: number, hullB: number): DistanceInterval {
    let [lower, upper] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [a, b] of this.#pairs) {
      const isMeant =
        (a.hulls.includes(hullA) && b.hulls.includes(hullB)) || (a.hulls.includes(hullB) && b.hulls.includes(hullA));
      if (!isMeant || ballGap(a, b) > upper) continue;
      const interval = distanceInterval(a, b, { tolerance: 1e-7 });
      lower = Math.min(lower, interval.lower);
      upper = Math.min(upper, interval.upper);
    }
    return { lower, upper };
  }
}

/** The hulls of a link's rigid body; a finger has none of its own, the hull of what carries it stands for it. */
function hullsOf(robot: Robot, link: number): number[] {
  const { hulls, rigidBody, model } = robot;
  for (let body = rigidBody[link]!; ; body = rigidBody[model.parentLink[body]!]!) {
    const own = [...hulls.keys()].filter((hull) => rigidBody[hulls[hull]!.link] === body);
    if (own.length > 0 || body === 0) return own;
  }
}
