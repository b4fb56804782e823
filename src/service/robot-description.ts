import Type, { type Static } from "typebox";
import { JointKind, type Robot, type RobotModel } from "../robot/robot.js";
import { mostParts } from "../robot/sidecar/sidecar-parts.js";

const limit = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const RobotDescriptionSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    joints: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Enum(["revolute", "prismatic"], { type: "string" }),
        lower: limit("Lowest position [rad or m]; null without limit."),
        upper: limit("Highest position [rad or m]; null without limit."),
        velocity: limit("Greatest speed [rad/s or m/s]; null where unknown."),
        acceleration: limit("Greatest acceleration [rad/s² or m/s²]; null where unknown."),
        effort: limit("Greatest torque or force [N·m or N]; null where unknown."),
      }),
      { maxItems: mostParts, description: "The independent joints, in the order of every joint vector of the robot." },
    ),
    groups: Type.Array(
      Type.Object({
        name: Type.String(),
        joints: Type.Array(Type.String(), { maxItems: mostParts, description: "From base to tip." }),
        baseLink: Type.String(),
        tipLink: Type.String(),
      }),
      { maxItems: mostParts, description: "Joints that are planned together." },
    ),
    frames: Type.Record(Type.String(), Type.String(), { description: "Link that plays each role." }),
    postures: Type.Record(Type.String(), Type.Array(Type.Number(), { maxItems: mostParts }), {
      description: "Named positions of all joints [rad or m].",
    }),
  },
  { title: "RobotDescription" },
);

export type RobotDescription = Static<typeof RobotDescriptionSchema>;

/** What a client needs to know of a robot to ask for a plan. */
export function describeRobot(robot: Robot): RobotDescription {
  const { model } = robot;
  return {
    name: robot.name,
    description: robot.sidecar.description ?? "",
    joints: model.dofNames.map((_, dof) => describeJoint(model, dof)),
    groups: model.groups.map(({ name, dofs, baseLink, tipLink }) => ({
      name,
      joints: dofs.map((dof) => model.dofNames[dof]!),
      baseLink: model.linkNames[baseLink]!,
      tipLink: model.linkNames[tipLink]!,
    })),
    frames: Object.fromEntries(Object.entries(robot.frames).map(([role, link]) => [role, model.linkNames[link]!])),
    postures: Object.fromEntries([...robot.postures].map(([name, position]) => [name, [...position]])),
  };
}

function describeJoint(model: RobotModel, dof: number): RobotDescription["joints"][number] {
  const kind = model.jointKind[model.dofJoint[dof]!] === JointKind.prismatic ? "prismatic" : "revolute";
  return {
    name: model.dofNames[dof]!,
    kind,
    lower: finiteOrNull(model.lower[dof]!),
    upper: finiteOrNull(model.upper[dof]!),
    velocity: finiteOrNull(model.maxVelocity[dof]!),
    acceleration: finiteOrNull(model.maxAcceleration[dof]!),
    effort: finiteOrNull(model.maxEffort[dof]!),
  };
}

/** JSON has no infinity. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
