import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type {
  AppliedOverlay,
  Frames,
  HandMouth,
  LinkShapes,
  Robot,
  RobotCamera,
  RobotEncoders,
  RobotHand,
  RobotImu,
  RobotMarker,
  RobotModel,
} from "../robot.js";
import { layOver, type Overlay } from "../sidecar/overlay-schema.js";
import type { FrameRole, Sidecar, SidecarCamera, SidecarHand } from "../sidecar/sidecar-schema.js";
import type { UrdfRobot } from "../urdf/urdf-document.js";
import { withAddedLinks } from "./add-links.js";
import { buildModel } from "./build-model.js";
import { inconsistent, lookupParts, NameLookup, pointer } from "./name-lookup.js";
import { parseObstacles, robotAmong } from "./obstacles.js";
import { direction, findRigidBodies, resolveHulls, resolveKeepOut, resolvePairs } from "./resolve-collision.js";
import { hullsOfShapes } from "./shape-hulls.js";

/** All that a robot is made of. */
export interface RobotSources extends Pick<Robot, "name" | "urdf" | "sidecar" | "files"> {
  /** Laid over the sidecar in this order. */
  readonly overlays?: readonly { readonly kind: AppliedOverlay["kind"]; readonly overlay: Overlay }[];
}

/** A robot from its parts: builds the model and resolves every name in the sidecar, or throws with the place. */
export function assembleRobot({ name, urdf: written, files, sidecar, overlays = [] }: RobotSources): Robot {
  const urdf = withAddedLinks(written, sidecar);
  const overlay = overlays.map((entry) => entry.overlay).reduce<Overlay | undefined>(combine, undefined);
  const model = buildModel(urdf, sidecar, overlay);
  const links = new NameLookup("link", model.linkNames);
  const rigidBody = findRigidBodies(model);
  const hulls = sidecar.collision === undefined ? hullsOfShapes(urdf, model) : resolveHulls(sidecar, links);
  checkBodyRule(sidecar, model);
  checkSimulation(sidecar, model, links);
  const robot: Robot = {
    name,
    model,
    sidecar,
    urdf,
    ...(files === undefined ? {} : { files }),
    shapes: shapesByLink(urdf, model),
    rigidBody,
    frames: resolveFrames(sidecar, links, rigidBody),
    ...resolveSensors(sidecar, overlay, links),
    hands: resolveHands(sidecar, model, links),
    postures: resolvePostures(sidecar, model),
    maxDeceleration: decelerations(sidecar, urdf, model),
    maxJerk: jerks(sidecar, urdf, model),
    commandDelay: commandDelays(sidecar, overlay, model),
    jointCompliance: compliances(overlay, model),
    gravityDirection: gravityDirection(overlay),
    hulls,
    pairs: resolvePairs(sidecar, hulls, model, rigidBody),
    obstacleCount: 0,
    keepOut: resolveKeepOut(keepOutOf(sidecar), links),
    overlays: overlays.map((entry) => ({
      kind: entry.kind,
      date: entry.overlay.date,
      version: entry.overlay.version,
    })),
  };
  return robotAmong(robot, parseObstacles(sidecar.obstacles ?? [], "/obstacles"));
}

