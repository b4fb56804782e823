import type { KinematicChain } from "../../robot/kinematics/chain.js";

/** A joint without a speed limit counts with this one [rad/s or m/s]. */
const USUAL_SPEED = 2;

/**
 * Speed of the tip in the direction in which it is slowest, all joint speeds together being within the ellipsoid of their
 * limits [m/s]: the smallest singular value of the linear Jacobian times the limits. 0 where the arm is singular. Leaves
 * the chain at `q`.
 */
export function leastHandSpeed(chain: KinematicChain, q: Float64Array, maxVelocity: readonly number[]): number {
  const n = chain.dofCount;
  chain.update(q);
  const jacobian = chain.jacobian(new Float64Array(6 * n));
  const square = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const limit = Number.isFinite(maxVelocity[i]!) ? maxVelocity[i]! : USUAL_SPEED;
    const [x, y, z] = [limit * jacobian[i]!, limit * jacobian[n + i]!, limit * jacobian[2 * n + i]!];
    for (const [k, product] of [x * x, x * y, x * z, y * y, y * z, z * z].entries()) square[k] = square[k]! + product;
  }
  return Math.sqrt(Math.max(0, leastEigenvalue(square)));
}

/** Of a symmetric matrix (xx, xy, xz, yy, yz, zz): Smith, "Eigenvalues of a symmetric 3 × 3 matrix", 1961. */
function leastEigenvalue([xx, xy, xz, yy, yz, zz]: readonly number[]): number {
  const mean = (xx! + yy! + zz!) / 3;
  const [a, d, f] = [xx! - mean, yy! - mean, zz! - mean];
  const spread = Math.sqrt((a * a + d * d + f * f + 2 * (xy! * xy! + xz! * xz! + yz! * yz!)) / 6);
  if (!(spread > 0)) return mean;
  const determinant = a * (d * f - yz! * yz!) - xy! * (xy! * f - yz! * xz!) + xz! * (xy! * yz! - d * xz!);
  const cosine = Math.min(1, Math.max(-1, determinant / (2 * spread ** 3)));
  return mean + 2 * spread * Math.cos(Math.acos(cosine) / 3 + (2 * Math.PI) / 3);
}
