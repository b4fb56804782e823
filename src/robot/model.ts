import type { Pose } from "../math/pose.js";
import type { GroupKind } from "./sidecar/sidecar-schema.js";

/**
 * A robot as constant data: a tree of links, the joints between them, and what limits them. Built once by `loadRobot`
 * or `buildModel`, never changed afterwards; everything that changes lives in `RobotState`.
 *
 * Order. Links are sorted so that a parent comes before its children; link 0 is the root. Every other link `i` hangs on
 * exactly one joint, and that joint has the same index `i` (entry 0 of the joint arrays is unused: fixed, identity).
 *
 * Degrees of freedom ("dofs"). A dof is an independent coordinate: one per joint that is neither fixed nor dependent, in
 * link order. This is the *model order* of q, q̇ and τ everywhere. The position of joint i is
 * Σ factor·q[dof] + offset over its terms: one term with factor 1 for an independent joint, several for a coupled one
 * (URDF `mimic` or the sidecar's `couplings`), none for a fixed one.
 */
export interface RobotModel {
  readonly name: string;
  readonly linkCount: number;
  readonly dofCount: number;
  readonly linkNames: readonly string[];
  /** Name of the joint above link i; "" for the root. */
  readonly jointNames: readonly string[];
  /** Name of each dof: that of its joint. */
  readonly dofNames: readonly string[];

  /** Parent link of link i; −1 for the root. [linkCount] */
  readonly parentLink: Int32Array;
  /** `JointKind` of the joint above link i. [linkCount] */
  readonly jointKind: Uint8Array;
  /** Unit axis of the joint above link i, in the joint's own frame. [3·linkCount] */
  readonly jointAxis: Float64Array;
  /** Pose of the joint's frame in its parent link, the joint at zero. [linkCount] */
  readonly parentFromJoint: readonly Pose[];

  /** Joint i's terms are termStart[i] … termStart[i+1] − 1 of `termDof`, `termFactor`. [linkCount + 1] */
  readonly termStart: Int32Array;
  readonly termDof: Int32Array;
  readonly termFactor: Float64Array;
  /** Constant part of joint i's position [rad or m]. [linkCount] */
  readonly jointOffset: Float64Array;
  /** Joint (= link index) a dof belongs to. [dofCount] */
  readonly dofJoint: Int32Array;

  /** Mass of link i [kg]. [linkCount] */
  readonly mass: Float64Array;
  /** Centre of mass of link i in the link's frame [m]. [3·linkCount] */
  readonly centreOfMass: Float64Array;
  /** Rotational inertia of link i about its centre of mass, in the link's axes, row-major [kg·m²]. [9·linkCount] */
  readonly inertia: Float64Array;

  /** Limits per joint, for dependent joints too; ±Infinity where there is none. [linkCount] */
  readonly jointLower: Float64Array;
  readonly jointUpper: Float64Array;
  /** Limits per dof: position [rad or m], speed, acceleration, effort; ±Infinity where unknown. [dofCount] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxEffort: Float64Array;

  readonly groups: readonly JointGroup[];
}

export const JointKind = { fixed: 0, revolute: 1, prismatic: 2 } as const;
export type JointKind = (typeof JointKind)[keyof typeof JointKind];

/** A named set of dofs that move together, and the two links between which they act. */
export interface JointGroup {
  readonly name: string;
  /** Dof indices, from base to tip. */
  readonly dofs: readonly number[];
  readonly baseLink: number;
  readonly tipLink: number;
  readonly kind?: GroupKind;
  /** Name of the hand at the tip. */
  readonly hand?: string;
}
