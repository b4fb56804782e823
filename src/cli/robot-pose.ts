import { readFileSync, writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { PostureClearance } from "../collision/posture-clearance.js";
import { degrees } from "../math/angle.js";
import { Random } from "../math/random.js";
import * as vec3 from "../math/vec3.js";
import { type FoundPosture, PostureSearch } from "../planning/postures/posture-search.js";
import { catchGroups, unknownGroup } from "../planning/problem/catch-arm.js";
import { resolveStart } from "../planning/request/start-state.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { JointKind, type Robot } from "../robot/robot.js";
import type { RobotState } from "../robot/state.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import { withMember } from "./json-members.js";
import { requireSidecar } from "./robot-pairs.js";
import { collect, formatTable, print, wholeNumber } from "./terminal.js";

interface PoseOptions {
  readonly posture?: string;
  readonly link: readonly string[];
  readonly json?: true;
}

interface PostureOptions {
  readonly at: vec3.Vec3;
  readonly facing?: vec3.Vec3;
  readonly group?: string;
  readonly seeds: number;
  readonly seed: string;
  readonly clearance: number;
  readonly json?: true;
  readonly write?: string;
}

/** `flycatcher robot pose`: where links are in a posture, and how near its bodies are to touching. */
export function registerPose(robot: Command, robotArgument: string): void {
  robot
    .command("pose")
    .description("Print where links are in a posture (forward kinematics), and which bodies are nearest to touching.")
    .argument("<robot>", robotArgument)
    .option("--posture <name>", "posture of robot.json; default: ready, or all joints at 0 where there is none")
    .option("--link <name>", "a link; repeatable; default: those with a role, catch links and cameras", collect, [])
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot pose panda\n  flycatcher robot pose panda --link armLink4 --json",
    )
    .action(runPose);
}

/** `flycatcher robot posture`: joint positions that bring the hand somewhere, by inverse kinematics. */
export function registerPosture(robot: Command, robotArgument: string): void {
  robot
    .command("posture")
    .description("Find a posture with the catch frame in a place, clear of the robot itself (inverse kinematics).")
    .argument("<robot>", robotArgument)
    .requiredOption("--at <x,y,z>", "where the catch frame is to be, in the world [m]", vectorOf)
    .option("--facing <x,y,z>", "where its z axis is to point: to where balls come from; default: anywhere", vectorOf)
    .option("--group <name>", "the arm; default: the first that can catch")
    .option("--clearance <metres>", "least distance of collision bodies", positiveNumber, 0.02)
    .option("--seeds <n>", "configurations to start from", wholeNumber(1, 100_000), 200)
    .option("--seed <text>", "seed of these configurations", "posture")
    .option("--write <name>", "write it into robot.json as the posture of this name")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  flycatcher robot posture panda --at 0.4,0,1.2 --facing 1,0,0.3\n" +
        "  flycatcher robot posture my-robot --at 0.5,0.2,1.1 --facing 1,0,0.5 --write ready",
    )
    .action(runPosture);
}

export function vectorOf(text: string): vec3.Vec3 {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers.length !== 3 || !numbers.every((value) => Math.abs(value) <= 1000)) {
    throw new InvalidArgumentError("expected three numbers with commas between, such as 0.5,0,1.2");
  }
  return vec3.create(...(numbers as [number, number, number]));
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 10) return value;
  throw new InvalidArgumentError("expected metres from 0 to 10");
}

function runPose(name: string, { posture, link, json }: PoseOptions): void {
  const robot = loadRobot(name);
  const state = resolveStart(robot, [], posture === undefined ? {} : { posture }, undefined, []);
  const links = link.length > 0 ? link.map((one) => requireLink(robot, one)) : namedLinks(robot);
  const nearest = new PostureClearance(robot).nearest(state.q);
  if (json) {
    const poses = links.map((index) => [robot.model.linkNames[index]!, poseOf(state, index)]);
    const clearance = nearest && { bodies: nearest.bodies, distance: nearest.distance };
    print(
      JSON.stringify({ robot: name, joints: jointsOf(robot, state.q), links: Object.fromEntries(poses), clearance }),
    );
    return;
  }
  const rows = links.map((index) => poseRow(robot, state, index));
  print(formatTable(["link", "x", "y", "z", "its x axis", "its z axis"], rows));
  if (nearest !== null) print(`\nnearest bodies: ${nearest.bodies.join(" and ")}, ${millimetres(nearest.distance)}`);
}

function requireLink({ name, model }: Robot, link: string): number {
  const index = model.linkNames.indexOf(link);
  if (index >= 0) return index;
  throw new FlycatcherError("FLY_LINK_UNKNOWN", `${name} has no such link`, {
    ...{ expected: "the name of a link", found: JSON.stringify(link) },
    suggestion: didYouMean(link, model.linkNames),
  });
}

/** The links that matter for catching, in the tree's order. */
function namedLinks({ frames, hands, cameras, model }: Robot): number[] {
  const tips = model.groups.map(({ tipLink }) => tipLink);
  const links = [...Object.values(frames), ...tips, ...hands.map(({ catchLink }) => catchLink)];
  return [...new Set([...links, ...cameras.map(({ link }) => link)])].sort((a, b) => a - b);
}

