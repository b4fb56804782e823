import { transformed } from "../collision/making/hull-cover.js";
import { surfaceOf } from "../collision/making/make-hulls.js";
import { ReachBeyond } from "../collision/making/reach-beyond.js";
import { restingPosture } from "../collision/pair-search.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import { hullOfShape } from "../robot/loading/shape-hulls.js";
import { RobotMeshes } from "../robot/meshes/load-mesh.js";
import type { Robot } from "../robot/robot.js";
import type { SidecarHand } from "../robot/sidecar/sidecar-schema.js";
import { frameAlong, rounded, roundedWithin, rpyOf } from "./catcher-parts.js";
import { PASSIVE_TIME_TOLERANCE, RIM_ROOM } from "./catchers.js";
import type { FoundArm } from "./find-arms.js";
import type { TipFrame } from "./tip-frame.js";

/** A hand or a catcher that the URDF has already. */
export interface OwnHand {
  readonly hand: Omit<SidecarHand, "name" | "catchLink">;
  /** Pose of the catch frame in the tip link; null: the tip link is the catch frame. */
  readonly catchFrame: { readonly xyz: [number, number, number]; readonly rpy: [number, number, number] } | null;
  /** Room between the ball and what is nearest to it in the open hand [m]. */
  readonly room: number;
}

/** Least room beside a ball in an open hand [m], and how far closed fingers press [m]. */
const LEAST_ROOM = 0.006;
const PRESS = 0.003;
/** Steps in which fingers close, and in which a passive catcher is searched for its depth. */
const STEPS = 40;
/** Deepest place of a ball that is tried below the mouth [m]. */
const DEEPEST = 0.4;
const FINGER_DELAY = 0.03;

/** The convex parts of what is at the end of an arm, in the tip's frame. */
class EndParts {
  readonly #robot: Robot;
  readonly #tip: number;
  readonly #parts: readonly { readonly link: number; readonly points: Float64Array; readonly radius: number }[];
  readonly #reach = new ReachBeyond();

