import { type BodyDistance, PostureClearance } from "../../collision/posture-clearance.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import type { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { DampedInverseKinematics, DampedStatus } from "../../robot/inverse-kinematics/damped-inverse-kinematics.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { stateAt } from "../../robot/kinematics/kinematics.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { leastHandSpeed } from "./least-hand-speed.js";

/** What a posture is to do with a group's tip, in the world. */
export interface PostureGoal {
  /** Where the tip is to be [m]. */
  readonly position: vec3.Vec3;
  /** Where its z axis is to point, need not be of length 1, or its whole rotation. Null: anyhow. */
  readonly facing: vec3.Vec3 | mat3.Mat3 | null;
}

export interface PostureSearchOptions {
  readonly random: Random;
  /** Configurations to start from. The default is 64. */
  readonly seeds?: number;
  /** Configuration of the group to start from before all others. */
  readonly near?: Float64Array | null;
  /** Least distance of any checked pair of bodies [m]; 0.02 by default. */
  readonly clearance?: number;
}

/** A configuration that does what was asked. */
export interface FoundPosture {
  /** Position of every dof of the robot [rad or m]. */
  readonly q: Float64Array;
  /** The pair of bodies that is nearest to touching; null: none is nearer than `CLEARANCE_SIGHT`. */
  readonly nearest: BodyDistance | null;
  /** Way to the nearest limit of the joint that is nearest to one, as a share of half its range; 1: none is near one. */
  readonly limitMargin: number;
  /** Speed that the tip can have in the direction in which it is slowest [m/s]; 0: the posture is singular. */
  readonly leastSpeed: number;
  /** Greater is better; 3 at most. */
  readonly score: number;
}

/** Distances of bodies beyond it make no difference [m]. */
export const CLEARANCE_SIGHT = 0.15;
/** Margins and speeds beyond these make no difference [share, m/s]. */
const GOOD_MARGIN = 0.3;
const GOOD_SPEED = 1;
/** Steps of inverse kinematics: a seed that needs more is not worth it. */
const STEPS = 100;
/** Two results nearer than this in every joint are one [rad or m]. */
const SAME = 0.02;

/** What of the tip's orientation is asked for: nothing, its z axis, all of it. */
type Orientation = "any" | "facing" | "whole";

/**
 * Finds configurations of a group with its tip in a place and facing a direction, the rest of the robot in a posture: by
 * inverse kinematics from random seeds with free roll, clear of the robot itself, away from limits and singularities. The
 * same seed of `random` gives the same postures.
 *
 * @example
 * const search = new PostureSearch(robot, arm, robot.postures.get("ready")!);
 * const [best] = search.find({ position, facing }, { random: new Random("posture") });
 */
export class PostureSearch {
  readonly robot: Robot;
  readonly group: JointGroup;
  readonly #chain: KinematicChain;
  readonly #inverse: Readonly<Record<Orientation, DampedInverseKinematics>>;
  readonly #clearance: PostureClearance;
  readonly #posture: Float64Array;
  readonly #worldFromBase: pose.Pose;

  /** `posture` has a position for every dof of the robot: where all stands that the group does not move. */
  constructor(robot: Robot, group: JointGroup, posture: Float64Array) {
    this.robot = robot;
    this.group = group;
    this.#chain = new KinematicChain(robot.model, group.baseLink, group.tipLink, group.dofs, posture);
    const solver = (options: ConstructorParameters<typeof DampedInverseKinematics>[1]) =>
      new DampedInverseKinematics(this.#chain, { maxIterations: STEPS, ...options });
    this.#inverse = {
      any: solver({ rotationWeight: 0 }),
      facing: solver({ turnAboutZ: "free" }),
      whole: solver({}),
    };
    this.#clearance = new PostureClearance(robot);
    this.#posture = posture.slice();
    this.#worldFromBase = stateAt(robot.model, posture).worldFromLink[group.baseLink]!;
  }

  /** The postures found, all different, the best first; none if the goal cannot be reached or not without touching. */
  find(goal: PostureGoal, options: PostureSearchOptions): FoundPosture[] {
    return this.reach(goal, options)
      .filter(({ nearest }) => nearest === null || nearest.distance >= (options.clearance ?? 0.02))
      .sort((one, other) => other.score - one.score);
  }

  /** The same with those that touch the robot itself, in the order in which they were found. */
  reach({ position, facing }: PostureGoal, { random, seeds = 64, near = null }: PostureSearchOptions): FoundPosture[] {
    const inverse = this.#inverse[facing === null ? "any" : facing.length === 3 ? "facing" : "whole"];
    const target = pose.fromMat3Translation(rotationWith(facing), position, pose.create());
    pose.composeInverse(this.#worldFromBase, target, target);
    const found: Float64Array[] = [];
    for (let k = 0; k < seeds; k++) {
      const q = k === 0 && near !== null ? near.slice() : this.#draw(random);
      const isThere = inverse.solve(target, q, q) === DampedStatus.converged;
      if (isThere && !found.some((other) => areSame(q, other))) found.push(q);
    }
    return found.map((q) => this.#describe(q));
  }

  #draw(random: Random): Float64Array {
    const { lower, upper } = this.#chain;
    return lower.map((low, i) => random.uniformIn(Math.max(low, -Math.PI), Math.min(upper[i]!, Math.PI)));
  }

  #describe(own: Float64Array): FoundPosture {
    const q = this.#posture.slice();
    for (const [i, dof] of this.group.dofs.entries()) q[dof] = own[i]!;
    const nearest = this.#clearance.nearest(q, CLEARANCE_SIGHT);
    const limitMargin = this.#limitMargin(own);
    const leastSpeed = leastHandSpeed(
      this.#chain,
      own,
      this.group.dofs.map((dof) => this.robot.model.maxVelocity[dof]!),
    );
    const score =
      Math.max(-1, (nearest?.distance ?? CLEARANCE_SIGHT) / CLEARANCE_SIGHT) +
      Math.min(1, limitMargin / GOOD_MARGIN) +
      Math.min(1, leastSpeed / GOOD_SPEED);
    return { q, nearest, limitMargin, leastSpeed, score };
  }

  #limitMargin(q: Float64Array): number {
    const { lower, upper } = this.#chain;
    return q.reduce((least, position, i) => {
      const half = (upper[i]! - lower[i]!) / 2;
      if (!(half > 0 && half < Number.POSITIVE_INFINITY)) return least;
      return Math.min(least, Math.min(position - lower[i]!, upper[i]! - position) / half);
    }, 1);
  }
}

/** A rotation with this z axis, or the rotation itself. */
function rotationWith(facing: PostureGoal["facing"]): mat3.Mat3 {
  if (facing === null) return mat3.create();
  if (facing.length === 9) return facing as mat3.Mat3;
  const z = vec3.normalize(facing as vec3.Vec3, vec3.create());
  const other = Math.abs(z[0]) < 0.9 ? vec3.create(1, 0, 0) : vec3.create(0, 1, 0);
  const x = vec3.normalize(vec3.cross(other, z, other), other);
  const y = vec3.cross(z, x, vec3.create());
  return Float64Array.of(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]) as mat3.Mat3;
}

function areSame(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => Math.abs(value - b[i]!) < SAME);
}
