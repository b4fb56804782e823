import type { Random } from "../../math/random.js";
import type { PathBudget, PathProblem } from "./path-planner.js";

/** How much to shorten. */
export interface ShortenOptions {
  /** Tries at most. */
  readonly tries: number;
  /** Tries in a row without gain after which to stop. */
  readonly idle: number;
}

export const standardShortening: ShortenOptions = { tries: 150, idle: 20 };

/** A gain below this is none [rad]. */
const LEAST_GAIN = 1e-3;

/**
 * A path made shorter: corners that are not needed are left out, and pieces between two random places are replaced by the
 * straight edge, or by one on which a single joint goes straight (Hauser and Ng-Thow-Hing's and Geraerts' shortcuts). Every
 * edge of the result is as free as those of the path.
 */
export function shortenPath(
  problem: PathProblem,
  path: readonly Float64Array[],
  random: Random,
  budget: PathBudget,
  options = standardShortening,
): Float64Array[] {
  const corners = withoutNeedless(problem, path.slice());
  const first = problem.check.samples;
  for (let k = 0, idle = 0; k < options.tries && idle < options.idle && corners.length > 2; k++) {
    if (problem.check.samples - first > budget.samples || budget.isOver()) break;
    idle = cutCorner(problem, corners, random) ? 0 : idle + 1;
  }
  return withoutNeedless(problem, corners);
}

/** Leaves out corners past which the straight edge is free, those far ahead first. */
function withoutNeedless({ check }: PathProblem, corners: Float64Array[]): Float64Array[] {
  for (let k = 0; k + 2 < corners.length; k++) {
    for (let last = corners.length - 1; last > k + 1; last--) {
      if (!check.isLongEdgeFree(corners[k]!, corners[last]!)) continue;
      corners.splice(k + 1, last - k - 1);
      break;
    }
  }
  return corners;
}

/** Tries the straight edge between two random places of the path; whether that made it shorter. */
function cutCorner({ space, check }: PathProblem, corners: Float64Array[], random: Random): boolean {
  const lengths = corners.slice(1).map((corner, k) => space.distance(corners[k]!, 0, corner, 0));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const [one, other] = [total * random.uniform(), total * random.uniform()];
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const begin = placeAt(lengths, from);
  const end = placeAt(lengths, to);
  if (begin.edge === end.edge) return false;
  const a = new Float64Array(space.count);
  const b = new Float64Array(space.count);
  space.between(corners[begin.edge]!, 0, corners[begin.edge + 1]!, 0, begin.share, a);
  space.between(corners[end.edge]!, 0, corners[end.edge + 1]!, 0, end.share, b);
  if (!(to - from - space.distance(a, 0, b, 0) > LEAST_GAIN) || !check.isLongEdgeFree(a, b)) return false;
  corners.splice(begin.edge + 1, end.edge - begin.edge, a, b);
  return true;
}

/** The edge in which a length along the path falls, and how far in it. */
function placeAt(lengths: readonly number[], at: number): { readonly edge: number; readonly share: number } {
  let edge = 0;
  for (; edge < lengths.length - 1 && at > lengths[edge]!; edge++) at -= lengths[edge]!;
  return { edge, share: lengths[edge]! > 0 ? Math.min(1, at / lengths[edge]!) : 0 };
}
