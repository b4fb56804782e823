import type { Random } from "../math/random.js";
import { dofsBetween, forwardKinematics } from "../robot/kinematics/kinematics.js";
import { howJoined } from "../robot/loading/resolve-collision.js";
import { JointKind, type Robot, type RobotModel } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { HullBodies } from "./hull-bodies.js";
import { DistanceStatus, HullDistance, MEMORY_SIZE } from "./hull-distance.js";
import { proveMinimumDistance } from "./minimum-distance-proof.js";

/** Why a pair is checked, or why not. */
export type PairReason =
  /** Can come near: to be checked. */
  | "checked"
  /** Both bodies belong to one rigid body. */
  | "rigid"
  /** One joint joins them: neighbours touch where they are joined. */
  | "adjacent"
  /** Nothing that moves lies between them. */
  | "unmoved"
  /** They overlap in every configuration: nothing a check could tell. */
  | "always-touching"
  /** Proven to keep the margin in every configuration within the limits. */
  | "proven-apart"
  /** Not proven, but never seen anywhere near. */
  | "far-apart";

/** What was found about a pair of `robot.hulls`. */
export interface PairFinding {
  readonly a: number;
  readonly b: number;
  readonly reason: PairReason;
  /** Least distance seen [m]; 0 or negative in contact; NaN where it was not looked for. */
  readonly least: number;
  /** Share of the samples in which they touched. */
  readonly touching: number;
}

interface PairSearchOptions {
  readonly random: Random;
  /** How far beyond its limits a joint may be in a proof [rad or m]: what the self-collision monitor tolerates. */
  readonly limitTolerance: number;
  /** Random configurations to look at; 20,000 by default. */
  readonly samples?: number;
  /** Distance that a pair must be proven to keep to be left out [m]; 0.001 by default: it cannot touch. */
  readonly margin?: number;
  /** Least distance ever seen at which a pair is left out without proof [m]; 0.15 by default. */
  readonly farMargin?: number;
  /** The dofs that ever move; all of them by default. Others stand at 0, or at their limit nearest to it. */
  readonly moving?: ReadonlySet<number>;
  /** Boxes of joint positions tried for one pair before its proof is given up; 20,000 by default. */
  readonly proofBudget?: number;
  /** Told from time to time how much is done, from 0 to 1. */
  readonly progress?: (share: number) => void;
}

/** Descents of a pair, the first from its nearest sample and the others from anywhere, and looks during each. */
const DESCENTS = 5;
const LOOKS = 300;
/** Looks without success after which steps get half as long. */
const PATIENCE = 12;
/** First step, as a share of each joint's range. */
const FIRST_STEP = 0.2;
/** Dofs between two bodies beyond which a proof is hopeless: boxes have to be small in every one of them. */
const MOST_DOFS = 4;
/** Configurations between two reports of progress. */
const REPORT_EVERY = 256;

/**
 * Finds which pairs of a robot's collision bodies a check has to look at: all pairs but those of one rigid body, those
 * joined by one joint, those that always overlap, and those that never come near. Near or not is found by random
 * configurations within the limits (those of coupled joints included), from the nearest of which a descent goes on to
 * where the pair is nearest of all, and is then proven where a proof can be found.
 */
export function searchPairs(robot: Robot, options: PairSearchOptions): PairFinding[] {
  const { random, samples = 20_000, margin = 0.001, farMargin = 0.15, moving = null, progress = () => {} } = options;
  const all = robot.hulls.flatMap((_, a) =>
    robot.hulls.slice(a + 1).map((_, i) => new PairRecord(robot, a, a + 1 + i, moving)),
  );
  const open = all.filter((pair) => pair.joined === null);
  const survey = new Survey(robot, random, moving);
  for (let i = 0; i < samples; i++) {
    survey.lookAtAll(open);
    if (i % REPORT_EVERY === 0) progress((0.5 * i) / samples);
  }
  for (const [i, pair] of open.entries()) {
    if (pair.touched < samples) survey.descend(pair);
    pair.isProven = pair.least > margin && proves(robot, pair, margin, options);
    progress(0.5 + (0.5 * (i + 1)) / open.length);
  }
  return all.map((pair) => pair.finding(samples, farMargin));
}

/** Whether two bodies keep the margin wherever the dofs between them are, proven with as many boxes as a tool may take. */
function proves(robot: Robot, { a, b, dofs }: PairRecord, margin: number, options: PairSearchOptions): boolean {
  if (dofs.length > MOST_DOFS) return false;
  const { limitTolerance, proofBudget = 20_000 } = options;
  const posture = restingPosture(robot.model);
  const scope = { dofs, posture, limitTolerance, budget: proofBudget, halved: "own-motion" } as const;
  return proveMinimumDistance(robot, a, b, margin, scope);
}

/** What is known of one pair so far. */
class PairRecord {
  readonly a: number;
  readonly b: number;
  /** Why it need not be looked at. */
  readonly joined: "rigid" | "adjacent" | "unmoved" | null;
  readonly radii: number;
  readonly dofs: readonly number[];
  least = Number.POSITIVE_INFINITY;
  touched = 0;
  isProven = false;
  /** Where `least` was seen. */
  readonly nearest: Float64Array;
  readonly memory = new Int32Array(MEMORY_SIZE);

  constructor(robot: Robot, a: number, b: number, moving: ReadonlySet<number> | null) {
    this.a = a;
    this.b = b;
    this.radii = robot.hulls[a]!.radius + robot.hulls[b]!.radius;
    const between = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
    this.dofs = moving === null ? between : between.filter((dof) => moving.has(dof));
    this.joined = howJoined(robot, a, b) ?? (moving !== null && this.dofs.length === 0 ? "unmoved" : null);
    this.nearest = new Float64Array(robot.model.dofCount);
  }

