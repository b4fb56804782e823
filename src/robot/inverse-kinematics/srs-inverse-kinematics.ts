import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KinematicChain } from "../kinematics/chain.js";
import { DampedInverseKinematics, DampedStatus } from "./damped-inverse-kinematics.js";
import { JointRange, SphericalJoint } from "./spherical-joint.js";
import { SrsElbow } from "./srs-elbow.js";
import { type SrsGeometry, srsGeometry } from "./srs-geometry.js";

type SrsArmResult = { readonly ok: true; readonly arm: SrsArm } | { readonly ok: false; readonly reason: string };

/** Geometry error [m, rad] from which on the closed form is corrected: well below any tolerance asked of it. */
const REFINED_FROM = 1e-10;

interface SrsArmOptions {
  /** Direction in the base's frame on whose side the elbow is at elbow angle 0. The default is that of axis 1. */
  readonly elbowReference?: vec3.Vec3;
}

/**
 * Analytic inverse kinematics of a spherical–revolute–spherical arm with seven joints, after Shimizu, Kakuya, Yoon,
 * Kitagaki and Kosuge, *Analytical Inverse Kinematic Computation for 7-DOF Redundant Manipulators with Joint Limits*
 * (2008), in a form that holds for any zero positions of the joints.
 *
 * The elbow angle ψ is the arm's one redundancy: it turns the elbow about the line from shoulder to wrist. At ψ = 0 the
 * elbow is on the side of the reference direction; positive ψ turns it about the direction from shoulder to wrist. Along
 * the reference itself ψ has no natural zero and jumps. For given ψ there are up to eight solutions: two ways for the
 * elbow (its joint on either side of stretched), two for the shoulder, two for the wrist.
 *
 * An arm whose axes miss the ideal by up to 0.1 mm or 0.1 mrad (a rounded URDF, a calibration) is accepted: there every
 * solution is corrected by a few damped steps, some microseconds each, and its elbow angle is off by as much.
 *
 * @example
 * const result = SrsArm.fromChain(chain);
 * if (!result.ok) throw new Error(result.reason);
 * const solutions = new Float64Array(SrsArm.maxSolutions * SrsArm.jointCount);
 * const count = result.arm.solve(chestFromHand, 0.3, solutions);
 */
export class SrsArm {
  static readonly maxSolutions = 8;
  static readonly jointCount = 7;

  /** Shoulder in the base's frame [m]. */
  readonly shoulder: vec3.Vec3;
  /** Wrist in the tip's frame [m]. */
  readonly tipWrist: vec3.Vec3;
  /** Distances shoulder–elbow and elbow–wrist [m]. */
  readonly upperLength: number;
  readonly lowerLength: number;
  /** Branch of each solution of the last `solve`: bit 0 elbow, bit 1 shoulder, bit 2 wrist. [8] */
  readonly branches = new Uint8Array(SrsArm.maxSolutions);

  readonly #axes: readonly vec3.Vec3[];
  readonly #order: Int32Array;
  readonly #range: JointRange;
  readonly #shoulderJoint: SphericalJoint;
  readonly #elbow: SrsElbow;
  readonly #wristJoint: SphericalJoint;
  /** (Rotation of the tip at q = 0)ᵀ · right-hand matrix of the wrist. */
  readonly #wristRight: mat3.Mat3;
  readonly #line = vec3.create();
  readonly #shoulderRotation = mat3.create();
  readonly #tipRotation = mat3.create();
  readonly #Q = mat3.create();
  /** Corrects the closed form where the geometry is not exactly the ideal one. */
  readonly #refinement: DampedInverseKinematics | undefined;
  readonly #seed = new Float64Array(SrsArm.jointCount);

  /** The arm of a chain of seven dofs, or the reason why its geometry is not this one. Updates the chain to q = 0. */
  static fromChain(chain: KinematicChain, options: SrsArmOptions = {}): SrsArmResult {
    const result = srsGeometry(chain);
    if (!result.ok) return result;
    const { order, axes } = result.geometry;
    const range = new JointRange(
      order.map((dof) => chain.lower[dof]!),
      order.map((dof) => chain.upper[dof]!),
    );
    return { ok: true, arm: new SrsArm(chain, result.geometry, range, options.elbowReference ?? axes[0]!) };
  }

