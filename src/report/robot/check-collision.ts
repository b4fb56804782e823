import { uncoveredShapes } from "../../collision/making/hull-cover.js";
import { PostureClearance } from "../../collision/posture-clearance.js";
import { type Finding, finding } from "../../robot/report/finding.js";
import type { Robot } from "../../robot/robot.js";

/** A shape may stick out of its body by this much [m] without a word, and by that much with a warning. */
const ROUNDING = 0.001;
const TOLERABLE = 0.01;
/** Bodies nearer than this in a posture deserve a warning [m]: the monitor brakes before bodies touch. */
const NARROW = 0.01;
/** Findings about covers beyond these are summed up. */
const MOST_COVERS = 6;

/** Whether the collision bodies contain the URDF's shapes: a monitor sees nothing else of the robot. */
export function checkCovers(robot: Robot): Finding[] {
  if (robot.hulls.length === 0) return [];
  const fingers = fingerLinks(robot);
  const covered = new Set(robot.hulls.map(({ link }) => robot.rigidBody[link]!));
  // Links without any body have a finding already.
  const uncovered = uncoveredShapes(
    robot,
    ROUNDING,
    (link) => fingers.has(link) || !covered.has(robot.rigidBody[link]!),
  );
  const repair = `flycatcher robot hulls ${robot.name} --write`;
  const findings = uncovered.slice(0, MOST_COVERS).map(({ link, bodies, protrusion }) => {
    const far = `${(1000 * protrusion).toFixed(0)} mm`;
    const said = `Its shape sticks out of its collision ${bodies.length === 1 ? "body" : "bodies"} ${bodies.join(", ")} by ${far}: the monitor does not see that part.`;
    return finding(protrusion > TOLERABLE ? "error" : "warning", `link ${link}`, said, repair);
  });
  if (uncovered.length <= MOST_COVERS) return findings;
  const more = uncovered.slice(MOST_COVERS).map(({ link }) => link);
  return [...findings, finding("warning", `links ${more.join(", ")}`, "Their shapes stick out, too.", repair)];
}

/** Links that hang on finger joints: their hand's body stands for them in all their positions. */
function fingerLinks({ model, hands }: Robot): ReadonlySet<number> {
  const joints = new Set(hands.flatMap(({ dofs }) => dofs.map((dof) => model.dofJoint[dof]!)));
  const links = new Set<number>();
  for (const [link, parent] of model.parentLink.entries()) if (joints.has(link) || links.has(parent)) links.add(link);
  return links;
}

/** Whether any posture touches the robot itself, with the names of both bodies. */
export function checkClearances(robot: Robot): Finding[] {
  const clearance = new PostureClearance(robot);
  return [...robot.postures].flatMap(([name, q]) => {
    const [nearest] = clearance.distances(q, NARROW);
    if (nearest === undefined) return [];
    const [a, b] = nearest.bodies;
    const { distance } = nearest;
    const repair = `flycatcher robot posture ${robot.name} --at x,y,z --facing x,y,z --write ${name}`;
    if (distance > 0) {
      const said = `The bodies ${a} and ${b} are only ${(1000 * distance).toFixed(0)} mm apart: the monitor brakes early.`;
      return [finding("warning", `posture ${name}`, said, repair)];
    }
    const said = `The bodies ${a} and ${b} touch, ${(-1000 * distance).toFixed(0)} mm deep: the monitor lets nothing move from there.`;
    const always = `If they always do, \`flycatcher robot pairs ${robot.name} --write\` leaves the pair out.`;
    return [finding("error", `posture ${name}`, `${said} ${always}`, repair)];
  });
}
