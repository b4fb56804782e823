import { pointer } from "../../robot/loading/name-lookup.js";
import type { RobotModel } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { GoalDescription } from "./motion-request.js";

type JointValues = NonNullable<GoalDescription["joints"]>;

/** Writes values of joints, by name or as a list in the order of the dofs that move or of the robot, to `out`. */
export function assignJoints(
  model: RobotModel,
  dofs: readonly number[],
  values: JointValues,
  path: string,
  out: Float64Array,
): void {
  if (Array.isArray(values)) {
    const isWhole = values.length === model.dofCount && values.length !== dofs.length;
    if (!isWhole && values.length !== dofs.length) {
      throw new FlycatcherError("FLY_PLAN_JOINT_COUNT", "The list of joint values has the wrong length", {
        path,
        expected: `${dofs.length} (the joints that move) or ${model.dofCount} (all joints) values`,
        found: String(values.length),
      });
    }
    for (const [i, dof] of dofs.entries()) out[i] = values[isWhole ? dof : i]!;
    return;
  }
  for (const [name, value] of Object.entries(values)) {
    const i = dofs.findIndex((dof) => model.dofNames[dof] === name);
    if (i < 0) {
      throw new FlycatcherError("FLY_PLAN_JOINT_UNKNOWN", "The motion moves no such joint", {
        path: pointer(path, name),
        expected: dofs.map((dof) => model.dofNames[dof]).join(", "),
        found: JSON.stringify(name),
      });
    }
    out[i] = value;
  }
}
