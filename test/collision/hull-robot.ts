import type { Random } from "../../src/math/random.js";
import { findRigidBodies } from "../../src/robot/loading/resolve-collision.js";
import type { CollisionHull, Robot, RobotModel } from "../../src/robot/robot.js";

/**
 * A robot with a body of random points on every link, within ±size [m] of its origin, all pairs checked; only what
 * collision needs of one.
 */
export function hullRobot(model: RobotModel, random: Random, size = 0.2): Robot {
  const hulls = model.linkNames.map((_, link): CollisionHull => {
    const points = Float64Array.from({ length: 3 * (1 + random.integer(6)) }, () => random.uniformIn(-size, size));
    return { name: `body${link}`, link, radius: random.uniformIn(0, 0.05), points };
  });
  const pairs = hulls.flatMap((_, a) => hulls.slice(0, a).map((_, b) => [a, b] as const));
  const rest = { rigidBody: findRigidBodies(model), maxDeceleration: model.maxAcceleration, frames: { world: 0 } };
  return { name: "test", model, hulls, pairs, ...rest } as Partial<Robot> as Robot;
}
