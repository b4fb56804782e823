import { minimalTimes } from "../../motion/minimal-time.js";
import { Evaluation } from "../../optimisation/problem-interface.js";
import { iterationBudget } from "../../optimisation/solver-interface.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import type { CatchSolution } from "../search/catch-solution.js";
import type { CatchSolver } from "../search/catch-solver.js";

/** What a candidate catch lacks: each figure is above zero where something is missing. */
export interface Shortfall {
  /** The candidate's catch time [s]. */
  readonly time: number;
  /** Hand to ball [m]. */
  readonly distance: number;
  /** Between the hand's axis and the ball's direction [rad]. */
  readonly angle: number;
  /** Components of the ball's direction along the hand's x and y axes; 0: the hand faces the ball, or faces away. */
  readonly turn: number;
  /** How far the hand faces away from the ball, as −cos of the angle; 0: it does not. */
  readonly turnedAway: number;
  /** How far the joint that is farthest behind stays behind at the catch time [rad or m]. */
  readonly lag: number;
  readonly laggingJoint: string;
  /** Time that the slowest joint lacks [s]. */
  readonly lateness: number;
  readonly slowestJoint: string;
  /** Way beyond its limit of the joint that goes farthest before it turns [rad or m]. */
  readonly overshoot: number;
  readonly overshootingJoint: string;
  /** Depth in the keep-out shape that is entered most [m]. */
  readonly depth: number;
  readonly shape: string;
  /** Overlap of the arm with the robot [m]. */
  readonly overlap: number;
}

/** An angle of this weighs as much as a metre or a second when figures are compared [rad]. */
export const ANGLE_SCALE = 3;
/** A hand this near to the ball counts as being there [m]. */
const TOUCH = 1e-3;
/** How many times faster than this arm at its best the one is that is asked where it would catch; and its search. */
const HASTE = 10;
const HASTY_SEARCH = { starts: 6, solve: iterationBudget(60) };

/**
 * The candidate that lacks least; null if there is none. Candidates are where a much faster arm at rest would catch, since
 * a ball that this one gets is missed for want of time, and what the solver ended on. One with the hand at the ball counts
 * before all others: the least violated point of an arm that is too slow is some place halfway.
 */
export function leastShortfall(task: CatchTask, solver: CatchSolver, solution: CatchSolution): Shortfall | null {
  const hasty = solver.createSolution();
  solver.cold(hastyTask(task, solver.arm), HASTY_SEARCH, hasty);
  const candidates = [
    ...(hasty.found ? [hasty.x] : []),
    ...[hasty, solution].flatMap((found) => (Number.isFinite(found.leastViolation) ? [found.leastViolated] : [])),
  ];
  solver.problem.begin(task);
  const evaluation = new Evaluation(solver.problem);
  const shortfalls = candidates.map((x) => measureShortfall(solver, x, evaluation));
  const touching = shortfalls.filter(({ distance, angle }) => distance + angle / ANGLE_SCALE < TOUCH);
  return (touching.length > 0 ? touching : shortfalls).reduce<Shortfall | null>(
    (best, next) => (best === null || weigh(next) < weigh(best) ? next : best),
    null,
  );
}

/** The same ball for an arm whose every motion takes a tenth of the time at most, and that stands still at the start. */
function hastyTask(task: CatchTask, arm: CatchArm): CatchTask {
  return {
    ...task,
    mode: "cool",
    w0: new Float64Array(task.w0.length),
    maxVelocity: arm.maxVelocity.map((limit) => limit * HASTE),
    maxAcceleration: arm.maxAcceleration.map((limit) => limit * HASTE ** 2),
  };
}

/** What the candidate x = (q, t) of the task in hand lacks. */
export function measureShortfall(solver: CatchSolver, x: Float64Array, evaluation: Evaluation): Shortfall {
  const { problem } = solver;
  const { dofs, q0, w0, maxVelocity, maxAcceleration, keepOut } = problem;
  problem.evaluateValues(x, evaluation);
  const { equality, inequality } = evaluation;
  const time = x[dofs]!;
  const times = new Float64Array(dofs);
  const slowest = minimalTimes(dofs, q0, w0, x, maxVelocity, maxAcceleration, times);
  const lag = worst(inequality.subarray(0, 2 * dofs));
  const overshoot = worst(inequality.subarray(2 * dofs, 3 * dofs));
  const shapes = worst(inequality.subarray(3 * dofs + 1, 3 * dofs + 1 + keepOut.count));
  const bodies = worst(inequality.subarray(3 * dofs + 1 + keepOut.count));
  return {
    time,
    distance: Math.hypot(equality[0]!, equality[1]!, equality[2]!),
    angle: Math.atan2(Math.hypot(equality[3]!, equality[4]!), inequality[3 * dofs]!),
    turn: Math.hypot(equality[3]!, equality[4]!),
    turnedAway: Math.max(0, -inequality[3 * dofs]!),
    lag: lag.missing,
    laggingJoint: jointName(solver, lag.index % dofs),
    lateness: Math.max(0, times[slowest]! - time),
    slowestJoint: jointName(solver, slowest),
    overshoot: overshoot.missing,
    overshootingJoint: jointName(solver, overshoot.index),
    depth: shapes.missing,
    shape: keepOut.names[shapes.index] ?? "",
    overlap: bodies.missing,
  };
}

/** The least of some values that should not be negative, and by how much it is. */
function worst(values: Float64Array): { readonly index: number; readonly missing: number } {
  let index = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! < values[index]!) index = k;
  return { index, missing: Math.max(0, -(values[index] ?? 0)) };
}

function weigh({ distance, angle, lateness, overshoot, depth, overlap }: Shortfall): number {
  return distance + lateness + depth + overlap + (angle + overshoot) / ANGLE_SCALE;
}

export function jointName({ arm }: CatchSolver, index: number): string {
  return arm.robot.model.dofNames[arm.group.dofs[index]!]!;
}
