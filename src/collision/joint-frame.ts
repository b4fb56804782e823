import type { KinematicChain } from "../robot/kinematics/chain.js";

/**
 * The vector of a chain's link that, beside the axis z of the joint before it, fixes the link's orientation. Which of them
 * is fixed to the link at all, and not along z, depends on the robot.
 */
export const Across = {
  nextAxis: 0,
  nextOrigin: 1,
  tipX: 2,
  tipY: 3,
  previousAxis: 4,
  previousOrigin: 5,
} as const;
export type Across = (typeof Across)[keyof typeof Across];

/**
 * Writes o, z, u, z × u to `frame` [12]: origin and axis of joint `joint`, and the part u of the vector `across` that is
 * perpendicular to z; zero where there is no such vector. Reads the chain's last `update`.
 */
export function readJointFrame(chain: KinematicChain, joint: number, across: Across, frame: Float64Array): void {
  const { jointOrigin: o, jointAxis: z } = chain;
  const s = 3 * joint;
  for (let k = 0; k < 3; k++) {
    frame[k] = o[s + k]!;
    frame[3 + k] = z[s + k]!;
  }
  readAcross(chain, joint, across, frame);
  const zx = frame[3]!;
  const zy = frame[4]!;
  const zz = frame[5]!;
  const along = frame[6]! * zx + frame[7]! * zy + frame[8]! * zz;
  const ux = frame[6]! - along * zx;
  const uy = frame[7]! - along * zy;
  const uz = frame[8]! - along * zz;
  frame[6] = ux;
  frame[7] = uy;
  frame[8] = uz;
  frame[9] = zy * uz - zz * uy;
  frame[10] = zz * ux - zx * uz;
  frame[11] = zx * uy - zy * ux;
}

function readAcross(chain: KinematicChain, joint: number, across: Across, frame: Float64Array): void {
  const { jointOrigin: o, jointAxis: z, baseFromTip: tip, jointCount } = chain;
  const s = 3 * joint;
  const isLast = joint + 1 === jointCount;
  for (let k = 0; k < 3; k++) {
    let value = 0;
    if (across === Across.nextAxis) value = isLast ? 0 : z[s + 3 + k]!;
    else if (across === Across.nextOrigin) value = isLast ? 0 : o[s + 3 + k]! - o[s + k]!;
    else if (across === Across.tipX) value = tip[3 * k]!;
    else if (across === Across.tipY) value = tip[3 * k + 1]!;
    else if (joint > 0) value = across === Across.previousAxis ? z[s - 3 + k]! : o[s + k]! - o[s - 3 + k]!;
    frame[6 + k] = value;
  }
}

/** The α, β, γ of each point, p = o + α·z + β·u + γ·(z × u); `from` and `to` count numbers. */
export function resolveInFrame(
  frame: Float64Array,
  points: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  to: number,
): void {
  const square = frame[6]! ** 2 + frame[7]! ** 2 + frame[8]! ** 2;
  for (let i = 0; i < count; i++) {
    const x = points[from + 3 * i]! - frame[0]!;
    const y = points[from + 3 * i + 1]! - frame[1]!;
    const z = points[from + 3 * i + 2]! - frame[2]!;
    out[to + 3 * i] = x * frame[3]! + y * frame[4]! + z * frame[5]!;
    out[to + 3 * i + 1] = (x * frame[6]! + y * frame[7]! + z * frame[8]!) / square;
    out[to + 3 * i + 2] = (x * frame[9]! + y * frame[10]! + z * frame[11]!) / square;
  }
}

/** The points of given α, β, γ. */
export function combineInFrame(
  frame: Float64Array,
  coefficients: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  to: number,
): void {
  for (let i = 0; i < count; i++) {
    const a = coefficients[from + 3 * i]!;
    const b = coefficients[from + 3 * i + 1]!;
    const c = coefficients[from + 3 * i + 2]!;
    out[to + 3 * i] = frame[0]! + a * frame[3]! + b * frame[6]! + c * frame[9]!;
    out[to + 3 * i + 1] = frame[1]! + a * frame[4]! + b * frame[7]! + c * frame[10]!;
    out[to + 3 * i + 2] = frame[2]! + a * frame[5]! + b * frame[8]! + c * frame[11]!;
  }
}
