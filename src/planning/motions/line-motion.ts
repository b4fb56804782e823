import { so3Log } from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { retimed } from "../../motion/motion-algebra.js";
import { peakOf } from "../../motion/motion-extremes.js";
import type { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { splineMotion } from "../../motion/spline-motion.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import { ReachSolver } from "./reach-solver.js";
import type { ResolvedGoal } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";

/** Knots of the spline at first, and the most there are. */
const FIRST_KNOTS = 24;
const MOST_KNOTS = 400;
/** A joint that turns by more than this between two knots has jumped to another configuration [rad]. */
const JUMP = 0.6;
/** Places between two knots at which the line is measured. */
const PLACES = 3;

type PoseGoal = Extract<ResolvedGoal, { kind: "pose" }>;

/** What became of a line: its motion, or why there is none. */
export type LineResult =
  | { readonly motion: PiecewiseMotion }
  | { readonly sentence: string; readonly distance?: number };

/**
 * The motion of a frame along the straight line from where it is to its goal, turning evenly, from rest to rest: joints are
 * splines through inverse kinematics at knots, more of them until the frame is within the tolerance of the line, and run as
 * fast as the limits of the joints allow.
 */
export function lineMotion(resolved: ResolvedMotion, goal: PoseGoal, tolerance: number): LineResult {
  const line = new FrameLine(resolved, goal);
  for (let knots = FIRST_KNOTS; knots <= MOST_KNOTS; knots *= 2) {
    const points = line.follow(knots);
    if ("sentence" in points) return points;
    const motion = withinLimits(
      resolved,
      splineMotion(
        points.knots,
        points.knots.map((_, k) => k / knots),
      ),
    );
    const strayed = line.strayed(motion, knots);
    if (strayed <= tolerance) return { motion };
  }
  return { sentence: `the line is not kept within ${tolerance} m` };
}

class FrameLine {
  readonly #resolved: ResolvedMotion;
  readonly #chain: KinematicChain;
  readonly #solver: ReachSolver;
  readonly #from = pose.create();
  readonly #to = pose.create();
  readonly #axis = vec3.create();
  readonly #angle: number;
  readonly #at = pose.create();
  readonly #turn = mat3.create();

  constructor(resolved: ResolvedMotion, goal: PoseGoal) {
    const { robot, dofs, start } = resolved;
    this.#resolved = resolved;
    this.#chain = new KinematicChain(robot.model, robot.frames.world, goal.frame, dofs, start.q);
    this.#solver = new ReachSolver(this.#chain, goal.free);
    this.#chain.update(Float64Array.from(dofs, (dof) => start.q[dof]!));
    pose.copy(this.#chain.baseFromTip, this.#from);
    goal.course.poseAt(0, this.#to);
    if (goal.free.kind === "orientation") mat3.copy(this.#from, this.#to);
    mat3.multiply(this.#to, mat3.transpose(this.#from, this.#turn), this.#turn);
    so3Log(this.#turn, this.#axis);
    this.#angle = vec3.norm(this.#axis);
    if (this.#angle > 0) vec3.scale(this.#axis, 1 / this.#angle, this.#axis);
  }

  /** Configurations at even places of the line, run gently at both ends. */
  follow(knots: number): { readonly knots: Float64Array[] } | { readonly sentence: string; readonly distance: number } {
    const { dofs, start } = this.#resolved;
    const width = new Float64Array(dofs.length).fill(1);
    const q = Float64Array.from(dofs, (dof) => start.q[dof]!);
    const found = [q.slice()];
    for (let k = 1; k <= knots; k++) {
      const share = gently(k / knots);
      const before = found[k - 1]!;
      const isThere = this.#solver.solve(this.#poseAt(share), before, width, JUMP, q);
      const farthest = q.reduce((most, value, i) => Math.max(most, Math.abs(value - before[i]!)), 0);
      if (!isThere || farthest > JUMP) {
        const distance = share * vec3.distance(origin(this.#from), origin(this.#to));
        const why = isThere
          ? "the arm would have to jump to another configuration"
          : "the line leaves what the arm can reach";
        return { sentence: `${why} after ${distance.toFixed(3)} m`, distance };
      }
      found.push(q.slice());
    }
    return { knots: found };
  }

  /** Greatest distance of the frame from the line, between the knots too [m]. */
  strayed(motion: PiecewiseMotion, knots: number): number {
    const q = new Float64Array(motion.joints);
    const way = vec3.subtract(origin(this.#to), origin(this.#from), vec3.create());
    const length = vec3.norm(way);
    let farthest = 0;
    for (let k = 0; k <= knots * PLACES; k++) {
      motion.positions((motion.duration * k) / (knots * PLACES), q);
      this.#chain.update(q);
      const from = vec3.subtract(origin(this.#chain.baseFromTip), origin(this.#from), vec3.create());
      const along = length > 0 ? Math.min(1, Math.max(0, vec3.dot(from, way) / (length * length))) : 0;
      farthest = Math.max(farthest, vec3.norm(vec3.addScaled(from, way, -along, from)));
    }
    return farthest;
  }

  #poseAt(share: number): pose.Pose {
    const out = this.#at;
    mat3.multiply(mat3.fromAxisAngle(this.#axis, share * this.#angle, this.#turn), this.#from, out);
    for (let i = 9; i < 12; i++) out[i] = (1 - share) * this.#from[i]! + share * this.#to[i]!;
    return out;
  }
}

function origin(at: pose.Pose): vec3.Vec3 {
  return vec3.create(at[9], at[10], at[11]);
}

/** From 0 to 1 with neither velocity, acceleration nor jerk at the ends: the least of the seventh degree. */
function gently(x: number): number {
  return x ** 4 * (35 - 84 * x + 70 * x * x - 20 * x ** 3);
}

/** The motion as fast as the limits of its joints allow. */
function withinLimits({ limits }: ResolvedMotion, motion: PiecewiseMotion): PiecewiseMotion {
  let factor = 1e-3;
  for (let i = 0; i < motion.joints; i++) {
    factor = Math.max(
      factor,
      peakOf(motion, i, "velocity") / limits.maxVelocity[i]!,
      Math.sqrt(peakOf(motion, i, "acceleration") / limits.maxAcceleration[i]!),
      Math.cbrt(peakOf(motion, i, "jerk") / limits.maxJerk[i]!),
    );
  }
  // A hair slower, so that rounding keeps the limits.
  return retimed(motion, factor * (1 + 1e-9));
}
