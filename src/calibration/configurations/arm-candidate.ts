import type { JointRamps } from "../../motion/joint-ramps.js";
import type { HeadSweep } from "../procedure/head-sweep.js";

/** An arm configuration that could be held, and the sweep of the head that would look at it. */
export interface ArmCandidate {
  /** Index of the rig's arms. */
  readonly arm: number;
  /** Of the arm's joints [rad]. */
  readonly positions: Float64Array;
  readonly sweep: HeadSweep;
  /** Dofs that move from the home posture to it and back: the arm's and the neck's. */
  readonly dofs: readonly number[];
  /** Proven free of contact. */
  readonly approach: JointRamps;
}
