import { CameraModel } from "../../camera/camera-model.js";
import * as matrix from "../../math/matrix.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { RobotParameters } from "../parameters/robot-parameters.js";
import type { ArmGeometry } from "./arm-geometry.js";
import { JacobianColumns } from "./jacobian-columns.js";

/** Which camera: an index of the stereo pair. */
export const Side = { left: 0, right: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];

const INTRINSICS = 8;
const MOUNTING = 8;
const STEREO = 14;
const NECK = 20;

/**
 * The marker of a standing arm in an image taken while the head moves:
 * pixel = project(cameraFromHead · headFromRoot(neck(t)) · point).
 *
 * `predict` writes derivatives by, in this order: intrinsics of the camera (8), mounting of the left camera (6), stereo
 * frame (6), neck offsets, camera delay (1), row time (1), then the arm's as `ArmGeometry` has them.
 */
export class MarkerModel {
  /** Of the pair (arm, side). */
  readonly columns: readonly (readonly JacobianColumns[])[];
  readonly pixel = new Float64Array(2);
  /** Row-major 2 × `width`. */
  readonly jacobian: Float64Array;
  readonly width: number;
  readonly #parameters: RobotParameters;
  readonly #rig: CalibrationRig;
  readonly #neck: KinematicChain;
  readonly #neckCount: number;
  readonly #position: Float64Array;
  readonly #cameras: (CameraModel | null)[] = [null, null];
  /** Intrinsics the cameras were made with. */
  readonly #known = [new Float64Array(INTRINSICS), new Float64Array(INTRINSICS)];
  readonly #inHead = vec3.create();
  readonly #inLeft = vec3.create();
  readonly #inCamera = vec3.create();
  readonly #toPixel = new Float64Array(6);
  /** ∂pixel/∂(point in the left camera), ∂pixel/∂(point in root). */
  readonly #byLeft = new Float64Array(6);
  readonly #byRoot = new Float64Array(6);
  readonly #rootToLeft = pose.create();
  readonly #intrinsic = new Float64Array(18);

  constructor(rig: CalibrationRig, parameters: RobotParameters, posture: Float64Array) {
    this.#rig = rig;
    this.#parameters = parameters;
    this.#neck = new KinematicChain(rig.robot.model, 0, rig.headLink, rig.neck.dofs, posture);
    this.#neckCount = rig.neck.dofs.length;
    this.#position = new Float64Array(this.#neckCount);
    const { intrinsics, leftMounting, stereo, neckOffsets, cameraDelay, rowTimes, arms, gravity } = parameters;
    this.columns = arms.map(({ offsets, compliances, marker }) =>
      intrinsics.map(
        (lens, side) =>
          new JacobianColumns([
            lens,
            leftMounting,
            stereo,
            neckOffsets,
            cameraDelay,
            rowTimes[side]!,
            offsets,
            compliances,
            marker,
            gravity,
          ]),
      ),
    );
    this.width = Math.max(...this.columns.flat().map(({ width }) => width));
    this.jacobian = new Float64Array(2 * this.width);
    this.update();
  }

  /** To be called when the intrinsics may have changed. */
  update(): void {
    for (const side of [Side.left, Side.right]) {
      const known = this.#known[side]!;
      const current = this.#parameters.intrinsics[side].value;
      if (known.every((value, i) => value === current[i])) continue;
      known.set(current);
      // A trial step of the solver may leave what can be a camera; nothing has an image there, and it turns back.
      this.#cameras[side] = null;
      if (!(current[0]! > 0 && current[1]! > 0 && current.every(Number.isFinite))) continue;
      const [fx, fy, cx, cy, k1, k2, p1, p2] = current as unknown as number[];
      const { width, height, distortion } = this.#rig.cameras[side];
      const lens = { k1: k1!, k2: k2!, p1: p1!, p2: p2!, k3: distortion.k3 };
      this.#cameras[side] = new CameraModel({ width, height, fx: fx!, fy: fy!, cx: cx!, cy: cy!, distortion: lens });
    }
  }

  /** The pixel for measured neck positions; false where the point has no image. */
  predict(side: Side, point: vec3.Vec3, neck: Float64Array): boolean {
    this.#toCamera(side, point, neck);
    return this.#cameras[side]?.project(this.#inCamera, this.pixel) ?? false;
  }

