import { type FittedHull, fitHull } from "../collision/making/fit-hull.js";
import { transformed } from "../collision/making/hull-cover.js";
import { type LinkHulls, makeHulls, makeHullsDefaults } from "../collision/making/make-hulls.js";
import { restingPosture, searchPairs } from "../collision/pair-search.js";
import * as pose from "../math/pose.js";
import { Random } from "../math/random.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { completeNumbers } from "../safety/monitor/monitor-options.js";
import { type BodyPair, findNearPairs } from "./near-pairs.js";
import { grown } from "./repair-masses.js";

type Collision = NonNullable<Sidecar["collision"]>;
type Hull = Collision["hulls"][number];

/** A link of more simple shapes than this gets one body around all. */
const MOST_SHAPES = 3;
/** Share of postures from which on a pair's bodies touch so often that they must be too fat. */
const CROWDED = 0.2;
/** Boxes tried in proving that two bodies never come near: robots have a thousand pairs. */
const PROOF_BUDGET = 3000;
/** How far closed fingers are, from 0 (open) to 1, where the hand's body is to contain them. */
const FINGER_STEPS = [0, 0.5, 1];

/** Bodies of links that would touch others in many postures: of more pieces, for meshes that one hull makes too fat. */
const finer = { ...makeHullsDefaults, trials: 1500, maxPieces: 8, minimumGain: 0.03 };

/** Bodies of each link alone, of a few pieces. */
export function linkBodies(robot: Robot, progress: (link: string) => void): LinkHulls[] {
  return makeHulls(robot, { ...makeHullsDefaults, progress });
}

/** The same with finer bodies for some links. */
export function withFinerBodies(robot: Robot, made: readonly LinkHulls[], links: ReadonlySet<number>): LinkHulls[] {
  const shapes = robot.shapes.map((shape, link) => (links.has(link) ? shape : { collisions: [], visuals: [] }));
  const changed = new Map(makeHulls({ ...robot, shapes }, finer).map((one) => [one.link, one]));
  return made.map((one) => changed.get(one.link) ?? one);
}

/** Collision bodies of every link; one body of a hand contains its fingers wherever they are between open and closed. */
export function collisionBodies(robot: Robot, made: readonly LinkHulls[]): Hull[] {
  const fingerHand = handOfFingers(robot);
  const held: number[][] = robot.hands.map(() => []);
  const bodies = made.flatMap(({ link, bodies: own, surface }): Hull[] => {
    const index = robot.model.linkNames.indexOf(link);
    const hand = fingerHand[index]!;
    if (hand >= 0) {
      held[hand]!.push(...own.flatMap((body) => fingerPoints(robot, hand, index, body)));
      return [];
    }
    if (own.length <= MOST_SHAPES || surface.length > 0) return own.map((body) => hullOf(body.name, link, body));
    const points = own.flatMap(({ points, radius }) => [...grown(points, radius)]);
    return [hullOf(link, link, fitHull(Float64Array.from(points), makeHullsDefaults))];
  });
  const hands = held.flatMap((points, hand): Hull[] => {
    if (points.length === 0) return [];
    const link = robot.model.linkNames[palmOf(robot, hand)]!;
    const fitted = fitHull(Float64Array.from(points), makeHullsDefaults);
    return [hullOf(`${robot.hands[hand]!.name}Fingers`, link, fitted)];
  });
  return [...bodies, ...hands];
}

function hullOf(name: string, link: string, { points, radius }: Pick<FittedHull, "points" | "radius">): Hull {
  const corners = Array.from({ length: points.length / 3 }, (_, i) =>
    Array.from(points.subarray(3 * i, 3 * i + 3), (value) => tidy(value)),
  );
  return { name, link, radius: tidy(radius), points: corners as Hull["points"] };
}

/** Without the last digits of a sum; far below any tolerance. */
function tidy(value: number): number {
  return Number(value.toFixed(7)) + 0;
}

