import type { JointRamps } from "../../motion/joint-ramps.js";
import type { HeadSweep } from "../configurations/head-sweep.js";
import type { SensorSink } from "../recording/recording-builder.js";

/** Asks for the head to sweep while an arm stands. */
export interface SweepRequest {
  /** Name of the arm whose marker is to be seen. */
  readonly arm: string;
  /** Dofs to report: those of the neck, then those of the arm. */
  readonly dofs: readonly number[];
  readonly sweep: HeadSweep;
}

/** What calibration needs of a robot, simulated or real. */
export interface CalibrationRobot {
  /** Commanded position of every dof [rad or m]. */
  readonly posture: Float64Array;
  /** Runs the ramps of some dofs from where they are and comes to rest at their end; the way is proven free of contact. */
  move(dofs: readonly number[], ramps: JointRamps): Promise<void>;
  /** Sweeps the head while all else stands, and passes on what the sensors say. */
  sweep(request: SweepRequest, sink: SensorSink): Promise<void>;
}
