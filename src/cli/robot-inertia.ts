import { convexHull } from "../collision/making/convex-hull.js";
import { extremePoints, spreadDirections } from "../collision/making/extreme-points.js";
import { surfaceOf } from "../collision/making/make-hulls.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { RobotMeshes } from "../robot/meshes/load-mesh.js";
import { type SolidMoments, solidMoments } from "../robot/meshes/mesh-inertia.js";
import type { Robot } from "../robot/robot.js";
import { formatInertial } from "../robot/urdf/format-urdf.js";
import type { UrdfInertial } from "../robot/urdf/urdf-document.js";
import { type FileOptions, loadOptions } from "./robot-file-options.js";
import { print } from "./terminal.js";

export interface InertiaOptions extends FileOptions {
  readonly density: number;
  readonly all?: true;
}

/** `flycatcher robot inertia`: `<inertial>` elements from the meshes, for links whose own is missing or zero. */
export function runInertia(name: string, options: InertiaOptions): void {
  const robot = loadRobot(name, loadOptions(options));
  const lines = robot.model.linkNames.flatMap((link, index) => {
    const written = robot.urdf.links.find((entry) => entry.name === link)?.inertial;
    const isSound = written !== undefined && written.mass > 0 && written.inertia.ixx > 0;
    if (isSound && !options.all) return [];
    const moments = momentsOf(robot, index);
    if (moments === null) return [];
    const { inertial, source } = inertialOf(moments, written?.mass ?? 0, options.density);
    return [`<!-- ${link}: ${source} -->\n${formatInertial(inertial)}`];
  });
  print(lines.length === 0 ? "No link lacks an inertia that a mesh could give." : lines.join("\n"));
}

/** The mass stays as written; without one the density decides. */
function inertialOf({ volume, centre, inertia }: SolidMoments, mass: number, density: number) {
  const used = mass > 0 ? mass / volume : density;
  const scaled = Object.fromEntries(Object.entries(inertia).map(([key, value]) => [key, value * used]));
  const inertial: UrdfInertial = {
    origin: { xyz: centre, rpy: [0, 0, 0] },
    mass: used * volume,
    inertia: scaled as unknown as UrdfInertial["inertia"],
  };
  return { inertial, source: `${(1000 * volume).toFixed(2)} l at ${used.toFixed(0)} kg/m³` };
}

/** Of the link's meshes; where these are not closed, of the convex hull around them. */
function momentsOf({ files, shapes }: Robot, link: number): SolidMoments | null {
  if (files === undefined) return null;
  const meshes = new RobotMeshes(files);
  const { collisions, visuals } = shapes[link]!;
  const surfaces = (visuals.length > 0 ? visuals : collisions).map((shape) => surfaceOf(shape, meshes));
  const surface = Float64Array.from(surfaces.flatMap((part) => [...part]));
  if (surface.length === 0) return null;
  const corners = extremePoints(surface, spreadDirections(600));
  const hull = convexHull(corners);
  if (hull === null) return null;
  const around = Float64Array.from([...hull.faces].flatMap((i) => [...corners.subarray(3 * i, 3 * i + 3)]));
  const own = solidMoments(surface);
  // A surface with holes has any volume, a closed one at most that of its hull and not next to none.
  const isSolid = own !== null && own.volume <= 1.01 * hull.volume && own.volume >= 0.1 * hull.volume;
  return isSolid ? own : solidMoments(around);
}
