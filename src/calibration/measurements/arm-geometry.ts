import { STANDARD_GRAVITY } from "../../flight/ball.js";
import { QrWorkspace } from "../../math/qr.js";
import * as vec3 from "../../math/vec3.js";
import { carriedMass, centreOfMass, forwardKinematics } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { ParameterBlock } from "../parameters/parameter-block.js";
import type { ArmParameters, RobotParameters } from "../parameters/robot-parameters.js";

/** The deflection under load is iterated to this [rad]; each iteration gains a factor of about a hundred. */
const DEFLECTION_TOLERANCE = 1e-13;
const MAX_ITERATIONS = 20;

/** Where the loads come from: the dynamics model at the place found, or measured holding torques. */
export type LoadSource = "model" | "measured";

/** An arm that stands. */
export interface ArmPosture {
  /** Measured positions of the arm's joints [rad]. */
  readonly positions: Float64Array;
  /** Measured holding torques of the arm's joints [N·m]; used where the loads are measured. */
  readonly torques: Float64Array;
}

/**
 * Where the marker of a standing arm is in the root frame, and how that depends on the arm's parameters.
 *
 * A joint bends under its load: p = q + offset + compliance·load(p), the load being what gravity exerts about the joint
 * (the opposite of the holding torque). With H = ∂load/∂p, symmetric, H_ij = M_d·g·(z_p × (z_d × (c_d − o_d))) where d is
 * the outer and p the inner of the two joints, M_d and c_d mass and centre of what d carries,
 *
 *   ∂p = (1 − C·H)⁻¹ · (∂offset + load·∂compliance + C·∂load/∂g·∂g).
 */
export class ArmGeometry {
  readonly jointCount: number;
  /** In root [m]. */
  readonly point = vec3.create();
  /** ∂point/∂(offsets, compliances, marker, gravity), row-major 3 × `width`. */
  readonly jacobian: Float64Array;
  readonly width: number;
  /** Gravity's torque about each joint [N·m]. */
  readonly loads: Float64Array;
  readonly #arm: ArmParameters;
  readonly #gravity: ParameterBlock;
  readonly #state: RobotState;
  readonly #dofs: readonly number[];
  readonly #links: Int32Array;
  readonly #markerLink: number;
  readonly #masses: Float64Array;
  readonly #source: LoadSource;
  /** z × (c − o) · M of each joint: what gravity's torque is the product of with g. [3·jointCount] */
  readonly #levers: Float64Array;
  readonly #system: Float64Array;
  readonly #qr: QrWorkspace;
  readonly #column: Float64Array;
  /** (1 − C·H)⁻¹, column by column. */
  readonly #response: Float64Array;
  readonly #centre = vec3.create();

  /**
   * @param arm index of the rig's arms
   * @param posture position of every dof; those of neck and arms do not count
   */
  constructor(
    { robot, arms }: CalibrationRig,
    arm: number,
    parameters: RobotParameters,
    posture: Float64Array,
    source: LoadSource,
  ) {
    const { model } = robot;
    const { group, marker } = arms[arm]!;
    const n = group.dofs.length;
    this.jointCount = n;
    this.width = 2 * n + 5;
    this.jacobian = new Float64Array(3 * this.width);
    this.loads = new Float64Array(n);
    this.#arm = parameters.arms[arm]!;
    this.#gravity = parameters.gravity;
    this.#source = source;
    this.#state = new RobotState(model);
    this.#state.q.set(posture);
    this.#dofs = group.dofs;
    this.#links = Int32Array.from(group.dofs, (dof) => model.dofJoint[dof]!);
    this.#markerLink = marker.link;
    this.#masses = Float64Array.from(this.#links, (link) => carriedMass(model, link));
    this.#levers = new Float64Array(3 * n);
    this.#system = new Float64Array(n * n);
    this.#qr = new QrWorkspace(n, n);
    this.#column = new Float64Array(n);
    this.#response = new Float64Array(n * n);
  }

  evaluate(posture: ArmPosture): void {
    this.#settle(posture);
    this.#placePoint();
    this.#respond();
    this.#differentiate();
  }

