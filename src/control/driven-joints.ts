import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { DriverJoint } from "./driver.js";

/** The joints of a group, or of a hand; all of the robot's for "". */
export function drivenDofs({ model, hands }: Robot, name: string): readonly number[] {
  if (name === "") return Array.from({ length: model.dofCount }, (_, dof) => dof);
  const groups = [...model.groups, ...hands];
  const group = groups.find((candidate) => candidate.name === name);
  if (group !== undefined) return group.dofs;
  throw new FlycatcherError("FLY_DRIVER_JOINTS", "a driver names a group that the robot does not have", {
    expected: `one of ${groups.map((known) => known.name).join(", ")}`,
    found: name,
  });
}

/** A joint as its driver knows it. */
export function driverJointOf({ model }: Robot, dof: number): DriverJoint {
  return {
    name: model.dofNames[dof]!,
    lower: model.lower[dof]!,
    upper: model.upper[dof]!,
    maxSpeed: model.maxVelocity[dof]!,
  };
}