  private constructor(chain: KinematicChain, geometry: SrsGeometry, range: JointRange, reference: vec3.Vec3) {
    const { axes, shoulder, elbow, wrist, baseFromTip } = geometry;
    this.shoulder = shoulder;
    this.tipWrist = pose.transformPointInverse(baseFromTip, wrist, vec3.create());
    this.upperLength = vec3.distance(shoulder, elbow);
    this.lowerLength = vec3.distance(elbow, wrist);
    this.#axes = axes;
    this.#order = Int32Array.from(geometry.order);
    this.#range = range;
    this.#shoulderJoint = new SphericalJoint(axes[0]!, axes[1]!, axes[2]!, range, 0);
    this.#elbow = new SrsElbow(geometry, reference);
    this.#wristJoint = new SphericalJoint(axes[4]!, axes[5]!, axes[6]!, range, 4);
    this.#wristRight = mat3.multiplyTransposed(baseFromTip, this.#wristJoint.right, mat3.create());
    this.#refinement = geometry.error > REFINED_FROM ? new DampedInverseKinematics(chain.clone()) : undefined;
  }

  /**
   * All configurations within the joint limits that bring the tip to `target` (base-from-tip) with the elbow at
   * `elbowAngle` [rad]: written one after the other to `out` [8·7], in the chain's order of dofs; returns how many.
   * Angles are turned by 2π to where they are nearest to the middle of their range. 0 if out of reach; never NaN.
   *
   * Where the shoulder's or the wrist's outer axes line up, only the sum of their angles is determined, and one pair of
   * the many is given. With the arm stretched the two elbow branches have the same q4 but are still two: the elbow's
   * axis points either way.
   */
  solve(target: pose.Pose, elbowAngle: number, out: Float64Array): number {
    const elbow = this.#elbow;
    const line = pose.transformPoint(target, this.tipWrist, this.#line);
    vec3.subtract(line, this.shoulder, line);
    if (!elbow.aim(line, elbowAngle)) return 0;
    mat3.multiply(target, this.#wristRight, this.#tipRotation);
    let count = 0;
    for (let branch = 0; branch < 2; branch++) {
      if (this.#range.fit(3, elbow.angles, branch)) count = this.#solveSpherical(branch, count, out);
    }
    return this.#refinement === undefined ? count : this.#refine(this.#refinement, target, count, out);
  }

  /** The elbow angle of a configuration in the chain's order of dofs, in (−π, π] [rad]. */
  elbowAngleOf(q: Float64Array): number {
    const order = this.#order;
    const R = mat3.fromAxisAngle(this.#axes[0]!, q[order[0]!]!, this.#shoulderRotation);
    for (let joint = 1; joint < 3; joint++) {
      mat3.multiply(R, mat3.fromAxisAngle(this.#axes[joint]!, q[order[joint]!]!, this.#Q), R);
    }
    return this.#elbow.elbowAngle(q, order[3]!, R);
  }

  /** Shoulder and wrist for one of the elbow's branches: up to four solutions. */
  #solveSpherical(branch: number, count: number, out: Float64Array): number {
    const elbow = this.#elbow;
    const shoulder = this.#shoulderJoint;
    const wrist = this.#wristJoint;
    const Q = this.#Q;
    elbow.turn(branch);
    const R = mat3.multiply(elbow.wanted, elbow.atZero, this.#shoulderRotation);
    mat3.multiply(mat3.multiply(shoulder.left, R, Q), shoulder.right, Q);
    if (!shoulder.solve(Q)) return count;
    // Rot(w5)·Rot(w6)·Rot(w7) = Rot(w4)ᵀ · Rᵀ · tip · tip0ᵀ
    mat3.multiplyTransposed(elbow.rotation, mat3.multiplyTransposed(R, this.#tipRotation, Q), Q);
    mat3.multiply(wrist.left, Q, Q);
    if (!wrist.solve(Q)) return count;
    for (let s = 0; s < 2; s++) {
      for (let w = 0; w < 2; w++) {
        if (shoulder.valid[s] === 0 || wrist.valid[w] === 0) continue;
        this.branches[count] = branch + 2 * s + 4 * w;
        this.#write(branch, s, w, SrsArm.jointCount * count++, out);
      }
    }
    return count;
  }

  /** Newton steps from each solution; one that a joint limit keeps from the target is dropped. */
  #refine(refinement: DampedInverseKinematics, target: pose.Pose, count: number, out: Float64Array): number {
    const n = SrsArm.jointCount;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < n; i++) this.#seed[i] = out[n * k + i]!;
      if (refinement.solve(target, this.#seed, this.#seed) !== DampedStatus.converged) continue;
      for (let i = 0; i < n; i++) out[n * kept + i] = this.#seed[i]!;
      this.branches[kept++] = this.branches[k]!;
    }
    return kept;
  }

  #write(branch: number, s: number, w: number, at: number, out: Float64Array): void {
    const order = this.#order;
    for (let i = 0; i < 3; i++) {
      out[at + order[i]!] = this.#shoulderJoint.angles[3 * s + i]!;
      out[at + order[4 + i]!] = this.#wristJoint.angles[3 * w + i]!;
    }
    out[at + order[3]!] = this.#elbow.angles[branch]!;
  }
}
