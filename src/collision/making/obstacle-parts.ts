import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { PolynomialCourse, type PoseCourse, TableCourse } from "../../motion/pose-course.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { createObstacle, type Obstacle } from "../../robot/loading/obstacles.js";
import { checkedMesh } from "../../robot/meshes/triangle-mesh.js";
import {
  type CourseDescription,
  type MotionObstacleDescription,
  MotionObstaclesSchema,
} from "../../robot/sidecar/obstacle-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { assertFits } from "../../runtime/schema-problems.js";
import { decompose } from "./decompose.js";
import { fitHull } from "./fit-hull.js";
import { cloudBoxes, heightBoxes, type PartBox } from "./obstacle-boxes.js";

/** Most convex parts of all obstacles together. */
export const MOST_PARTS = 1024;
/** A cut of a mesh must save this share of the pieces' volume. */
const MINIMUM_GAIN = 0.02;
/** Corners of a piece of a mesh, and random trials to make it smaller. */
const MESH_POINTS = 20;
const MESH_TRIALS = 200;
/** Between the name of an obstacle and the number of its part. */
const PART_MARK = "#";

type Shape = Pick<Obstacle, "radius" | "points">;
type MeshDescription = Extract<MotionObstacleDescription, { type: "mesh" }>;
type OtherShape = Exclude<MotionObstacleDescription, { type: "mesh" | "height-map" | "points" | "cylinder" }>;

/**
 * Obstacles of a motion from JSON: of any shape, standing, attached to a link, or moving by themselves. Meshes, height maps
 * and point clouds become several convex parts that contain them; `path` is the JSON pointer of the list, `onCut` is called
 * before each cut of a mesh.
 */
export function parseMotionObstacles(value: unknown, path = "", onCut: () => void = () => undefined): Obstacle[] {
  assertFits(MotionObstaclesSchema, value, "FLY_OBSTACLE_INVALID", "the obstacles do not follow their schema");
  const names = new Set<string>();
  const parts = value.flatMap((description, i) => {
    const { name } = description;
    if (names.has(name) || name.includes(PART_MARK)) {
      throw invalid(`${path}/${i}/name`, `a name of its own without ${PART_MARK}`, name);
    }
    names.add(name);
    return partsOf(description, `${path}/${i}`, onCut);
  });
  if (parts.length > MOST_PARTS) {
    throw invalid(path, `at most ${MOST_PARTS} convex parts of all obstacles`, String(parts.length));
  }
  return parts;
}

/** Name of the obstacle that a body is, or is a part of. */
export function obstacleNameOf(body: string): string {
  return body.split(PART_MARK)[0]!;
}

function partsOf(description: MotionObstacleDescription, path: string, onCut: () => void): Obstacle[] {
  const { name, motion, attachedTo, ignore = [] } = description;
  if (motion !== undefined && attachedTo !== undefined) {
    throw invalid(path, "either motion or attachedTo", "both");
  }
  const course = motion === undefined ? undefined : courseOf(motion, `${path}/motion`);
  const shapes = shapesOf(description, path, onCut);
  return shapes.map((shape, k) => ({
    ...shape,
    name: shapes.length === 1 ? name : `${name}${PART_MARK}${k + 1}`,
    ignore,
    ...(attachedTo !== undefined && { attachedTo }),
    ...(course !== undefined && { course }),
  }));
}

function shapesOf(description: MotionObstacleDescription, path: string, onCut: () => void): Shape[] {
  switch (description.type) {
    case "mesh":
      return meshShapes(description, path, onCut);
    case "height-map": {
      const { heights, columns, cell, floor = 0, tolerance = 0.02 } = description;
      if (heights.length % columns !== 0) {
        throw invalid(`${path}/heights`, `a multiple of ${columns} heights`, String(heights.length));
      }
      return placed(heightBoxes({ heights, columns, cell, floor, tolerance }), description.origin, 0);
    }
    case "points": {
      const { points, radius = 0.01, resolution = 0.1 } = description;
      if (points.length % 3 !== 0) throw invalid(`${path}/points`, "three coordinates a point", String(points.length));
      return placed(cloudBoxes(Float64Array.from(points), resolution), description.origin, radius);
    }
    default: {
      const { motion: _, ...shape } = description as OtherShape;
      return [createObstacle(shape, path)];
    }
  }
}

function meshShapes(
  { vertices, triangles, origin, pieces = 16 }: MeshDescription,
  path: string,
  onCut: () => void,
): Shape[] {
  if (vertices.length % 3 !== 0 || triangles.length % 3 !== 0) {
    throw invalid(path, "three coordinates a vertex and three vertices a triangle", "another count");
  }
  const mesh = checkedMesh(Float64Array.from(vertices), Uint32Array.from(triangles));
  const soup = new Float64Array(3 * mesh.triangles.length);
  const worldFromMesh = origin === undefined ? pose.create() : poseFromOrigin(origin);
  const point = vec3.create();
  for (const [i, vertex] of mesh.triangles.entries()) {
    vec3.set(mesh.positions[3 * vertex]!, mesh.positions[3 * vertex + 1]!, mesh.positions[3 * vertex + 2]!, point);
    soup.set(pose.transformPoint(worldFromMesh, point, point), 3 * i);
  }
  return decompose(soup, { maxPieces: pieces, minimumGain: MINIMUM_GAIN, onCut }).map((piece) =>
    fitHull(piece, { maxPoints: MESH_POINTS, trials: MESH_TRIALS }),
  );
}

function placed(
  boxes: readonly PartBox[],
  origin: Parameters<typeof poseFromOrigin>[0] | undefined,
  radius: number,
): Shape[] {
  const worldFromOrigin = origin === undefined ? pose.create() : poseFromOrigin(origin);
  return boxes.map(({ low, high }) => {
    const points = new Float64Array(24);
    for (let corner = 0; corner < 8; corner++) {
      const at = vec3.view(points, 3 * corner);
      for (let k = 0; k < 3; k++) at[k] = (corner >> k) & 1 ? high[k]! : low[k]!;
      pose.transformPoint(worldFromOrigin, at, at);
    }
    return { points, radius };
  });
}

/** A pose in time from its description; `path` names it in errors. */
export function courseOf({ polynomial, table }: CourseDescription, path: string): PoseCourse {
  if ((polynomial === undefined) === (table === undefined)) {
    throw invalid(path, "polynomial or table, exactly one of the two", polynomial === undefined ? "neither" : "both");
  }
  if (polynomial !== undefined) {
    const { coefficients, rpy = [0, 0, 0], angularVelocity = [0, 0, 0] } = polynomial;
    const rotation = poseFromOrigin({ xyz: [0, 0, 0], rpy });
    return new PolynomialCourse(
      coefficients.map((c) => vec3.create(...c)),
      rotation,
      vec3.create(...angularVelocity),
    );
  }
  const times = table!.map(({ time }) => time);
  const wrong = times.findIndex((time, k) => k > 0 && !(time > times[k - 1]!));
  if (wrong > 0) throw invalid(`${path}/table/${wrong}/time`, `later than ${times[wrong - 1]}`, String(times[wrong]));
  return new TableCourse(
    times,
    table!.map(({ origin }) => poseFromOrigin(origin)),
  );
}

function invalid(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_OBSTACLE_INVALID", "an obstacle makes no sense", { path, expected, found });
}
