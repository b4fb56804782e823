import type { FlightPath } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";

/** Where a path comes nearest to a point. */
export interface NearestApproach {
  /** [s] */
  time: number;
  /** [m] */
  distance: number;
  readonly position: vec3.Vec3;
}

export function createNearestApproach(): NearestApproach {
  return { time: Number.NaN, distance: Number.POSITIVE_INFINITY, position: vec3.create() };
}

/** Samples of the path; a thrown ball comes nearest once, so the neighbours of the nearest sample enclose it. */
const SAMPLES = 64;
/** Steps of the golden section: they leave 1e-8 of a sample's interval. */
const SECTIONS = 40;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The nearest approach of `path` to `point` over [from, to], to `out`; the interval must not be empty. */
export function findNearestApproach(
  path: FlightPath,
  point: vec3.Vec3,
  from: number,
  to: number,
  out: NearestApproach,
): NearestApproach {
  const step = (to - from) / (SAMPLES - 1);
  const distance = (t: number): number => vec3.distance(path.position(t, out.position), point);
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < SAMPLES; k++) {
    const d = distance(from + k * step);
    if (!(d < least)) continue;
    least = d;
    nearest = k;
  }
  let low = from + Math.max(0, nearest - 1) * step;
  let high = from + Math.min(SAMPLES - 1, nearest + 1) * step;
  for (let k = 0; k < SECTIONS; k++) {
    const width = GOLDEN * (high - low);
    if (distance(high - width) < distance(low + width)) high = low + width;
    else low = high - width;
  }
  out.time = (low + high) / 2;
  out.distance = distance(out.time);
  return out;
}
