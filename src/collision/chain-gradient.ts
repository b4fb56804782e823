import type { Vec3 } from "../math/vec3.js";
import type { KinematicChain } from "../robot/kinematics/chain.js";
import { JointKind } from "../robot/robot.js";

/** Derivatives of points that move with a chain, along a direction, by the chain's dofs. */
export class ChainGradient {
  readonly #kind: Uint8Array;
  readonly #termStart: Int32Array;
  readonly #termDof: Int32Array;
  readonly #termFactor: Float64Array;

  constructor(chain: KinematicChain) {
    const { steps, jointCount } = chain;
    this.#kind = Uint8Array.from(steps, (step) => step.kind);
    this.#termStart = new Int32Array(jointCount + 1);
    for (let s = 0; s < jointCount; s++) this.#termStart[s + 1] = this.#termStart[s]! + steps[s]!.terms.length;
    const terms = steps.flatMap((step) => step.terms);
    this.#termDof = Int32Array.from(terms, (term) => term.dof);
    this.#termFactor = Float64Array.from(terms, (term) => term.factor);
  }

  /**
   * Adds to out[at + dof] the derivative of sign·(normal·point), where joints `from` … `to` of the chain move the point:
   * normal·(z × (p − o)) for a revolute one, normal·z for a prismatic one. Reads the chain's last `update`.
   */
  add(
    chain: KinematicChain,
    from: number,
    to: number,
    point: Vec3,
    normal: Vec3,
    sign: 1 | -1,
    out: Float64Array,
    at: number,
  ): void {
    const { jointAxis: axis, jointOrigin: origin } = chain;
    const nx = sign * normal[0];
    const ny = sign * normal[1];
    const nz = sign * normal[2];
    for (let s = from; s <= to; s++) {
      const zx = axis[3 * s]!;
      const zy = axis[3 * s + 1]!;
      const zz = axis[3 * s + 2]!;
      let slope = nx * zx + ny * zy + nz * zz;
      if (this.#kind[s] === JointKind.revolute) {
        const rx = point[0] - origin[3 * s]!;
        const ry = point[1] - origin[3 * s + 1]!;
        const rz = point[2] - origin[3 * s + 2]!;
        slope = nx * (zy * rz - zz * ry) + ny * (zz * rx - zx * rz) + nz * (zx * ry - zy * rx);
      }
      const end = this.#termStart[s + 1]!;
      for (let k = this.#termStart[s]!; k < end; k++) {
        const d = at + this.#termDof[k]!;
        out[d] = out[d]! + this.#termFactor[k]! * slope;
      }
    }
  }
}
