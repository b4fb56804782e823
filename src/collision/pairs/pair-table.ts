/**
 * Certified lower bounds of the distances of a robot's checked pairs while every dof may be anywhere in an interval.
 * `SweptPairs` renews them all at every update, `AnytimePairs` as many as a time budget allows.
 */
export interface PairTable {
  readonly count: number;
  /** Indices of `robot.hulls`, from its length on of the obstacles. [count] */
  readonly bodyA: Int32Array;
  readonly bodyB: Int32Array;
  /** Certified: no two surfaces of the pair are nearer than this [m]; −Infinity if nothing is known. [count] */
  readonly lowerBound: Float64Array;
  /** The least of the bounds [m], and its pair; Infinity and −1 without pairs. */
  readonly minimum: number;
  readonly worst: number;
  /** Pairs that the last update measured by their swept hulls. */
  readonly refined: number;
  /** Where the pair located last is nearest [m], in world with every dof in the middle of its interval. */
  readonly nearestA: Float64Array;
  readonly nearestB: Float64Array;
  /** Bounds the pairs for dofs anywhere in `low` … `high` [rad or m]. */
  update(low: Float64Array, high: Float64Array): void;
  /** As `update`, measuring every pair to the end, however long it takes. */
  updateAll(low: Float64Array, high: Float64Array): void;
  /** Fills `nearestA` and `nearestB` for a pair and the last update. */
  locate(pair: number): void;
  /** Forgets what earlier updates left, so that results do not depend on it. */
  forget(): void;
}

/** No pair. */
export const NONE = -1;

/** The pair with the least bound, the first of several; `NONE` without pairs. */
export function worstOf(lowerBound: Float64Array): number {
  let worst = lowerBound.length > 0 ? 0 : NONE;
  for (let pair = 1; pair < lowerBound.length; pair++) if (lowerBound[pair]! < lowerBound[worst]!) worst = pair;
  return worst;
}
