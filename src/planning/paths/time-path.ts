import type { JerkLimits } from "../../motion/jerk-limited-motion.js";
import { joined } from "../../motion/motion-algebra.js";
import { PiecewiseMotion } from "../../motion/piecewise-motion.js";

/** Lengths of the smoothing's two windows that are tried [s]: the shorter, and how many times longer the other is. */
const SHORTER = Array.from({ length: 11 }, (_, k) => 0.012 * 1.5 ** k);
const RATIOS = [1, 1.5, 2.2, 3.3, 5, 8, 14];
/** Rounds of slowing down about corners, and of making up for what that was too much. */
const SLOWING_ROUNDS = 40;
const SPEEDING_ROUNDS = 4;

/** How a path of corners becomes a motion. */
export interface TimePathOptions {
  /** Share of the change of velocity at inner corners that may be used: less stays nearer to the corners. Default 1; 0: stops. */
  readonly corner?: number;
}

/** What the timing of one path needs: its edges, and the limits. */
interface Edges {
  readonly count: number;
  readonly joints: number;
  /** Way of each joint along each edge. [count·joints] */
  readonly way: Float64Array;
  readonly limits: JerkLimits;
}

/**
 * The motion along a path of corners, from rest to rest, within limits of velocity, acceleration and jerk.
 *
 * Each edge is run at a constant velocity for a time of its own; those steps of velocity are smoothed by two moving averages
 * of lengths a ≥ j. So a step Δv at a corner needs the acceleration |Δv|/a and the jerk |Δv|/(a·j), and lasts a + j, during
 * which the path cuts the corner. With edges no shorter than a + j no two corners touch, and the limits hold exactly. Of a
 * set of windows the pair that gives the shortest motion is taken.
 */
export function timePath(
  path: readonly Float64Array[],
  limits: JerkLimits,
  options: TimePathOptions = {},
): PiecewiseMotion {
  const { corner = 1 } = options;
  const corners = withoutTwins(path);
  if (corners.length === 1) return standing(corners[0]!);
  const edges = edgesOf(corners, limits);
  if (edges.count === 1) return smoothed(corners[0]!, edges, exactWindows(edges));
  const stops = joined(corners.slice(1).map((end, k) => timePath([corners[k]!, end], limits)));
  if (corner === 0) return stops;
  const cut = shortestWindows(edges, corner);
  return cut.total < stops.duration ? smoothed(corners[0]!, edges, cut) : stops;
}

/** Windows of smoothing, and the times of the edges with them [s]. */
interface Windows {
  readonly times: Float64Array;
  readonly a: number;
  readonly j: number;
  readonly total: number;
}

/** Of all windows tried those with which the motion is shortest. */
function shortestWindows(edges: Edges, corner: number): Windows {
  let best: Windows = { times: new Float64Array(0), a: 0, j: 0, total: Number.POSITIVE_INFINITY };
  for (const j of SHORTER) {
    for (const ratio of RATIOS) {
      const a = j * ratio;
      const times = edgeTimes(edges, a, j, corner);
      const total = times.reduce((sum, time) => sum + time, a + j);
      if (total < best.total) best = { times, a, j, total };
    }
  }
  return best;
}

/** No motion at all. */
export function standing(q: Float64Array): PiecewiseMotion {
  const motion = new PiecewiseMotion(q.length, 1);
  motion.clear(0);
  for (let i = 0; i < q.length; i++) {
    motion.append(i, 0, q[i]!);
    motion.end(i, q[i]!, 0);
  }
  return motion;
}

function withoutTwins(path: readonly Float64Array[]): Float64Array[] {
  const corners = [path[0]!];
  for (const q of path.slice(1)) {
    const last = corners[corners.length - 1]!;
    if (q.some((value, i) => Math.abs(value - last[i]!) > 1e-12)) corners.push(q);
  }
  return corners;
}

function edgesOf(corners: readonly Float64Array[], limits: JerkLimits): Edges {
  const joints = corners[0]!.length;
  const count = corners.length - 1;
  const way = new Float64Array(count * joints);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < joints; i++) way[k * joints + i] = corners[k + 1]![i]! - corners[k]![i]!;
  }
  return { count, joints, way, limits };
}

/** A single edge's windows need no search: what its fastest joint needs, exactly; longer ones where the edge is short. */
function exactWindows(edges: Edges): Windows {
  const { way, joints, limits } = edges;
  let [V, A, J] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < joints; i++) {
    const size = Math.abs(way[i]!);
    if (size === 0) continue;
    V = Math.min(V, limits.maxVelocity[i]! / size);
    A = Math.min(A, limits.maxAcceleration[i]! / size);
    J = Math.min(J, limits.maxJerk[i]! / size);
  }
  // Of the whole edge as 1: speed V, acceleration A, jerk J; which of the three is reached?
  let v = V;
  const windowsOf = (speed: number): [number, number] =>
    speed * J >= A * A ? [speed / A, A / J] : [Math.sqrt(speed / J), Math.sqrt(speed / J)];
  let [a, j] = windowsOf(v);
  if (v * (a + j) > 1) {
    // No room to reach the speed: v·(a + j) = 1, with v = A·a, or with v = J·j² and a = j.
    const b = A / J;
    const fast = (-b + Math.sqrt(b * b + 4 / A)) / 2;
    [a, j] = fast >= b ? [fast, b] : [Math.cbrt(0.5 / J), Math.cbrt(0.5 / J)];
    v = 1 / (a + j);
  }
  return { times: Float64Array.of(1 / v), a, j, total: 1 / v + a + j };
}

