import { type FittedHull, fitHull } from "../collision/making/fit-hull.js";
import { transformed } from "../collision/making/hull-cover.js";
import { makeHulls, makeHullsDefaults } from "../collision/making/make-hulls.js";
import { searchPairs } from "../collision/pair-search.js";
import * as pose from "../math/pose.js";
import { Random } from "../math/random.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { completeNumbers } from "../safety/monitor/monitor-options.js";
import { grown } from "./repair-masses.js";

type Collision = NonNullable<Sidecar["collision"]>;
type Hull = Collision["hulls"][number];

/** A link of more simple shapes than this gets one body around all. */
const MOST_SHAPES = 3;
/** How far closed fingers are, from 0 (open) to 1, where the hand's body is to contain them. */
const FINGER_STEPS = [0, 0.5, 1];

/** Collision bodies of every link; one body of a hand contains its fingers wherever they are between open and closed. */
export function collisionBodies(robot: Robot, progress: (link: string) => void = () => {}): Hull[] {
  const fingerHand = handOfFingers(robot);
  const held: number[][] = robot.hands.map(() => []);
  const bodies = makeHulls(robot, { ...makeHullsDefaults, progress }).flatMap(({ link, bodies: own }): Hull[] => {
    const index = robot.model.linkNames.indexOf(link);
    const hand = fingerHand[index]!;
    if (hand >= 0) {
      held[hand]!.push(...own.flatMap((body) => fingerPoints(robot, hand, index, body)));
      return [];
    }
    if (own.length <= MOST_SHAPES) return own.map((body) => hullOf(body.name, link, body));
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
    const q = restingAt(robot);
    for (const [i, dof] of dofs.entries()) q[dof] = open[i]! + share * (closed[i]! - open[i]!);
    const state = stateAt(robot.model, q);
    return [...transformed(points, relativePose(state, palmOf(robot, hand), link, pose.create()))];
  });
}

function restingAt({ model }: Robot): Float64Array {
  return model.lower.map((low, dof) => Math.min(Math.max(0, low), model.upper[dof]!));
}

/** Which pairs of bodies are to be checked, and how many there are in all. */
export function collisionPairs(robot: Robot, samples: number, seed: string, progress: (share: number) => void) {
  const { limitTolerance } = completeNumbers({});
  const findings = searchPairs(robot, { random: new Random(seed), limitTolerance, samples, progress });
  const pairs = findings
    .filter(({ reason }) => reason === "checked")
    .map(({ a, b }): [string, string] => [robot.hulls[a]!.name, robot.hulls[b]!.name]);
  const touching = findings
    .filter(({ reason }) => reason === "always-touching")
    .map(({ a, b }) => `${robot.hulls[a]!.name} and ${robot.hulls[b]!.name}`);
  return { pairs, touching, all: findings.length };
}