  constructor(robot: Robot, arm: FoundArm, tip: number) {
    this.#robot = robot;
    this.#tip = tip;
    const meshes = robot.files === undefined ? undefined : new RobotMeshes(robot.files);
    const links = robot.model.linkNames.map((_, link) => link).filter((link) => hangsOn(robot, link, arm.lastLink));
    this.#parts = links.flatMap((link) => {
      const { collisions, visuals } = robot.shapes[link]!;
      return (collisions.length > 0 ? collisions : visuals).flatMap((shape) => {
        const hull = hullOfShape(shape);
        if (hull !== null) return [{ link, ...hull }];
        const points = surfaceOf(shape, meshes);
        return points.length === 0 ? [] : [{ link, points, radius: 0 }];
      });
    });
  }

  at(q: Float64Array): { readonly link: number; readonly points: Float64Array; readonly radius: number }[] {
    const state = stateAt(this.#robot.model, q);
    return this.#parts.map(({ link, points, radius }) => {
      return { link, radius, points: transformed(points, relativePose(state, this.#tip, link, pose.create())) };
    });
  }

  /** Distance of a point in the tip's frame from the nearest part [m]. */
  distance(place: vec3.Vec3, q: Float64Array, only: (link: number) => boolean = () => true): number {
    return this.at(q)
      .filter(({ link }) => only(link))
      .reduce((least, { points, radius }) => {
        return Math.min(least, this.#reach.greatest(place, points).distance - radius);
      }, Number.POSITIVE_INFINITY);
  }

  /** How far the parts go along a direction in the tip's frame [m]. */
  extent(along: vec3.Vec3, q: Float64Array, only: (link: number) => boolean = () => true): number {
    let most = Number.NEGATIVE_INFINITY;
    for (const { link, points, radius } of this.at(q)) {
      if (!only(link)) continue;
      for (let i = 0; i < points.length; i += 3) {
        most = Math.max(most, vec3.dot(vec3.view(points, i), along) + radius);
      }
    }
    return most;
  }
}

function hangsOn({ model }: Robot, link: number, above: number): boolean {
  for (let one = link; one >= 0; one = model.parentLink[one]!) if (one === above) return true;
  return false;
}

/** How far all that is at the end of the arm goes beyond the tip link's origin, along its way out [m]; at least 0. */
export function endExtent(robot: Robot, arm: FoundArm, tip: TipFrame): number {
  const parts = new EndParts(robot, arm, tip.link);
  const extent = parts.extent(tip.out, restingPosture(robot.model));
  return Number.isFinite(extent) ? Math.max(0, rounded(extent, 4)) : 0;
}

/** The hand or catcher at the end of an arm, if a ball of that radius [m] goes into it; null: there is none, or it is too small. */
export function ownHand(robot: Robot, arm: FoundArm, tip: TipFrame, ballRadius: number): OwnHand | null {
  const parts = new EndParts(robot, arm, tip.link);
  if (arm.fingers.length === 0) return tip.isCatchFrame ? passiveHand(robot, parts, ballRadius) : null;
  return fingerHand(robot, arm, tip, parts, ballRadius);
}

/** A catcher without joints at a catch frame: its mouth is what is free about the frame's axis. */
function passiveHand(robot: Robot, parts: EndParts, ballRadius: number): OwnHand | null {
  const q = restingPosture(robot.model);
  const free = parts.distance(vec3.create(0, 0, 0), q);
  const mouth = Number.isFinite(free) ? free : 2 * ballRadius;
  if (mouth < ballRadius + LEAST_ROOM) return null;
  let depth = 0;
  for (let k = 1; k <= STEPS; k++) {
    const z = (-DEEPEST * k) / STEPS;
    if (parts.distance(vec3.create(0, 0, z), q) < 0.8 * ballRadius) break;
    depth = -z;
  }
  const room = mouth - ballRadius;
  const hand: OwnHand["hand"] = {
    ...{ joints: [], open: {}, closed: {}, closingTime: 0 },
    positionTolerance: rounded(Math.max(0.005, room - RIM_ROOM), 4),
    timeTolerance: PASSIVE_TIME_TOLERANCE,
    mouth: { radius: rounded(mouth, 4), depth: rounded(depth + 1.5 * ballRadius, 4) },
  };
  return { hand, catchFrame: null, room };
}

function fingerHand(robot: Robot, arm: FoundArm, tip: TipFrame, parts: EndParts, ballRadius: number): OwnHand | null {
  const { model } = robot;
  const isFinger = fingerLinks(robot, arm);
  const q = restingPosture(robot.model);
  const z = tip.isCatchFrame ? 0 : parts.extent(tip.out, q, isFinger);
  if (!Number.isFinite(z)) return null;
  const centre = vec3.scale(tip.out, z - 1.2 * ballRadius, vec3.create());
  const lengthOf = (at: Float64Array) => parts.distance(centre, at, isFinger);
  const ends = arm.fingers.map((dof) => [finite(model.lower[dof]!), finite(model.upper[dof]!)] as const);
  const open = Float64Array.from(arm.fingers, (dof, i) => {
    const [low, high] = ends[i]!;
    const [a, b] = [low, high].map((value) => lengthOf(withJoint(q, dof, value)));
    return a! > b! ? low : high;
  });
  const shaped = (share: number) => {
    const out = q.slice();
    for (const [i, dof] of arm.fingers.entries()) {
      const other = ends[i]![0] === open[i] ? ends[i]![1] : ends[i]![0];
      out[dof] = open[i]! + share * (other - open[i]!);
    }
    return out;
  };
  const room = lengthOf(shaped(0)) - ballRadius;
  if (!(room >= LEAST_ROOM)) return null;
  let share = 1;
  for (let k = 1; k <= STEPS && share === 1; k++) {
    if (lengthOf(shaped(k / STEPS)) <= ballRadius - PRESS) share = k / STEPS;
  }
  const closed = shaped(share);
  const way = arm.fingers.map((dof, i) => Math.abs(closed[dof]! - open[i]!) / speedOf(model.maxVelocity[dof]!));
  const byName = (values: (i: number, dof: number) => number) =>
    Object.fromEntries(
      arm.fingers.map((dof, i) => [
        model.dofNames[dof]!,
        roundedWithin(values(i, dof), model.lower[dof]!, model.upper[dof]!),
      ]),
    );
  const xyz = Array.from(vec3.scale(tip.out, z, vec3.create()), (value) => rounded(value)) as [number, number, number];
  return {
    hand: {
      joints: arm.fingers.map((dof) => model.dofNames[dof]!),
      open: byName((i) => open[i]!),
      closed: byName((_, dof) => closed[dof]!),
      closingTime: rounded(Math.max(...way) + FINGER_DELAY, 3),
      positionTolerance: rounded(Math.max(0.005, Math.min(0.03, room - 0.002)), 4),
      timeTolerance: 0.01,
    },
    catchFrame: tip.isCatchFrame ? null : { xyz, rpy: rpyOf(frameAlong(tip.out)) },
    room,
  };
}

function fingerLinks(robot: Robot, arm: FoundArm): (link: number) => boolean {
  const roots = arm.fingers.map((dof) => robot.model.dofJoint[dof]!);
  const followers = robot.model.linkNames.flatMap((_, link) => {
    const terms = robot.model.termDof.subarray(robot.model.termStart[link]!, robot.model.termStart[link + 1]!);
    return terms.some((dof) => arm.fingers.includes(dof)) ? [link] : [];
  });
  return (link) => [...roots, ...followers].some((root) => hangsOn(robot, link, root));
}

function withJoint(q: Float64Array, dof: number, value: number): Float64Array {
  const out = q.slice();
  out[dof] = value;
  return out;
}

function finite(value: number): number {
  return Math.min(Math.max(value, -Math.PI), Math.PI);
}

function speedOf(velocity: number): number {
  return Number.isFinite(velocity) && velocity > 0 ? velocity : 1;
}
