import * as pose from "../../math/pose.js";
import { QrWorkspace } from "../../math/qr.js";
import * as vec3 from "../../math/vec3.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";

const STEPS = 12;
const DIFFERENCE = 1e-5;
/** The middle between the cameras must look at the point this closely [rad]. */
const TOLERANCE = 1e-3;

/** Turns the head towards a point: the middle between the cameras, along the mean of their axes. By Gauss and Newton. */
export class NeckAim {
  readonly #chain: KinematicChain;
  readonly #eyes: readonly pose.Pose[];
  readonly #count: number;
  readonly #residual = new Float64Array(2);
  readonly #moved = new Float64Array(2);
  readonly #jacobian: Float64Array;
  readonly #step: Float64Array;
  readonly #qr: QrWorkspace;
  readonly #point = vec3.create();

  /** @param eyes headFromCamera of both cameras */
  constructor(rig: CalibrationRig, eyes: readonly pose.Pose[], posture: Float64Array) {
    this.#chain = new KinematicChain(rig.robot.model, 0, rig.headLink, rig.neck.dofs, posture);
    this.#eyes = eyes;
    this.#count = rig.neck.dofs.length;
    this.#jacobian = new Float64Array(2 * this.#count);
    this.#step = new Float64Array(this.#count);
    this.#qr = new QrWorkspace(2, this.#count);
  }

  /** Neck positions that look at a point of the root frame, to `q`, which holds a first guess; false if there are none. */
  aim(point: vec3.Vec3, q: Float64Array): boolean {
    for (let step = 0; step < STEPS; step++) {
      if (!this.#offAxis(point, q, this.#residual)) return false;
      if (Math.hypot(this.#residual[0]!, this.#residual[1]!) < TOLERANCE) return true;
      for (let i = 0; i < this.#count; i++) {
        const kept = q[i]!;
        q[i] = kept + DIFFERENCE;
        this.#offAxis(point, q, this.#moved);
        q[i] = kept;
        for (let row = 0; row < 2; row++) {
          this.#jacobian[row * this.#count + i] = (this.#moved[row]! - this.#residual[row]!) / DIFFERENCE;
        }
      }
      this.#qr.factor(this.#jacobian);
      this.#qr.solve(this.#residual, this.#step);
      for (let i = 0; i < this.#count; i++) q[i] = q[i]! - Math.max(-0.5, Math.min(0.5, this.#step[i]!));
    }
    return false;
  }

  /** Mean direction of the point in the cameras, x/z and y/z; false behind them. */
  #offAxis(point: vec3.Vec3, q: Float64Array, out: Float64Array): boolean {
    this.#chain.update(q);
    out.fill(0);
    for (const eye of this.#eyes) {
      pose.transformPointInverse(this.#chain.baseFromTip, point, this.#point);
      pose.transformPointInverse(eye, this.#point, this.#point);
      if (!(this.#point[2] > 0.05)) return false;
      out[0] = out[0]! + this.#point[0] / this.#point[2] / this.#eyes.length;
      out[1] = out[1]! + this.#point[1] / this.#point[2] / this.#eyes.length;
    }
    return true;
  }
}
