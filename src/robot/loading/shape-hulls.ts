import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { CollisionHull, RobotModel } from "../robot.js";
import type { UrdfGeometry, UrdfRobot, UrdfShape } from "../urdf/urdf-document.js";
import { poseFromOrigin } from "./build-model.js";

/** A cylinder's rim becomes a polygon of so many corners around it: 5.5 % more volume. */
const rimCorners = 8;

/** A box, cylinder, sphere or capsule as points and a radius that contain it, in the link's frame; null for a mesh. */
export function hullOfShape({ geometry, origin }: UrdfShape): Pick<CollisionHull, "points" | "radius"> | null {
  const own = pointsOf(geometry);
  if (own === null) return null;
  const linkFromShape = poseFromOrigin(origin);
  const points = own.points.flatMap(([x, y, z]) => [
    ...pose.transformPoint(linkFromShape, vec3.create(x, y, z), vec3.create()),
  ]);
  return { points: Float64Array.from(points), radius: own.radius };
}

type Corner = readonly [number, number, number];

function pointsOf(geometry: UrdfGeometry): { points: Corner[]; radius: number } | null {
  switch (geometry.type) {
    case "box": {
      const [x, y, z] = geometry.size.map((edge) => edge / 2) as [number, number, number];
      const signs = [-1, 1];
      return {
        points: signs.flatMap((i) => signs.flatMap((j) => signs.map((k): Corner => [i * x, j * y, k * z]))),
        radius: 0,
      };
    }
    case "sphere":
      return { points: [[0, 0, 0]], radius: geometry.radius };
    case "capsule":
      return {
        points: [
          [0, 0, -geometry.length / 2],
          [0, 0, geometry.length / 2],
        ],
        radius: geometry.radius,
      };
    case "cylinder":
      return { points: prism(geometry.radius, geometry.length), radius: 0 };
    case "mesh":
      return null;
  }
}

/** The corners of a prism around a cylinder; a hair larger, so that rounding leaves nothing outside. */
function prism(radius: number, length: number): Corner[] {
  const outer = (radius / Math.cos(Math.PI / rimCorners)) * (1 + 1e-12);
  return Array.from({ length: 2 * rimCorners }, (_, i): Corner => {
    const angle = (2 * Math.PI * (i % rimCorners)) / rimCorners;
    return [outer * Math.cos(angle), outer * Math.sin(angle), i < rimCorners ? -length / 2 : length / 2];
  });
}

/** The bodies that the URDF's own collision shapes are: for robots whose sidecar has none. Meshes have to be made. */
export function hullsOfShapes(urdf: UrdfRobot, model: RobotModel): CollisionHull[] {
  const byName = new Map(urdf.links.map((link) => [link.name, link]));
  return model.linkNames.flatMap((name, link) => {
    const shapes = (byName.get(name)?.collisions ?? []).flatMap((shape) => hullOfShape(shape) ?? []);
    return shapes.map((hull, i) => ({ name: hullName(name, i), link, ...hull }));
  });
}

/** `forearm`, `forearm-2`, `forearm-3`, … */
export function hullName(link: string, index: number): string {
  return index === 0 ? link : `${link}-${index + 1}`;
}
