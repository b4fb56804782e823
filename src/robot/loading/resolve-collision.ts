import * as vec3 from "../../math/vec3.js";
import {
  type CollisionHull,
  JointKind,
  type KeepOutGeometry,
  type KeepOutShape,
  type Robot,
  type RobotModel,
} from "../robot.js";
import type { Sidecar, SidecarKeepOut } from "../sidecar/sidecar-schema.js";
import { poseFromOrigin } from "./build-model.js";
import { inconsistent, lookupParts, type NameLookup } from "./name-lookup.js";

/** First link of the rigid body each link belongs to: itself, or the link it is fixed to, or the one that is fixed to. */
export function findRigidBodies(model: RobotModel): Int32Array {
  const rigidBody = new Int32Array(model.linkCount);
  for (let link = 1; link < model.linkCount; link++) {
    const isFixed = model.jointKind[link] === JointKind.fixed;
    rigidBody[link] = isFixed ? rigidBody[model.parentLink[link]!]! : link;
  }
  return rigidBody;
}

export function resolveHulls(sidecar: Sidecar, links: NameLookup): CollisionHull[] {
  const hulls = sidecar.collision?.hulls ?? [];
  lookupParts("collision body", hulls, "/collision/hulls");
  return hulls.map(({ name, link, radius, points }, i) => ({
    name,
    link: links.require(link, `/collision/hulls/${i}/link`),
    radius,
    points: Float64Array.from(points.flat()),
  }));
}

type Pair = readonly [number, number];

/** The sidecar's pairs; without them all whose bodies can move against one another by more than one joint. */
export function resolvePairs(
  sidecar: Sidecar,
  hulls: readonly CollisionHull[],
  model: RobotModel,
  rigidBody: Int32Array,
): Pair[] {
  const listed = sidecar.collision?.pairs;
  return listed === undefined ? defaultPairs(hulls, model, rigidBody) : listedPairs(listed, hulls);
}

function listedPairs(listed: readonly (readonly [string, string])[], hulls: readonly CollisionHull[]): Pair[] {
  const names = lookupParts("collision body", hulls, "/collision/hulls");
  const seen = new Set<string>();
  return listed.map(([first, second], i) => {
    const path = `/collision/pairs/${i}`;
    const a = names.require(first, `${path}/0`);
    const b = names.require(second, `${path}/1`);
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (a === b) throw inconsistent(path, "two different bodies", first);
    if (seen.has(key)) throw inconsistent(path, "each pair once", `${first} and ${second} again`);
    seen.add(key);
    return [a, b];
  });
}

function defaultPairs(hulls: readonly CollisionHull[], model: RobotModel, rigidBody: Int32Array): Pair[] {
  const pairs: Pair[] = [];
  for (let a = 0; a < hulls.length; a++) {
    for (let b = a + 1; b < hulls.length; b++) {
      if (howJoined({ hulls, model, rigidBody }, a, b) === null) pairs.push([a, b]);
    }
  }
  return pairs;
}

/** How two collision bodies hang together: on one rigid body, or on two that one joint joins; null: neither. */
export function howJoined(
  { model, hulls, rigidBody }: Pick<Robot, "model" | "hulls" | "rigidBody">,
  a: number,
  b: number,
): "rigid" | "adjacent" | null {
  const [first, second] = [rigidBody[hulls[a]!.link]!, rigidBody[hulls[b]!.link]!];
  if (first === second) return "rigid";
  // The rigid body a rigid body is joined to; −1 for the root's.
  const above = (body: number): number => (body === 0 ? -1 : rigidBody[model.parentLink[body]!]!);
  return above(first) === second || above(second) === first ? "adjacent" : null;
}

export function resolveKeepOut(shapes: readonly SidecarKeepOut[], links: NameLookup): KeepOutShape[] {
  lookupParts("keep-out shape", shapes, "/handKeepOut");
  return shapes.map((shape, i) => ({
    name: shape.name,
    link: links.require(shape.link, `/handKeepOut/${i}/link`),
    geometry: keepOutGeometry(shape, `/handKeepOut/${i}`),
  }));
}

function keepOutGeometry(shape: SidecarKeepOut, path: string): KeepOutGeometry {
  switch (shape.type) {
    case "sphere":
      return { type: shape.type, center: vec3.create(...shape.center), radius: shape.radius };
    case "capsule":
      return { type: shape.type, ...segment(shape), radius: shape.radius };
    case "cylinder": {
      const ends = segment(shape);
      if (!(vec3.distance(ends.from, ends.to) > 0))
        throw inconsistent(path, "two different ends", "the same end twice");
      return { type: shape.type, ...ends, radius: shape.radius };
    }
    case "box":
      if (shape.size.some((edge) => edge <= 0)) {
        throw inconsistent(`${path}/size`, "positive edge lengths", shape.size.join(", "));
      }
      return {
        type: shape.type,
        linkFromBox: poseFromOrigin(shape.origin),
        halfSize: vec3.create(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2),
      };
    case "half-space":
      return { type: shape.type, normal: direction(shape.normal, `${path}/normal`), offset: shape.offset };
  }
}

function segment({ from, to }: { from: [number, number, number]; to: [number, number, number] }) {
  return { from: vec3.create(...from), to: vec3.create(...to) };
}

/** The unit vector along a vector that must not be zero. */
export function direction(vector: readonly [number, number, number], path: string): vec3.Vec3 {
  const given = vec3.create(...vector);
  const length = vec3.norm(given);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
    throw inconsistent(path, "a vector that is not zero", vector.join(", "));
  }
  return vec3.scale(given, 1 / length, given);
}
