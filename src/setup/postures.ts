import { restingPosture } from "../collision/pair-search.js";
import * as pose from "../math/pose.js";
import { Random } from "../math/random.js";
import * as vec3 from "../math/vec3.js";
import { type FoundPosture, PostureSearch } from "../planning/postures/posture-search.js";
import { buildCatchArm } from "../planning/problem/catch-arm.js";
import { countCatchable } from "../report/robot/check-reach.js";
import { dofsBetween, stateAt } from "../robot/kinematics/kinematics.js";
import type { JointGroup, Robot } from "../robot/robot.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { roundedWithin } from "./catcher-parts.js";

/** Where hands are tried, from the shoulder, as shares of the arm's reach. */
const AHEAD = [0.4, 0.55, 0.7];
const ASIDE = [-0.25, 0, 0.25];
const ABOVE = [-0.15, 0.1, 0.35];
/** Of two arms each stays on its side. */
const OWN_SIDE = [0.15, 0.35];
/** Balls come down at some 29°: what the catch frame's z axis is to face, ahead and up. */
const FACING = { ahead: 0.88, up: 0.48 };
const SEEDS = 10;
/** Distance of collision bodies in a posture [m], the first at which one is found, with the seeds for each. */
const CLEARANCES = [
  { clearance: 0.03, seeds: SEEDS },
  { clearance: 0.03, seeds: 4 * SEEDS },
  { clearance: 0.012, seeds: 4 * SEEDS },
  { clearance: 0.005, seeds: 8 * SEEDS },
] as const;
/** Lowest height of a hand above the floor [m]. */
const LOWEST = 0.35;
/** Postures of which throws decide, and how many throws. */
const FINALISTS = 5;
const THROWS = 12;

type Joints = Record<string, number>;
/** The robot with other postures. */
export type WithPostures = (postures: NonNullable<Sidecar["postures"]>) => Robot;

/** Where the robot waits for balls: of many postures that face them the one from which most throws can be caught. */
export function findReady(
  robot: Robot,
  groups: readonly JointGroup[],
  withPostures: WithPostures,
  options: { readonly seed: string; readonly progress: (share: number) => void },
): { joints: Joints; caught: number; throws: number } {
  let joints = openHands(robot);
  const sides = groups.map((group) => sideOf(robot, group, groups.length));
  for (const [i, group] of groups.entries()) {
    const among = withPairsOf(robot, group, groups.slice(i + 1));
    const found = candidates(among, group, sides[i]!, joints, new Random(`${options.seed} ${group.name}`));
    joints = { ...joints, ...ownJoints(robot, group, found[0]!) };
    if (groups.length > 1) continue;
    const ranked = found.map((posture, k) => {
      const own = { ...joints, ...ownJoints(robot, group, posture) };
      options.progress(k / found.length);
      return { own, caught: countCatchable(withPostures({ ready: own }), THROWS, "init") };
    });
    const best = ranked.reduce((most, one) => (one.caught > most.caught ? one : most));
    return { joints: best.own, caught: best.caught, throws: THROWS };
  }
  return { joints, caught: countCatchable(withPostures({ ready: joints }), THROWS, "init"), throws: THROWS };
}

/** The robot with the pairs that a group moves, against all but the groups that are placed after it. */
function withPairsOf(robot: Robot, { dofs }: JointGroup, later: readonly JointGroup[]): Robot {
  const others = later.flatMap((group) => group.dofs);
  const pairs = robot.pairs.filter(([a, b]) => {
    const between = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
    return between.some((dof) => dofs.includes(dof)) && !between.some((dof) => others.includes(dof));
  });
  return { ...robot, pairs };
}

/** The best posture of each place, the most promising first. */
function candidates(robot: Robot, group: JointGroup, aside: readonly number[], others: Joints, random: Random) {
  const start = positions(robot, others);
  const search = new PostureSearch(robot, group, start);
  const frame = armFrame(robot, group, start);
  const facing = vec3.addScaled(vec3.scale(frame.ahead, FACING.ahead, vec3.create()), UP, FACING.up, vec3.create());
  const places = AHEAD.flatMap((ahead) =>
    aside.flatMap((left) => ABOVE.map((above) => placeAt(frame, ahead, left, above))),
  ).filter((position) => position[2] >= LOWEST);
  for (const { seeds, clearance } of CLEARANCES) {
    const found = places.flatMap((position) =>
      search.find({ position, facing }, { random, seeds, clearance }).slice(0, 1),
    );
    if (found.length > 0) return found.sort((one, other) => other.score - one.score).slice(0, FINALISTS);
  }
  const touching = places.flatMap((position) => search.reach({ position, facing }, { random, seeds: SEEDS }));
  throw noPosture(robot, group, touching);
}