/** Under its name, or its older one. */
function keepOutOf({ handKeepOut, keepOut }: Sidecar): NonNullable<Sidecar["handKeepOut"]> {
  if (handKeepOut !== undefined && keepOut !== undefined) {
    throw inconsistent("/keepOut", "handKeepOut alone", "keepOut, its older name, as well");
  }
  return handKeepOut ?? keepOut ?? [];
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

function decelerations(sidecar: Sidecar, urdf: UrdfRobot, model: RobotModel): Float64Array {
  const limits = new Map(Object.entries(sidecar.limits ?? {}));
  const written = new Map(urdf.joints.map(({ name, limit }) => [name, limit?.deceleration]));
  return Float64Array.from(
    model.dofNames,
    (name, dof) => limits.get(name)?.deceleration ?? written.get(name) ?? model.maxAcceleration[dof]!,
  );
}

function jerks(sidecar: Sidecar, urdf: UrdfRobot, model: RobotModel): Float64Array {
  const written = new Map(urdf.joints.map(({ name, limit }) => [name, limit?.jerk]));
  const limits = new Map(Object.entries(sidecar.limits ?? {}));
  return Float64Array.from(model.dofNames, (name) => limits.get(name)?.jerk ?? written.get(name) ?? Infinity);
}

function commandDelays(sidecar: Sidecar, overlay: Overlay | undefined, model: RobotModel): Float64Array {
  const delays = new Float64Array(model.dofCount);
  const groups = groupLookup(model);
  const found = Object.entries(overlay?.commandDelays ?? {});
  for (const [name] of found) groups.require(name, pointer("/commandDelays", name), "FLY_OVERLAY_REFERENCE");
  const written = (sidecar.groups ?? []).map(({ name, commandDelay = 0 }) => [name, commandDelay] as const);
  for (const [name, delay] of [...written, ...found]) {
    for (const dof of model.groups.find((group) => group.name === name)?.dofs ?? []) delays[dof] = delay;
  }
  return delays;
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

/** Cameras, IMU, encoders and markers of the sidecar, with the overlay laid over them. */
export type Sensors = Pick<Robot, "cameras" | "stereo" | "imu" | "encoders" | "markers">;

export function resolveSensors(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): Sensors {
  const cameras = sidecar.cameras ?? [];
  const names = lookupParts("camera", cameras, "/cameras");
  for (const name of Object.keys(overlay?.cameras ?? {})) {
    names.require(name, pointer("/cameras", name), "FLY_OVERLAY_REFERENCE");
  }
  const overlays = new Map(Object.entries(overlay?.cameras ?? {}));
  const imu = resolveImu(sidecar, overlay, links);
  return {
    cameras: cameras.map((camera, i) => resolveCamera(camera, overlays.get(camera.name), links, `/cameras/${i}`)),
    ...(sidecar.stereo === undefined
      ? {}
      : {
          stereo: {
            left: names.require(sidecar.stereo.left, "/stereo/left"),
            right: names.require(sidecar.stereo.right, "/stereo/right"),
          },
        }),
    ...(imu === undefined ? {} : { imu }),
    encoders: resolveEncoders(sidecar, overlay),
    markers: resolveMarkers(sidecar, overlay, links),
  };
}

type CameraOverlay = NonNullable<Overlay["cameras"]>[string];

function resolveCamera(
  camera: SidecarCamera,
  overlay: CameraOverlay | undefined,
  links: NameLookup,
  path: string,
): RobotCamera {
  const { name, width, height, rateHz, latency, exposure = 0, rowTime = 0 } = camera;
  const { distortion: distortionOverlay, ...replaced } = overlay ?? {};
  return {
    name,
    link: links.require(camera.link, `${path}/link`),
    width,
    height,
    ...intrinsics(camera, path),
    rateHz,
    latency,
    exposure,
    rowTime,
    ...replaced,
    distortion: { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0, ...camera.distortion, ...distortionOverlay },
  };
}

/** From the field of view, or as given; pixel centres are at whole numbers, so the image's centre is (width − 1)/2. */
function intrinsics(camera: SidecarCamera, path: string): Pick<RobotCamera, "fx" | "fy" | "cx" | "cy"> {
  const { width, height, horizontalFov, fx, fy, cx, cy } = camera;
  const given = [fx, fy, cx, cy].filter((value) => value !== undefined).length;
  if (horizontalFov !== undefined && given === 0) {
    const f = width / 2 / Math.tan(horizontalFov / 2);
    return { fx: f, fy: f, cx: (width - 1) / 2, cy: (height - 1) / 2 };
  }
  if (horizontalFov !== undefined || fx === undefined || fy === undefined || cx === undefined || cy === undefined) {
    const found = `${horizontalFov === undefined ? "no horizontalFov" : "horizontalFov"} and ${given} of fx, fy, cx, cy`;
    throw inconsistent(path, "either horizontalFov or all of fx, fy, cx, cy", found);
  }
  return { fx, fy, cx, cy };
}

function resolveImu(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): RobotImu | undefined {
  if (sidecar.imu === undefined) {
    if (overlay?.imu === undefined) return undefined;
    throw new FlycatcherError("FLY_OVERLAY_REFERENCE", "the robot has no IMU", { path: "/imu" });
  }
  const { gyroBias, accelerometerBias, gyroScale, accelerometerScale, ...replaced } = overlay?.imu ?? {};
  return {
    ...sidecar.imu,
    ...replaced,
    link: links.require(sidecar.imu.link, "/imu/link"),
    gyroBias: vec3.create(...(gyroBias ?? [0, 0, 0])),
    accelerometerBias: vec3.create(...(accelerometerBias ?? [0, 0, 0])),
    gyroScale: vec3.create(...(gyroScale ?? [1, 1, 1])),
    accelerometerScale: vec3.create(...(accelerometerScale ?? [1, 1, 1])),
  };
}

function resolveEncoders({ encoders }: Sidecar, overlay: Overlay | undefined): RobotEncoders {
  return {
    positionNoise: encoders?.positionNoise ?? 0,
    velocityNoise: encoders?.velocityNoise ?? 0,
    effortNoise: encoders?.effortNoise ?? 0,
    latency: overlay?.encoderLatency ?? encoders?.latency ?? 0,
  };
}

function resolveMarkers(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): RobotMarker[] {
  const markers = sidecar.markers ?? [];
  const names = lookupParts("marker", markers, "/markers");
  const moved = new Map(Object.entries(overlay?.markers ?? {}));
  for (const name of moved.keys()) names.require(name, pointer("/markers", name), "FLY_OVERLAY_REFERENCE");
  return markers.map(({ name, link, position }, i) => ({
    name,
    link: links.require(link, `/markers/${i}/link`),
    position: vec3.create(...(moved.get(name) ?? position)),
  }));
}

/** Postures and hand shapes may pass a limit by this much [rad or m]: the rounding of a printed limit. */
const limitRoundOff = 1e-6;

export function resolveHands(sidecar: Sidecar, model: RobotModel, links: NameLookup): RobotHand[] {
  const hands = sidecar.hands ?? [];
  const names = lookupParts("hand", hands, "/hands");
  const dofs = new NameLookup("independent joint", model.dofNames);
  const resolved = hands.map((hand, i) => resolveHand(hand, model, links, dofs, `/hands/${i}`));
  for (const [i, group] of model.groups.entries()) {
    if (group.hand === undefined) continue;
    const hand = resolved[names.require(group.hand, `/groups/${i}/hand`)]!;
    if (hand.catchLink !== group.tipLink) {
      const [wanted, found] = [model.linkNames[hand.catchLink]!, model.linkNames[group.tipLink]!];
      throw inconsistent(`/groups/${i}/tipLink`, `${wanted}, the catch link of hand ${group.hand}`, found);
    }
  }
  return resolved;
}

function resolveHand(
  hand: SidecarHand,
  model: RobotModel,
  links: NameLookup,
  dofs: NameLookup,
  path: string,
): RobotHand {
  const { name, closingTime, closingLead = null, positionTolerance, timeTolerance } = hand;
  const fingers = hand.joints.map((joint, k) => dofs.require(joint, `${path}/joints/${k}`));
  return {
    name,
    catchLink: links.require(hand.catchLink, `${path}/catchLink`),
    dofs: fingers,
    open: resolveShape(hand.open, hand.joints, model, dofs, `${path}/open`),
    closed: resolveShape(hand.closed, hand.joints, model, dofs, `${path}/closed`),
    closingTime,
    closingLead,
    positionTolerance,
    timeTolerance,
    mouth: resolveMouth(hand.mouth, `${path}/mouth`),
  };
}

function resolveMouth(mouth: SidecarHand["mouth"], path: string): HandMouth | null {
  if (mouth === undefined) return null;
  const { radius, outline, depth } = mouth;
  if ((radius === undefined) === (outline === undefined)) {
    throw inconsistent(path, "either a radius or an outline", radius === undefined ? "neither" : "both");
  }
  return { outline: outline === undefined ? { radius: radius! } : { corners: outline }, depth };
}

function resolveShape(
  shape: Readonly<Record<string, number>>,
  joints: readonly string[],
  model: RobotModel,
  dofs: NameLookup,
  path: string,
): Float64Array {
  const values = positionsByDof(shape, model, dofs, path);
  const wanted = joints.map((joint) => dofs.require(joint, path));
  if (values.size !== wanted.length || !wanted.every((dof) => values.has(dof))) {
    throw inconsistent(path, `the finger joints ${joints.join(", ")}`, Object.keys(shape).join(", ") || "none");
  }
  return Float64Array.from(wanted, (dof) => values.get(dof)!);
}

/** Every dof in each posture: as given, or 0, or the limit nearest to 0. */
export function resolvePostures(sidecar: Sidecar, model: RobotModel): Map<string, Float64Array> {
  const dofs = new NameLookup("independent joint", model.dofNames);
  const postures = new Map<string, Float64Array>();
  for (const [name, positions] of Object.entries(sidecar.postures ?? {})) {
    const values = positionsByDof(positions, model, dofs, pointer("/postures", name));
    const rest = (dof: number) => Math.min(Math.max(0, model.lower[dof]!), model.upper[dof]!);
    postures.set(
      name,
      Float64Array.from(model.dofNames, (_, dof) => values.get(dof) ?? rest(dof)),
    );
  }
  return postures;
}

function positionsByDof(
  positions: Readonly<Record<string, number>>,
  model: RobotModel,
  dofs: NameLookup,
  path: string,
): Map<number, number> {
  const values = new Map<number, number>();
  for (const [name, value] of Object.entries(positions)) {
    const dof = dofs.require(name, pointer(path, name));
    const [lower, upper] = [model.lower[dof]!, model.upper[dof]!];
    if (!(value >= lower - limitRoundOff && value <= upper + limitRoundOff)) {
      throw inconsistent(pointer(path, name), `a position from ${lower} to ${upper}`, String(value));
    }
    values.set(dof, value);
  }
  return values;
}
