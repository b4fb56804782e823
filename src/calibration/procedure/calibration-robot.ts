import type { GrayImage } from "../../camera/gray-image.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { Side } from "../measurements/marker-model.js";
import type { HeadSweep } from "./head-sweep.js";

/** Takes what the sensors say, in the order in which it arrives; stamps on the controller's clock [s]. */
export interface SensorSink {
  /** Measured positions [rad] and torques [N·m] of the given dofs. */
  joints(sequence: number, stamp: number, positions: Float64Array, torques: Float64Array): void;
  /** Angular velocity [rad/s], then specific force [m/s²]. */
  imu(sequence: number, stamp: number, values: Float64Array): void;
  /** An image; the sink finds the marker in it before it returns. */
  image(side: Side, sequence: number, stamp: number, image: GrayImage): void;
  /** In place of an image, where the camera side finds the marker itself; (NaN, NaN) if it did not. */
  marker(side: Side, sequence: number, stamp: number, u: number, v: number): void;
}

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
