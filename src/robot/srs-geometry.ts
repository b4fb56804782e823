import type { Mat3 } from "../math/mat3.js";
import * as mat3 from "../math/mat3.js";
import type { Pose } from "../math/pose.js";
import * as pose from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import type { KinematicChain } from "./chain.js";
import { JointKind } from "./model.js";

/**
 * A spherical–revolute–spherical arm at q = 0, in the base's frame: axes 1–3 meet in the shoulder, axes 5–7 in the
 * wrist, neighbouring ones at right angles; axis 4, the elbow, lies anywhere between.
 */
export interface SrsGeometry {
  /** Unit axes in the direction of positive dofs. */
  readonly axes: readonly Vec3[];
  /** Position in q of each joint from base to tip. */
  readonly order: readonly number[];
  readonly shoulder: Vec3;
  readonly wrist: Vec3;
  /** The point of axis 4 nearest to the shoulder. */
  readonly elbow: Vec3;
  readonly baseFromTip: Pose;
}

export type SrsGeometryResult =
  | { readonly ok: true; readonly geometry: SrsGeometry }
  | { readonly ok: false; readonly reason: string };

/**
 * How far axes may miss a common point [m] or the right angle [rad]. The solutions err by as much, so this admits the
 * rounding of a URDF written with ten digits and no offset that was meant.
 */
const GEOMETRY_TOLERANCE = 1e-8;

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
  const point = (i: number): Vec3 => vec3.copy(chain.jointOrigin.subarray(3 * i, 3 * i + 3) as Vec3, vec3.create());
  const axes = steps.map((step, i) =>
    vec3.scale(chain.jointAxis.subarray(3 * i, 3 * i + 3) as Vec3, step.terms[0]!.factor, vec3.create()),
  );
  const shoulder = vec3.create();
  const wrist = vec3.create();
  for (const [first, name, meeting] of [
    [0, "shoulder", shoulder],
    [4, "wrist", wrist],
  ] as const) {
    const indices = [first, first + 1, first + 2];
    const reason = meet(
      indices.map(point),
      indices.map((i) => axes[i]!),
      meeting,
    );
    if (reason !== undefined) return refuse(`the ${name}'s axes (joints ${first + 1}–${first + 3}) ${reason}`);
  }
  const elbow = nearestOnLine(point(3), axes[3]!, shoulder);
  if (vec3.distance(elbow, shoulder) < GEOMETRY_TOLERANCE)
    return refuse("the elbow's axis passes through the shoulder");
  if (vec3.distance(nearestOnLine(elbow, axes[3]!, wrist), wrist) < GEOMETRY_TOLERANCE) {
    return refuse("the elbow's axis passes through the wrist");
  }
  const baseFromTip = pose.copy(chain.baseFromTip, pose.create());
  return { ok: true, geometry: { axes, order, shoulder, wrist, elbow, baseFromTip } };
}

function refuse(reason: string): SrsGeometryResult {
  return { ok: false, reason };
}

/** Writes the point where three lines meet at right angles to `out`, or says why they do not. */
function meet(points: readonly Vec3[], axes: readonly Vec3[], out: Vec3): string | undefined {
  for (let i = 0; i < 2; i++) {
    const cosine = Math.abs(vec3.dot(axes[i]!, axes[i + 1]!));
    if (!(cosine <= GEOMETRY_TOLERANCE)) {
      return `are not at right angles: ${((Math.acos(Math.min(cosine, 1)) * 180) / Math.PI).toFixed(4)}°`;
    }
  }
  // Least squares: Σ (1 − w·wᵀ)·x = Σ (1 − w·wᵀ)·p. Regular, as the axes are not all parallel.
  const sum = new Float64Array(9) as Mat3;
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
  mat3.invert(sum, sum);
  mat3.transform(sum, right, out);
  const misses = axes.map((w, n) => vec3.distance(nearestOnLine(points[n]!, w, out), out));
  const worst = Math.max(...misses);
  return worst <= GEOMETRY_TOLERANCE
    ? undefined
    : `do not meet in one point: they miss it by ${worst.toPrecision(3)} m`;
}

function nearestOnLine(point: Vec3, axis: Vec3, target: Vec3): Vec3 {
  const along = vec3.dot(axis, vec3.subtract(target, point, vec3.create()));
  return vec3.addScaled(point, axis, along, vec3.create());
}
