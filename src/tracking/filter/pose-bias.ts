import * as cholesky from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { CameraView } from "../camera-view.js";
import { type BallBelief, STATE_SIZE } from "./ball-belief.js";
import { FilterStatus } from "./filter-status.js";
import { triangularize } from "./triangularize.js";

const POSE_SIZE = 6;
const COLUMNS = STATE_SIZE + POSE_SIZE;

/**
 * Honesty about a head that stands wrong. The filter takes the errors of the camera poses as independent from frame to
 * frame. An error that stays for the whole flight does not average out: it moves and turns all that is seen together,
 * the ball's path included. To first order an error (δt, δθ) of the camera's pose, in the camera's frame, moves the ball
 * by R·(δt + δθ × p) and turns its velocity by R·(δθ × v), with p, v in the camera's frame and R = worldFromCamera; so
 * that is added to the covariance once, when the belief is handed out, and never fed back into the filter. (What it
 * leaves out is that a turned camera also sees gravity turned, 5 mm a second² for each milliradian.)
 */
export class PoseBias {
  readonly #factor = new Float64Array(POSE_SIZE * POSE_SIZE);
  readonly #columns = new Float64Array(STATE_SIZE * COLUMNS);
  readonly #point = vec3.create();
  readonly #velocity = vec3.create();
  readonly #moved = vec3.create();
  readonly #axis = vec3.create();
  readonly #shift = vec3.create();

  /** `belief` with the lasting pose error of covariance `bias` (6 × 6, as in `CameraView`) added, to `out`. */
  add(belief: BallBelief, view: CameraView, bias: Float64Array, out: BallBelief): FilterStatus {
    if (cholesky.factor(bias, POSE_SIZE, this.#factor) !== cholesky.MatrixStatus.ok) return FilterStatus.invalid;
    this.#fill(belief, view);
    triangularize(this.#columns, STATE_SIZE, COLUMNS);
    out.time = belief.time;
    for (let r = 0; r < STATE_SIZE; r++) {
      out.mean[r] = belief.mean[r]!;
      for (let c = 0; c < STATE_SIZE; c++) {
        out.factor[r * STATE_SIZE + c] = c <= r ? this.#columns[r * COLUMNS + c]! : 0;
      }
    }
    return FilterStatus.ok;
  }

  /** [factor of the belief | what each column of the bias' factor does to the state] */
  #fill(belief: BallBelief, { worldFromCamera }: CameraView): void {
    this.#columns.fill(0);
    for (let r = 0; r < STATE_SIZE; r++) {
      for (let c = 0; c <= r; c++) this.#columns[r * COLUMNS + c] = belief.factor[r * STATE_SIZE + c]!;
    }
    const m = belief.mean;
    pose.transformPointInverse(worldFromCamera, vec3.set(m[0]!, m[1]!, m[2]!, this.#point), this.#point);
    pose.rotateVectorInverse(worldFromCamera, vec3.set(m[3]!, m[4]!, m[5]!, this.#velocity), this.#velocity);
    for (let j = 0; j < POSE_SIZE; j++) {
      const f = this.#factor;
      vec3.set(f[18 + j]!, f[24 + j]!, f[30 + j]!, this.#axis);
      vec3.cross(this.#axis, this.#point, this.#moved);
      vec3.add(this.#moved, vec3.set(f[j]!, f[6 + j]!, f[12 + j]!, this.#shift), this.#moved);
      this.#write(worldFromCamera, this.#moved, 0, j);
      this.#write(worldFromCamera, vec3.cross(this.#axis, this.#velocity, this.#moved), 3, j);
    }
  }

  #write(worldFromCamera: pose.Pose, inCamera: vec3.Vec3, firstRow: number, j: number): void {
    pose.rotateVector(worldFromCamera, inCamera, inCamera);
    for (let r = 0; r < 3; r++) this.#columns[(firstRow + r) * COLUMNS + STATE_SIZE + j] = inCamera[r]!;
  }
}