/** Shortest times of all edges with which the steps of velocity stay within what two windows allow. */
function edgeTimes({ count, joints, way, limits }: Edges, a: number, j: number, corner: number): Float64Array {
  const times = new Float64Array(count);
  const { maxVelocity, maxAcceleration, maxJerk } = limits;
  const step = Float64Array.from({ length: joints }, (_, i) => Math.min(maxAcceleration[i]! * a, maxJerk[i]! * a * j));
  for (let k = 0; k < count; k++) {
    let time = a + j;
    for (let i = 0; i < joints; i++) time = Math.max(time, Math.abs(way[k * joints + i]!) / maxVelocity[i]!);
    times[k] = time;
  }
  /** Greatest change of velocity at corner k against what is allowed there; corner 0 is the start, `count` the end. */
  const excess = (k: number): number => {
    let greatest = 0;
    const share = k === 0 || k === count ? 1 : corner;
    for (let i = 0; i < joints; i++) {
      const before = k === 0 ? 0 : way[(k - 1) * joints + i]! / times[k - 1]!;
      const after = k === count ? 0 : way[k * joints + i]! / times[k]!;
      greatest = Math.max(greatest, Math.abs(after - before) / (share * step[i]!));
    }
    return greatest;
  };
  for (let round = 0; round < SLOWING_ROUNDS; round++) {
    let worst = 0;
    for (let k = 0; k <= count; k++) {
      const factor = excess(k);
      worst = Math.max(worst, factor);
      if (!(factor > 1)) continue;
      if (k > 0) times[k - 1] = times[k - 1]! * factor;
      if (k < count) times[k] = times[k]! * factor;
    }
    if (worst <= 1) break;
  }
  let left = 1;
  for (let k = 0; k <= count; k++) left = Math.max(left, excess(k));
  for (let k = 0; k < count; k++) times[k] = times[k]! * left;
  for (let round = 0; round < SPEEDING_ROUNDS; round++) {
    for (let k = 0; k < count; k++) times[k] = shortestTime(k);
  }
  return times;

  /** Shortest time of edge k beside its neighbours as they are. */
  function shortestTime(k: number): number {
    let fastest = 1 / (a + j);
    for (let i = 0; i < joints; i++) {
      const w = way[k * joints + i]!;
      if (w === 0) continue;
      const before = k === 0 ? 0 : way[(k - 1) * joints + i]! / times[k - 1]!;
      const after = k === count - 1 ? 0 : way[(k + 1) * joints + i]! / times[k + 1]!;
      const atStart = step[i]! * (k === 0 ? 1 : corner);
      const atEnd = step[i]! * (k === count - 1 ? 1 : corner);
      const most = Math.min(maxVelocity[i]!, Math.sign(w) * before + atStart, Math.sign(w) * after + atEnd);
      fastest = Math.min(fastest, most / Math.abs(w));
    }
    return Math.min(times[k]!, 1 / fastest);
  }
}

/** The pieces of constant jerk that two moving averages make of steps of velocity. */
function smoothed(
  start: Float64Array,
  { count, joints, way }: Edges,
  { times, a, j, total }: Windows,
): PiecewiseMotion {
  const motion = new PiecewiseMotion(joints, 4 * (count + 1));
  motion.clear(total);
  for (let i = 0; i < joints; i++) {
    let position = start[i]!;
    let velocity = 0;
    let at = 0;
    for (let k = 0; k <= count; k++) {
      const before = k === 0 ? 0 : way[(k - 1) * joints + i]! / times[k - 1]!;
      const after = k === count ? 0 : way[k * joints + i]! / times[k]!;
      velocity = before;
      const jerk = (after - before) / (a * j);
      let acceleration = 0;
      for (const [length, c] of [
        [j, jerk],
        [a - j, 0],
        [j, -jerk],
      ] as const) {
        if (length <= 0) continue;
        motion.append(i, at, position, velocity, acceleration / 2, c / 6);
        position += length * (velocity + length * (acceleration / 2 + (length * c) / 6));
        velocity += length * (acceleration + (length * c) / 2);
        acceleration += length * c;
        at += length;
      }
      if (k === count) break;
      const cruise = times[k]! - (a + j);
      if (cruise > 0) {
        motion.append(i, at, position, after);
        position += cruise * after;
        at += cruise;
      }
    }
    motion.end(i, position, 0);
  }
  return motion;
}
