import { degrees } from "../../math/angle.js";
import { JointKind, type Robot, type RobotModel } from "../robot.js";

/** The robot as text: its tree of links with joints, limits and couplings, then groups, frames and the rest. */
export function formatTree(robot: Robot): string {
  const { model } = robot;
  const title = `${robot.name}: ${model.linkCount} links, ${model.dofCount} degrees of freedom`;
  return [title, "", ...treeLines(robot), "", ...summaryLines(robot)].join("\n");
}

function treeLines({ model, sidecar, urdf }: Robot): string[] {
  const revolute = new Set(urdf.joints.filter(({ type }) => type === "revolute").map(({ name }) => name));
  const groupOf = new Map((sidecar.groups ?? []).flatMap(({ name, joints }) => joints.map((joint) => [joint, name])));
  const lastChild = new Map<number, number>();
  for (const [link, parent] of model.parentLink.entries()) lastChild.set(parent, link);
  // Links stand in depth-first order, so one pass from first to last draws the tree.
  const indents: string[] = [""];
  return model.linkNames.map((name, link) => {
    if (link === 0) return name;
    const parent = model.parentLink[link]!;
    const isLast = lastChild.get(parent) === link;
    const indent = indents[parent]!;
    indents[link] = indent + (isLast ? "   " : "│  ");
    const group = groupOf.get(model.jointNames[link]!);
    return `${indent}${isLast ? "└─ " : "├─ "}${name}  ${describeJoint(model, link, revolute)}${group ? ` [${group}]` : ""}`;
  });
}

/** `elbow: revolute -120° … 120°, 150 °/s, 1500 °/s²`, or `finger2: revolute = 0.5·finger1`. */
function describeJoint(model: RobotModel, joint: number, revolute: ReadonlySet<string>): string {
  const name = model.jointNames[joint]!;
  const kind = model.jointKind[joint];
  if (kind === JointKind.fixed) return `(${name}: fixed)`;
  const unit = kind === JointKind.revolute ? degreeUnit : metreUnit;
  const endless = unit === degreeUnit && !revolute.has(name) ? "continuous" : `${unit.kind} without range`;
  const words = [describeRange(model.jointLower[joint]!, model.jointUpper[joint]!, unit) ?? endless];
  const dof = model.dofJoint.indexOf(joint);
  if (dof < 0) return `(${name}: ${words[0]} = ${formatTerms(model, joint, unit)})`;
  const [speed, acceleration] = [model.maxVelocity[dof]!, model.maxAcceleration[dof]!];
  if (Number.isFinite(speed)) words.push(`${formatNumber(unit.scale(speed))} ${unit.symbol}/s`);
  if (Number.isFinite(acceleration)) words.push(`${formatNumber(unit.scale(acceleration))} ${unit.symbol}/s²`);
  return `(${name}: ${words.join(", ")})`;
}

/** How a joint's positions are written: angles in degrees, lengths in metres. */
interface PositionUnit {
  readonly kind: string;
  readonly symbol: string;
  readonly suffix: string;
  readonly scale: (value: number) => number;
}

const degreeUnit: PositionUnit = {
  kind: "revolute",
  symbol: "°",
  suffix: "°",
  scale: degrees,
};
const metreUnit: PositionUnit = {
  kind: "prismatic",
  symbol: "m",
  suffix: " m",
  scale: (value) => value,
};

/** Kind and range, or nothing where there is no bound. */
function describeRange(lower: number, upper: number, unit: PositionUnit): string | undefined {
  if (!Number.isFinite(lower) && !Number.isFinite(upper)) return undefined;
  return `${unit.kind} ${formatPosition(lower, unit)} … ${formatPosition(upper, unit)}`;
}

function formatPosition(value: number, { scale, suffix }: PositionUnit): string {
  return `${formatNumber(scale(value))}${suffix}`;
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  return String(Number(value.toFixed(Math.abs(value) < 10 ? 3 : 1)));
}

/** `-1·torso2 - 1·torso3 + 5°` */
function formatTerms(model: RobotModel, joint: number, unit: PositionUnit): string {
  const parts: string[] = [];
  for (let k = model.termStart[joint]!; k < model.termStart[joint + 1]!; k++) {
    const factor = model.termFactor[k]!;
    const text = `${formatNumber(Math.abs(factor))}·${model.dofNames[model.termDof[k]!]}`;
    parts.push(`${signBefore(factor, parts.length)}${text}`);
  }
  const offset = model.jointOffset[joint]!;
  if (offset !== 0 || parts.length === 0) {
    parts.push(`${signBefore(offset, parts.length)}${formatPosition(Math.abs(offset), unit)}`);
  }
  return parts.join("");
}

function signBefore(value: number, place: number): string {
  if (place === 0) return value < 0 ? "-" : "";
  return value < 0 ? " - " : " + ";
}

function summaryLines(robot: Robot): string[] {
  const { model, frames, cameras, imu, hands, postures, hulls, pairs, keepOut, overlays } = robot;
  const link = (index: number) => model.linkNames[index]!;
  const points = hulls.reduce((sum, hull) => sum + hull.points.length / 3, 0);
  const mass = model.mass.reduce((sum, value) => sum + value, 0);
  const groups = model.groups.map(({ name, kind, dofs, baseLink, tipLink, hand }) => {
    const what = kind === undefined ? "" : ` (${kind})`;
    const carries = hand === undefined ? "" : `, hand ${hand}`;
    return `${name}${what}: ${link(baseLink)} → ${link(tipLink)}, ${count(dofs.length, "joint")}${carries}`;
  });
  return [
    `mass       ${formatNumber(mass)} kg`,
    ...section("groups", groups),
    ...section(
      "frames",
      Object.entries(frames).map(([role, index]) => `${role} = ${link(index)}`),
    ),
    ...section(
      "hands",
      hands.map(
        (hand) => `${hand.name}: catches at ${link(hand.catchLink)}, ${count(hand.dofs.length, "finger joint")}`,
      ),
    ),
    ...section("postures", postures.size === 0 ? [] : [[...postures.keys()].join(", ")]),
    ...section(
      "cameras",
      cameras.map((c) => `${c.name}: ${c.width} × ${c.height} at ${c.rateHz} Hz on ${link(c.link)}`),
    ),
    ...section("imu", imu === undefined ? [] : [`${imu.rateHz} Hz on ${link(imu.link)}`]),
    ...section(
      "collision",
      hulls.length === 0 ? [] : [`${hulls.length} bodies, ${points} points, ${pairs.length} pairs`],
    ),
    ...section(
      "keep-out",
      keepOut.map(({ name, geometry, link: at }) => `${name}: ${geometry.type} on ${link(at)}`),
    ),
    ...section(
      "overlays",
      overlays.map(({ kind, date, version }) => `${kind} of ${date}, version ${version}`),
    ),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** `title      first line`, the others below it; nothing where there are none. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${(index === 0 ? title : "").padEnd(11)}${line}`);
}
