import * as pose from "../math/pose.js";
import { DynamicsWorkspace } from "./dynamics-workspace.js";
import { JointKind, type RobotModel } from "./robot.js";

/**
 * How a joint's motion is computed. Rotations about a coordinate axis of the joint's frame, which nearly every URDF
 * uses, only mix two columns of the rotation matrix; `anyRevolute` is the general case.
 */
export const JointMotionKind = { fixed: 0, aboutX: 1, aboutY: 2, aboutZ: 3, anyRevolute: 4, prismatic: 5 } as const;
export type JointMotionKind = (typeof JointMotionKind)[keyof typeof JointMotionKind];

/**
 * What changes about a robot, all of it allocated here. The caller writes `q` and `qd`, then calls the stages it needs:
 *
 * 1. `forwardKinematics(state)` fills jointPosition, worldFromLink, worldAxis from q;
 * 2. `forwardVelocities(state)` fills jointVelocity, linkVelocity, linkBiasAcceleration from qd, after stage 1.
 *
 * Jacobians, centre of mass and all of dynamics need stage 1; link velocities and J̇·q̇ need stage 2.
 *
 * Spatial vectors have six numbers, the linear part first, in world axes and at the link's origin, so that moving one
 * from link to link is a shift along the line between their origins and never a rotation.
 */
export class RobotState {
  readonly model: RobotModel;

  /** Position of each dof [rad or m]; the caller's. [dofCount] */
  readonly q: Float64Array;
  /** Velocity of each dof [rad/s or m/s]; the caller's. [dofCount] */
  readonly qd: Float64Array;

  /** Position of the joint above each link [rad or m]; stage 1. [linkCount] */
  readonly jointPosition: Float64Array;
  /** Velocity of the joint above each link [rad/s or m/s]; stage 2. [linkCount] */
  readonly jointVelocity: Float64Array;

  /** Pose of each link; views on `linkPoses`. Entry 0 (the root) is the caller's, the identity at first. */
  readonly worldFromLink: readonly pose.Pose[];
  /** All link poses in one array; stage 1. [12·linkCount] */
  readonly linkPoses: Float64Array;
  /** Unit axis of the joint above each link, in world axes; zero for a fixed joint; stage 1. [3·linkCount] */
  readonly worldAxis: Float64Array;

  /** Velocity of each link: of its origin [m/s], then angular [rad/s], in world axes; stage 2. [6·linkCount] */
  readonly linkVelocity: Float64Array;
  /**
   * Acceleration each link has at q̈ = 0, without gravity: of its origin [m/s²] (the classical acceleration of that
   * point), then angular [rad/s²], in world axes; stage 2. [6·linkCount]
   */
  readonly linkBiasAcceleration: Float64Array;

  /** `model.parentFromJoint` in one array. [12·linkCount] */
  readonly placements: Float64Array;
  /** `JointMotionKind` of the joint above each link. [linkCount] */
  readonly motion: Uint8Array;
  /** −1 where the joint turns about a negative coordinate axis, else 1. [linkCount] */
  readonly axisSign: Float64Array;

  /** Sine and cosine of jointPosition; stage 1. [linkCount] */
  readonly sin: Float64Array;
  readonly cos: Float64Array;
  /** Scratch for walking from a link to the root. [linkCount] */
  readonly path: Int32Array;
  /** Bodies and scratch of the dynamics algorithms. */
  readonly dynamics: DynamicsWorkspace;

  constructor(model: RobotModel) {
    const { linkCount, dofCount } = model;
    this.model = model;
    this.q = new Float64Array(dofCount);
    this.qd = new Float64Array(dofCount);
    this.jointPosition = new Float64Array(linkCount);
    this.jointVelocity = new Float64Array(linkCount);
    this.linkPoses = new Float64Array(12 * linkCount);
    this.worldFromLink = Array.from({ length: linkCount }, (_, i) => pose.identity(pose.view(this.linkPoses, 12 * i)));
    this.worldAxis = new Float64Array(3 * linkCount);
    this.linkVelocity = new Float64Array(6 * linkCount);
    this.linkBiasAcceleration = new Float64Array(6 * linkCount);
    this.placements = new Float64Array(12 * linkCount);
    this.motion = new Uint8Array(linkCount);
    this.axisSign = new Float64Array(linkCount);
    for (let i = 0; i < linkCount; i++) {
      this.placements.set(model.parentFromJoint[i]!, 12 * i);
      this.motion[i] = motionOf(model, i);
      const axis = model.jointAxis.subarray(3 * i, 3 * i + 3);
      this.axisSign[i] = axis[0]! + axis[1]! + axis[2]! < 0 ? -1 : 1;
    }
    this.sin = new Float64Array(linkCount);
    this.cos = new Float64Array(linkCount);
    this.path = new Int32Array(linkCount);
    this.dynamics = new DynamicsWorkspace(model);
  }
}

function motionOf(model: RobotModel, link: number): JointMotionKind {
  if (link === 0) return JointMotionKind.fixed;
  const kind = model.jointKind[link];
  if (kind === JointKind.fixed) return JointMotionKind.fixed;
  if (kind === JointKind.prismatic) return JointMotionKind.prismatic;
  for (let axis = 0; axis < 3; axis++) {
    if (Math.abs(model.jointAxis[3 * link + axis]!) === 1) return (JointMotionKind.aboutX + axis) as JointMotionKind;
  }
  return JointMotionKind.anyRevolute;
}
