import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { hullName, hullOfShape } from "../../robot/loading/shape-hulls.js";
import { RobotMeshes } from "../../robot/meshes/load-mesh.js";
import type { Robot } from "../../robot/robot.js";
import type { UrdfShape } from "../../robot/urdf/urdf-document.js";
import { grownVolume } from "./convex-hull.js";
import { type DecomposeOptions, decompose } from "./decompose.js";
import { type FittedHull, fitHull, type HullFitOptions } from "./fit-hull.js";
import { ReachBeyond } from "./reach-beyond.js";
import type { Soup } from "./split-surface.js";

export interface MakeHullsOptions extends HullFitOptions, DecomposeOptions {
  /** Called with the link about to be worked on. */
  readonly progress?: (link: string) => void;
}

/** The collision bodies of one link, and how they compare with its shapes. */
export interface LinkHulls {
  readonly link: string;
  readonly bodies: readonly (FittedHull & { readonly name: string })[];
  /** Surface of the link's shapes in its frame; empty where they are primitive. */
  readonly surface: Soup;
  /** Greatest distance of a vertex beyond its nearest body: at most 0 if all are contained [m]. */
  readonly outside: number;
}

export const makeHullsDefaults: HullFitOptions & DecomposeOptions = {
  maxPoints: 16,
  trials: 3000,
  maxPieces: 3,
  minimumGain: 0.1,
};

/**
 * Collision bodies for every link that has a shape: boxes, cylinders, spheres and capsules as they are, meshes as few
 * points and a radius that contain every vertex, and so every triangle. A mesh that one hull would make too fat is cut.
 * Of a link with collision shapes these count, of others the visual ones.
 */
export function makeHulls(robot: Robot, options: MakeHullsOptions): LinkHulls[] {
  const meshes = robot.files === undefined ? undefined : new RobotMeshes(robot.files);
  return robot.model.linkNames.flatMap((link, index) => {
    const { collisions, visuals } = robot.shapes[index]!;
    const shapes = collisions.length > 0 ? collisions : visuals;
    if (shapes.length === 0) return [];
    options.progress?.(link);
    return [linkHulls(link, shapes, meshes, options)];
  });
}

function linkHulls(
  link: string,
  shapes: readonly UrdfShape[],
  meshes: RobotMeshes | undefined,
  options: MakeHullsOptions,
): LinkHulls {
  const primitives = shapes.flatMap((shape) => hullOfShape(shape) ?? []);
  const surface = joined(shapes.map((shape) => surfaceOf(shape, meshes)));
  const pieces = surface.length === 0 ? [] : decompose(surface, options);
  const fitted = [
    ...primitives.map(({ points, radius }) => ({ points, radius, volume: grownVolume(points, radius) })),
    ...pieces.map((piece) => fitHull(piece, options)),
  ];
  const bodies = fitted.map((hull, i) => ({ ...hull, name: hullName(link, i) }));
  return { link, bodies, surface, outside: greatestOutside(pieces, bodies.slice(primitives.length)) };
}

/** A mesh as triangles in the link's frame; nothing for other shapes. */
export function surfaceOf({ geometry, origin }: UrdfShape, meshes: RobotMeshes | undefined): Soup {
  if (geometry.type !== "mesh" || meshes === undefined) return new Float64Array(0);
  const { positions, triangles } = meshes.load(geometry);
  const linkFromMesh = poseFromOrigin(origin);
  const soup = new Float64Array(3 * triangles.length);
  const point = vec3.create();
  for (const [i, vertex] of triangles.entries()) {
    vec3.set(positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!, point);
    soup.set(pose.transformPoint(linkFromMesh, point, point), 3 * i);
  }
  return soup;
}

function joined(soups: readonly Soup[]): Soup {
  const whole = new Float64Array(soups.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const soup of soups) {
    whole.set(soup, at);
    at += soup.length;
  }
  return whole;
}

/** The certificate: how far any vertex of a piece reaches beyond its body, measured again from the finished numbers. */
function greatestOutside(pieces: readonly Soup[], bodies: readonly FittedHull[]): number {
  const reach = new ReachBeyond();
  return pieces.reduce((most, piece, i) => {
    const { points, radius } = bodies[i]!;
    return Math.max(most, reach.greatest(piece, points).distance - radius);
  }, Number.NEGATIVE_INFINITY);
}
