import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { CatchProblem } from "../problem/catch-problem.js";
import { findReachableTimes, type TimeWindow } from "../problem/reachable-times.js";
import { Evaluation } from "../solver/problem-interface.js";

/** How finely the ball's path and the arm's two free angles are searched for places to start. */
export interface SeedGrid {
  /** Catch times between the earliest and the latest. */
  readonly times: number;
  /** Rolls of the hand about the ball's direction. */
  readonly rolls: number;
  /** Angles of the elbow about the line from shoulder to wrist. */
  readonly elbows: number;
}

export const defaultSeedGrid: SeedGrid = { times: 10, rolls: 6, elbows: 8 };

/** Configurations of one pose: the most an analytic inverse kinematics returns. */
const MAX_BRANCHES = 8;
/** Weight of a violated inequality against the objective when candidates are ranked. */
const VIOLATION_WEIGHT = 30;

/**
 * Where to start. For spherical–revolute–spherical arms every (time, roll, elbow angle) of a grid gives up to eight exact
 * configurations with the hand at the ball, facing it; so five of the eight unknowns are met from the start, and what
 * remains is to rank them by objective and by what the joints cannot reach in time. The best of each branch at each time is
 * kept, so that the starts are diverse as well as good. Other arms start from stored samples of their workspace.
 */
export class SeedSearch {
  readonly grid: SeedGrid;
  readonly #problem: CatchProblem;
  readonly #evaluation: Evaluation;
  readonly #objective = new Float64Array(1);
  readonly #configurations: Float64Array;
  readonly #x: Float64Array;
  /** Best candidate of each bucket (time × branch): its unknowns and its score. */
  readonly #candidates: Float64Array;
  readonly #scores: Float64Array;
  readonly #order: Int32Array;
  readonly #window: TimeWindow = { from: 0, to: 0 };
  readonly #target: Pose = pose.create();
  readonly #ball = vec3.create();
  readonly #velocity = vec3.create();
  readonly #acceleration = vec3.create();

  constructor(problem: CatchProblem, grid: SeedGrid = defaultSeedGrid) {
    this.grid = grid;
    this.#problem = problem;
    this.#evaluation = new Evaluation(problem);
    this.#configurations = new Float64Array(MAX_BRANCHES * problem.dofs);
    this.#x = new Float64Array(problem.n);
    const buckets = grid.times * MAX_BRANCHES;
    this.#candidates = new Float64Array(buckets * problem.n);
    this.#scores = new Float64Array(buckets);
    this.#order = new Int32Array(buckets);
  }

