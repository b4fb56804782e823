import type { Random } from "../../src/math/random.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { createWarmStart } from "../../src/optimisation/warm-start.js";
import { CatchStandIn, type StandInMode, type StandInTask } from "./catch-stand-in.js";

/** Hand before the chest, open to the front. */
export const readyPosture = Float64Array.of(-1.2, 1.0, 0.3, 1.7, 0.2, 0.9, 0);

/** A thrown ball as the planner first hears of it: released 4–6 m away, 0.2 s ago, aimed at the reach of the right arm. */
export function randomThrow(random: Random): Float64Array {
  const release = [random.uniformIn(4, 6), random.uniformIn(-0.5, 0.5), random.uniformIn(1.3, 1.8)] as const;
  const aim = [0.5, random.uniformIn(-0.9, 0.1), random.uniformIn(0.9, 1.8)] as const;
  const duration = random.uniformIn(0.75, 1.1);
  const velocity = release.map((from, k) => (aim[k]! - from) / duration + (k === 2 ? 0.5 * 9.81 * duration : 0));
  const elapsed = 0.2;
  return Float64Array.of(
    release[0] + elapsed * velocity[0]!,
    release[1] + elapsed * velocity[1]!,
    release[2] + elapsed * (velocity[2]! - 0.5 * 9.81 * elapsed),
    velocity[0]!,
    velocity[1]!,
    velocity[2]! - 9.81 * elapsed,
  );
}

export function firstTask(random: Random, mode: StandInMode): StandInTask {
  return { mode, q0: readyPosture, w0: new Float64Array(7), ball: randomThrow(random) };
}

/** A place to start a cold search from: anywhere near the ready posture, at a time when the ball is near. */
export function randomStart(random: Random): Float64Array {
  const start = Float64Array.from([...readyPosture, 0]);
  for (let i = 0; i < 7; i++) start[i] = start[i]! + 0.7 * random.normal();
  start[7] = random.uniformIn(0.4, 0.9);
  return start;
}

/** The task one camera frame later: the arm has moved on along its ramps to `plan`, the prediction has changed a little. */
export function nextTask(problem: CatchStandIn, task: StandInTask, plan: Float64Array, random: Random): StandInTask {
  const frame = 0.04;
  problem.begin(task);
  problem.ramps.evaluate(plan);
  const q0 = new Float64Array(7);
  const w0 = new Float64Array(7);
  for (let i = 0; i < 7; i++) {
    const [position, speed] = rampAt(
      task.q0[i]!,
      task.w0[i]!,
      plan[i]!,
      plan[7]!,
      problem.ramps.acceleration[i]!,
      frame,
    );
    q0[i] = position;
    w0[i] = speed;
  }
  const ball = task.ball.slice();
  for (let k = 0; k < 3; k++) {
    ball[k] = ball[k]! + frame * ball[3 + k]! + (k === 2 ? -0.5 * 9.81 * frame * frame : 0) + 0.005 * random.normal();
    ball[3 + k] = ball[3 + k]! + (k === 2 ? -9.81 * frame : 0) + 0.03 * random.normal();
  }
  return { mode: task.mode, q0, w0, ball };
}

/** Position and speed on a ramp with acceleration a until t1, −a for the last part, both reaching rest at T. */
function rampAt(q0: number, w0: number, target: number, T: number, a: number, t: number): [number, number] {
  if (a === 0) return [q0, 0];
  const triangle = (T - w0 / a) / 2;
  const peak = w0 + a * triangle;
  // For a trapezoid the top speed follows from the distance: (v − w0)² + v² = 2a(vT − D).
  const D = target - q0;
  const b = w0 + a * T;
  const root = Math.sqrt(Math.max(0, b * b - 2 * (w0 * w0 + 2 * a * D)));
  const top = Math.abs(b - Math.sign(a) * root) / 2 < Math.abs(peak) ? (b - Math.sign(a) * root) / 2 : peak;
  const t1 = (top - w0) / a;
  if (t <= t1) return [q0 + w0 * t + 0.5 * a * t * t, w0 + a * t];
  const t2 = T - top / a;
  const atTop = q0 + w0 * t1 + 0.5 * a * t1 * t1;
  if (t <= t2) return [atTop + top * (t - t1), top];
  const rest = T - t;
  return [target - 0.5 * a * rest * rest, a * rest];
}

export function createStandIn(task: StandInTask): CatchStandIn {
  const problem = new CatchStandIn();
  problem.begin(task);
  return problem;
}

const modes = ["soft", "latest"] as const;

/** A replan: the task, where the solver starts, and what the last solve left. */
export interface Replan {
  readonly task: StandInTask;
  readonly start: Float64Array;
  readonly warmStart: Float64Array;
}

/** Throws that can be caught, each followed over the camera frames up to the catch. */
export function makeReplans(random: Random, throws: number): Replan[] {
  const replans: Replan[] = [];
  const problem = createStandIn(firstTask(random, "soft"));
  const solver = new SqpSolver(problem);
  const result = new SolveResult(8);
  for (let k = 0; k < throws; k++) {
    let task = firstTask(random, modes[k % 2]!);
    problem.begin(task);
    let plan: Float64Array | null = null;
    let state = createWarmStart(problem);
    let cost = Infinity;
    for (let start = 0; start < 10; start++) {
      const left = createWarmStart(problem);
      const status = solver.solve(problem, randomStart(random), left, iterationBudget(60), result);
      if (status !== SolveStatus.solved || result.objective >= cost) continue;
      plan = result.x.slice();
      state = left;
      cost = result.objective;
    }
    while (plan !== null && plan[7]! > 0.2) {
      task = nextTask(problem, task, plan, random);
      problem.begin(task);
      const start: Float64Array = plan.slice();
      start[7] = start[7]! - 0.04;
      replans.push({ task, start, warmStart: state.slice() });
      plan = solver.solve(problem, start, state, iterationBudget(60), result) <= 1 ? result.x.slice() : null;
    }
  }
  return replans;
}
