import { KinematicChain } from "../../robot/kinematics/chain.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import { JointKind, type RobotModel } from "../../robot/robot.js";

/**
 * How a link moves in the world while the dofs below it do: an arm's base carried by torso and platform. Coupled
 * joints (the one that keeps the chest's pitch) follow by themselves. As `RobotState` computes it, but for one chain
 * alone, which is what a path sampled a hundred times a prediction can afford.
 */
export class BodyKinematics {
  /** Dofs as indices of the model; q, q̇ and q̈ are in this order. */
  readonly dofs: readonly number[];
  readonly chain: KinematicChain;
  /** Of the link's origin [m/s], then angular [rad/s], in world axes; `update`. */
  readonly velocity = new Float64Array(6);
  /** Of the link's origin [m/s²], then angular [rad/s²], in world axes; `update`. */
  readonly acceleration = new Float64Array(6);

  constructor(model: RobotModel, world: number, link: number) {
    this.dofs = dofsBetween(model, world, link);
    this.chain = new KinematicChain(model, world, link, this.dofs);
  }

  /**
   * Pose, velocity and acceleration. From joint to joint, r being the vector between their origins: v += ω × r,
   * a += α × r + ω × (ω × r), then what the joint adds (Coriolis included).
   */
  update(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    const { chain } = this;
    chain.update(q);
    const {
      jointOrigin: o,
      jointAxis: axis,
      jointCount,
      baseFromTip: tip,
      kind,
      termStart,
      termDof,
      termFactor,
    } = chain;
    let px = 0;
    let py = 0;
    let pz = 0;
    let vx = 0;
    let vy = 0;
    let vz = 0;
    let wx = 0;
    let wy = 0;
    let wz = 0;
    let ax = 0;
    let ay = 0;
    let az = 0;
    let bx = 0;
    let by = 0;
    let bz = 0;
    for (let s = 0; s <= jointCount; s++) {
      const isTip = s === jointCount;
      const x = isTip ? tip[9] : o[3 * s]!;
      const y = isTip ? tip[10] : o[3 * s + 1]!;
      const z = isTip ? tip[11] : o[3 * s + 2]!;
      const ux = wy * (z - pz) - wz * (y - py);
      const uy = wz * (x - px) - wx * (z - pz);
      const uz = wx * (y - py) - wy * (x - px);
      vx += ux;
      vy += uy;
      vz += uz;
      ax += by * (z - pz) - bz * (y - py) + wy * uz - wz * uy;
      ay += bz * (x - px) - bx * (z - pz) + wz * ux - wx * uz;
      az += bx * (y - py) - by * (x - px) + wx * uy - wy * ux;
      px = x;
      py = y;
      pz = z;
      if (isTip) break;
      let rate = 0;
      let rateChange = 0;
      for (let k = termStart[s]!; k < termStart[s + 1]!; k++) {
        rate += termFactor[k]! * qd[termDof[k]!]!;
        rateChange += termFactor[k]! * qdd[termDof[k]!]!;
      }
      const zx = axis[3 * s]!;
      const zy = axis[3 * s + 1]!;
      const zz = axis[3 * s + 2]!;
      const cx = rate * (wy * zz - wz * zy);
      const cy = rate * (wz * zx - wx * zz);
      const cz = rate * (wx * zy - wy * zx);
      if (kind[s] === JointKind.revolute) {
        bx += rateChange * zx + cx;
        by += rateChange * zy + cy;
        bz += rateChange * zz + cz;
        wx += rate * zx;
        wy += rate * zy;
        wz += rate * zz;
      } else {
        ax += rateChange * zx + 2 * cx;
        ay += rateChange * zy + 2 * cy;
        az += rateChange * zz + 2 * cz;
        vx += rate * zx;
        vy += rate * zy;
        vz += rate * zz;
      }
    }
    const { velocity, acceleration } = this;
    velocity[0] = vx;
    velocity[1] = vy;
    velocity[2] = vz;
    velocity[3] = wx;
    velocity[4] = wy;
    velocity[5] = wz;
    acceleration[0] = ax;
    acceleration[1] = ay;
    acceleration[2] = az;
    acceleration[3] = bx;
    acceleration[4] = by;
    acceleration[5] = bz;
  }
}