  /**
   * Fills `out` with up to `count` starts, best first, n numbers each, for the task the problem has in hand; returns how
   * many there are.
   */
  find(count: number, out: Float64Array): number {
    this.#scores.fill(Number.POSITIVE_INFINITY);
    const { lower, upper, dofs, path, arm } = this.#problem;
    if (!findReachableTimes(path, arm, lower[dofs]!, upper[dofs]!, this.#window)) return 0;
    const { from, to } = this.#window;
    for (let k = 0; k < this.grid.times; k++) this.#searchTime(k, from + ((to - from) * (k + 0.5)) / this.grid.times);
    return this.#best(count, out);
  }

  #searchTime(k: number, t: number): void {
    const { arm, path, q0, ramps, dofs } = this.#problem;
    path.evaluate(t, this.#ball, this.#velocity, this.#acceleration);
    // What the joints reach by t is the same for all candidates of this time.
    this.#x.set(q0);
    this.#x[dofs] = t;
    ramps.evaluate(this.#x);
    if (arm.srs === null) this.#searchSamples(k, t);
    else this.#searchAngles(k, t);
  }

  #searchAngles(k: number, t: number): void {
    const { rolls, elbows } = this.grid;
    const srs = this.#problem.arm.srs!;
    for (let r = 0; r < rolls; r++) {
      handPose(this.#ball, this.#velocity, (2 * Math.PI * r) / rolls, this.#target);
      for (let e = 0; e < elbows; e++) {
        const found = srs.solve(this.#target, (2 * Math.PI * (e + (k % 2) / 2)) / elbows, this.#configurations);
        for (let b = 0; b < found; b++) this.#consider(k, t, this.#configurations, b, srs.branches[b]!);
      }
    }
  }

  #searchSamples(k: number, t: number): void {
    const samples = this.#problem.arm.samples;
    if (samples === null) return;
    const found = samples.nearest(this.#ball, this.#velocity, MAX_BRANCHES, this.#configurations);
    for (let b = 0; b < found; b++) this.#consider(k, t, this.#configurations, b, b);
  }

  /**
   * Scores configuration `b` of `configurations` and keeps it if it is the best of its bucket. Most candidates are out
   * before the whole problem is evaluated: they ask too much of some joint (no objective is below −t), or that and their
   * objective alone are already worse than the best.
   */
  #consider(k: number, t: number, configurations: Float64Array, b: number, branch: number): void {
    const { dofs, n, ramps } = this.#problem;
    const x = this.#x;
    const bucket = k * MAX_BRANCHES + branch;
    let outOfReach = 0;
    for (let i = 0; i < dofs; i++) {
      const q = configurations[b * dofs + i]!;
      x[i] = q;
      if (q < ramps.lowest[i]!) outOfReach += ramps.lowest[i]! - q;
      else if (q > ramps.highest[i]!) outOfReach += q - ramps.highest[i]!;
    }
    x[dofs] = t;
    const best = this.#scores[bucket]!;
    if (!(VIOLATION_WEIGHT * outOfReach - t < best)) return;
    this.#problem.evaluateObjective(x, this.#objective);
    if (!(VIOLATION_WEIGHT * outOfReach + this.#objective[0]! < best)) return;
    const score = this.#score(x);
    if (!(score < best)) return;
    this.#scores[bucket] = score;
    this.#candidates.set(x, bucket * n);
  }

  #score(x: Float64Array): number {
    this.#problem.evaluateValues(x, this.#evaluation);
    const { objective, equality, inequality } = this.#evaluation;
    let violation = 0;
    for (let i = 0; i < equality.length; i++) violation += Math.abs(equality[i]!);
    for (let i = 0; i < inequality.length; i++) if (inequality[i]! < 0) violation -= inequality[i]!;
    return objective + VIOLATION_WEIGHT * violation;
  }

  /** Selection of the `count` best buckets, in order; ties by bucket, so that the outcome is always the same. */
  #best(count: number, out: Float64Array): number {
    const { n } = this.#problem;
    const scores = this.#scores;
    let used = 0;
    for (let bucket = 0; bucket < scores.length; bucket++)
      if (Number.isFinite(scores[bucket]!)) this.#order[used++] = bucket;
    const order = this.#order.subarray(0, used).sort((a, b) => scores[a]! - scores[b]! || a - b);
    const kept = Math.min(count, used);
    for (let s = 0; s < kept; s++) {
      const from = order[s]! * n;
      for (let i = 0; i < n; i++) out[s * n + i] = this.#candidates[from + i]!;
    }
    return kept;
  }
}

const zAxis = vec3.create();
const xAxis = vec3.create();
const yAxis = vec3.create();

/** Pose of a hand at `ball` that faces it (z against `velocity`), turned by `roll` about z. */
export function handPose(ball: vec3.Vec3, velocity: vec3.Vec3, roll: number, out: Pose): Pose {
  vec3.scale(velocity, -1 / vec3.norm(velocity), zAxis);
  // Any direction not along z will do as the reference of the roll.
  if (Math.abs(zAxis[2]) < 0.9) vec3.set(0, 0, 1, yAxis);
  else vec3.set(1, 0, 0, yAxis);
  vec3.normalize(vec3.cross(yAxis, zAxis, xAxis), xAxis);
  vec3.cross(zAxis, xAxis, yAxis);
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  for (let k = 0; k < 3; k++) {
    out[3 * k] = c * xAxis[k]! + s * yAxis[k]!;
    out[3 * k + 1] = c * yAxis[k]! - s * xAxis[k]!;
    out[3 * k + 2] = zAxis[k]!;
    out[9 + k] = ball[k]!;
  }
  return out;
}
