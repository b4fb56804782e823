import type { AddedLink, AddedShape } from "../sidecar/added-links.js";
import type { Sidecar } from "../sidecar/sidecar-schema.js";
import {
  identityOrigin,
  type UrdfJoint,
  type UrdfLink,
  type UrdfOrigin,
  type UrdfRobot,
  type UrdfShape,
} from "../urdf/urdf-document.js";
import { inconsistent } from "./name-lookup.js";
import { direction } from "./resolve-collision.js";

type Additions = Pick<Sidecar, "links" | "mount">;

/** The URDF with the links that the sidecar adds, as if they stood in it; the same object where there are none. */
export function withAddedLinks(urdf: UrdfRobot, { links = [], mount }: Additions): UrdfRobot {
  if (links.length === 0 && mount === undefined) return urdf;
  checkNames(urdf, links);
  checkParents(urdf, links, mount);
  const mounting = mount === undefined ? [] : [mountingOf(urdf, mount)];
  return {
    ...urdf,
    links: [...urdf.links, ...links.map(linkOf)],
    joints: [...mounting, ...urdf.joints, ...links.flatMap(jointAbove)],
  };
}

function checkNames(urdf: UrdfRobot, links: readonly AddedLink[]): void {
  const taken = new Set(urdf.links.map(({ name }) => name));
  const joints = new Set(urdf.joints.map(({ name }) => name));
  for (const [i, link] of links.entries()) {
    const path = `/links/${i}/name`;
    if (taken.has(link.name)) throw inconsistent(path, "a name that no other link has", link.name);
    if (joints.has(jointName(link))) throw inconsistent(path, "a name that no joint has", jointName(link));
    taken.add(link.name);
    joints.add(jointName(link));
  }
}

/** Every link hangs on one that is there already, but for the one that carries all. */
function checkParents(urdf: UrdfRobot, links: readonly AddedLink[], mount: Additions["mount"]): void {
  const known = new Set(urdf.links.map(({ name }) => name));
  const roots = links.filter(({ parent }) => parent === undefined);
  if (mount === undefined && roots.length > 0) {
    throw inconsistent("/mount", "where the URDF's root link stands, as a link without a parent carries it", "nothing");
  }
  if (mount !== undefined && roots.length !== 1) {
    throw inconsistent("/links", "one link without a parent, which carries all others", String(roots.length));
  }
  for (const [i, { name, parent }] of links.entries()) {
    if (parent !== undefined && !known.has(parent)) {
      throw inconsistent(`/links/${i}/parent`, "a link of the URDF, or one before this one", parent);
    }
    known.add(name);
  }
  if (mount !== undefined && !isCarriedBy(links, roots[0]!, mount.parent)) {
    throw inconsistent("/mount/parent", "a link of `links` that stands on the one without a parent", mount.parent);
  }
}

function isCarriedBy(links: readonly AddedLink[], root: AddedLink, name: string): boolean {
  const byName = new Map(links.map((link) => [link.name, link]));
  let link = byName.get(name);
  while (link?.parent !== undefined) link = byName.get(link.parent);
  return link === root;
}

function mountingOf(urdf: UrdfRobot, { parent, origin }: NonNullable<Additions["mount"]>): UrdfJoint {
  const children = new Set(urdf.joints.map(({ child }) => child));
  const root = urdf.links.find(({ name }) => !children.has(name))!.name;
  return { ...fixedJoint(`${root}Mount`, parent, root), origin: originOf(origin) };
}

function jointName({ name, joint }: AddedLink): string {
  return joint === undefined ? `${name}Mount` : name;
}

function jointAbove(link: AddedLink, index: number): UrdfJoint[] {
  const { name, parent, joint } = link;
  if (parent === undefined) return [];
  const mounting = { ...fixedJoint(jointName(link), parent, name), origin: originOf(link.origin) };
  if (joint === undefined) return [mounting];
  const { type, axis, ...limit } = joint;
  const path = `/links/${index}/joint`;
  if (!(limit.lower <= limit.upper)) throw inconsistent(`${path}/lower`, "at most `upper`", String(limit.lower));
  const [x, y, z] = direction(axis, `${path}/axis`);
  return [{ ...mounting, type, axis: [x, y, z], limit }];
}

function fixedJoint(name: string, parent: string, child: string): UrdfJoint {
  return { name, type: "fixed", parent, child, origin: identityOrigin, axis: [1, 0, 0] };
}

function originOf(origin: AddedLink["origin"]): UrdfOrigin {
  return origin === undefined ? identityOrigin : { xyz: origin.xyz, rpy: origin.rpy ?? [0, 0, 0] };
}

function linkOf({ name, inertial, shapes = [] }: AddedLink, index: number): UrdfLink {
  const solid = shapes.map((shape, k) => shapeOf(shape, `/links/${index}/shapes/${k}`));
  if (inertial === undefined) return { name, visuals: solid, collisions: solid };
  const { mass, centre = [0, 0, 0], moments } = inertial;
  const [ixx, iyy, izz] = moments;
  const inertia = { ixx, ixy: 0, ixz: 0, iyy, iyz: 0, izz };
  return {
    name,
    inertial: { mass, origin: { xyz: centre, rpy: [0, 0, 0] }, inertia },
    visuals: solid,
    collisions: solid,
  };
}

const GRAY = "#808084";

function shapeOf({ origin, colour = GRAY, ...geometry }: AddedShape, path: string): UrdfShape {
  if (geometry.type === "box" && !geometry.size.every((edge) => edge > 0)) {
    throw inconsistent(`${path}/size`, "three positive lengths", geometry.size.join(", "));
  }
  const channel = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return { origin: originOf(origin), geometry, rgba: [channel(1), channel(3), channel(5), 1] };
}
