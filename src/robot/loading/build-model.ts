import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { type JointGroup, JointKind, type RobotModel } from "../robot.js";
import type { Overlay } from "../sidecar/overlay-schema.js";
import type { Sidecar, SidecarGroup, SidecarJointLimit } from "../sidecar/sidecar-schema.js";
import type { UrdfInertial, UrdfJoint, UrdfLink, UrdfOrigin, UrdfRobot } from "../urdf/urdf-document.js";
import { expandMultiAxisJoints } from "../urdf/urdf-expand.js";
import { orderTree, type TreeNode } from "../urdf/urdf-tree.js";
import { type JointTerms, type JointTermsInput, resolveJointTerms } from "./joint-terms.js";
import { inconsistent, lookupParts, NameLookup, pointer } from "./name-lookup.js";

/** The parts of a sidecar that enter the kinematic and dynamic model. */
type ModelSidecar = Pick<Sidecar, "groups" | "limits" | "couplings">;

/**
 * The immutable model of a robot: URDF, sidecar and overlay made into arrays (see `RobotModel`). Links come in
 * depth-first order; fixed links stay links of their own.
 */
export function buildModel(urdf: UrdfRobot, sidecar: ModelSidecar = {}, overlay?: Overlay): RobotModel {
  const single = expandMultiAxisJoints(urdf);
  const nodes = orderTree(single);
  const linkNames = nodes.map((node) => node.link);
  const jointNames = nodes.map((node) => node.joint?.name ?? "");
  const links = new NameLookup("link", linkNames);
  const joints = new NameLookup("joint", jointNames);
  const kinds = Uint8Array.from(nodes, kindOf);
  const parentLink = Int32Array.from(nodes, ({ joint }) => (joint === undefined ? -1 : links.get(joint.parent)!));
  const terms = resolveJointTerms({ nodes, kinds, joints, couplings: sidecar.couplings ?? [], overlay });
  const { dofJoint } = terms;
  return {
    name: urdf.name,
    linkCount: nodes.length,
    dofCount: dofJoint.length,
    linkNames,
    jointNames,
    dofNames: Array.from(dofJoint, (joint) => jointNames[joint]!),
    parentLink,
    jointKind: kinds,
    jointAxis: Float64Array.from(nodes.flatMap(({ joint }) => joint?.axis ?? [1, 0, 0])),
    parentFromJoint: mountingPoses(nodes, links, overlay),
    ...terms,
    ...inertias(single, links),
    ...collectLimits({
      ...{ nodes, kinds, joints, terms, overrides: sidecar.limits ?? {} },
      speedCeiling: overlay?.speedCeiling ?? 1,
    }),
    groups: resolveGroups({ links, joints, parentLink, dofJoint, groups: sidecar.groups ?? [] }),
  };
}

const kindOfType = {
  fixed: JointKind.fixed,
  revolute: JointKind.revolute,
  continuous: JointKind.revolute,
  prismatic: JointKind.prismatic,
} as const satisfies Partial<Record<UrdfJoint["type"], JointKind>>;

function kindOf({ joint }: TreeNode): JointKind {
  const type = joint?.type ?? "fixed";
  if (type === "planar" || type === "floating" || type === "spherical") {
    throw new FlycatcherError("FLY_INTERNAL", "joint was not expanded", { path: type });
  }
  return kindOfType[type];
}

export function poseFromOrigin({
  xyz,
  rpy = [0, 0, 0],
}: {
  xyz: UrdfOrigin["xyz"];
  rpy?: UrdfOrigin["rpy"];
}): pose.Pose {
  return pose.fromRpyTranslation(rpy[0], rpy[1], rpy[2], xyz[0], xyz[1], xyz[2], pose.create());
}

/** Nominal mountings, each followed by the overlay's correction in the mounted frame. */
function mountingPoses(nodes: readonly TreeNode[], links: NameLookup, overlay: Overlay | undefined): pose.Pose[] {
  const poses = nodes.map(({ joint }) => (joint === undefined ? pose.create() : poseFromOrigin(joint.origin)));
  for (const [name, correction] of Object.entries(overlay?.linkPoses ?? {})) {
    const path = pointer("/linkPoses", name);
    const link = links.require(name, path, "FLY_OVERLAY_REFERENCE");
    if (link === 0) throw new FlycatcherError("FLY_OVERLAY_REFERENCE", "the root link has no mounting", { path });
    const nominal = poses[link]!;
    pose.compose(nominal, poseFromOrigin(correction), nominal);
  }
  return poses;
}

function inertias(urdf: UrdfRobot, links: NameLookup): Pick<RobotModel, "mass" | "centreOfMass" | "inertia"> {
  const count = urdf.links.length;
  const mass = new Float64Array(count);
  const centreOfMass = new Float64Array(3 * count);
  const inertia = new Float64Array(9 * count);
  for (const link of urdf.links as readonly UrdfLink[]) {
    if (link.inertial === undefined) continue;
    const i = links.get(link.name)!;
    mass[i] = link.inertial.mass;
    centreOfMass.set(link.inertial.origin.xyz, 3 * i);
    inertia.set(inertiaInLinkAxes(link.inertial), 9 * i);
  }
  return { mass, centreOfMass, inertia };
}

/** R·I·Rᵀ, with R from the inertial frame's axes to the link's. */
function inertiaInLinkAxes({ origin, inertia }: UrdfInertial): mat3.Mat3 {
  const { ixx, ixy, ixz, iyy, iyz, izz } = inertia;
  const rotation = mat3.fromRpy(origin.rpy[0], origin.rpy[1], origin.rpy[2], mat3.create());
  const own = Float64Array.of(ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz) as mat3.Mat3;
  const turned = mat3.multiply(rotation, own, mat3.create());
  return mat3.multiply(turned, mat3.transpose(rotation, rotation), turned);
}

