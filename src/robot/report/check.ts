import { FlycatcherError } from "../../runtime/errors.js";
import { SchemaError } from "../../runtime/schema-problems.js";
import { assembleRobot } from "../loading/assemble-robot.js";
import { emptySidecar } from "../loading/load-robot.js";
import type { Robot } from "../robot.js";
import { parseUrdf } from "../urdf/urdf.js";
import { checkBodies, checkInertia } from "./check-bodies.js";
import { checkDependentJoints, checkJointLimits } from "./check-joints.js";
import { type Finding, finding, findingAbout } from "./finding.js";

/**
 * What a robot still lacks, in plain words, most serious first; an empty list means that it can catch. An error keeps
 * it from catching, a warning costs it something. A text is taken as a URDF without a sidecar, and what is wrong with
 * it is a finding too.
 *
 *     checkRobot(loadRobot("panda"))   // [{ severity: "warning", subject: "cameras", sentence: "…" }]
 */
export function checkRobot(robotOrUrdfText: Robot | string): Finding[] {
  if (typeof robotOrUrdfText !== "string") return checkLoaded(robotOrUrdfText);
  try {
    const urdf = parseUrdf(robotOrUrdfText);
    return checkLoaded(assembleRobot({ name: urdf.name, urdf, sidecar: emptySidecar("robot.urdf") }));
  } catch (error) {
    if (error instanceof FlycatcherError) return findingsOf(error);
    throw error;
  }
}

/** The findings that an error of loading amounts to. */
export function findingsOf(error: FlycatcherError): Finding[] {
  if (error instanceof SchemaError) {
    return error.problems.map(({ path, expected, found }) =>
      finding("error", path === "" ? "the whole file" : path, `${error.code}: expected ${expected}, found ${found}.`),
    );
  }
  const { path = "robot", expected, found } = error.details;
  const detail = expected === undefined ? error.message : `expected ${expected}, found ${found ?? "nothing"}`;
  return [finding("error", path, `${error.code}: ${detail}. ${error.remedy}`)];
}

const rules: readonly ((robot: Robot) => Finding[])[] = [
  reportRepairs,
  checkJointLimits,
  checkDependentJoints,
  checkGroups,
  checkHands,
  checkPostures,
  checkBodies,
  checkInertia,
  checkSensors,
];

function checkLoaded(robot: Robot): Finding[] {
  const findings = rules.flatMap((rule) => rule(robot));
  const isError = ({ severity }: Finding) => severity === "error";
  return [...findings.filter(isError), ...findings.filter((entry) => !isError(entry))];
}

/** Flaws of the URDF that were repaired in reading. */
function reportRepairs({ urdf }: Robot): Finding[] {
  return (urdf.repairs ?? []).map(({ path, sentence }) => finding("warning", path, sentence));
}

/** The command that writes a sidecar. */
export function initCommand({ name }: Robot): string {
  return `flycatcher robot init ${name}`;
}

function checkGroups(robot: Robot): Finding[] {
  const { model, hands } = robot;
  if (model.groups.length === 0) {
    const said = "No group of joints is named: planning needs at least one arm (`groups`).";
    return [finding("error", "groups", said, initCommand(robot))];
  }
  const grouped = new Set([...model.groups, ...hands].flatMap(({ dofs }) => dofs));
  const idle = model.dofNames.filter((_, dof) => !grouped.has(dof));
  const odd = model.groups.filter(({ kind, dofs }) => kind === "srs-arm" && dofs.length !== 7);
  return [
    ...odd.map(({ name, dofs }) =>
      finding("error", `group ${name}`, `An srs-arm has 7 joints, this one ${dofs.length}; call it an \`arm\`.`),
    ),
    ...findingAbout("warning", "joint", idle, "In no group and no hand: nothing can move it."),
  ];
}

function checkHands(robot: Robot): Finding[] {
  const { model, hands, frames } = robot;
  if (hands.length === 0) {
    const said = "No hand is described (`hands`): its catch frame, closing time and tolerances are needed to catch.";
    return [finding("error", "hands", said, initCommand(robot))];
  }
  const held = new Set(model.groups.map(({ hand }) => hand));
  const free = hands.filter(({ name }) => !held.has(name)).map(({ name }) => name);
  const roles = [frames.catch, frames.catchLeft, frames.catchRight];
  const unnamed = hands.filter(({ catchLink }) => !roles.includes(catchLink)).map(({ name }) => name);
  const roleless = "Its catch link has no role: name it in `frames` as catch, catchLeft or catchRight.";
  return [
    ...findingAbout("error", "hand", free, "No group carries it: name it as `hand` of an arm's group."),
    ...findingAbout("warning", "hand", unnamed, roleless),
  ];
}

function checkPostures({ name, postures }: Robot): Finding[] {
  const repair = (posture: string) => `flycatcher robot posture ${name} --at x,y,z --facing x,y,z --write ${posture}`;
  const findings: Finding[] = [];
  if (!postures.has("ready")) {
    const said = "Missing: where the robot waits for a ball (`postures.ready`).";
    findings.push(finding("error", "posture ready", said, repair("ready")));
  }
  if (!postures.has("drop")) {
    const said = "Missing: where it drops a caught ball (`postures.drop`).";
    findings.push(finding("warning", "posture drop", said, repair("drop")));
  }
  return findings;
}

function checkSensors({ cameras, stereo, imu, frames, rigidBody }: Robot): Finding[] {
  if (cameras.length === 0) {
    const said = "None (`cameras`): it sees balls as points of motion capture, or needs predictions from elsewhere.";
    return [finding("warning", "cameras", said)];
  }
  const findings: Finding[] = [];
  if (stereo === undefined) {
    findings.push(finding("warning", "stereo", "No pair of cameras is named (`stereo`): the tracker needs two."));
  }
  if (frames.head === undefined) {
    findings.push(finding("warning", "frame head", "Not named (`frames.head`): which link carries the cameras?"));
  }
  // Cameras that stand in the world do not shake.
  const areMoving = cameras.some(({ link }) => rigidBody[link] !== rigidBody[frames.world]);
  if (imu === undefined && areMoving) {
    findings.push(finding("warning", "imu", "None (`imu`): a shaking head will degrade the predictions."));
  }
  return findings;
}
