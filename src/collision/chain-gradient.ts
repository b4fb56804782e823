import type { Vec3 } from "../math/vec3.js";
import type { KinematicChain } from "../robot/kinematics/chain.js";
import { JointKind } from "../robot/robot.js";

/**
 * Adds to out[at + dof] the derivative of sign·(normal·point), where joints `from` … `to` of the chain move the point:
 * normal·(z × (p − o)) for a revolute one, normal·z for a prismatic one. Reads the chain's last `update`.
 */
export function addChainGradient(
  chain: KinematicChain,
  from: number,
  to: number,
  point: Vec3,
  normal: Vec3,
  sign: 1 | -1,
  out: Float64Array,
  at: number,
): void {
  const { jointAxis: axis, jointOrigin: origin, kind, termStart, termDof, termFactor } = chain;
  const nx = sign * normal[0];
  const ny = sign * normal[1];
  const nz = sign * normal[2];
  for (let s = from; s <= to; s++) {
    const zx = axis[3 * s]!;
    const zy = axis[3 * s + 1]!;
    const zz = axis[3 * s + 2]!;
    let slope = nx * zx + ny * zy + nz * zz;
    if (kind[s] === JointKind.revolute) {
      const rx = point[0] - origin[3 * s]!;
      const ry = point[1] - origin[3 * s + 1]!;
      const rz = point[2] - origin[3 * s + 2]!;
      slope = nx * (zy * rz - zz * ry) + ny * (zz * rx - zx * rz) + nz * (zx * ry - zy * rx);
    }
    const end = termStart[s + 1]!;
    for (let k = termStart[s]!; k < end; k++) {
      const d = at + termDof[k]!;
      out[d] = out[d]! + termFactor[k]! * slope;
    }
  }
}