  /** `predict` with derivatives; `neckSpeed` is for the delay [rad/s], `row` is the marker's, from the middle one. */
  predictWithJacobian(side: Side, arm: ArmGeometry, neck: Float64Array, neckSpeed: Float64Array, row = 0): boolean {
    this.#toCamera(side, arm.point, neck);
    const camera = this.#cameras[side];
    if (!camera?.projectIntrinsicsJacobian(this.#inCamera, this.pixel, this.#intrinsic)) return false;
    camera.projectWithJacobian(this.#inCamera, this.pixel, this.#toPixel);
    this.#chainBack(side);
    this.#writeCamera(side);
    this.#writeNeck(arm.point, neckSpeed);
    this.#writeRowTime(row);
    this.#writeArm(arm);
    return true;
  }

  #toCamera(side: Side, point: vec3.Vec3, neck: Float64Array): void {
    const { neckOffsets, leftMounting, stereo } = this.#parameters;
    for (let i = 0; i < this.#neckCount; i++) this.#position[i] = neck[i]! + neckOffsets.value[i]!;
    this.#neck.update(this.#position);
    pose.transformPointInverse(this.#neck.baseFromTip, point, this.#inHead);
    pose.transformPointInverse(leftMounting.value as pose.Pose, this.#inHead, this.#inLeft);
    if (side === Side.left) vec3.copy(this.#inLeft, this.#inCamera);
    else pose.transformPoint(stereo.value as pose.Pose, this.#inLeft, this.#inCamera);
  }

  /** Derivatives by the point in the left camera's and in the root's frame. */
  #chainBack(side: Side): void {
    const { leftMounting, stereo } = this.#parameters;
    if (side === Side.left) this.#byLeft.set(this.#toPixel);
    else matrix.multiply(this.#toPixel, stereo.value, 2, 3, 3, this.#byLeft);
    pose.compose(this.#neck.baseFromTip, leftMounting.value as pose.Pose, this.#rootToLeft);
    matrix.multiplyTransposeRight(this.#byLeft, this.#rootToLeft, 2, 3, 3, this.#byRoot);
  }

  #writeCamera(side: Side): void {
    const { jacobian: out, width } = this;
    const x = this.#inLeft[0];
    const y = this.#inLeft[1];
    const z = this.#inLeft[2];
    for (let row = 0; row < 2; row++) {
      const at = row * width;
      for (let i = 0; i < INTRINSICS; i++) out[at + i] = this.#intrinsic[9 * row + i]!;
      const a = this.#byLeft[3 * row]!;
      const b = this.#byLeft[3 * row + 1]!;
      const c = this.#byLeft[3 * row + 2]!;
      // A step (ρ, φ) of the stereo frame moves the point by ρ + φ × p before it; one of the mounting by the opposite.
      this.#step[0] = a;
      this.#step[1] = b;
      this.#step[2] = c;
      this.#step[3] = c * y - b * z;
      this.#step[4] = a * z - c * x;
      this.#step[5] = b * x - a * y;
      for (let i = 0; i < 6; i++) {
        out[at + MOUNTING + i] = -this.#step[i]!;
        out[at + STEREO + i] = side === Side.left ? 0 : this.#step[i]!;
      }
    }
  }
  readonly #step = new Float64Array(6);

  /** Turning the head about a joint moves the point the other way; so does time, through the joints' speeds. */
  #writeNeck(point: vec3.Vec3, neckSpeed: Float64Array): void {
    const { jacobian: out, width } = this;
    const n = this.#neckCount;
    const { jointAxis: z, jointOrigin: o } = this.#neck;
    out[NECK + n] = 0;
    out[width + NECK + n] = 0;
    for (let j = 0; j < n; j++) {
      const rx = point[0] - o[3 * j]!;
      const ry = point[1] - o[3 * j + 1]!;
      const rz = point[2] - o[3 * j + 2]!;
      const mx = z[3 * j + 1]! * rz - z[3 * j + 2]! * ry;
      const my = z[3 * j + 2]! * rx - z[3 * j]! * rz;
      const mz = z[3 * j]! * ry - z[3 * j + 1]! * rx;
      for (let row = 0; row < 2; row++) {
        const d = this.#byRoot;
        const slope = -(d[3 * row]! * mx + d[3 * row + 1]! * my + d[3 * row + 2]! * mz);
        const at = row * width + NECK;
        out[at + j] = slope;
        out[at + n] = out[at + n]! - slope * neckSpeed[j]!;
      }
    }
  }

  /** A later row is exposed later, as if by a smaller delay. */
  #writeRowTime(row: number): void {
    const { jacobian: out, width } = this;
    const delay = NECK + this.#neckCount;
    out[delay + 1] = -row * out[delay]!;
    out[width + delay + 1] = -row * out[width + delay]!;
  }

  #writeArm(arm: ArmGeometry): void {
    const { jacobian: out, width } = this;
    const d = this.#byRoot;
    const from = NECK + this.#neckCount + 2;
    const m = arm.width;
    for (let row = 0; row < 2; row++) {
      for (let i = 0; i < m; i++) {
        out[row * width + from + i] =
          d[3 * row]! * arm.jacobian[i]! +
          d[3 * row + 1]! * arm.jacobian[m + i]! +
          d[3 * row + 2]! * arm.jacobian[2 * m + i]!;
      }
    }
  }
}
