import { FlycatcherError } from "../../runtime/errors.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";

/** What one sensor said, sample after sample as it arrived. */
export interface SampleStream {
  /** Number of each sample, counted by the sensor through the whole recording: gaps are lost samples. */
  readonly sequence: Float64Array;
  /** When each arrived, on the controller's clock [s]. */
  readonly stamps: Float64Array;
  /** Numbers a sample has. */
  readonly width: number;
  /** All samples, one after the other. */
  readonly values: Float64Array;
}

/** What was recorded while one arm stood and the head swept. */
export interface HoldRecording {
  /** Name of the arm's group. */
  readonly arm: string;
  /** Neck positions, arm positions [rad], arm torques [N·m]. */
  readonly joints: SampleStream;
  /** Angular velocity [rad/s], specific force [m/s²]. */
  readonly imu: SampleStream;
  /** Marker in the left and the right image: u, v [px]; NaN where it was not found. */
  readonly markers: readonly [SampleStream, SampleStream];
}

/** Everything a calibration is computed from. */
export interface CalibrationRecording {
  /** Name of the robot. */
  readonly robot: string;
  /** Position of every dof [rad or m]; neck and arms are in the holds. */
  readonly posture: Float64Array;
  readonly holds: readonly HoldRecording[];
}

/** Refuses recordings that are not of this robot, or that contain what no sensor measures. */
export function checkRecording({ posture, holds }: CalibrationRecording, rig: CalibrationRig): void {
  const { dofCount } = rig.robot.model;
  if (posture.length !== dofCount || !posture.every(Number.isFinite)) {
    throw invalid("posture", `${dofCount} finite positions`, `${posture.length} numbers`);
  }
  if (holds.length === 0) throw missing("holds", "at least one arm configuration", "none");
  for (const [k, hold] of holds.entries()) checkHold(hold, `holds/${k}`, rig);
}

function checkHold(hold: HoldRecording, path: string, rig: CalibrationRig): void {
  const arm = rig.arms.find(({ group }) => group.name === hold.arm);
  if (arm === undefined) {
    throw invalid(`${path}/arm`, `one of ${rig.arms.map(({ group }) => group.name).join(", ")}`, hold.arm);
  }
  checkStream(hold.joints, `${path}/joints`, rig.neck.dofs.length + 2 * arm.group.dofs.length);
  checkStream(hold.imu, `${path}/imu`, 6);
  for (const side of [0, 1] as const) checkMarkers(hold.markers[side], `${path}/markers/${rig.cameras[side].name}`);
}

function checkStream(stream: SampleStream, path: string, width: number): void {
  checkShape(stream, path, width);
  const bad = stream.values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw invalid(path, "finite numbers", `${stream.values[bad]} in sample ${Math.floor(bad / width)}`);
}

/** A marker may be missing, as (NaN, NaN); half of it may not. */
function checkMarkers(stream: SampleStream, path: string): void {
  checkShape(stream, path, 2);
  for (let i = 0; i < stream.values.length; i += 2) {
    const [u, v] = [stream.values[i]!, stream.values[i + 1]!];
    const isThere = Number.isFinite(u) && Number.isFinite(v);
    const isMissing = Number.isNaN(u) && Number.isNaN(v);
    if (!isThere && !isMissing) throw invalid(path, "u and v, or neither", `${u}, ${v} in image ${i / 2}`);
  }
}

function checkShape({ sequence, stamps, values, width }: SampleStream, path: string, expected: number): void {
  const count = sequence.length;
  if (width !== expected || stamps.length !== count || values.length !== count * width) {
    const found = `${count} numbers, ${stamps.length} stamps, ${values.length} values of width ${width}`;
    throw invalid(path, `samples of ${expected} values, each with number and stamp`, found);
  }
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(stamps[i]!)) throw invalid(path, "finite stamps", `${stamps[i]} at sample ${i}`);
    if (i > 0 && !(sequence[i]! > sequence[i - 1]!)) {
      throw invalid(path, "rising sample numbers", `${sequence[i]} after ${sequence[i - 1]}`);
    }
  }
}

export function invalid(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_DATA_INVALID", "the recording cannot be used", { path, expected, found });
}

export function missing(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_DATA_MISSING", "the recording lacks data", { path, expected, found });
}
