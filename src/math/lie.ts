/**
 * Exponential and logarithm of SO(3) and SE(3), and the left Jacobian of SO(3), after Barfoot, "State Estimation for Robotics" (2017), §7.1.
 *
 * A rotation vector is w = angle·axis [rad]. A twist is ξ = (ρ, φ), the translational part first. The left Jacobian
 * says how a small change of the vector turns the result, in the target frame: exp(w + δ) ≈ exp(J_l(w)·δ)·exp(w).
 */
import * as mat3 from "./mat3.js";
import type { Pose } from "./pose.js";
import * as quat from "./quat.js";
import * as vec3 from "./vec3.js";

/**
 * Below this squared angle the coefficients that lose digits to cancellation come from their series. At one radian the
 * closed forms are good to about 120 ε, and the nine terms kept here to ε.
 */
const SERIES_SQUARED_ANGLE = 1;
const SERIES_TERMS = 9;

function seriesOf(coefficient: (k: number) => number): Float64Array {
  return Float64Array.from({ length: SERIES_TERMS }, (_, k) => coefficient(k));
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

/*
 * The coefficients of the rotation vector prepared last, with θ its angle, and the series Σ (−θ²)ᵏ·c(k) of those that
 * have one:
 *   sinc     sin θ / θ
 *   b        (1 − cos θ) / θ²
 *   c        (θ − sin θ) / θ³
 *   inverse  (1 − (θ/2)·cot(θ/2)) / θ², infinite at whole turns but zero; as (b − sinc/2)/θ² over b
 */
const SQUARED_ANGLE = 0;
const SINC = 1;
const B = 2;
const C = 3;
const INVERSE = 4;
const coefficients = new Float64Array(5);
const C_SERIES = seriesOf((k) => 1 / factorial(2 * k + 3));
const INVERSE_SERIES = seriesOf((k) => (k + 1) / factorial(2 * k + 4));

/** The first three coefficients, all that exp needs. */
function prepareExp(w: vec3.Vec3): void {
  const s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  const angle = Math.sqrt(s);
  const half = angle === 0 ? 1 : Math.sin(angle / 2) / (angle / 2);
  coefficients[SQUARED_ANGLE] = s;
  coefficients[SINC] = angle === 0 ? 1 : Math.sin(angle) / angle;
  coefficients[B] = (half * half) / 2;
}

/** All coefficients. */
function prepareJacobians(w: vec3.Vec3): void {
  prepareExp(w);
  if (coefficients[SQUARED_ANGLE]! < SERIES_SQUARED_ANGLE) sumSeries();
  else evaluateClosedForms();
  coefficients[INVERSE] = coefficients[INVERSE]! / coefficients[B]!;
}

function sumSeries(): void {
  const s = coefficients[SQUARED_ANGLE]!;
  let c = 0;
  let inverse = 0;
  for (let k = SERIES_TERMS - 1; k >= 0; k--) {
    c = C_SERIES[k]! - s * c;
    inverse = INVERSE_SERIES[k]! - s * inverse;
  }
  coefficients[C] = c;
  coefficients[INVERSE] = inverse;
}

function evaluateClosedForms(): void {
  const s = coefficients[SQUARED_ANGLE]!;
  const sinc = coefficients[SINC]!;
  const b = coefficients[B]!;
  coefficients[C] = (1 - sinc) / s;
  coefficients[INVERSE] = (b - sinc / 2) / s;
}

/** The factors `linear` and `quadratic` of the next `polynomialOfSkew`. */
const polynomial = new Float64Array(2);

/** 1 + linear·ŵ + quadratic·ŵ², to the first nine numbers of out. */
function polynomialOfSkew(w: vec3.Vec3, out: Float64Array): void {
  const x = w[0];
  const y = w[1];
  const z = w[2];
  const linear = polynomial[0]!;
  const quadratic = polynomial[1]!;
  out[0] = 1 - quadratic * (y * y + z * z);
  out[1] = quadratic * x * y - linear * z;
  out[2] = quadratic * x * z + linear * y;
  out[3] = quadratic * x * y + linear * z;
  out[4] = 1 - quadratic * (x * x + z * z);
  out[5] = quadratic * y * z - linear * x;
  out[6] = quadratic * x * z - linear * y;
  out[7] = quadratic * y * z + linear * x;
  out[8] = 1 - quadratic * (x * x + y * y);
}

/** Rotation by |w| about w. */
export function so3Exp(w: vec3.Vec3, out: mat3.Mat3): mat3.Mat3 {
  prepareExp(w);
  polynomial[0] = coefficients[SINC]!;
  polynomial[1] = coefficients[B]!;
  polynomialOfSkew(w, out);
  return out;
}

const logQuat = quat.create();

/** Rotation vector of least angle, 0 to π. At a half turn both signs of the axis are right, and one is returned. */
export function so3Log(m: mat3.Mat3, out: vec3.Vec3): vec3.Vec3 {
  return quat.toRotationVector(quat.fromMat3(m, logQuat), out);
}

export function so3LeftJacobian(w: vec3.Vec3, out: mat3.Mat3): mat3.Mat3 {
  prepareJacobians(w);
  polynomial[0] = coefficients[B]!;
  polynomial[1] = coefficients[C]!;
  polynomialOfSkew(w, out);
  return out;
}

/** Exists for |w| < 2π. */
export function so3LeftJacobianInverse(w: vec3.Vec3, out: mat3.Mat3): mat3.Mat3 {
  prepareJacobians(w);
  polynomial[0] = -0.5;
  polynomial[1] = coefficients[INVERSE]!;
  polynomialOfSkew(w, out);
  return out;
}

const rho = vec3.create();
const phi = vec3.create();
const jacobian = mat3.create();
const coupling = mat3.create();

/** ξ = (ρ, φ), to the two scratch vectors. */
function split(xi: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    rho[i] = xi[i]!;
    phi[i] = xi[i + 3]!;
  }
}