  /** Finds the positions under load. */
  #settle({ positions, torques }: ArmPosture): void {
    const { q } = this.#state;
    const offsets = this.#arm.offsets.value;
    const compliances = this.#arm.compliances.value;
    this.loads.fill(0);
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      let moved = 0;
      for (let i = 0; i < this.jointCount; i++) {
        const place = positions[i]! + offsets[i]! + compliances[i]! * this.loads[i]!;
        moved = Math.max(moved, Math.abs(place - q[this.#dofs[i]!]!));
        q[this.#dofs[i]!] = place;
      }
      forwardKinematics(this.#state);
      this.#measureLoads();
      if (this.#source === "measured") for (let i = 0; i < this.jointCount; i++) this.loads[i] = -torques[i]!;
      if (iteration > 0 && moved < DEFLECTION_TOLERANCE) return;
    }
  }

  #measureLoads(): void {
    const { linkPoses: T, worldAxis: z } = this.#state;
    const g = this.#gravity.value;
    for (let i = 0; i < this.jointCount; i++) {
      const link = this.#links[i]!;
      const c = centreOfMass(this.#state, link, this.#centre);
      const m = this.#masses[i]!;
      const rx = m * (c[0] - T[12 * link + 9]!);
      const ry = m * (c[1] - T[12 * link + 10]!);
      const rz = m * (c[2] - T[12 * link + 11]!);
      const lx = z[3 * link + 1]! * rz - z[3 * link + 2]! * ry;
      const ly = z[3 * link + 2]! * rx - z[3 * link]! * rz;
      const lz = z[3 * link]! * ry - z[3 * link + 1]! * rx;
      this.#levers[3 * i] = lx;
      this.#levers[3 * i + 1] = ly;
      this.#levers[3 * i + 2] = lz;
      this.loads[i] = STANDARD_GRAVITY * (g[0]! * lx + g[1]! * ly + g[2]! * lz);
    }
  }

  #placePoint(): void {
    const T = this.#state.linkPoses;
    const m = this.#arm.marker.value;
    for (let row = 0; row < 3; row++) {
      const k = 12 * this.#markerLink + 3 * row;
      this.point[row] = T[k]! * m[0]! + T[k + 1]! * m[1]! + T[k + 2]! * m[2]! + T[12 * this.#markerLink + 9 + row]!;
    }
  }

  /** (1 − C·H)⁻¹ to #response; measured loads do not depend on the place. */
  #respond(): void {
    const n = this.jointCount;
    const compliances = this.#arm.compliances.value;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const slope = this.#source === "model" ? this.#loadSlope(Math.min(i, j), Math.max(i, j)) : 0;
        this.#system[i * n + j] = (i === j ? 1 : 0) - compliances[i]! * slope;
      }
    }
    this.#qr.factor(this.#system);
    for (let j = 0; j < n; j++) {
      this.#column.fill(0);
      this.#column[j] = 1;
      this.#response.set(this.#qr.solve(this.#column, this.#column), j * n);
    }
  }

  /** g·(z_inner × lever_outer). */
  #loadSlope(inner: number, outer: number): number {
    const z = this.#state.worldAxis;
    const a = 3 * this.#links[inner]!;
    const l = 3 * outer;
    const lever = this.#levers;
    const g = this.#gravity.value;
    const x = z[a + 1]! * lever[l + 2]! - z[a + 2]! * lever[l + 1]!;
    const y = z[a + 2]! * lever[l]! - z[a]! * lever[l + 2]!;
    const w = z[a]! * lever[l + 1]! - z[a + 1]! * lever[l]!;
    return STANDARD_GRAVITY * (g[0]! * x + g[1]! * y + g[2]! * w);
  }

  #differentiate(): void {
    const n = this.jointCount;
    const { width, jacobian } = this;
    const T = this.#state.linkPoses;
    jacobian.fill(0);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) this.#addJoint(i, this.#response[j * n + i]!, j);
      for (let row = 0; row < 3; row++) {
        jacobian[row * width + n + j] = jacobian[row * width + j]! * this.loads[j]!;
      }
    }
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) jacobian[row * width + 2 * n + k] = T[12 * this.#markerLink + 3 * row + k]!;
    }
    if (this.#source === "model") this.#differentiateByGravity();
  }

  /** Adds `amount` of the point's motion about joint i to column j. */
  #addJoint(i: number, amount: number, j: number): void {
    const { linkPoses: T, worldAxis: z } = this.#state;
    const link = this.#links[i]!;
    const rx = this.point[0] - T[12 * link + 9]!;
    const ry = this.point[1] - T[12 * link + 10]!;
    const rz = this.point[2] - T[12 * link + 11]!;
    const a = 3 * link;
    const out = this.jacobian;
    out[j] = out[j]! + amount * (z[a + 1]! * rz - z[a + 2]! * ry);
    out[j + this.width] = out[j + this.width]! + amount * (z[a + 2]! * rx - z[a]! * rz);
    out[j + 2 * this.width] = out[j + 2 * this.width]! + amount * (z[a]! * ry - z[a + 1]! * rx);
  }

  /** Turning gravity by a about axis e: ∂g = e × g; it bends every joint by compliance · lever·∂g. */
  #differentiateByGravity(): void {
    const n = this.jointCount;
    const { value: g, turnAxes } = this.#gravity;
    for (let turn = 0; turn < 2; turn++) {
      const e = 3 * turn;
      const dx = turnAxes[e + 1]! * g[2]! - turnAxes[e + 2]! * g[1]!;
      const dy = turnAxes[e + 2]! * g[0]! - turnAxes[e]! * g[2]!;
      const dz = turnAxes[e]! * g[1]! - turnAxes[e + 1]! * g[0]!;
      for (let j = 0; j < n; j++) {
        const l = this.#levers;
        const bend =
          this.#arm.compliances.value[j]! *
          STANDARD_GRAVITY *
          (l[3 * j]! * dx + l[3 * j + 1]! * dy + l[3 * j + 2]! * dz);
        for (let row = 0; row < 3; row++) {
          const at = row * this.width + 2 * n + 3 + turn;
          this.jacobian[at] = this.jacobian[at]! + bend * this.jacobian[row * this.width + j]!;
        }
      }
    }
  }
}
