import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RobotModel } from "../model.js";
import type { AppliedOverlay, Frames, LinkShapes, Robot } from "../robot.js";
import { layOver, type Overlay } from "../sidecar/overlay-schema.js";
import type { FrameRole, Sidecar } from "../sidecar/sidecar-schema.js";
import type { UrdfRobot } from "../urdf/urdf-document.js";
import { buildModel } from "./build-model.js";
import { inconsistent, lookupParts, NameLookup, pointer } from "./name-lookup.js";
import { direction, findRigidBodies, resolveHulls, resolveKeepOut, resolvePairs } from "./resolve-collision.js";
import { resolveHands, resolvePostures } from "./resolve-hands.js";
import { resolveSensors } from "./resolve-sensors.js";

/** All that a robot is made of. */
export interface RobotSources extends Pick<Robot, "name" | "urdf" | "sidecar"> {
  /** Laid over the sidecar in this order. */
  readonly overlays?: readonly { readonly kind: AppliedOverlay["kind"]; readonly overlay: Overlay }[];
}

/** A robot from its parts: builds the model and resolves every name in the sidecar, or throws with the place. */
export function assembleRobot({ name, urdf, sidecar, overlays = [] }: RobotSources): Robot {
  const overlay = overlays.map((entry) => entry.overlay).reduce<Overlay | undefined>(combine, undefined);
  const model = buildModel(urdf, sidecar, overlay);
  const links = new NameLookup("link", model.linkNames);
  const rigidBody = findRigidBodies(model);
  const hulls = resolveHulls(sidecar, links);
  checkBodyRule(sidecar, model);
  checkSimulation(sidecar, model, links);
  return {
    name,
    model,
    sidecar,
    urdf,
    shapes: shapesByLink(urdf, model),
    rigidBody,
    frames: resolveFrames(sidecar, links, rigidBody),
    ...resolveSensors(sidecar, overlay, links),
    hands: resolveHands(sidecar, model, links),
    postures: resolvePostures(sidecar, model),
    maxDeceleration: decelerations(sidecar, model),
    jointCompliance: compliances(overlay, model),
    gravityDirection: gravityDirection(overlay),
    hulls,
    pairs: resolvePairs(sidecar, hulls, model, rigidBody),
    keepOut: resolveKeepOut(sidecar.keepOut ?? [], links),
    overlays: overlays.map((entry) => ({
      kind: entry.kind,
      date: entry.overlay.date,
      version: entry.overlay.version,
    })),
  };
}

function combine(earlier: Overlay | undefined, later: Overlay): Overlay {
  return earlier === undefined ? later : layOver(earlier, later);
}

function shapesByLink(urdf: UrdfRobot, model: RobotModel): LinkShapes[] {
  const byName = new Map(urdf.links.map((link) => [link.name, link]));
  return model.linkNames.map((name) => {
    const link = byName.get(name);
    return { visuals: link?.visuals ?? [], collisions: link?.collisions ?? [] };
  });
}

function resolveFrames(sidecar: Sidecar, links: NameLookup, rigidBody: Int32Array): Frames {
  const frames: { world: number } & Partial<Record<FrameRole, number>> = { world: 0 };
  for (const [role, link] of Object.entries(sidecar.frames ?? {})) {
    frames[role as FrameRole] = links.require(link, `/frames/${role}`);
  }
  if (rigidBody[frames.world] !== 0) {
    throw inconsistent("/frames/world", "a link that is fixed to the root", `${sidecar.frames?.world}, which moves`);
  }
  return frames;
}

function decelerations(sidecar: Sidecar, model: RobotModel): Float64Array {
  const limits = new Map(Object.entries(sidecar.limits ?? {}));
  return Float64Array.from(
    model.dofNames,
    (name, dof) => limits.get(name)?.deceleration ?? model.maxAcceleration[dof]!,
  );
}

function compliances(overlay: Overlay | undefined, model: RobotModel): Float64Array {
  const joints = new NameLookup("joint", model.jointNames);
  const compliance = new Float64Array(model.linkCount);
  for (const [name, value] of Object.entries(overlay?.jointCompliances ?? {})) {
    compliance[joints.require(name, pointer("/jointCompliances", name), "FLY_OVERLAY_REFERENCE")] = value;
  }
  return compliance;
}

function gravityDirection(overlay: Overlay | undefined): vec3.Vec3 {
  const given = vec3.create(...(overlay?.gravityDirection ?? [0, 0, -1]));
  if (!(vec3.norm(given) > 0)) {
    throw new FlycatcherError("FLY_OVERLAY_INVALID", "gravity has no direction", { path: "/gravityDirection" });
  }
  return vec3.normalize(given, given);
}

function checkBodyRule(sidecar: Sidecar, model: RobotModel): void {
  const groups = groupLookup(model);
  for (const [i, part] of (sidecar.bodyRule?.parts ?? []).entries()) {
    const path = `/bodyRule/parts/${i}`;
    const { dofs } = model.groups[groups.require(part.group, `${path}/group`)]!;
    if (part.maxDisplacement.length !== dofs.length) {
      const expected = `${dofs.length} numbers, one for each joint of ${part.group}`;
      throw inconsistent(`${path}/maxDisplacement`, expected, String(part.maxDisplacement.length));
    }
  }
}

function checkSimulation({ simulation }: Sidecar, model: RobotModel, links: NameLookup): void {
  const groups = groupLookup(model);
  const joints = new NameLookup("joint", model.jointNames);
  const requireJoints = (byJoint: object | undefined, path: string) => {
    for (const name of Object.keys(byJoint ?? {})) joints.require(name, pointer(path, name));
  };
  requireJoints(simulation?.jointServos, "/simulation/jointServos");
  requireJoints(simulation?.elasticity?.compliance, "/simulation/elasticity/compliance");
  const modes = simulation?.elasticity?.modes ?? [];
  lookupParts("mode", modes, "/simulation/elasticity/modes");
  for (const [i, mode] of modes.entries()) {
    const path = `/simulation/elasticity/modes/${i}`;
    links.require(mode.link, `${path}/link`);
    direction(mode.axis, `${path}/axis`);
    for (const [k, group] of mode.excitedBy.entries()) groups.require(group, `${path}/excitedBy/${k}`);
  }
}

function groupLookup(model: RobotModel): NameLookup {
  return new NameLookup(
    "group",
    model.groups.map((group) => group.name),
  );
}
