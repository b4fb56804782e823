import { gravity } from "../../flight/ball.js";
import { biasForces } from "../../robot/dynamics/inverse-dynamics.js";
import { massMatrix } from "../../robot/dynamics/mass-matrix.js";
import { stateAt } from "../../robot/kinematics/kinematics.js";
import { type Finding, finding } from "../../robot/report/finding.js";
import type { Robot } from "../../robot/robot.js";

/** Whether the joints have the torque for their accelerations, from rest in `ready`, each joint alone. */
export function checkTorques(robot: Robot): Finding[] {
  const { model, postures } = robot;
  const n = model.dofCount;
  const state = stateAt(model, postures.get("ready"));
  const inertia = massMatrix(state, new Float64Array(n * n));
  const held = biasForces(state, gravity(), new Float64Array(n));
  return model.dofNames.flatMap((joint, dof) => {
    const [acceleration, effort] = [model.maxAcceleration[dof]!, model.maxEffort[dof]!];
    if (!(acceleration < Number.POSITIVE_INFINITY && effort > 0 && effort < Number.POSITIVE_INFINITY)) return [];
    const own = inertia[dof * n + dof]!;
    const needed = own * acceleration + Math.abs(held[dof]!);
    if (!(needed > effort)) return [];
    const possible = Math.max(0, (effort - Math.abs(held[dof]!)) / own);
    const said = `Its acceleration limit of ${acceleration} needs ${needed.toFixed(0)} of ${effort} N·m in \`ready\`: it will lag behind its commands.`;
    const repair = `set limits.${joint}.acceleration in robot.json to at most ${possible.toPrecision(2)}`;
    return [finding("warning", `joint ${joint}`, said, repair)];
  });
}