  finding(samples: number, farMargin: number): PairFinding {
    const { a, b, joined, least } = this;
    if (joined !== null) return { a, b, reason: joined, least: Number.NaN, touching: Number.NaN };
    return { a, b, reason: this.#reason(samples, farMargin), least, touching: this.touched / samples };
  }

  #reason(samples: number, farMargin: number): PairReason {
    if (this.touched === samples) return "always-touching";
    if (this.isProven) return "proven-apart";
    return this.least > farMargin ? "far-apart" : "checked";
  }
}

/** Draws configurations and measures pairs in them. */
class Survey {
  readonly #random: Random;
  readonly #state: RobotState;
  readonly #bodies: HullBodies;
  readonly #hulls = new HullDistance();
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #moving: readonly number[];

  constructor({ model, hulls }: Robot, random: Random, moving: ReadonlySet<number> | null) {
    this.#random = random;
    this.#moving = [...model.lower.keys()].filter((dof) => moving?.has(dof) ?? true);
    this.#state = new RobotState(model);
    this.#state.q.set(restingPosture(model));
    this.#bodies = new HullBodies(hulls);
    this.#lower = model.lower.map((lower, dof) => (Number.isFinite(lower) ? lower : -unlimited(model, dof)));
    this.#upper = model.upper.map((upper, dof) => (Number.isFinite(upper) ? upper : unlimited(model, dof)));
  }

  /** Measures all pairs in one random configuration. */
  lookAtAll(pairs: readonly PairRecord[]): void {
    const { q, linkPoses } = this.#state;
    do {
      for (const dof of this.#moving) q[dof] = this.#random.uniformIn(this.#lower[dof]!, this.#upper[dof]!);
      forwardKinematics(this.#state);
    } while (!areCoupledWithinLimits(this.#state));
    this.#bodies.placeAll(linkPoses);
    for (const pair of pairs) this.#measure(pair, Math.max(0, pair.least));
  }

  /** Looks for where a pair is nearest of all, the touching samples being known already. */
  descend(pair: PairRecord): void {
    const { touched } = pair;
    const at = pair.nearest.slice();
    for (let k = 0; k < DESCENTS && pair.least > 0; k++) {
      if (k > 0) for (const dof of pair.dofs) at[dof] = this.#random.uniformIn(this.#lower[dof]!, this.#upper[dof]!);
      this.#descendFrom(pair, at);
    }
    pair.touched = touched;
  }

  /** Random steps downhill that get shorter. */
  #descendFrom(pair: PairRecord, at: Float64Array): void {
    const { q } = this.#state;
    let [step, failures, least] = [FIRST_STEP, 0, Number.POSITIVE_INFINITY];
    for (let look = 0; look < LOOKS && pair.least > 0; look++) {
      q.set(at);
      // All joints, or one alone: along a valley or at a limit only one of the two gets on.
      const only = this.#random.integer(2 * pair.dofs.length);
      for (const [i, dof] of pair.dofs.entries()) {
        if (only >= pair.dofs.length || only === i) q[dof] = this.#stepFrom(q[dof]!, dof, step);
      }
      const distance = this.#place(pair) ? this.#measure(pair, least) : Number.POSITIVE_INFINITY;
      if (distance < least) {
        least = distance;
        at.set(q);
        failures = 0;
      } else if (++failures >= PATIENCE) {
        step /= 2;
        failures = 0;
      }
    }
  }

  /** Places the bodies of a pair; `false` if a joint that follows others would leave its limits. */
  #place({ a, b }: PairRecord): boolean {
    forwardKinematics(this.#state);
    for (const body of [a, b]) this.#bodies.place(body, this.#state.linkPoses, 12 * this.#bodies.link[body]!);
    return areCoupledWithinLimits(this.#state);
  }

  #stepFrom(position: number, dof: number, step: number): number {
    const [lower, upper] = [this.#lower[dof]!, this.#upper[dof]!];
    const target = position + step * (upper - lower) * this.#random.uniformIn(-1, 1);
    return Math.min(upper, Math.max(lower, target));
  }

  /** Distance of a pair as placed, if it is below `within` [m], else Infinity; keeps the least of all. */
  #measure(pair: PairRecord, within: number): number {
    const { points, pointCount } = this.#bodies;
    const { a, b, memory, radii } = pair;
    this.#hulls.sufficient = within + radii;
    const status = this.#hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, memory, 0);
    if (status === DistanceStatus.far) return Number.POSITIVE_INFINITY;
    const distance = this.#hulls.lowerBound - radii;
    if (distance <= 0) pair.touched++;
    if (distance < pair.least) {
      pair.least = distance;
      pair.nearest.set(this.#state.q);
    }
    return distance;
  }
}

/** Every joint at 0, or at the limit nearest to it. */
export function restingPosture({ lower, upper }: RobotModel): Float64Array {
  return lower.map((low, dof) => Math.min(Math.max(0, low), upper[dof]!));
}

/** How far a joint without limits goes to either side: once round, or a metre. */
function unlimited(model: RobotModel, dof: number): number {
  return model.jointKind[model.dofJoint[dof]!] === JointKind.revolute ? Math.PI : 1;
}

/** Joints that follow others have limits of their own. */
function areCoupledWithinLimits({ model, jointPosition }: RobotState): boolean {
  for (let joint = 1; joint < model.linkCount; joint++) {
    if (model.termStart[joint] === model.termStart[joint + 1]) continue;
    const position = jointPosition[joint]!;
    const tolerance = 1e-9;
    if (!(position >= model.jointLower[joint]! - tolerance && position <= model.jointUpper[joint]! + tolerance))
      return false;
  }
  return true;
}
