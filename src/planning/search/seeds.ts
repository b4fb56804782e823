import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { Evaluation } from "../../optimisation/problem-interface.js";
import type { CatchProblem } from "../problem/catch-problem.js";
import { findReachableTimes, type TimeWindow } from "../problem/reachable-times.js";
import { ReachableStarts } from "./reachable-starts.js";

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

/** Where candidates come from: the analytic inverse kinematics, or `ReachableStarts`. */
type StartSource = "analytic" | "reachable";

/** Configurations of one pose: the most an analytic inverse kinematics returns. */
const MAX_BRANCHES = 8;
/** Weight of a violated inequality against the objective when candidates are ranked. */
const VIOLATION_WEIGHT = 30;
/** A start's way is looked at between this many equal parts; more room than this on it counts as enough [m]. */
const WAY_PARTS = 4;
const ROOM_ON_WAY = 0.15;

/**
 * Where to start. For spherical–revolute–spherical arms every (time, roll, elbow angle) of a grid gives up to eight exact
 * configurations with the hand at the ball, facing it; so five of the eight unknowns are met from the start, and what
 * remains is to rank them by objective and by what the joints cannot reach in time. The best of each branch at each time is
 * kept, so that the starts are diverse as well as good. For other arms `ReachableStarts` gives the configurations.
 */
export class SeedSearch {
  readonly grid: SeedGrid;
  readonly #problem: CatchProblem;
  readonly #evaluation: Evaluation;
  readonly #objective = new Float64Array(1);
  readonly #configurations: Float64Array;
  /** For arms without an analytic inverse kinematics, and where that has found nothing. */
  readonly #reachable: ReachableStarts;
  /** Clearance of each body of the arm on the way to a start [m]. */
  readonly #distances: Float64Array;
  readonly #x: Float64Array;
  /** Best candidate of each bucket (time × branch): its unknowns and its score. */
  readonly #candidates: Float64Array;
  readonly #scores: Float64Array;
  readonly #order: Int32Array;
  /** The scores in order, for `#worstKept`. */
  readonly #sorted: Float64Array;
  /** No candidate that scores worse is among the starts to be found. */
  #worstKept = Number.POSITIVE_INFINITY;
  /** Candidates of the time in hand, those of a branch together: joint positions, and what is known of their scores. */
  readonly #most: number;
  readonly #counts = new Int32Array(MAX_BRANCHES);
  readonly #positions: Float64Array;
  readonly #outOfReach: Float64Array;
  readonly #bounds: Float64Array;
  /** Whether a bound has the objective in it. */
  readonly #hasObjective: Uint8Array;
  readonly #window: TimeWindow = { from: 0, to: 0 };
  readonly #target: pose.Pose = pose.create();
  readonly #ball = vec3.create();
  readonly #velocity = vec3.create();
  readonly #acceleration = vec3.create();

  constructor(problem: CatchProblem, grid: SeedGrid = defaultSeedGrid) {
    this.grid = grid;
    this.#problem = problem;
    this.#evaluation = new Evaluation(problem);
    this.#configurations = new Float64Array(MAX_BRANCHES * problem.dofs);
    this.#reachable = new ReachableStarts(problem, MAX_BRANCHES);
    this.#distances = new Float64Array(problem.arm.clearance?.count ?? 0);
    this.#x = new Float64Array(problem.n);
    const buckets = grid.times * MAX_BRANCHES;
    this.#candidates = new Float64Array(buckets * problem.n);
    this.#scores = new Float64Array(buckets);
    this.#order = new Int32Array(buckets);
    this.#sorted = new Float64Array(buckets);
    this.#most = Math.max(ReachableStarts.capacity, grid.rolls * grid.elbows);
    this.#positions = new Float64Array(MAX_BRANCHES * this.#most * problem.dofs);
    this.#outOfReach = new Float64Array(MAX_BRANCHES * this.#most);
    this.#bounds = new Float64Array(MAX_BRANCHES * this.#most);
    this.#hasObjective = new Uint8Array(MAX_BRANCHES * this.#most);
  }