function loadTranslation(pose: Pose): void {
  for (let i = 0; i < 3; i++) rho[i] = pose[i + 9]!;
}

/** Rotation exp(φ), translation J_l(φ)·ρ. */
export function se3Exp(xi: Float64Array, out: Pose): Pose {
  split(xi);
  so3Exp(phi, out);
  so3LeftJacobian(phi, jacobian);
  mat3.transform(jacobian, rho, rho);
  out[9] = rho[0];
  out[10] = rho[1];
  out[11] = rho[2];
  return out;
}

/** The twist (ρ, φ) of a pose, |φ| ≤ π. */
export function se3Log(pose: Pose, out: Float64Array): Float64Array {
  so3Log(pose, phi);
  loadTranslation(pose);
  so3LeftJacobianInverse(phi, jacobian);
  mat3.transform(jacobian, rho, rho);
  for (let i = 0; i < 3; i++) {
    out[i] = rho[i]!;
    out[i + 3] = phi[i]!;
  }
  return out;
}

/** [diagonal, corner; 0, diagonal], 6 × 6. */
function writeBlocks(diagonal: mat3.Mat3, corner: mat3.Mat3, out: Float64Array): Float64Array {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[6 * i + j] = diagonal[3 * i + j]!;
      out[6 * i + j + 3] = corner[3 * i + j]!;
      out[6 * (i + 3) + j] = 0;
      out[6 * (i + 3) + j + 3] = diagonal[3 * i + j]!;
    }
  }
  return out;
}

/** Takes twists of the source frame to the target frame, 6 × 6: pose·exp(ξ) = exp(Ad·ξ)·pose. */
export function adjoint(pose: Pose, out: Float64Array): Float64Array {
  loadTranslation(pose);
  mat3.multiply(mat3.skew(rho, coupling), pose, coupling);
  return writeBlocks(pose, coupling, out);
}
