import { hullMoments, inertialOf, meshMoments } from "../collision/making/link-inertia.js";
import { hullOfShape } from "../robot/loading/shape-hulls.js";
import type { SolidMoments } from "../robot/meshes/mesh-inertia.js";
import type { Robot } from "../robot/robot.js";
import type { UrdfInertial, UrdfLink, UrdfRobot } from "../robot/urdf/urdf-document.js";

/** Density of a link whose mass is not known [kg/m³]: a shell of metal with motors in it. */
const DENSITY = 1200;
/** A link that moves and has no shape at all: a ball of this radius [m]. */
const SPECK = 0.02;

/** The URDF with masses for what moves without any, and inertias for masses without; and which links were changed. */
export function withMasses(robot: Robot): { urdf: UrdfRobot; links: string[] } {
  const { model, rigidBody, urdf } = robot;
  const bodyMass = new Float64Array(model.linkCount);
  for (let link = 0; link < model.linkCount; link++) bodyMass[rigidBody[link]!]! += model.mass[link]!;
  const changed = new Map<string, UrdfInertial>();
  for (const [link, name] of model.linkNames.entries()) {
    const written = urdf.links.find((entry) => entry.name === name)?.inertial;
    const isMassless = rigidBody[link] === link && link > 0 && bodyMass[link] === 0;
    const isPoint = written !== undefined && written.mass > 0 && trace(written) === 0 && rigidBody[link] !== 0;
    if (isMassless || isPoint) changed.set(name, inertialFor(robot, link, written?.mass ?? 0));
  }
  const links = urdf.links.map((link): UrdfLink => {
    const inertial = changed.get(link.name);
    return inertial === undefined ? link : { ...link, inertial };
  });
  return { urdf: changed.size === 0 ? urdf : { ...urdf, links }, links: [...changed.keys()] };
}

function trace({ inertia }: UrdfInertial): number {
  return inertia.ixx + inertia.iyy + inertia.izz;
}

function inertialFor(robot: Robot, link: number, mass: number): UrdfInertial {
  const moments = meshMoments(robot, link) ?? shapeMoments(robot, link) ?? speck();
  return inertialOf(moments, mass, DENSITY).inertial;
}

function shapeMoments({ shapes }: Robot, link: number): SolidMoments | null {
  const { collisions, visuals } = shapes[link]!;
  const hulls = (collisions.length > 0 ? collisions : visuals).flatMap((shape) => hullOfShape(shape) ?? []);
  if (hulls.length === 0) return null;
  return hullMoments(Float64Array.from(hulls.flatMap(({ points, radius }) => [...grown(points, radius)])));
}

/** Points of a hull with corners of cubes in place of the ball around each. */
export function grown(points: Float64Array, radius: number): Float64Array {
  if (radius === 0) return points;
  const signs = [-radius, radius];
  const corners: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    for (const x of signs)
      for (const y of signs)
        for (const z of signs) {
          corners.push(points[i]! + x, points[i + 1]! + y, points[i + 2]! + z);
        }
  }
  return Float64Array.from(corners);
}

function speck(): SolidMoments {
  const volume = (4 / 3) * Math.PI * SPECK ** 3;
  const moment = 0.4 * volume * SPECK ** 2;
  return { volume, centre: [0, 0, 0], inertia: { ixx: moment, ixy: 0, ixz: 0, iyy: moment, iyz: 0, izz: moment } };
}
