/** Most rays from a centre. */
export const MAX_RAYS = 64;

/** Where rays from a centre cross an outline. Each array has a place for each ray. */
export interface OutlineEdges {
  /** Rays in use. */
  readonly count: number;
  readonly cos: Float64Array;
  readonly sin: Float64Array;
  /** Expected distance from the centre for a mean radius of 1. */
  readonly distance: Float64Array;
  /** How much further out the edge lies than expected [px]. */
  readonly shift: Float64Array;
  /** How much the ray counts. */
  readonly weight: Float64Array;
  /** Scatter that the ray is expected to have, in proportion to that of the others. */
  readonly scatter: Float64Array;
}

/** Cosines and sines of rays, evenly around. */
export const rayCosines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.cos((2 * Math.PI * k) / MAX_RAYS));
export const raySines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.sin((2 * Math.PI * k) / MAX_RAYS));
