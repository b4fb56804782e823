import type { Robot } from "../robot.js";
import { type Finding, finding, findingAbout } from "./finding.js";

/** Joint positions may pass a limit by this much [rad or m]: the rounding of a printed limit. */
const limitRoundOff = 1e-6;

/** Ranges, speeds, accelerations and efforts of the independent joints. */
export function checkJointLimits({ name, model, urdf }: Robot): Finding[] {
  const { dofNames, lower, upper, maxVelocity, maxAcceleration, maxEffort } = model;
  const endless = new Set(urdf.joints.filter(({ type }) => type !== "revolute" && type !== "prismatic").map(nameOf));
  const isKnown = (value: number) => value > 0 && value < Number.POSITIVE_INFINITY;
  const isUrdfJoint = new Set(urdf.joints.map(nameOf));
  const lacking = (isLacking: (dof: number) => boolean) => dofNames.filter((_, dof) => isLacking(dof));
  const hasRange = (dof: number) => Number.isFinite(lower[dof]!) && Number.isFinite(upper[dof]!);
  // Joints made of a planar or floating one may go anywhere, as continuous ones may.
  const mayBeEndless = (name: string) => endless.has(name) || !isUrdfJoint.has(name);
  return [
    ...findingAbout(
      "error",
      "joint",
      lacking((dof) => !mayBeEndless(dofNames[dof]!) && !hasRange(dof)),
      "No range: give lower and upper in the URDF's <limit> or in `limits`; a joint without end stops is `continuous`.",
    ),
    ...findingAbout(
      "error",
      "joint",
      lacking((dof) => !isKnown(maxVelocity[dof]!)),
      "No speed limit above zero: give velocity in the URDF's <limit> or in `limits`.",
    ),
    ...findingAbout(
      "error",
      "joint",
      lacking((dof) => !isKnown(maxAcceleration[dof]!)),
      "No acceleration limit: give `limits.<joint>.acceleration` in the sidecar, or `acceleration` in the URDF (1.2).",
      `flycatcher robot init ${name}`,
    ),
    ...findingAbout(
      "warning",
      "joint",
      lacking((dof) => !isKnown(maxEffort[dof]!)),
      "No effort limit above zero: motions that need too much torque cannot be detected.",
    ),
    ...findingAbout(
      "warning",
      "joint",
      lacking((dof) => lower[dof] === upper[dof]),
      "Its range is a single point: should it be a fixed joint?",
    ),
  ];
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Dependent joints follow blindly: do those they follow lead them beyond their own range? */
export function checkDependentJoints(robot: Robot): Finding[] {
  const { model, postures } = robot;
  const independent = new Set(model.dofJoint);
  const dependent = model.jointNames.map((_, joint) => joint).filter((joint) => joint > 0 && !independent.has(joint));
  const leaving = dependent.filter((joint) => !reachesWithin(robot, joint)).map((joint) => model.jointNames[joint]!);
  const broken = [...postures].flatMap(([posture, q]) =>
    dependent
      .filter((joint) => !isWithin(robot, joint, positionAt(robot, joint, q)))
      .map((joint) =>
        finding("error", `posture ${posture}`, `It moves joint ${model.jointNames[joint]} beyond its limits.`),
      ),
  );
  const said =
    "It depends on other joints, and their ranges can move it beyond its own limits: planning must check it.";
  return [...broken, ...findingAbout("warning", "joint", leaving, said)];
}

function reachesWithin(robot: Robot, joint: number): boolean {
  const { termStart, termDof, termFactor, jointOffset, lower, upper } = robot.model;
  let [low, high] = [jointOffset[joint]!, jointOffset[joint]!];
  for (let k = termStart[joint]!; k < termStart[joint + 1]!; k++) {
    const factor = termFactor[k]!;
    const ends = [factor * lower[termDof[k]!]!, factor * upper[termDof[k]!]!];
    low += Math.min(...ends);
    high += Math.max(...ends);
  }
  return isWithin(robot, joint, low) && isWithin(robot, joint, high);
}

function positionAt({ model }: Robot, joint: number, q: Float64Array): number {
  let position = model.jointOffset[joint]!;
  for (let k = model.termStart[joint]!; k < model.termStart[joint + 1]!; k++) {
    position += model.termFactor[k]! * q[model.termDof[k]!]!;
  }
  return position;
}

function isWithin({ model }: Robot, joint: number, position: number): boolean {
  return position >= model.jointLower[joint]! - limitRoundOff && position <= model.jointUpper[joint]! + limitRoundOff;
}
