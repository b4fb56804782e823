import { degrees } from "../../math/angle.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KinematicChain } from "../kinematics/chain.js";
import { JointKind } from "../robot.js";

/**
 * A spherical–revolute–spherical arm at q = 0, in the base's frame: axes 1–3 meet in the shoulder, axes 5–7 in the
 * wrist, neighbouring ones at right angles; axis 4, the elbow, lies anywhere between.
 */
export interface SrsGeometry {
  /** Unit axes in the direction of positive dofs. */
  readonly axes: readonly vec3.Vec3[];
  /** Position in q of each joint from base to tip. */
  readonly order: readonly number[];
  readonly shoulder: vec3.Vec3;
  readonly wrist: vec3.Vec3;
  /** The point of axis 4 nearest to the shoulder. */
  readonly elbow: vec3.Vec3;
  readonly baseFromTip: pose.Pose;
  /** How far the axes miss this ideal [m, rad]; the closed form is as wrong. */
  readonly error: number;
}

type SrsGeometryResult =
  | { readonly ok: true; readonly geometry: SrsGeometry }
  | { readonly ok: false; readonly reason: string };

/**
 * How far axes may miss a common point [m] or the right angle [rad]: what a URDF with `rpy="1.5708 0 0"` or a calibration
 * may do, and no offset that was meant. The solver makes up for it.
 */
const GEOMETRY_TOLERANCE = 1e-4;

/** Least distance of shoulder and wrist from the elbow's axis [m]: below it the elbow's angle hardly matters. */
const SHORTEST_LEVER = 1e-3;

/** Reads the geometry off a chain, or says why it is none. Leaves the chain updated to q = 0. */
export function srsGeometry(chain: KinematicChain): SrsGeometryResult {
  const { steps, model } = chain;
  if (steps.length !== 7 || chain.dofCount !== 7) {
    return refuse(`it has ${steps.length} moving joints and ${chain.dofCount} dofs, and not 7 of each`);
  }
  for (const step of steps) {
    const name = model.jointNames[step.link];
    if (step.kind !== JointKind.revolute) return refuse(`joint ${name} does not turn`);
    if (step.terms.length !== 1 || Math.abs(step.terms[0]!.factor) !== 1) return refuse(`joint ${name} is coupled`);
  }
  const order = steps.map((step) => step.terms[0]!.dof);
  if (new Set(order).size !== 7) return refuse("one dof moves two of its joints");

  chain.update(new Float64Array(7));
  const point = (i: number): vec3.Vec3 =>
    vec3.copy(chain.jointOrigin.subarray(3 * i, 3 * i + 3) as vec3.Vec3, vec3.create());
  const axes = steps.map((step, i) =>
    vec3.scale(chain.jointAxis.subarray(3 * i, 3 * i + 3) as vec3.Vec3, step.terms[0]!.factor, vec3.create()),
  );
  const shoulder = meet([0, 1, 2].map(point), axes.slice(0, 3));
  const wrist = meet([4, 5, 6].map(point), axes.slice(4));
  for (const [name, { skew, miss }] of [
    ["shoulder's axes (joints 1–3)", shoulder],
    ["wrist's axes (joints 5–7)", wrist],
  ] as const) {
    if (!(skew <= GEOMETRY_TOLERANCE))
      return refuse(`the ${name} are ${degrees(skew).toPrecision(3)}° off right angles`);
    if (!(miss <= GEOMETRY_TOLERANCE)) return refuse(`the ${name} miss a common point by ${miss.toPrecision(3)} m`);
  }
  const elbow = nearestOnLine(point(3), axes[3]!, shoulder.point);
  const lever = (end: vec3.Vec3): number => vec3.distance(nearestOnLine(elbow, axes[3]!, end), end);
  if (lever(shoulder.point) < SHORTEST_LEVER) return refuse("the elbow's axis passes through the shoulder");
  if (lever(wrist.point) < SHORTEST_LEVER) return refuse("the elbow's axis passes through the wrist");
  const error = Math.max(shoulder.skew, shoulder.miss, wrist.skew, wrist.miss);
  const baseFromTip = pose.copy(chain.baseFromTip, pose.create());
  return {
    ok: true,
    geometry: { axes, order, shoulder: shoulder.point, wrist: wrist.point, elbow, baseFromTip, error },
  };
}

function refuse(reason: string): SrsGeometryResult {
  return { ok: false, reason };
}

interface Meeting {
  readonly point: vec3.Vec3;
  /** Greatest distance of the point from a line [m]. */
  readonly miss: number;
  /** How far neighbouring lines are from right angles [rad]. */
  readonly skew: number;
}

/** The point nearest to three lines. */
function meet(points: readonly vec3.Vec3[], axes: readonly vec3.Vec3[]): Meeting {
  const [first, second, third] = axes as [vec3.Vec3, vec3.Vec3, vec3.Vec3];
  const skew = Math.asin(Math.min(1, Math.max(Math.abs(vec3.dot(first, second)), Math.abs(vec3.dot(second, third)))));
  // Least squares: Σ (1 − w·wᵀ)·x = Σ (1 − w·wᵀ)·p
  const sum = new Float64Array(9) as mat3.Mat3;
  const right = vec3.create();
  axes.forEach((w, n) => {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const entry = (i === j ? 1 : 0) - w[i]! * w[j]!;
        sum[3 * i + j] = sum[3 * i + j]! + entry;
        right[i] = right[i]! + entry * points[n]![j]!;
      }
    }
  });
  // Parallel lines have no such point; `skew` tells.
  mat3.invert(sum, sum);
  const point = mat3.transform(sum, right, vec3.create());
  const misses = axes.map((w, n) => vec3.distance(nearestOnLine(points[n]!, w, point), point));
  return { point, miss: Math.max(...misses), skew };
}

function nearestOnLine(point: vec3.Vec3, axis: vec3.Vec3, target: vec3.Vec3): vec3.Vec3 {
  const along = vec3.dot(axis, vec3.subtract(target, point, vec3.create()));
  return vec3.addScaled(point, axis, along, vec3.create());
}
