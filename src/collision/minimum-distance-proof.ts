import type { KinematicChain } from "../robot/kinematics/chain.js";
import { dofsBetween, forwardKinematics, forwardKinematicsOf } from "../robot/kinematics/kinematics.js";
import { JointKind, type Robot, type RobotModel } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { linksThatMove } from "./body-motion.js";
import { type ChainBodies, STANDING } from "./chain-bodies.js";
import { MovingPairs, PairVerdict } from "./moving-pairs.js";

/** What two bodies are proven for. */
interface ProofScope {
  /** The dofs that move; all others stand at `posture`. */
  readonly dofs: readonly number[];
  /** A position for every dof of the robot; zeros by default, where all dofs between the bodies move. */
  readonly posture?: Float64Array;
  /** How far beyond its limits a dof may be [rad or m]; 0 by default. */
  readonly limitTolerance?: number;
  /** Boxes of positions that are tried before giving up. */
  readonly budget: number;
  /**
   * Which dof of a box is halved: the one that moves the bodies most, or that moves them most against each other. The
   * latter takes fewer boxes; with the former the pair tables of the shipped robots were made.
   */
  readonly halved: "own-motion" | "relative-motion";
}

/** Joints that may lie between two bodies of a chain: beyond three a proof costs more than it saves. */
const MOST_JOINTS = 3;
/** Boxes tried for two bodies of a chain; the pairs of neighbours' neighbours take some hundred. */
const CHAIN_BUDGET = 1000;

/**
 * The proof for two bodies of a chain, an outer one that it moves and an inner one that it moves less or not at all, while
 * its dofs move and all else stands at `posture`; null where a proof is not worth the time.
 */
export function chainScope(
  robot: Robot,
  chain: KinematicChain,
  { carrier }: ChainBodies,
  outer: number,
  inner: number,
  posture: Float64Array,
): ProofScope | null {
  const [from, to] = [carrier[inner]! + 1, carrier[outer]!];
  if (to === STANDING || to - from >= MOST_JOINTS) return null;
  const moving = chain.steps.slice(from, to + 1).flatMap(({ terms }) => terms.map(({ dof }) => chain.dofs[dof]!));
  const between = dofsBetween(robot.model, robot.hulls[outer]!.link, robot.hulls[inner]!.link);
  const dofs = between.filter((dof) => moving.includes(dof));
  return { dofs, posture, budget: CHAIN_BUDGET, halved: "relative-motion" };
}

/** Middle and half width of each of the dofs [rad or m]. */
interface Box {
  readonly middle: Float64Array;
  readonly half: Float64Array;
}

/**
 * Proves, where it can, that two bodies of a robot are never nearer than `margin` [m], whatever the dofs do within their
 * limits; `false` means only that it was not proven. For set-up: it allocates, and takes up to some milliseconds.
 *
 * By halving boxes of joint positions until, for each, the certified distance in its middle exceeds what the two bodies
 * can move against one another within it (`MovingPairs`). Joints that follow others may leave their own limits here,
 * which only makes the proof harder. Boxes have to be small in every dof: beyond three or four a proof is hopeless.
 *
 * @example
 * const dofs = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
 * if (dofs.length <= 3 && proveMinimumDistance(robot, a, b, 0.03, { dofs, budget: 1000, halved: "relative-motion" })) skip(a, b);
 */
export function proveMinimumDistance(robot: Robot, a: number, b: number, margin: number, scope: ProofScope): boolean {
  const { dofs, limitTolerance = 0, budget } = scope;
  const whole = wholeBox(robot.model, dofs, limitTolerance);
  if (!whole.half.every(Number.isFinite)) return false;
  const pair: Robot = { ...robot, hulls: [robot.hulls[a]!, robot.hulls[b]!], pairs: [[0, 1]] };
  const search = new BoxJudge(pair, margin, scope);
  const boxes = [whole];
  for (let tried = 0; boxes.length > 0; tried++) {
    const box = boxes.pop()!;
    if (tried >= budget) return false;
    const verdict = search.judge(box);
    if (verdict === PairVerdict.clear) continue;
    if (verdict !== PairVerdict.open) return false;
    boxes.push(...halves(box, search.greatestMover(box)));
  }
  return true;
}

/** The limits of the dofs; a joint that can turn once round or more takes every position within ±π. */
function wholeBox(model: RobotModel, dofs: readonly number[], limitTolerance: number): Box {
  const ranges = dofs.map((dof) => {
    const [lower, upper] = [model.lower[dof]!, model.upper[dof]!];
    const half = (upper - lower) / 2 + limitTolerance;
    const turns = goesRound(model, dof);
    if (turns && !(half < Math.PI)) return [0, Math.PI] as const;
    return Number.isFinite(half) ? ([(lower + upper) / 2, half] as const) : ([0, Number.POSITIVE_INFINITY] as const);
  });
  return { middle: Float64Array.from(ranges, ([m]) => m), half: Float64Array.from(ranges, ([, h]) => h) };
}

/** Whether a whole turn of a dof brings everything that it moves back to where it was. */
function goesRound(model: RobotModel, dof: number): boolean {
  return model.termDof.every((other, term) => {
    if (other !== dof) return true;
    const joint = model.termStart.findLastIndex((start) => start <= term);
    return model.jointKind[joint] === JointKind.revolute && Number.isInteger(model.termFactor[term]);
  });
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
  readonly #halved: ProofScope["halved"];
  /** The links that carry the bodies and that the dofs move. */
  readonly #links: Int32Array;

  constructor(robot: Robot, margin: number, { dofs, posture, halved }: ProofScope) {
    this.#pairs = new MovingPairs(robot, dofs, margin);
    this.#state = new RobotState(robot.model);
    this.#dofs = dofs;
    this.#halved = halved;
    this.#links = linksThatMove(robot, Int32Array.from(dofs));
    if (posture !== undefined) this.#state.q.set(posture);
    forwardKinematics(this.#state);
  }

  judge({ middle, half }: Box): PairVerdict {
    const state = this.#state;
    for (const [i, dof] of this.#dofs.entries()) state.q[dof] = middle[i]!;
    forwardKinematicsOf(state, this.#links);
    this.#pairs.bodies.placeAll(state.linkPoses);
    this.#pairs.motion.update(state, half);
    return this.#pairs.judge(state, 0);
  }

  /** The dof to which the bodies owe most of their motion in the box judged last, by the rule of the scope. */
  greatestMover({ half }: Box): number {
    const { start, path, bound } = this.#pairs.motion;
    const { termStart, termDof, termFactor } = this.#state.model;
    const share = new Float64Array(half.length);
    const saving = this.#halved === "relative-motion" ? this.#pairs.saving(this.#state, 0) : 0;
    for (let body = 0; body < 2; body++) {
      for (let k = start[body]!; k < start[body + 1]!; k++) {
        const link = path[k]!;
        const behind = k + 1 < start[body + 1]! ? bound[k + 1]! : 0;
        const own = bound[k]! - behind - (k === start[body] ? saving : 0);
        for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
          const i = this.#dofs.indexOf(termDof[term]!);
          if (i >= 0) share[i] = share[i]! + own * Math.min(1, Math.abs(termFactor[term]!));
        }
      }
    }
    return share.indexOf(Math.max(...share));
  }
}
