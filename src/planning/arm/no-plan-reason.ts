import { degrees } from "../../math/angle.js";
import type { CatchProblem, CatchTask } from "../problem/catch-problem.js";
import type { CatchSolution, CatchSolver } from "../search/catch-solver.js";
import { Verdict } from "../search/verify.js";
import { Evaluation } from "../solver/problem-interface.js";

/** Below this a violated constraint is rounding. */
const NEGLIGIBLE = 1e-6;

/**
 * Why a search found no catch, in a few words: the constraint that the nearest candidate breaks most. That is the best
 * start of an arm with an analytic inverse kinematics, whose hand is at the ball and faces it, so that all it can lack
 * is time and room; else what the solver ended on.
 */
export function explainNoPlan(solver: CatchSolver, task: CatchTask, solution: CatchSolution): string {
  const { problem, arm } = solver;
  if (solution.starts === 0) return "out of reach: the ball passes nowhere that the hand could face it";
  if (!(solution.leastViolation > NEGLIGIBLE)) {
    return solution.refusal === Verdict.ok ? "no start led to a catch" : `the plan ${solution.refusal}`;
  }
  const start = new Float64Array(problem.n);
  const hasStart = arm.srs !== null && solver.bestStart(task, start);
  const at = new Evaluation(problem);
  problem.evaluateValues(hasStart ? start : solution.leastViolated, at);
  return describeWorst(problem, at);
}

function describeWorst(problem: CatchProblem, { equality, inequality }: Evaluation): string {
  const distance = Math.hypot(equality[0]!, equality[1]!, equality[2]!);
  const turn = Math.hypot(equality[3]!, equality[4]!);
  let row = 0;
  for (let k = 1; k < inequality.length; k++) if (inequality[k]! < inequality[row]!) row = k;
  const shortfall = -inequality[row]!;
  if (distance >= Math.max(turn, shortfall)) return `out of reach by ${centimetres(distance)}`;
  if (turn >= shortfall) return `the hand faces the ball ${angle(turn)} askew`;
  return shortfall > NEGLIGIBLE ? describeInequality(problem, row, shortfall) : "no start led to a catch";
}

function describeInequality({ arm, dofs, keepOut }: CatchProblem, row: number, shortfall: number): string {
  const joint = arm.robot.model.dofNames[arm.group.dofs[row % dofs]!]!;
  if (row < 2 * dofs) return `too fast: ${joint} stays ${angle(shortfall)} behind`;
  if (row < 3 * dofs) return `${joint} overshoots its limit by ${angle(shortfall)}`;
  if (row === 3 * dofs) return "the hand cannot face the ball";
  const shape = keepOut.names[row - 3 * dofs - 1];
  if (shape === undefined) return `the arm touches the robot by ${centimetres(shortfall)}`;
  return `the hand is ${centimetres(shortfall)} inside ${shape}`;
}

function centimetres(metres: number): string {
  return `${(100 * metres).toFixed(1)} cm`;
}

function angle(radians: number): string {
  return `${degrees(radians).toFixed(1)}°`;
}
