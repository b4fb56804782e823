import { resolvePairs } from "../../src/robot/loading/resolve-collision.js";
import type { Robot } from "../../src/robot/robot.js";

/** The robot with the pairs it has if its sidecar names none: all that more than one joint parts. */
export function withDefaultPairs(robot: Robot): Robot {
  const { hulls, model, rigidBody, sidecar } = robot;
  const unnamed = { ...sidecar, collision: { hulls: sidecar.collision!.hulls } };
  return { ...robot, pairs: resolvePairs(unnamed, hulls, model, rigidBody) };
}
