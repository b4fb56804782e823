import type { CatchTask } from "../problem/catch-problem.js";
import type { CatchSolution, CatchSolver } from "../search/catch-solver.js";
import { Verdict } from "../search/verify.js";
import { Evaluation } from "../solver/problem-interface.js";
import { centimetres, degrees } from "./figures.js";
import { measureShortfall, type Shortfall } from "./shortfall.js";

/** Below this a violated constraint is rounding. */
const NEGLIGIBLE = 1e-6;

/**
 * Why a search found no catch, in a few words: what the nearest candidate lacks most. That is the best start of an arm with
 * an analytic inverse kinematics, whose hand is at the ball and faces it, so that all it can lack is time and room; else
 * what the solver ended on. Answers to requests explain the same figures at length.
 */
export function explainMissBriefly(solver: CatchSolver, task: CatchTask, solution: CatchSolution): string {
  const { problem, arm } = solver;
  if (solution.starts === 0) return "out of reach: the ball passes nowhere that the hand could face it";
  if (!(solution.leastViolation > NEGLIGIBLE)) {
    return solution.refusal === Verdict.ok ? "no start led to a catch" : `the plan ${solution.refusal}`;
  }
  const start = new Float64Array(problem.n);
  const hasStart = arm.srs !== null && solver.bestStart(task, start);
  return describeWorst(measureShortfall(solver, hasStart ? start : solution.leastViolated, new Evaluation(problem)));
}

function describeWorst(shortfall: Shortfall): string {
  const { distance, turn, lag, overshoot, turnedAway, depth, overlap } = shortfall;
  const most = Math.max(lag, overshoot, turnedAway, depth, overlap);
  if (distance >= Math.max(turn, most)) return `out of reach by ${centimetres(distance)}`;
  if (turn >= most) return `the hand faces the ball ${degrees(turn)} askew`;
  if (!(most > NEGLIGIBLE)) return "no start led to a catch";
  if (lag === most) return `too fast: ${shortfall.laggingJoint} stays ${degrees(lag)} behind`;
  if (overshoot === most) return `${shortfall.overshootingJoint} overshoots its limit by ${degrees(overshoot)}`;
  if (turnedAway === most) return "the hand cannot face the ball";
  if (depth === most) return `the hand is ${centimetres(depth)} inside ${shortfall.shape}`;
  return `the arm touches the robot by ${centimetres(overlap)}`;
}
