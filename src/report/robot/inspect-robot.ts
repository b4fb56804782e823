import { hasNeck, neckGeometry } from "../../planning/body/neck.js";
import { checkRobot } from "../../robot/report/check.js";
import { type Finding, finding } from "../../robot/report/finding.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { checkCatchFrames } from "./check-catch-frame.js";
import { checkClearances, checkCovers } from "./check-collision.js";
import { checkReach } from "./check-reach.js";
import { checkTorques } from "./check-torques.js";

/** Throws planned for the finding `reach`. */
const THROWS = 24;

/**
 * All that `checkRobot` finds, and what only a run would find otherwise: whether a ball can get to each catch frame, whether
 * collision bodies contain the URDF's shapes, which bodies touch in a posture, whether torques suffice, whether the neck can
 * be used, and whether any throw can be caught. Most serious first.
 */
export function inspectRobot(robot: Robot, throws = THROWS): Finding[] {
  const basic = checkRobot(robot);
  const deeper = [checkCatchFrames, checkCovers, checkClearances, checkTorques, checkNeck].flatMap((rule) =>
    rule(robot),
  );
  // A robot that cannot plan is not asked to.
  const isSound = [...basic, ...deeper].every(({ severity }) => severity !== "error");
  const findings = [...basic, ...deeper, ...(isSound ? checkReach(robot, throws) : [])];
  return [...findings.filter(isError), ...findings.filter((entry) => !isError(entry))];
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/** What a run says of the neck before it starts. */
function checkNeck(robot: Robot): Finding[] {
  if (!hasNeck(robot)) return [];
  try {
    neckGeometry(robot);
    return [];
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    const { expected, found } = error.details;
    const said = `A run cannot use this neck: expected ${expected}, found ${found}.`;
    return [
      finding("error", "neck", said, "remove the group of kind neck from robot.json: the cameras then stand still"),
    ];
  }
}
