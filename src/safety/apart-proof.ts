import { dofsBetween, forwardKinematics } from "../robot/kinematics/kinematics.js";
import { JointKind, type RobotModel } from "../robot/model.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { completeNumbers } from "./monitor/monitor-options.js";
import { MovingPairs, PairVerdict } from "./moving-pairs.js";

/** Boxes of joint positions tried for one pair before giving up. */
const BUDGET = 20_000;
/** How far beyond its limits a joint may be [rad or m]: the self-collision monitor brakes one that is farther. */
const LIMIT_TOLERANCE: number = completeNumbers({}).limitTolerance;
/** Dofs between two bodies beyond which a proof is hopeless: boxes have to be small in every one of them. */
const MOST_DOFS = 4;

/** Middle and half width of each of the dofs between two bodies [rad or m]. */
interface Box {
  readonly middle: Float64Array;
  readonly half: Float64Array;
}

/**
 * Proves, where it can, that two bodies of a robot are never nearer than `margin` [m], whatever the joints do within their
 * limits and what the monitor tolerates beyond; `false` means only that it was not proven. For set-up: it allocates and takes
 * milliseconds.
 *
 * By halving boxes of joint positions until, for each, the certified distance in its middle exceeds what the two bodies
 * can move against one another within it (`MovingPairs`). Joints that follow others may leave their own limits here,
 * which only makes the proof harder.
 */
export function areProvenApart(robot: Robot, a: number, b: number, margin: number): boolean {
  const dofs = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
  const whole = wholeBox(robot.model, dofs);
  if (dofs.length > MOST_DOFS || !whole.half.every(Number.isFinite)) return false;
  const pair: Robot = { ...robot, hulls: [robot.hulls[a]!, robot.hulls[b]!], pairs: [[0, 1]] };
  const search = new BoxJudge(pair, dofs, margin);
  const boxes = [whole];
  for (let tried = 0; boxes.length > 0; tried++) {
    const box = boxes.pop()!;
    if (tried >= BUDGET) return false;
    const verdict = search.judge(box);
    if (verdict === PairVerdict.clear) continue;
    if (verdict !== PairVerdict.open) return false;
    boxes.push(...halves(box, search.greatestMover(box)));
  }
  return true;
}

/** The limits of the dofs; a joint that turns without limits takes every position within ±π. */
function wholeBox(model: RobotModel, dofs: readonly number[]): Box {
  const ranges = dofs.map((dof) => {
    const [lower, upper] = [model.lower[dof]!, model.upper[dof]!];
    if (Number.isFinite(upper - lower)) return [(lower + upper) / 2, (upper - lower) / 2 + LIMIT_TOLERANCE] as const;
    const turns = model.jointKind[model.dofJoint[dof]!] === JointKind.revolute;
    return [0, turns ? Math.PI : Number.POSITIVE_INFINITY] as const;
  });
  return { middle: Float64Array.from(ranges, ([m]) => m), half: Float64Array.from(ranges, ([, h]) => h) };
}

function halves({ middle, half }: Box, i: number): Box[] {
  return [-0.5, 0.5].map((side) => ({
    middle: middle.with(i, middle[i]! + side * half[i]!),
    half: half.with(i, half[i]! / 2),
  }));
}

/** What can be said of a pair in a box. */
class BoxJudge {
  readonly #pairs: MovingPairs;
  readonly #state: RobotState;
  readonly #dofs: readonly number[];

  constructor(robot: Robot, dofs: readonly number[], margin: number) {
    this.#pairs = new MovingPairs(robot, dofs, margin);
    this.#state = new RobotState(robot.model);
    this.#dofs = dofs;
  }

  judge({ middle, half }: Box): PairVerdict {
    const state = this.#state;
    for (const [i, dof] of this.#dofs.entries()) state.q[dof] = middle[i]!;
    forwardKinematics(state);
    this.#pairs.bodies.placeAll(state.linkPoses);
    this.#pairs.motion.update(state, half);
    return this.#pairs.judge(state, 0);
  }

  /** The dof to which the bodies owe most of their motion in the box judged last. */
  greatestMover({ half }: Box): number {
    const { start, path, bound } = this.#pairs.motion;
    const { termStart, termDof, termFactor } = this.#state.model;
    const share = new Float64Array(half.length);
    for (let body = 0; body < 2; body++) {
      for (let k = start[body]!; k < start[body + 1]!; k++) {
        const link = path[k]!;
        const behind = k + 1 < start[body + 1]! ? bound[k + 1]! : 0;
        for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
          const i = this.#dofs.indexOf(termDof[term]!);
          if (i >= 0) share[i] = share[i]! + (bound[k]! - behind) * Math.min(1, Math.abs(termFactor[term]!));
        }
      }
    }
    return share.indexOf(Math.max(...share));
  }
}
