import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import { so3Log } from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KinematicChain } from "../kinematics/chain.js";

/** How a damped inverse kinematics ended. */
export const DampedStatus = {
  /** Both errors are within tolerance. */
  converged: 0,
  /** No step makes the error smaller: a local minimum, a target out of reach, or one that is not finite. */
  stalled: 1,
  iterationLimit: 2,
} as const;
export type DampedStatus = (typeof DampedStatus)[keyof typeof DampedStatus];

interface DampedOptions {
  /**
   * Metres that count as much as one radian [m/rad]. 0 leaves the orientation free (its error is then ignored). The
   * default is 0.3, about the length of a forearm.
   */
  readonly rotationWeight?: number;
  /** `free`: only the direction of the tip's z axis counts, not the turn about it. The default is `fixed`. */
  readonly turnAboutZ?: "fixed" | "free";
  /** Steps tried, those refused included. The default is 200. */
  readonly maxIterations?: number;
}

/** Error of the tip's origin [m] and of its orientation [rad] that is good enough. */
const TOLERANCE = 1e-9;
/** Damping [m²] at the start, its bounds, and what a step that was accepted or refused makes of it. */
const INITIAL_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-12;
const GREATEST_DAMPING = 1e6;
const DAMPING_AFTER_SUCCESS = 0.1;
const DAMPING_AFTER_FAILURE = 6;
/** A step that shrinks the squared error by less than this share counts as none; so many of them in a row are a stall. */
const LEAST_PROGRESS = 1e-4;
const IDLE_STEPS = 8;

/** Places in the workspace's numbers. */
const DAMPING = 0;
const CURRENT = 1;
const TRIAL = 2;

/**
 * Inverse kinematics of any chain by damped least squares (Levenberg–Marquardt) from a seed, within the joint limits:
 * a dof that sits on a limit and would be pushed over it is left out of the step. Finds one solution near the seed, or
 * the nearest it can come; a caller who must find one tries several seeds.
 */
export class DampedInverseKinematics {
  readonly chain: KinematicChain;
  /** Of the last `solve`: steps tried, and errors of the result [m, rad]. */
  iterations = 0;
  positionError = Number.NaN;
  rotationError = Number.NaN;

  readonly #rotationWeight: number;
  readonly #isTurnFree: boolean;
  readonly #maxIterations: number;
  /** Weighted error at the configuration and at the trial: position, then rotation vector. */
  readonly #error = new Float64Array(6);
  readonly #trialError = new Float64Array(6);
  readonly #trial: Float64Array;
  readonly #jacobian: Float64Array;
  /** J·Jᵀ (lower half), and its damped Cholesky factor. */
  readonly #normal = new Float64Array(36);
  readonly #factor = new Float64Array(36);
  readonly #multiplier = new Float64Array(6);
  readonly #turn = mat3.create();
  readonly #rotation = vec3.create();
  /** λ, and squared errors at the configuration and at the trial: in an array, so that none is boxed. */
  readonly #numbers = new Float64Array(3);

  constructor(chain: KinematicChain, options: DampedOptions = {}) {
    const n = chain.dofCount;
    this.chain = chain;
    this.#rotationWeight = options.rotationWeight ?? 0.3;
    this.#isTurnFree = options.turnAboutZ === "free";
    this.#maxIterations = options.maxIterations ?? 200;
    this.#trial = new Float64Array(n);
    this.#jacobian = new Float64Array(6 * n);
  }

  /**
   * Writes to `out` (which may be `seed`) the configuration found; the errors left are in `positionError` and
   * `rotationError`. `target` is base-from-tip. The chain is left updated to some configuration near it.
   */
  solve(target: Pose, seed: Float64Array, out: Float64Array): DampedStatus {
    const numbers = this.#numbers;
    this.#clamp(seed, out);
    this.#measure(out, target);
    this.#accept(out, out);
    this.iterations = 0;
    numbers[DAMPING] = INITIAL_DAMPING;
    let idle = 0;
    let better = true;
    while (!this.#isConverged()) {
      const hopeless = !(numbers[CURRENT]! < Number.POSITIVE_INFINITY && numbers[DAMPING]! <= GREATEST_DAMPING);
      if (hopeless || idle >= IDLE_STEPS) return DampedStatus.stalled;
      if (this.iterations >= this.#maxIterations) return DampedStatus.iterationLimit;
      this.iterations++;
      if (better) this.#linearise(out);
      better = this.#step(out, target);
      if (better) {
        idle = numbers[TRIAL]! > (1 - LEAST_PROGRESS) * numbers[CURRENT]! ? idle + 1 : 0;
        this.#accept(this.#trial, out);
        numbers[DAMPING] = Math.max(LEAST_DAMPING, numbers[DAMPING]! * DAMPING_AFTER_SUCCESS);
      } else {
        numbers[DAMPING] = numbers[DAMPING]! * DAMPING_AFTER_FAILURE;
      }
    }
    return DampedStatus.converged;
  }

  #isConverged(): boolean {
    return this.positionError <= TOLERANCE && (this.#rotationWeight === 0 || this.rotationError <= TOLERANCE);
  }

  #clamp(q: Float64Array, out: Float64Array): void {
    const { lower, upper, dofCount } = this.chain;
    for (let i = 0; i < dofCount; i++) out[i] = Math.max(lower[i]!, Math.min(upper[i]!, q[i]!));
  }