interface JointGroupsInput {
  readonly links: NameLookup;
  readonly joints: NameLookup;
  readonly parentLink: Int32Array;
  readonly dofJoint: Int32Array;
  readonly groups: readonly SidecarGroup[];
}

/** The sidecar's groups, each checked to be a chain: its joints lie between base and tip, in this order. */
function resolveGroups(input: JointGroupsInput): JointGroup[] {
  lookupParts("group", input.groups, "/groups");
  return input.groups.map((group, index) => resolveGroup(input, group, `/groups/${index}`));
}

function resolveGroup(input: JointGroupsInput, group: SidecarGroup, path: string): JointGroup {
  const baseLink = input.links.require(group.baseLink, `${path}/baseLink`);
  const tipLink = input.links.require(group.tipLink, `${path}/tipLink`);
  const chain = linksBetween(baseLink, tipLink, input.parentLink);
  if (chain === undefined) {
    throw inconsistent(`${path}/tipLink`, `a link that hangs on ${group.baseLink}`, group.tipLink);
  }
  let last = -1;
  const dofs = group.joints.map((name, k) => {
    const at = `${path}/joints/${k}`;
    const joint = input.joints.require(name, at);
    const dof = input.dofJoint.indexOf(joint);
    if (dof < 0) throw inconsistent(at, "an independent joint", `${name}, which is fixed or follows another`);
    const place = chain.indexOf(joint);
    if (place <= last) throw inconsistent(at, chainRule(group), name);
    last = place;
    return dof;
  });
  return {
    name: group.name,
    dofs,
    baseLink,
    tipLink,
    ...(group.kind === undefined ? {} : { kind: group.kind }),
    ...(group.hand === undefined ? {} : { hand: group.hand }),
  };
}

function chainRule(group: SidecarGroup): string {
  return `a joint between ${group.baseLink} and ${group.tipLink}, after the one before it`;
}

/** Links from below `base` down to `tip`, or undefined if `tip` does not hang on `base`. */
function linksBetween(base: number, tip: number, parentLink: Int32Array): number[] | undefined {
  const chain: number[] = [];
  let link = tip;
  for (; link > base; link = parentLink[link]!) chain.push(link);
  return link === base ? chain.reverse() : undefined;
}

/** The arrays of the same names in `RobotModel`. */
type JointLimits = Pick<
  RobotModel,
  "jointLower" | "jointUpper" | "lower" | "upper" | "ratedVelocity" | "maxVelocity" | "maxAcceleration" | "maxEffort"
>;

interface JointLimitsInput extends Pick<JointTermsInput, "nodes" | "kinds" | "joints"> {
  readonly terms: JointTerms;
  /** The sidecar's limits by joint name. */
  readonly overrides: Readonly<Record<string, SidecarJointLimit>>;
  /** Share of the speed limits that motions may use. */
  readonly speedCeiling: number;
}

/** What the URDF says, replaced by what the sidecar says; ±Infinity where neither says anything. */
function collectLimits(input: JointLimitsInput): JointLimits {
  const overrides = overridesByJoint(input);
  const limits = input.nodes.map((node, i) => limitsOfJoint(node, overrides.get(i)));
  const { dofJoint, jointOffset } = input.terms;
  const isIndependent = new Set(dofJoint);
  // An independent joint's limits are on its coordinate, as encoders measure it: an offset moves the joint's range.
  const shift = (i: number) => (isIndependent.has(i) ? jointOffset[i]! : 0);
  const perDof = (pick: (limit: JointRange) => number) => Float64Array.from(dofJoint, (joint) => pick(limits[joint]!));
  return {
    jointLower: Float64Array.from(limits, (limit, i) => limit.lower + shift(i)),
    jointUpper: Float64Array.from(limits, (limit, i) => limit.upper + shift(i)),
    lower: perDof((limit) => limit.lower),
    upper: perDof((limit) => limit.upper),
    ratedVelocity: perDof((limit) => limit.velocity),
    maxVelocity: perDof((limit) => input.speedCeiling * limit.velocity),
    maxAcceleration: perDof((limit) => limit.acceleration),
    maxEffort: perDof((limit) => limit.effort),
  };
}

interface JointRange {
  readonly lower: number;
  readonly upper: number;
  readonly velocity: number;
  readonly effort: number;
  readonly acceleration: number;
}

function limitsOfJoint({ joint }: TreeNode, override: SidecarJointLimit | undefined): JointRange {
  return {
    lower: override?.lower ?? joint?.limit?.lower ?? Number.NEGATIVE_INFINITY,
    upper: override?.upper ?? joint?.limit?.upper ?? Number.POSITIVE_INFINITY,
    velocity: override?.velocity ?? joint?.limit?.velocity ?? Number.POSITIVE_INFINITY,
    effort: override?.effort ?? joint?.limit?.effort ?? Number.POSITIVE_INFINITY,
    acceleration: override?.acceleration ?? joint?.limit?.acceleration ?? Number.POSITIVE_INFINITY,
  };
}

function overridesByJoint({ nodes, kinds, joints, overrides }: JointLimitsInput): Map<number, SidecarJointLimit> {
  const byJoint = new Map<number, SidecarJointLimit>();
  for (const [name, override] of Object.entries(overrides)) {
    const path = pointer("/limits", name);
    const joint = joints.require(name, path);
    if (kinds[joint] === JointKind.fixed) throw inconsistent(path, "a joint that moves", `${name}, which is fixed`);
    const { lower, upper } = limitsOfJoint(nodes[joint]!, override);
    if (lower > upper) throw inconsistent(path, "lower at most upper", `lower ${lower}, upper ${upper}`);
    byJoint.set(joint, override);
  }
  return byJoint;
}