/** The hand on whose finger joints each link hangs; −1: none. */
function handOfFingers({ model, hands }: Robot): Int32Array {
  const joints = new Map(hands.flatMap(({ dofs }, hand) => dofs.map((dof) => [model.dofJoint[dof]!, hand] as const)));
  const found = new Int32Array(model.linkCount).fill(-1);
  for (const [link, parent] of model.parentLink.entries()) {
    const followed = Array.from({ length: model.termStart[link + 1]! - model.termStart[link]! }, (_, k) => {
      return joints.get(model.dofJoint[model.termDof[model.termStart[link]! + k]!]!);
    }).find((hand) => hand !== undefined);
    found[link] = joints.get(link) ?? followed ?? (parent >= 0 ? found[parent]! : -1);
  }
  return found;
}

/** The moving link that the hand's fingers hang on. */
function palmOf({ hands, rigidBody }: Robot, hand: number): number {
  return rigidBody[hands[hand]!.catchLink]!;
}

/** Points that contain a finger's body in the palm's frame, in each of some shapes of the hand. */
function fingerPoints(robot: Robot, hand: number, link: number, body: FittedHull): number[] {
  const { dofs, open, closed } = robot.hands[hand]!;
  const points = grown(body.points, body.radius);
  return FINGER_STEPS.flatMap((share) => {
    const q = restingPosture(robot.model);
    for (const [i, dof] of dofs.entries()) q[dof] = open[i]! + share * (closed[i]! - open[i]!);
    const state = stateAt(robot.model, q);
    return [...transformed(points, relativePose(state, palmOf(robot, hand), link, pose.create()))];
  });
}

/** Which pairs of bodies are to be checked, by name, and why others need not. */
export interface ChosenPairs {
  readonly pairs: [string, string][];
  /** As "one and the other": those that overlap in every posture, and those of `NearPairs`. */
  readonly touching: readonly string[];
  readonly proven: readonly string[];
  readonly inseparable: readonly string[];
  /** Links whose bodies touch others in many postures. */
  readonly crowded: ReadonlySet<number>;
  /** How many hang on joints that no arm and no hand moves. */
  readonly unmoved: number;
  readonly all: number;
}

/** Chooses the pairs to check: found by sampling, without those that no group moves and those that finer bodies prove apart. */
export function collisionPairs(
  robot: Robot,
  samples: number,
  seed: string,
  progress: (share: number) => void,
): ChosenPairs {
  const { limitTolerance } = completeNumbers({});
  const search = { random: new Random(seed), limitTolerance, samples, progress, proofBudget: PROOF_BUDGET };
  const moving = movedDofs(robot);
  const findings = searchPairs(robot, { ...search, moving });
  const nameOf = ({ a, b }: BodyPair) => `${robot.hulls[a]!.name} and ${robot.hulls[b]!.name}`;
  const near = findings.filter(({ reason }) => reason === "checked");
  const random = new Random(`${seed} near`);
  const { proven, inseparable } = findNearPairs(robot, near, { limitTolerance, moving, random });
  const checked = near.filter((pair) => !proven.includes(pair) && !inseparable.includes(pair));
  const crowding = findings.filter(({ touching }) => touching >= CROWDED);
  return {
    crowded: new Set(crowding.flatMap(({ a, b }) => [robot.hulls[a]!.link, robot.hulls[b]!.link])),
    pairs: checked.map(({ a, b }): [string, string] => [robot.hulls[a]!.name, robot.hulls[b]!.name]),
    touching: findings.filter(({ reason }) => reason === "always-touching").map(nameOf),
    proven: proven.map(nameOf),
    inseparable: inseparable.map(nameOf),
    unmoved: findings.filter(({ reason }) => reason === "unmoved").length,
    all: findings.length,
  };
}

/** The dofs of groups and hands: all that a run moves. */
function movedDofs({ model, hands }: Robot): Set<number> {
  return new Set([...model.groups, ...hands].flatMap(({ dofs }) => [...dofs]));
}
