import * as vec3 from "../math/vec3.js";
import type { FlightPath } from "./ball.js";

/** The points x with normal·x = offset. */
export interface Plane {
  readonly normal: vec3.Vec3;
  /** [m], if the normal is a unit vector */
  readonly offset: number;
}

/** Where and when a flight crosses a plane. */
export interface PlaneCrossing {
  /** [s] */
  time: number;
  /** [m] */
  readonly position: vec3.Vec3;
  /** [m/s] */
  readonly velocity: vec3.Vec3;
}

export function createPlaneCrossing(): PlaneCrossing {
  return { time: Number.NaN, position: vec3.create(), velocity: vec3.create() };
}

/** The flight is looked at this often [s]: a crossing to and fro in between dips less than 0.5 mm into the plane. */
const SCAN_STEP = 0.02;

/** Newton's steps, halving the bracket when one leaves it. More than enough for 1e-15 s. */
const GREATEST_ITERATIONS = 60;

/**
 * First crossing of `plane` in [from, to], in either direction; false, with `out` unspecified, if there is none.
 */
export function crossPlane(path: FlightPath, plane: Plane, from: number, to: number, out: PlaneCrossing): boolean {
  let previous = from;
  let sideBefore = signedDistance(path, plane, from, out);
  const steps = Math.max(1, Math.ceil((to - from) / SCAN_STEP));
  for (let k = 1; k <= steps; k++) {
    const t = k === steps ? to : from + k * SCAN_STEP;
    const side = signedDistance(path, plane, t, out);
    if (sideBefore * side <= 0) {
      refine(path, plane, previous, t, sideBefore, out);
      return true;
    }
    previous = t;
    sideBefore = side;
  }
  return false;
}

function signedDistance(path: FlightPath, plane: Plane, t: number, scratch: PlaneCrossing): number {
  return vec3.dot(path.position(t, scratch.position), plane.normal) - plane.offset;
}

/** Newton's method on the distance, kept within the bracket [low, high]. */
function refine(path: FlightPath, plane: Plane, low: number, high: number, sideLow: number, out: PlaneCrossing): void {
  let t = 0.5 * (low + high);
  for (let k = 0; k < GREATEST_ITERATIONS; k++) {
    const side = signedDistance(path, plane, t, out);
    if (side * sideLow > 0) low = t;
    else high = t;
    const newton = t - side / vec3.dot(path.velocity(t, out.velocity), plane.normal);
    const next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
    if (Math.abs(next - t) <= 1e-15 * (1 + Math.abs(t))) break;
    t = next;
  }
  out.time = t;
  path.position(t, out.position);
  path.velocity(t, out.velocity);
}
