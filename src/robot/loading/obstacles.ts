import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { PoseCourse } from "../../motion/pose-course.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { assertFits } from "../../runtime/schema-problems.js";
import type { CollisionHull, Robot } from "../robot.js";
import { type ObstacleDescription, ObstaclesSchema } from "../sidecar/obstacle-schema.js";
import { poseFromOrigin } from "./build-model.js";

/**
 * An obstacle as the checks see it: the convex hull of some points of the world, grown by a radius. All five shapes
 * become one exactly, but for the half-space, which becomes a block that reaches `HALF_SPACE_REACH` far. One that is
 * attached to a link of the robot moves with it; one with a course moves by itself.
 */
export interface Obstacle {
  readonly name: string;
  /** [m] */
  readonly radius: number;
  /** x, y, z of each point in the world, in the link that it is attached to, or in its own moving frame [m]. */
  readonly points: Float64Array;
  /** Names of the robot's bodies that may touch it. */
  readonly ignore: readonly string[];
  /** Name of the link that it is attached to, as what a hand holds is. */
  readonly attachedTo?: string;
  /** Where its frame is in the world at any time. */
  readonly course?: PoseCourse;
}

/** How far from the foot of the world's origin a half-space reaches, along its plane and into the depth [m]. */
export const HALF_SPACE_REACH = 1000;

/** Largest coordinate of an obstacle [m]. */
const FARTHEST = HALF_SPACE_REACH;

/** Obstacles from JSON, checked against their schema and for sense; `path` is the JSON pointer of the list. */
export function parseObstacles(value: unknown, path = ""): Obstacle[] {
  assertFits(ObstaclesSchema, value, "FLY_OBSTACLE_INVALID", "the obstacles do not follow their schema");
  const names = new Set<string>();
  return value.map((description, i) => {
    if (names.has(description.name)) throw invalid(`${path}/${i}/name`, "a name of its own", description.name);
    names.add(description.name);
    return createObstacle(description, `${path}/${i}`);
  });
}

/** One obstacle from its description; `path` names it in errors. */
export function createObstacle(description: ObstacleDescription, path = ""): Obstacle {
  const { radius, points } = shapeOf(description, path);
  const { name, attachedTo } = description;
  if (!points.every((coordinate) => Math.abs(coordinate) <= 4 * FARTHEST) || !(radius <= FARTHEST)) {
    throw invalid(path, `an obstacle within ${FARTHEST} m of the world's origin`, "one that reaches farther");
  }
  return { name, radius, points, ignore: description.ignore ?? [], ...(attachedTo !== undefined && { attachedTo }) };
}

/**
 * The robot among obstacles: they become bodies of its world link, and every body that moves in the world is checked
 * against every obstacle that does not ignore it. All that takes a robot takes this one; indices of the robot's own hulls
 * stay what they are, those of the obstacles follow.
 *
 * @example
 * const floor = createObstacle({ name: "floor", type: "half-space", normal: [0, 0, 1], offset: 0, ignore: ["platform"] });
 * const check = new MotionCheck(robotAmong(robot, [floor]), arm.dofs);
 */
export function robotAmong(robot: Robot, obstacles: readonly Obstacle[]): Robot {
  if (obstacles.length === 0) return robot;
  const { hulls, frames, rigidBody } = robot;
  if (hulls.length === 0) throw invalid("collision/hulls", "a robot with collision bodies among obstacles", "none");
  const names = obstacles.map(({ name }) => name);
  const bodies = obstacles.map((obstacle) => obstacleBody(robot, obstacle, names));
  const attached = bodies.flatMap(({ link }, i) => (link === frames.world ? [] : [i]));
  const pairs = obstacles.flatMap(({ ignore }, i) => {
    const base = rigidBody[bodies[i]!.link];
    const isPair = ({ name, link }: CollisionHull) => rigidBody[link] !== base && !ignore.includes(name);
    const own = [...hulls.keys()].filter((body) => isPair(hulls[body]!));
    // What is attached is checked against what stands in the world, too.
    const held = base === rigidBody[frames.world] ? attached.filter((k) => !ignore.includes(obstacles[k]!.name)) : [];
    const free = held.filter((k) => !obstacles[k]!.ignore.includes(obstacles[i]!.name));
    return [...own, ...free.map((k) => hulls.length + k)].map((b): readonly [number, number] => [b, hulls.length + i]);
  });
  const movers = obstacles.flatMap(({ course }, i) =>
    course === undefined ? [] : [{ body: hulls.length + i, course }],
  );
  const all = [...(robot.movers ?? []), ...movers];
  const obstacleCount = robot.obstacleCount + obstacles.length;
  const among = { ...robot, hulls: [...hulls, ...bodies], pairs: [...robot.pairs, ...pairs], obstacleCount };
  return all.length === 0 ? among : { ...among, movers: all };
}

