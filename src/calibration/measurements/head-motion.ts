import { chainSteps } from "../../robot/kinematics/chain-steps.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import {
  addJoint,
  addJointChange,
  carry,
  carryChange,
  MOTION_SIZE,
  type NeckMotion,
  restUnderGravity,
  rotateBack,
} from "./spatial-motion.js";

/**
 * Motion of the head in its own axes while the neck moves on a standing body: angular velocity and acceleration, and the
 * origin's acceleration less gravity (what an accelerometer there feels), laid out as in `spatial-motion.ts`. By the outward
 * recursion of Newton and Euler: with E from the parent's axes to the child's, r the joint's place in the parent and z its
 * axis,
 *
 *   ω = E·ω_p + z·q̇,   α = E·α_p + (E·ω_p) × z·q̇ + z·q̈,   a = E·(a_p + α_p × r + ω_p × (ω_p × r)),
 *
 * from ω = α = 0, a = −g at the root. `differentiate` carries a change of the joints' motion through the same recursion.
 */
export class HeadMotion {
  readonly jointCount: number;
  /** Of the head; `evaluate`. */
  readonly motion = new Float64Array(MOTION_SIZE);
  /** Of the head; `differentiate`. */
  readonly change = new Float64Array(MOTION_SIZE);
  /** Where each joint sits on the one before, z along its axis, then the head on the last one; poses. */
  readonly #places: readonly Float64Array[];
  readonly #offsets: Float64Array;
  /** Of each step: rotation parent-from-child, and the motion before it and between its rotation and its own motion. */
  readonly #rotations: readonly Float64Array[];
  readonly #before: readonly Float64Array[];
  readonly #carried: readonly Float64Array[];
  readonly #speeds: Float64Array;
  /** Handed on in an array: a number would be boxed. */
  readonly #angle = new Float64Array(1);

  /** @param posture position of every dof; those of the neck do not count */
  constructor({ robot, neck, headLink }: CalibrationRig, posture: Float64Array) {
    const { steps, tail } = chainSteps(robot.model, 0, headLink, [...neck.dofs], posture);
    this.jointCount = steps.length;
    this.#places = [...steps.map(({ placement }) => placement), tail];
    this.#offsets = Float64Array.from(steps, ({ offset }) => offset);
    this.#rotations = this.#places.map((place) => place.slice(0, 9));
    this.#before = this.#places.map(() => new Float64Array(MOTION_SIZE));
    this.#carried = steps.map(() => new Float64Array(MOTION_SIZE));
    this.#speeds = new Float64Array(steps.length);
  }

  /** @param gravity acceleration in root axes [m/s²] */
  evaluate({ q, qd, qdd }: NeckMotion, gravity: Float64Array): void {
    const { motion, jointCount: n } = this;
    restUnderGravity(gravity, motion);
    for (let s = 0; s < n; s++) {
      this.#before[s]!.set(motion);
      this.#angle[0] = q[s]! + this.#offsets[s]!;
      turnAboutZ(this.#places[s]!, this.#angle, this.#rotations[s]!);
      carry(motion, this.#places[s]!, this.#rotations[s]!, motion);
      this.#carried[s]!.set(motion);
      this.#speeds[s] = qd[s]!;
      addJoint(motion, qd, qdd, s);
    }
    this.#before[n]!.set(motion);
    carry(motion, this.#places[n]!, this.#rotations[n]!, motion);
  }

  /** What changes of the joints' q, q̇ and q̈ do to the motion of the last `evaluate`, to `change`. */
  differentiate(joints: Omit<NeckMotion, "qddd">): void {
    const { change, jointCount: n } = this;
    change.fill(0);
    for (let s = 0; s < n; s++) {
      carryChange(change, this.#before[s]!, this.#places[s]!, this.#rotations[s]!, change);
      addJointChange(change, this.#carried[s]!, this.#speeds, joints, s);
    }
    carryChange(change, this.#before[n]!, this.#places[n]!, this.#rotations[n]!, change);
  }

  /** A vector in root axes to the head's, at the last `evaluate`; `out` may be the vector. */
  toHeadAxes(vector: Float64Array, out: Float64Array): void {
    out.set(vector);
    for (let s = 0; s <= this.jointCount; s++) rotateBack(this.#rotations[s]!, out, 0, out, 0);
  }
}

/** Rotation of `place` followed by a turn about z, to the nine numbers of `out`. */
function turnAboutZ(place: Float64Array, angle: Float64Array, out: Float64Array): void {
  const s = Math.sin(angle[0]!);
  const c = Math.cos(angle[0]!);
  for (let row = 0; row < 9; row += 3) {
    const x = place[row]!;
    const y = place[row + 1]!;
    out[row] = c * x + s * y;
    out[row + 1] = c * y - s * x;
    out[row + 2] = place[row + 2]!;
  }
}