/** Where it lets a caught ball fall: the catch frame looks down, as near to `ready` as can be. */
export function findDrop(robot: Robot, groups: readonly JointGroup[], ready: Joints, seed: string): Joints {
  const joints = { ...ready };
  for (const group of groups) {
    const start = positions(robot, joints);
    const search = new PostureSearch(robot, group, start);
    const frame = armFrame(robot, group, start);
    const random = new Random(`${seed} drop ${group.name}`);
    const side = Math.sign(sideOf(robot, group, groups.length)[0]!) || 1;
    const places = [0.45, 0.6].flatMap((ahead) =>
      [0.35 * side, -0.35 * side, 0.55 * side].flatMap((left) => [0, 0.2].map((up) => placeAt(frame, ahead, left, up))),
    );
    const facings = [vec3.create(0, 0, -1), vec3.addScaled(vec3.create(0, 0, -0.8), frame.ahead, 0.6, vec3.create())];
    const own = Float64Array.from(group.dofs, (dof) => start[dof]!);
    const find = ({ seeds, clearance }: (typeof CLEARANCES)[number]) =>
      facings.flatMap((facing) =>
        places
          .filter((position) => position[2] >= LOWEST)
          .flatMap((position) => search.find({ position, facing }, { random, seeds, near: own, clearance })),
      );
    const found = CLEARANCES.reduce<FoundPosture[]>((known, step) => (known.length > 0 ? known : find(step)), []);
    const way = ({ q }: FoundPosture) => Math.max(...group.dofs.map((dof) => Math.abs(q[dof]! - start[dof]!)));
    const nearest = found.sort((one, other) => way(one) - way(other))[0];
    if (nearest !== undefined) Object.assign(joints, ownJoints(robot, group, nearest));
  }
  return joints;
}

interface ArmFrame {
  readonly shoulder: vec3.Vec3;
  readonly reach: number;
  readonly ahead: vec3.Vec3;
  readonly left: vec3.Vec3;
}

const UP = vec3.create(0, 0, 1);

function armFrame(robot: Robot, group: JointGroup, q: Float64Array): ArmFrame {
  const arm = buildCatchArm(robot, group.name);
  const state = stateAt(robot.model, q);
  const shoulder = pose.transformPoint(state.worldFromLink[group.baseLink]!, arm.reachCentre, vec3.create());
  const chest = state.worldFromLink[robot.frames.chest ?? 0]!;
  const ahead = vec3.normalize(vec3.create(chest[0], chest[3], 0), vec3.create());
  return { shoulder, reach: arm.reach, ahead, left: vec3.cross(UP, ahead, vec3.create()) };
}

function placeAt({ shoulder, reach, ahead, left }: ArmFrame, forward: number, aside: number, above: number): vec3.Vec3 {
  const place = vec3.addScaled(shoulder, ahead, forward * reach, vec3.create());
  vec3.addScaled(place, left, aside * reach, place);
  return vec3.addScaled(place, UP, above * reach, place);
}

/** To which side of the robot's middle the hand of an arm belongs, as shares of its reach. */
function sideOf(robot: Robot, group: JointGroup, arms: number): readonly number[] {
  if (arms < 2) return ASIDE;
  const state = stateAt(robot.model);
  const chest = state.worldFromLink[robot.frames.chest ?? 0]!;
  const shoulder = state.worldFromLink[robot.model.dofJoint[group.dofs[0]!]!]!;
  const aside = chest[1] * (shoulder[9] - chest[9]) + chest[4] * (shoulder[10] - chest[10]);
  return OWN_SIDE.map((share) => (aside >= 0 ? share : -share));
}

function openHands({ model, hands }: Robot): Joints {
  return Object.fromEntries(
    hands.flatMap(({ dofs, open }) =>
      dofs.map((dof, i) => [model.dofNames[dof]!, roundedWithin(open[i]!, model.lower[dof]!, model.upper[dof]!)]),
    ),
  );
}

function positions({ model }: Robot, joints: Joints): Float64Array {
  return restingPosture(model).map((resting, dof) => joints[model.dofNames[dof]!] ?? resting);
}

function ownJoints({ model }: Robot, group: JointGroup, { q }: FoundPosture): Joints {
  return Object.fromEntries(
    group.dofs.map((dof) => [model.dofNames[dof]!, roundedWithin(q[dof]!, model.lower[dof]!, model.upper[dof]!, 4)]),
  );
}

/** Says which bodies are in the way in most of the postures that reach the places. */
function noPosture({ name }: Robot, group: JointGroup, touching: readonly FoundPosture[]): FlycatcherError {
  const count = new Map<string, number>();
  for (const { nearest } of touching) {
    const pair = nearest?.bodies.join(" and ") ?? "none";
    count.set(pair, (count.get(pair) ?? 0) + 1);
  }
  const [worst] = [...count].sort(([, one], [, other]) => other - one);
  const found =
    worst === undefined ? "none in reach" : `in ${worst[1]} of ${touching.length} postures ${worst[0]} touch`;
  return new FlycatcherError(
    "FLY_POSTURE_UNREACHABLE",
    `${name} finds no posture that faces a ball with ${group.name}`,
    {
      expected: "the catch frame ahead of the arm, z axis towards the thrower, all bodies apart",
      found: `${found}; try --axis, --handle, --height or another --catcher`,
    },
  );
}