  /**
   * Fills `out` with up to `count` starts, best first, n numbers each, for the task the problem has in hand; returns how
   * many there are.
   */
  find(count: number, out: Float64Array): number {
    const source = this.#problem.arm.srs === null ? "reachable" : "analytic";
    return this.#search(count, source, 0) ? this.#best(count, out) : 0;
  }

  /**
   * The same for a search whose best catches were refused for the way to them: starts of `ReachableStarts` whatever the
   * arm, other draws than before, those first to which the arm has the most room on its way.
   */
  findOthers(count: number, out: Float64Array): number {
    if (!this.#search(this.#scores.length, "reachable", this.grid.times)) return 0;
    for (let bucket = 0; bucket < this.#scores.length; bucket++) {
      if (Number.isFinite(this.#scores[bucket]!)) this.#scores[bucket] = this.#scoreOfWay(bucket);
    }
    return this.#best(count, out);
  }

  #search(count: number, source: StartSource, round: number): boolean {
    this.#scores.fill(Number.POSITIVE_INFINITY);
    this.#worstKept = Number.POSITIVE_INFINITY;
    const { lower, upper, dofs, path, arm } = this.#problem;
    if (!findReachableTimes(path, arm, lower[dofs]!, upper[dofs]!, this.#window)) return false;
    const { from, to } = this.#window;
    for (let k = this.grid.times - 1; k >= 0; k--) {
      this.#searchTime(k, from + ((to - from) * (k + 0.5)) / this.grid.times, source, round);
      this.#raiseBar(count);
    }
    return true;
  }

  /** What a candidate violates at its end, and what room the arm lacks on the straight way there. */
  #scoreOfWay(bucket: number): number {
    const { n, dofs, q0, arm } = this.#problem;
    const end = this.#candidates.subarray(bucket * n, (bucket + 1) * n);
    this.#problem.evaluateValues(end, this.#evaluation);
    const violation = this.#violation();
    if (arm.clearance === null) return VIOLATION_WEIGHT * violation;
    let room = ROOM_ON_WAY;
    for (let part = 1; part <= WAY_PARTS; part++) {
      for (let i = 0; i < dofs; i++) this.#x[i] = q0[i]! + (part / WAY_PARTS) * (end[i]! - q0[i]!);
      arm.chain.update(this.#x);
      arm.clearance.evaluate(arm.chain, this.#distances, 0);
      for (const distance of this.#distances) room = Math.min(room, distance);
    }
    return VIOLATION_WEIGHT * (violation + ROOM_ON_WAY - room);
  }

  /** Scores only get better: what is not among the best `count` by now will never be. */
  #raiseBar(count: number): void {
    this.#sorted.set(this.#scores);
    this.#worstKept = this.#sorted.sort()[Math.max(1, count) - 1] ?? Number.POSITIVE_INFINITY;
  }

  #searchTime(k: number, t: number, source: StartSource, round: number): void {
    const { path, q0, ramps, dofs } = this.#problem;
    path.evaluate(t, this.#ball, this.#velocity, this.#acceleration);
    // What the joints reach by t is the same for all candidates of this time.
    this.#x.set(q0);
    this.#x[dofs] = t;
    ramps.evaluate(this.#x);
    this.#counts.fill(0);
    if (source === "reachable") this.#gatherReachable(round + k, t);
    else this.#gatherAngles(k, t);
    for (let branch = 0; branch < MAX_BRANCHES; branch++) this.#searchBranch(k * MAX_BRANCHES + branch, branch);
  }

  #gatherAngles(k: number, t: number): void {
    const { rolls, elbows } = this.grid;
    const srs = this.#problem.arm.srs!;
    for (let r = 0; r < rolls; r++) {
      handPose(this.#ball, this.#velocity, (2 * Math.PI * r) / rolls, this.#target);
      for (let e = 0; e < elbows; e++) {
        const found = srs.solve(this.#target, (2 * Math.PI * (e + (k % 2) / 2)) / elbows, this.#configurations);
        for (let b = 0; b < found; b++) this.#gather(t, this.#configurations, b, srs.branches[b]!);
      }
    }
  }

  #gatherReachable(round: number, t: number): void {
    const { configurations, branches } = this.#reachable;
    const found = this.#reachable.find(this.#ball, this.#velocity, round);
    for (let b = 0; b < found; b++) this.#gather(t, configurations, b, branches[b]!);
  }

  /** Puts configuration `b` among the candidates of a branch, unless it asks too much of its joints. */
  #gather(t: number, configurations: Float64Array, b: number, branch: number): void {
    const { dofs, ramps } = this.#problem;
    const { lowest, highest } = ramps;
    const at = branch * this.#most + this.#counts[branch]!;
    let outOfReach = 0;
    for (let i = 0; i < dofs; i++) {
      const q = configurations[b * dofs + i]!;
      this.#positions[at * dofs + i] = q;
      if (q < lowest[i]!) outOfReach += lowest[i]! - q;
      else if (q > highest[i]!) outOfReach += q - highest[i]!;
    }
    // No objective is below −t.
    const bound = VIOLATION_WEIGHT * outOfReach - t;
    if (!(bound < this.#worstKept)) return;
    this.#outOfReach[at] = outOfReach;
    this.#bounds[at] = bound;
    this.#hasObjective[at] = 0;
    this.#counts[branch]!++;
  }

  /**
   * Finds the best candidate of a branch. The whole problem is dear to evaluate, the objective cheap, and what the joints
   * lack is known; so it is always the candidate of the least bound that is looked at more closely, until none is left
   * whose bound is below the best score.
   */
  #searchBranch(bucket: number, branch: number): void {
    const { n } = this.#problem;
    const first = branch * this.#most;
    const end = first + this.#counts[branch]!;
    let best = this.#worstKept;
    for (;;) {
      const at = this.#leastBound(first, end);
      if (at < 0 || !(this.#bounds[at]! < best)) return;
      this.#load(at);
      if (this.#hasObjective[at] === 0) {
        this.#problem.evaluateObjective(this.#x, this.#objective);
        this.#bounds[at] = VIOLATION_WEIGHT * this.#outOfReach[at]! + this.#objective[0]!;
        this.#hasObjective[at] = 1;
        continue;
      }
      this.#bounds[at] = Number.POSITIVE_INFINITY;
      const score = this.#score(this.#x);
      if (!(score < best)) continue;
      best = score;
      this.#scores[bucket] = score;
      this.#candidates.set(this.#x, bucket * n);
    }
  }

  /** Where the least bound from `first` on is; −1 if there is none. A bound that is NaN is none. */
  #leastBound(first: number, end: number): number {
    const bounds = this.#bounds;
    let least = Number.POSITIVE_INFINITY;
    let at = -1;
    for (let c = first; c < end; c++) {
      if (!(bounds[c]! < least)) continue;
      least = bounds[c]!;
      at = c;
    }
    return at;
  }

  /** Candidate `at` to #x, whose last number is the time in hand already. */
  #load(at: number): void {
    const { dofs } = this.#problem;
    for (let i = 0; i < dofs; i++) this.#x[i] = this.#positions[at * dofs + i]!;
  }

  #score(x: Float64Array): number {
    this.#problem.evaluateValues(x, this.#evaluation);
    return this.#evaluation.objective + VIOLATION_WEIGHT * this.#violation();
  }

  /** Sum of what was violated at the last point evaluated. */
  #violation(): number {
    const { equality, inequality } = this.#evaluation;
    let violation = 0;
    for (let i = 0; i < equality.length; i++) violation += Math.abs(equality[i]!);
    for (let i = 0; i < inequality.length; i++) if (inequality[i]! < 0) violation -= inequality[i]!;
    return violation;
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
export function handPose(ball: vec3.Vec3, velocity: vec3.Vec3, roll: number, out: pose.Pose): pose.Pose {
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