function poseOf({ worldFromLink }: RobotState, link: number): { position: number[]; xAxis: number[]; zAxis: number[] } {
  const at = worldFromLink[link]!;
  return { position: [at[9], at[10], at[11]], xAxis: [at[0], at[3], at[6]], zAxis: [at[2], at[5], at[8]] };
}

function poseRow({ model }: Robot, state: RobotState, link: number): string[] {
  const { position, xAxis, zAxis } = poseOf(state, link);
  const axis = (numbers: number[]) => numbers.map((value) => (value + 0).toFixed(2)).join(" ");
  return [model.linkNames[link]!, ...position.map((value) => `${value.toFixed(3)} m`), axis(xAxis), axis(zAxis)];
}

function jointsOf({ model }: Robot, q: Float64Array): Record<string, number> {
  return Object.fromEntries(model.dofNames.map((joint, dof) => [joint, rounded(q[dof]!)]));
}

/** Readable, and finer than any joint can be positioned. */
function rounded(value: number): number {
  return Number(value.toFixed(5)) + 0;
}

function runPosture(name: string, options: PostureOptions): void {
  const robot = loadRobot(name);
  const file = options.write === undefined ? null : requireSidecar(name, "the posture");
  const groups = catchGroups(robot);
  const group = options.group === undefined ? groups[0] : groups.find((one) => one.name === options.group);
  if (group === undefined) throw unknownGroup(robot, options.group ?? "any");
  const start = resolveStart(robot, groups, {}, undefined, []);
  const search = new PostureSearch(robot, group, start.q);
  const { seeds, clearance, at, facing = null } = options;
  const near = Float64Array.from(group.dofs, (dof) => start.q[dof]!);
  const random = new Random(options.seed);
  const reached = search.reach({ position: at, facing }, { random, seeds, near });
  const free = reached.filter(({ nearest }) => nearest === null || nearest.distance >= clearance);
  const best = free.sort((one, other) => other.score - one.score)[0];
  if (best === undefined) throw unreachable(reached, clearance);
  const joints = Object.fromEntries(group.dofs.map((dof) => [robot.model.dofNames[dof]!, rounded(best.q[dof]!)]));
  print(
    options.json ? asJson(name, group.name, joints, best, free.length) : asText(robot, group.dofs, best, free.length),
  );
  if (file === null || options.write === undefined) return;
  const all = withoutZeros({ ...robot.sidecar.postures?.[options.write], ...joints });
  writeFileSync(file, withMember(readFileSync(file, "utf8"), ["postures", options.write], JSON.stringify(all)));
  if (!options.json) print(`written to ${file} as ${options.write}`);
}

/** Joints left out of a posture stand at 0. */
function withoutZeros(joints: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(joints).filter(([, position]) => position !== 0));
}

function unreachable(reached: readonly FoundPosture[], clearance: number): FlycatcherError {
  const nearest = [...reached].sort((one, other) => (other.nearest?.distance ?? 0) - (one.nearest?.distance ?? 0))[0];
  const found =
    nearest?.nearest == null
      ? "no joint positions that bring it there"
      : `${reached.length} postures, of which the clearest has ${nearest.nearest.bodies.join(" and ")} ${millimetres(nearest.nearest.distance)} apart`;
  return new FlycatcherError("FLY_POSTURE_UNREACHABLE", "No such posture was found", {
    ...{ expected: `the hand there, and all bodies ${millimetres(clearance)} apart`, found },
  });
}

function asJson(
  robot: string,
  group: string,
  joints: Readonly<Record<string, number>>,
  { nearest, limitMargin, leastSpeed }: FoundPosture,
  alternatives: number,
): string {
  const clearance = nearest && { bodies: nearest.bodies, distance: nearest.distance };
  return JSON.stringify({ robot, group, joints, clearance, limitMargin, leastSpeed, alternatives }, null, 2);
}

function asText({ model }: Robot, dofs: readonly number[], found: FoundPosture, alternatives: number): string {
  const rows = dofs.map((dof) => {
    const isAngle = model.jointKind[model.dofJoint[dof]!] === JointKind.revolute;
    const position = rounded(found.q[dof]!);
    return [model.dofNames[dof]!, String(position), isAngle ? `${degrees(position).toFixed(1)}°` : `${position} m`];
  });
  const { nearest, limitMargin, leastSpeed } = found;
  const clear =
    nearest === null ? "more than 15 cm" : `${millimetres(nearest.distance)} (${nearest.bodies.join(" and ")})`;
  return [
    formatTable(["joint", "position", ""], rows),
    "",
    `bodies apart by ${clear}; nearest limit at ${(100 * limitMargin).toFixed(0)} % of half a range`,
    `hand speed in the slowest direction ${leastSpeed.toFixed(2)} m/s; best of ${alternatives} postures`,
  ].join("\n");
}

function millimetres(distance: number): string {
  return distance > 0 ? `${(1000 * distance).toFixed(0)} mm` : `${(-1000 * distance).toFixed(0)} mm into each other`;
}
