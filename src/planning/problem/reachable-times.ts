import type { FlightPath } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import type { CatchArm } from "./catch-arm.js";

export interface TimeWindow {
  from: number;
  to: number;
}

/** Samples of the path; at 8 m/s and 1.8 s they are 15 cm apart. */
const SAMPLES = 96;

const ball = vec3.create();

/**
 * The times between `earliest` and `latest` at which the ball is within the sphere that the stretched arm can reach, from
 * the first to the last (a path may leave the sphere in between, but not a thrown ball's). False if there are none.
 */
export function findReachableTimes(
  path: FlightPath,
  arm: CatchArm,
  earliest: number,
  latest: number,
  out: TimeWindow,
): boolean {
  if (!(latest >= earliest)) return false;
  const step = (latest - earliest) / (SAMPLES - 1);
  let first = -1;
  let last = -1;
  for (let k = 0; k < SAMPLES; k++) {
    if (vec3.distance(path.position(earliest + k * step, ball), arm.reachCentre) > arm.reach) continue;
    if (first < 0) first = k;
    last = k;
  }
  if (first < 0) return false;
  // The ball enters and leaves between two samples.
  out.from = Math.max(earliest, earliest + (first - 0.5) * step);
  out.to = Math.min(latest, earliest + (last + 0.5) * step);
  return true;
}

/** A sphere that contains every position of the arm's tip, about its first joint. */
export function reachOf(centre: vec3.Vec3, jointOrigins: Float64Array, tip: vec3.Vec3): number {
  let reach = 0;
  const before = vec3.copy(centre, vec3.create());
  for (let j = 0; j < jointOrigins.length; j += 3) {
    const joint = vec3.create(jointOrigins[j]!, jointOrigins[j + 1]!, jointOrigins[j + 2]!);
    reach += vec3.distance(before, joint);
    vec3.copy(joint, before);
  }
  return reach + vec3.distance(before, tip);
}
