import * as pose from "../math/pose.js";
import { JointKind, type RobotModel } from "./robot.js";

/**
 * The robot as dynamics sees it: rigid bodies, each a link on a moving joint together with everything fixed to it, and
 * the scratch of the algorithms. Links fixed to the root carry no moving mass and are left out. Bodies are in link order,
 * so a parent comes before its children.
 */
export class DynamicsWorkspace {
  readonly bodyCount: number;
  /** The link a body's joint moves; the body's frame is that link's. [bodyCount] */
  readonly bodyLink: Int32Array;
  /** Body this one hangs on; −1 for the ground. [bodyCount] */
  readonly bodyParent: Int32Array;
  /** Mass [kg]. [bodyCount] */
  readonly mass: Float64Array;
  /** First moment of mass about the body's origin, m·c, in its frame [kg·m]. [3·bodyCount] */
  readonly firstMoment: Float64Array;
  /** Inertia about the body's *origin*, in its frame: xx, xy, xz, yy, yz, zz [kg·m²]. [6·bodyCount] */
  readonly inertia: Float64Array;
  /** The dof a body's joint is; −1 if the joint depends on others. [bodyCount] */
  readonly bodyDof: Int32Array;
  /** Whether some joint depends on other dofs than its own, so that bodies and dofs do not match one to one. */
  readonly isCoupled: boolean;

  /** Acceleration of each link's joint [rad/s² or m/s²]. [linkCount] */
  readonly jointAcceleration: Float64Array;
  /** Velocity, acceleration and force of each body, world axes, at its origin. [6·bodyCount] */
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly force: Float64Array;
  /** Mass, first moment (3), inertia about the origin (xx, xy, xz, yy, yz, zz) in world axes. [10·bodyCount] */
  readonly worldInertia: Float64Array;
  /** Joint axis and vector from the parent's origin, world axes, side by side for the mass matrix. [6·bodyCount] */
  readonly axisOffset: Float64Array;
  /** 1 for a revolute joint. [bodyCount] */
  readonly turns: Uint8Array;
  /** One column of the joint-space mass matrix. [bodyCount] */
  readonly column: Float64Array;
  /** Articulated-body inertia: blocks A (6, symmetric), B (9), D (6, symmetric). [21·bodyCount] */
  readonly articulated: Float64Array;
  /** Articulated-body algorithm: U (6), 1/d, u. [8·bodyCount] */
  readonly joint: Float64Array;
  /** Zero, dof vector and dof matrix for forward dynamics by the reduced mass matrix. */
  readonly zero: Float64Array;
  readonly dofVector: Float64Array;
  readonly dofMatrix: Float64Array;

  constructor(model: RobotModel) {
    const moving = Int32Array.from({ length: model.linkCount }, (_, i) => i).filter((i) => isMoving(model, i));
    const count = moving.length;
    this.bodyCount = count;
    this.bodyLink = moving;
    this.bodyParent = new Int32Array(count);
    this.mass = new Float64Array(count);
    this.firstMoment = new Float64Array(3 * count);
    this.inertia = new Float64Array(6 * count);
    this.#mergeLinks(model);
    this.bodyDof = moving.map((link) => (isIndependent(model, link) ? model.termDof[model.termStart[link]!]! : -1));
    this.isCoupled = this.bodyDof.includes(-1);

    this.jointAcceleration = new Float64Array(model.linkCount);
    this.velocity = new Float64Array(6 * count);
    this.acceleration = new Float64Array(6 * count);
    this.force = new Float64Array(6 * count);
    this.worldInertia = new Float64Array(10 * count);
    this.axisOffset = new Float64Array(6 * count);
    this.turns = Uint8Array.from(moving, (link) => (model.jointKind[link] === JointKind.revolute ? 1 : 0));
    this.column = new Float64Array(count);
    this.articulated = new Float64Array(21 * count);
    this.joint = new Float64Array(8 * count);
    this.zero = new Float64Array(model.dofCount);
    this.dofVector = new Float64Array(model.dofCount);
    this.dofMatrix = new Float64Array(model.dofCount * model.dofCount);
  }

  #mergeLinks(model: RobotModel): void {
    const bodyOfLink = new Int32Array(model.linkCount).fill(-1);
    const bodyFromLink: pose.Pose[] = [];
    let next = 0;
    for (let i = 0; i < model.linkCount; i++) {
      const parent = model.parentLink[i]!;
      bodyFromLink[i] = pose.create();
      if (isMoving(model, i)) {
        this.bodyParent[next] = bodyOfLink[parent]!;
        bodyOfLink[i] = next++;
      } else if (i > 0) {
        bodyOfLink[i] = bodyOfLink[parent]!;
        pose.compose(bodyFromLink[parent]!, model.parentFromJoint[i]!, bodyFromLink[i]!);
      }
      if (bodyOfLink[i]! >= 0) this.#addLink(model, i, bodyOfLink[i]!, bodyFromLink[i]!);
    }
  }

  #addLink(model: RobotModel, link: number, body: number, bodyFromLink: pose.Pose): void {
    const m = model.mass[link]!;
    const R = bodyFromLink;
    const c = model.centreOfMass.subarray(3 * link, 3 * link + 3);
    const I = model.inertia.subarray(9 * link, 9 * link + 9);
    const row = (i: number, v: ArrayLike<number>): number =>
      R[3 * i]! * v[0]! + R[3 * i + 1]! * v[1]! + R[3 * i + 2]! * v[2]!;
    const centre = [0, 1, 2].map((i) => row(i, c) + R[9 + i]!);
    const squared = centre[0]! ** 2 + centre[1]! ** 2 + centre[2]! ** 2;
    this.mass[body] = this.mass[body]! + m;
    let k = 6 * body;
    for (let i = 0; i < 3; i++) {
      this.firstMoment[3 * body + i] = this.firstMoment[3 * body + i]! + m * centre[i]!;
      for (let j = i; j < 3; j++, k++) {
        // (R·I·Rᵀ)ij and the parallel-axis term m·(|c|²·1 − c·cᵀ)ij
        const rotated = row(
          i,
          [0, 1, 2].map((n) => row(j, I.subarray(3 * n, 3 * n + 3))),
        );
        const shifted = m * ((i === j ? squared : 0) - centre[i]! * centre[j]!);
        this.inertia[k] = this.inertia[k]! + rotated + shifted;
      }
    }
  }
}

function isMoving(model: RobotModel, link: number): boolean {
  return link > 0 && model.jointKind[link] !== JointKind.fixed;
}

/** Whether the joint above `link` is a dof of its own: one term, factor 1. */
function isIndependent(model: RobotModel, link: number): boolean {
  const start = model.termStart[link]!;
  return (
    model.termStart[link + 1]! - start === 1 &&
    model.termFactor[start] === 1 &&
    model.dofJoint[model.termDof[start]!] === link
  );
}