/** An obstacle as a body of the link it is fixed to; `names` are those of all obstacles. */
function obstacleBody(robot: Robot, obstacle: Obstacle, names: readonly string[]): CollisionHull {
  const { hulls, frames, model } = robot;
  const { name, radius, points, ignore, attachedTo } = obstacle;
  const unknown = ignore.find((body) => !names.includes(body) && !hulls.some((hull) => hull.name === body));
  if (unknown !== undefined) throw invalid(`${name}/ignore`, "names of the robot's collision bodies", unknown);
  if (hulls.some((hull) => hull.name === name)) throw invalid(name, "a name that no collision body has", name);
  const link = attachedTo === undefined ? frames.world : model.linkNames.indexOf(attachedTo);
  if (link < 0) throw invalid(`${name}/attachedTo`, "the name of a link", attachedTo!);
  return { name, link, radius, points };
}

function shapeOf(obstacle: ObstacleDescription, path: string): Pick<Obstacle, "radius" | "points"> {
  switch (obstacle.type) {
    case "sphere":
      return { radius: obstacle.radius, points: Float64Array.from(obstacle.center) };
    case "capsule":
      return { radius: obstacle.radius, points: Float64Array.of(...obstacle.from, ...obstacle.to) };
    case "box":
      if (!obstacle.size.every((edge) => edge > 0)) {
        throw invalid(`${path}/size`, "positive edge lengths", obstacle.size.join(", "));
      }
      return { radius: 0, points: boxCorners(poseFromOrigin(obstacle.origin), obstacle.size) };
    case "half-space":
      return { radius: 0, points: halfSpaceBlock(obstacle.normal, obstacle.offset, path) };
    case "hull":
      return { radius: obstacle.radius ?? 0, points: Float64Array.from(obstacle.points.flat()) };
  }
}

function boxCorners(worldFromBox: pose.Pose, size: readonly [number, number, number]): Float64Array {
  const points = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    const at = vec3.view(points, 3 * corner);
    for (let k = 0; k < 3; k++) at[k] = ((corner >> k) & 1 ? 0.5 : -0.5) * size[k]!;
    pose.transformPoint(worldFromBox, at, at);
  }
  return points;
}

/** A tetrahedron under the plane, whose face in it holds a circle of `HALF_SPACE_REACH` about the foot of the origin. */
function halfSpaceBlock(direction: readonly [number, number, number], offset: number, path: string): Float64Array {
  const given = vec3.create(...direction);
  const length = vec3.norm(given);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
    throw invalid(`${path}/normal`, "a vector that is not zero", direction.join(", "));
  }
  if (!(Math.abs(offset) <= FARTHEST)) throw invalid(`${path}/offset`, `at most ${FARTHEST} m`, String(offset));
  const normal = vec3.scale(given, 1 / length, given);
  const across = vec3.create(Math.abs(normal[0]) < 0.6 ? 1 : 0, Math.abs(normal[0]) < 0.6 ? 0 : 1, 0);
  const u = vec3.normalize(vec3.cross(normal, across, vec3.create()), vec3.create());
  const v = vec3.cross(normal, u, vec3.create());
  const points = new Float64Array(12);
  for (let corner = 0; corner < 3; corner++) {
    const angle = (2 * Math.PI * corner) / 3;
    const at = vec3.scale(normal, offset, vec3.view(points, 3 * corner));
    vec3.addScaled(at, u, 2 * HALF_SPACE_REACH * Math.cos(angle), at);
    vec3.addScaled(at, v, 2 * HALF_SPACE_REACH * Math.sin(angle), at);
  }
  vec3.scale(normal, offset - HALF_SPACE_REACH, vec3.view(points, 9));
  return points;
}

function invalid(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_OBSTACLE_INVALID", "an obstacle makes no sense", { path, expected, found });
}
