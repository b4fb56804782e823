import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { JointKind, type RobotModel } from "../../robot/model.js";
import type { Robot } from "../../robot/robot.js";
import type { UrdfGeometry, UrdfShape } from "../../robot/urdf/urdf-document.js";
import { contactBits } from "./contact-settings.js";
import { element, placement } from "./mjcf.js";
import type { ServoGains } from "./servo-gains.js";

/**
 * The robot in MuJoCo's words. One body a link, fixed ones too, so that the pose of any link can be read; one joint a
 * joint of the model, dependent ones too. Every joint has its own name, every motor that of its dof.
 */

/** Name of a link's body; a link may be called `world`, which in MuJoCo is taken. */
export function bodyName(link: string): string {
  return `link/${link}`;
}

/** Inertia of the joints by which a link is displaced [kg or kg·m²]: so great that nothing the robot does moves them. */
const DISPLACEMENT_INERTIA = 1e5;

/** How much stiffer a coupling of joints is than the servos of the joints it follows. */
const COUPLING_STIFFNESS = 9;

/** Names of the six joints by which `link` can be displaced: along x, y, z, then about x, y, z, of the link. */
export function displacementJoints(link: string): string[] {
  return ["alongX", "alongY", "alongZ", "aboutX", "aboutY", "aboutZ"].map((motion) => `${link}/${motion}`);
}

/**
 * The tree of bodies. A link in `displaced` gets two: one where its own joint has it, and in it the link with the six
 * joints that displace it (MuJoCo allows no more of them to a body).
 */
export function robotBody(robot: Robot, gains: ServoGains, displaced: readonly number[]): string {
  const children = childrenOf(robot.model);
  const build = (link: number): string => {
    const name = robot.model.linkNames[link]!;
    const place = link === 0 ? {} : placement(robot.model.parentFromJoint[link]!);
    const joints = joint(robot.model, gains, link);
    const contents = [
      ...inertial(robot.model, link),
      ...robot.shapes[link]!.collisions.flatMap(geometry),
      ...children[link]!.map(build),
    ];
    if (!displaced.includes(link)) return element("body", { name: bodyName(name), ...place }, [...joints, ...contents]);
    const inner = element("body", { name: bodyName(name) }, [...displacement(name), ...contents]);
    return element("body", { name: `nominal/${name}`, ...place }, [...joints, speck, inner]);
  };
  return build(0);
}

/** Next to nothing: the mass of a nominal frame, of which MuJoCo wants some in everything that moves. */
const speck = element("inertial", { pos: [0, 0, 0], mass: 1e-6, diaginertia: [1e-9, 1e-9, 1e-9] });

function childrenOf({ parentLink, linkCount }: RobotModel): number[][] {
  const children: number[][] = Array.from({ length: linkCount }, () => []);
  for (let link = 1; link < linkCount; link++) children[parentLink[link]!]!.push(link);
  return children;
}

function inertial({ mass, centreOfMass, inertia: I }: RobotModel, link: number): string[] {
  if (mass[link] === 0) return [];
  const k = 9 * link;
  return [
    element("inertial", {
      pos: centreOfMass.subarray(3 * link, 3 * link + 3),
      mass: mass[link],
      fullinertia: [I[k]!, I[k + 4]!, I[k + 8]!, I[k + 1]!, I[k + 2]!, I[k + 5]!],
    }),
  ];
}

function joint(model: RobotModel, gains: ServoGains, link: number): string[] {
  const kind = model.jointKind[link];
  if (kind === JointKind.fixed) return [];
  const [lower, upper] = [model.jointLower[link]!, model.jointUpper[link]!];
  const limited = Number.isFinite(lower) && Number.isFinite(upper);
  const dof = model.dofJoint.indexOf(link);
  return [
    element("joint", {
      name: model.jointNames[link],
      type: kind === JointKind.prismatic ? "slide" : "hinge",
      axis: model.jointAxis.subarray(3 * link, 3 * link + 3),
      limited,
      range: limited ? [lower, upper] : undefined,
      armature: dof < 0 ? undefined : gains.armature[dof],
    }),
  ];
}

