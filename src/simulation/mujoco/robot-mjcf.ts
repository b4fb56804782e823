import type { Pose } from "../../math/pose.js";
import * as quat from "../../math/quat.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { JointKind, type Robot, type RobotModel } from "../../robot/robot.js";
import type { UrdfGeometry, UrdfShape } from "../../robot/urdf/urdf-document.js";
import { escapeXml } from "../../robot/urdf/urdf-xml.js";
import type { ServoGains } from "./servo-gains.js";

/** How a ball touches things, in MuJoCo's terms. */
export interface ContactSettings {
  /** Sliding, torsional and rolling friction. */
  readonly friction: readonly number[];
  /** −stiffness and −damping of a contact, both per mass [1/s², 1/s]. */
  readonly solref: readonly number[];
  readonly solimp: readonly number[];
}

/**
 * A soft ball in a hand: restitution 0.44. The contact is a spring of (400 rad/s)² with a damping of 30 % of the
 * critical, so that a ball stays in touch for some 8 ms. 1 ms steps resolve that, though not finely: by where in a step
 * the touch begins, single bounces have 0.38 to 0.50.
 */
const defaultContact: ContactSettings = {
  friction: [0.8, 0.02, 0.002],
  solref: [-160_000, -240],
  solimp: [0.95, 0.95, 0.001, 0.5, 2],
};

/** What the robot's sidecar says of contacts, or the default. */
export function contactOf({ sidecar }: Robot): ContactSettings {
  return { ...defaultContact, ...sidecar.simulation?.contact };
}

/**
 * Who touches whom: two shapes do if a bit of one's `contype` is in the other's `conaffinity`. Balls touch everything;
 * robot and floor do not touch themselves or each other, which would cost much and is watched over by `src/safety`.
 */
export const contactBits = {
  robot: { contype: 1, conaffinity: 0 },
  floor: { contype: 2, conaffinity: 0 },
  ball: { contype: 4, conaffinity: 7 },
} as const;

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

/** Value of an attribute; an absent one is left out. */
type MjcfValue = string | number | boolean | ArrayLike<number> | undefined;

/** An element of a MuJoCo XML file. Numbers are written with all their digits, so that nothing is lost on the way. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, MjcfValue>> = {},
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attributeText(value)}"`],
  );
  const opening = `<${tag}${written.join("")}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>\n${children.join("\n")}\n</${tag}>`;
}

function attributeText(value: NonNullable<MjcfValue>): string {
  if (typeof value === "string") return escapeXml(value);
  return typeof value === "object" ? Array.from(value).join(" ") : String(value);
}

/** A pose as MuJoCo writes it: position, and quaternion with w first. */
export function placement(parentFromChild: Pose): { readonly pos: number[]; readonly quat: number[] } {
  const [x, y, z, w] = quat.fromMat3(parentFromChild, quat.create());
  return { pos: [parentFromChild[9], parentFromChild[10], parentFromChild[11]], quat: [w!, x!, y!, z!] };
}
