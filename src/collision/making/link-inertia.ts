import { RobotMeshes } from "../../robot/meshes/load-mesh.js";
import { type SolidMoments, solidMoments } from "../../robot/meshes/mesh-inertia.js";
import type { Robot } from "../../robot/robot.js";
import type { UrdfInertial } from "../../robot/urdf/urdf-document.js";
import { convexHull } from "./convex-hull.js";
import { extremePoints, spreadDirections } from "./extreme-points.js";
import { surfaceOf } from "./make-hulls.js";

/** The mass stays as given; without one (0) the density decides [kg/m³]. */
export function inertialOf(
  { volume, centre, inertia }: SolidMoments,
  mass: number,
  density: number,
): { inertial: UrdfInertial; density: number } {
  const used = mass > 0 ? mass / volume : density;
  const scaled = Object.fromEntries(Object.entries(inertia).map(([key, value]) => [key, value * used]));
  const inertial: UrdfInertial = {
    origin: { xyz: centre, rpy: [0, 0, 0] },
    mass: used * volume,
    inertia: scaled as unknown as UrdfInertial["inertia"],
  };
  return { inertial, density: used };
}

/** Moments of a link's meshes; where these are not closed, of the convex hull around them. Null for a link without any. */
export function meshMoments({ files, shapes }: Robot, link: number): SolidMoments | null {
  if (files === undefined) return null;
  const meshes = new RobotMeshes(files);
  const { collisions, visuals } = shapes[link]!;
  const surfaces = (visuals.length > 0 ? visuals : collisions).map((shape) => surfaceOf(shape, meshes));
  const surface = Float64Array.from(surfaces.flatMap((part) => [...part]));
  if (surface.length === 0) return null;
  const around = hullMoments(surface);
  if (around === null) return null;
  const own = solidMoments(surface);
  // A surface with holes has any volume, a closed one at most that of its hull and not next to none.
  const isSolid = own !== null && own.volume <= 1.01 * around.volume && own.volume >= 0.1 * around.volume;
  return isSolid ? own : around;
}

/** Moments of the convex hull of some points; null where they span no volume. */
export function hullMoments(points: Float64Array): SolidMoments | null {
  const corners = extremePoints(points, spreadDirections(600));
  const hull = convexHull(corners);
  if (hull === null) return null;
  return solidMoments(Float64Array.from([...hull.faces].flatMap((i) => [...corners.subarray(3 * i, 3 * i + 3)])));
}