function displacement(link: string): string[] {
  return displacementJoints(link).map((name, i) =>
    element("joint", {
      name,
      type: i < 3 ? "slide" : "hinge",
      axis: [0, 1, 2].map((axis) => (axis === i % 3 ? 1 : 0)),
      armature: DISPLACEMENT_INERTIA,
    }),
  );
}

function geometry({ origin, geometry: shape }: UrdfShape): string[] {
  const size = sizeOf(shape);
  if (size === null) return [];
  return [element("geom", { ...size, ...placement(poseFromOrigin(origin)), ...contactBits.robot, mass: 0 })];
}

/** Meshes have no part in contacts: a link that balls are to touch needs a primitive shape. */
function sizeOf(shape: UrdfGeometry): { readonly type: string; readonly size: number[] } | null {
  switch (shape.type) {
    case "box":
      return { type: "box", size: shape.size.map((length) => length / 2) };
    case "sphere":
      return { type: "sphere", size: [shape.radius] };
    case "cylinder":
    case "capsule":
      return { type: shape.type, size: [shape.radius, shape.length / 2] };
    case "mesh":
      return null;
  }
}

/**
 * One motor a dof, whose control is a force [N·m or N]; the servo's own −stiffness·q − damping·q̇ is part of the motor, so
 * that MuJoCo can treat the damping implicitly. Its limit is the joint's.
 */
export function motors({ dofNames, maxEffort }: RobotModel, { stiffness, damping }: ServoGains): string {
  const motor = (name: string, i: number): string => {
    const limited = Number.isFinite(maxEffort[i]!);
    return element("general", {
      name,
      joint: name,
      gaintype: "fixed",
      gainprm: [1],
      biastype: "affine",
      biasprm: [0, -stiffness[i]!, -damping[i]!],
      forcelimited: limited,
      forcerange: limited ? [-maxEffort[i]!, maxEffort[i]!] : undefined,
    });
  };
  return element("actuator", {}, dofNames.map(motor));
}

/**
 * Dependent joints hang on the joints they follow by a stiff spring, as the chest of Agile Justin hangs on its tendons:
 * the spring's length is joint − Σ factor·joint, its rest length the coupling's constant part.
 */
export function couplings(model: RobotModel, gains: ServoGains): string {
  const tendons: string[] = [];
  for (let link = 1; link < model.linkCount; link++) {
    if (model.jointKind[link] === JointKind.fixed || model.dofJoint.includes(link)) continue;
    tendons.push(coupling(model, gains, link));
  }
  return tendons.length === 0 ? "" : element("tendon", {}, tendons);
}

function coupling(model: RobotModel, { stiffness, damping }: ServoGains, link: number): string {
  const terms = Array.from({ length: model.termStart[link + 1]! - model.termStart[link]! }, (_, k) => {
    const term = model.termStart[link]! + k;
    return { dof: model.termDof[term]!, factor: model.termFactor[term]! };
  });
  // MuJoCo's rest lengths are not negative.
  const rest = restLength(model, link);
  const sign = rest < 0 ? -1 : 1;
  const mean = (values: Float64Array): number =>
    terms.reduce((sum, { dof }) => sum + values[dof]!, 0) / Math.max(1, terms.length);
  const attributes = {
    name: model.jointNames[link],
    springlength: [sign * rest],
    stiffness: COUPLING_STIFFNESS * mean(stiffness),
    damping: Math.sqrt(COUPLING_STIFFNESS) * mean(damping),
  };
  return element("fixed", attributes, [
    element("joint", { joint: model.jointNames[link], coef: sign }),
    ...terms.map(({ dof, factor }) => element("joint", { joint: model.dofNames[dof], coef: -sign * factor })),
  ]);
}

/** joint − Σ factor·joint, of the joints' own positions: those of independent joints carry offsets of their own. */
function restLength(model: RobotModel, link: number): number {
  let rest = model.jointOffset[link]!;
  for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
    rest -= model.termFactor[k]! * model.jointOffset[model.dofJoint[model.termDof[k]!]!]!;
  }
  return rest;
}