  /** Updates the chain to q and measures the trial's error there. */
  #measure(q: Float64Array, target: Pose): void {
    const weight = this.#rotationWeight;
    const e = this.#trialError;
    this.chain.update(q);
    const tip = this.chain.baseFromTip;
    if (this.#isTurnFree) turnBetweenAxes(tip, target, this.#rotation);
    else so3Log(turnBetween(tip, target, this.#turn), this.#rotation);
    let squared = 0;
    for (let i = 0; i < 3; i++) {
      e[i] = target[9 + i]! - tip[9 + i]!;
      e[3 + i] = weight * this.#rotation[i]!;
      squared += e[i]! * e[i]! + e[3 + i]! * e[3 + i]!;
    }
    this.#numbers[TRIAL] = squared;
  }

  /** Makes the configuration measured last the current one. */
  #accept(q: Float64Array, out: Float64Array): void {
    const e = this.#trialError;
    for (let i = 0; i < this.chain.dofCount; i++) out[i] = q[i]!;
    for (let i = 0; i < 6; i++) this.#error[i] = e[i]!;
    this.#numbers[CURRENT] = this.#numbers[TRIAL]!;
    this.positionError = Math.sqrt(e[0]! * e[0]! + e[1]! * e[1]! + e[2]! * e[2]!);
    this.rotationError = vec3.norm(this.#rotation);
  }

  /** J at q, where the chain has just been measured, without the columns of dofs that a limit blocks; and J·Jᵀ. */
  #linearise(q: Float64Array): void {
    const { dofCount: n, lower, upper } = this.chain;
    const J = this.chain.jacobian(this.#jacobian);
    const e = this.#error;
    if (this.#isTurnFree) removeTurnAboutZ(this.chain.baseFromTip, J, n);
    for (let k = 3 * n; k < 6 * n; k++) J[k] = this.#rotationWeight * J[k]!;
    for (let i = 0; i < n; i++) {
      let pull = 0;
      for (let row = 0; row < 6; row++) pull += J[row * n + i]! * e[row]!;
      const blocked = (q[i]! <= lower[i]! && pull < 0) || (q[i]! >= upper[i]! && pull > 0);
      if (blocked) for (let row = 0; row < 6; row++) J[row * n + i] = 0;
    }
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += J[a * n + i]! * J[b * n + i]!;
        this.#normal[6 * a + b] = sum;
      }
    }
  }

  /** Measures the trial clamp(q + Jᵀ·(J·Jᵀ + λ·1)⁻¹·e); whether it is better than q. */
  #step(q: Float64Array, target: Pose): boolean {
    const n = this.chain.dofCount;
    const L = this.#factor;
    const y = this.#multiplier;
    for (let k = 0; k < 36; k++) L[k] = this.#normal[k]!;
    for (let row = 0; row < 6; row++) L[7 * row] = L[7 * row]! + this.#numbers[DAMPING]!;
    if (cholesky.factor(L, 6, L) !== MatrixStatus.ok) return false;
    cholesky.solve(L, this.#error, 6, y);
    for (let i = 0; i < n; i++) {
      let sum = q[i]!;
      for (let row = 0; row < 6; row++) sum += this.#jacobian[row * n + i]! * y[row]!;
      this.#trial[i] = sum;
    }
    this.#clamp(this.#trial, this.#trial);
    this.#measure(this.#trial, target);
    return this.#numbers[TRIAL]! < this.#numbers[CURRENT]!;
  }
}

/** R_target·R_tipᵀ, which turns the tip onto the target, in the base's axes. */
function turnBetween(tip: Pose, target: Pose, out: mat3.Mat3): mat3.Mat3 {
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      out[i + j] = target[i]! * tip[3 * j]! + target[i + 1]! * tip[3 * j + 1]! + target[i + 2]! * tip[3 * j + 2]!;
    }
  }
  return out;
}

/** The least rotation vector that turns the tip's z axis onto the target's; for opposite axes one about the tip's x axis. */
function turnBetweenAxes(tip: Pose, target: Pose, out: vec3.Vec3): void {
  const x = tip[5] * target[8] - tip[8] * target[5];
  const y = tip[8] * target[2] - tip[2] * target[8];
  const z = tip[2] * target[5] - tip[5] * target[2];
  const sine = Math.sqrt(x * x + y * y + z * z);
  const angle = Math.atan2(sine, tip[2] * target[2] + tip[5] * target[5] + tip[8] * target[8]);
  if (sine > 0) vec3.set((angle / sine) * x, (angle / sine) * y, (angle / sine) * z, out);
  else vec3.set(angle * tip[0], angle * tip[3], angle * tip[6], out);
}

/** Takes the part about the tip's z axis out of the Jacobian's angular velocities. */
function removeTurnAboutZ(tip: Pose, jacobian: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const [x, y, z] = [3 * n + i, 4 * n + i, 5 * n + i];
    const along = tip[2] * jacobian[x]! + tip[5] * jacobian[y]! + tip[8] * jacobian[z]!;
    jacobian[x] = jacobian[x]! - along * tip[2];
    jacobian[y] = jacobian[y]! - along * tip[5];
    jacobian[z] = jacobian[z]! - along * tip[8];
  }
}
