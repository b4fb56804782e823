import { type JointRamps, rampFields } from "../motion/joint-ramps.js";
import type { AnsweredQuestion } from "../run/replay/replay-run.js";
import type { ReplaySettings } from "../run/replay/replay-settings.js";
import type { ModeReport } from "./report-types.js";

/** The modes of the thesis' Fig. 3.9. */
const shownModes = ["soft", "latest", "cool"] as const;

/** How the arm would go about the first catch found in each of three modes, everything else the same. */
export function compareModes(question: AnsweredQuestion, { robot, run, parts }: ReplaySettings): ModeReport[] {
  const arm = parts.arm(question.arm);
  const planner = parts.planner(question.arm, run.planner);
  return shownModes.flatMap((mode): ModeReport[] => {
    const { plan } = planner.plan({ ...question.request, mode, previous: null });
    if (plan === null) return [];
    const joints = arm.group.dofs.map((dof) => robot.model.dofNames[dof] ?? String(dof));
    const { tStart, tCatch, objective, ramps } = plan;
    return [{ mode, joints, ramps: rampNumbers(ramps), tStart, tCatch, objective }];
  });
}

function rampNumbers(ramps: JointRamps): ModeReport["ramps"] {
  const entries = rampFields.map((field) => [field, Array.from(ramps[field], (value) => value + 0)]);
  return Object.fromEntries(entries) as ModeReport["ramps"];
}
