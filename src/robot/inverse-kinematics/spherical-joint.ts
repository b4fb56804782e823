import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";

/**
 * Three revolute joints whose axes meet, each at right angles to the next: finds the angles with
 * R = Rot(a, α)·Rot(b, β)·Rot(c, γ). With c = Rot(b, λ)·a and B the frame (b × a, b, a), the matrix
 * Q = Bᵀ·R·Rot(b, λ)·B is Rz(α)·Ry(β + λ)·Rz(γ), the z–y–z Euler angles (Davenport's construction).
 */
export class SphericalJoint {
  /** Bᵀ; columns of B are the frame. */
  readonly left: mat3.Mat3;
  /** Rot(b, λ)·B. */
  readonly right: mat3.Mat3;
  /** The two solutions α, β, γ of the last `solve`. [6] */
  readonly angles = new Float64Array(6);
  /** Whether each solution is within the limits. [2] */
  readonly valid = new Uint8Array(2);
  readonly #lambda: number;
  readonly #range: JointRange;
  readonly #first: number;

  /** `first` is the place of α's joint in `range`. */
  constructor(a: vec3.Vec3, b: vec3.Vec3, c: vec3.Vec3, range: JointRange, first: number) {
    const x = vec3.normalize(vec3.cross(b, a, vec3.create()), vec3.create());
    const y = vec3.cross(a, x, vec3.create());
    this.left = Float64Array.of(...x, ...y, ...a) as mat3.Mat3;
    this.#lambda = Math.atan2(vec3.dot(b, vec3.cross(a, c, vec3.create())), vec3.dot(a, c));
    const frame = mat3.transpose(this.left, mat3.create());
    this.right = mat3.multiply(mat3.fromAxisAngle(b, this.#lambda, mat3.create()), frame, mat3.create());
    this.#range = range;
    this.#first = first;
  }

  /**
   * Both solutions for Q; returns whether one is within the limits. The second is (α + π, −β, γ + π) before λ. Where
   * α and γ turn about the same line (β = 0 or π) their sum or difference is right, and how it is shared arbitrary.
   */
  solve(Q: mat3.Mat3): boolean {
    const angles = this.angles;
    const alpha = Math.atan2(Q[5], Q[2]);
    const across = Math.sqrt(Q[2] * Q[2] + Q[5] * Q[5]);
    // γ from Rz(−α)·Q rather than from Q's last row: exact at β = 0 too, whatever α came out as.
    const c = across > 0 ? Q[2] / across : 1;
    const s = across > 0 ? Q[5] / across : 0;
    const beta = Math.atan2(across, Q[8]);
    const gamma = Math.atan2(c * Q[3] - s * Q[0], c * Q[4] - s * Q[1]);
    angles[0] = alpha;
    angles[1] = beta - this.#lambda;
    angles[2] = gamma;
    angles[3] = alpha + Math.PI;
    angles[4] = -beta - this.#lambda;
    angles[5] = gamma + Math.PI;
    this.valid[0] = this.#fit(0);
    this.valid[1] = this.#fit(3);
    return this.valid[0] + this.valid[1]! > 0;
  }

  #fit(at: number): number {
    const { angles } = this;
    const range = this.#range;
    const first = this.#first;
    const inside =
      range.fit(first, angles, at) && range.fit(first + 1, angles, at + 1) && range.fit(first + 2, angles, at + 2);
    return inside ? 1 : 0;
  }
}

const TWO_PI = 2 * Math.PI;

/** How far beyond a limit a solution may lie to be set onto it [rad]: the rounding of inverse kinematics. */
const LIMIT_TOLERANCE = 1e-10;

/** Limits of the angles of an inverse kinematics, which are defined up to whole turns. */
export class JointRange {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Middle of the range; where one side is open, half a turn from the other; 0 where both are. */
  readonly #middle: Float64Array;

  constructor(lower: ArrayLike<number>, upper: ArrayLike<number>) {
    this.lower = Float64Array.from(lower);
    this.upper = Float64Array.from(upper);
    this.#middle = this.lower.map((low, i) => {
      const high = this.upper[i]!;
      if (Number.isFinite(low) && Number.isFinite(high)) return (low + high) / 2;
      if (Number.isFinite(low)) return low + Math.PI;
      return Number.isFinite(high) ? high - Math.PI : 0;
    });
  }

  /**
   * Turns `angles[at]` by whole turns to where it is nearest to the middle of joint `joint`'s range. False if it is
   * outside even there, or NaN.
   */
  fit(joint: number, angles: Float64Array, at: number): boolean {
    const middle = this.#middle[joint]!;
    const low = this.lower[joint]!;
    const high = this.upper[joint]!;
    const angle = angles[at]!;
    const fitted = angle - TWO_PI * Math.round((angle - middle) / TWO_PI);
    angles[at] = fitted < low ? low : fitted > high ? high : fitted;
    return fitted >= low - LIMIT_TOLERANCE && fitted <= high + LIMIT_TOLERANCE;
  }
}
