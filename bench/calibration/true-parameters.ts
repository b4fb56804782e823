import { findCalibrationRig } from "../../src/calibration/parameters/calibration-rig.js";
import { createParameters } from "../../src/calibration/parameters/robot-parameters.js";
import type { Robot } from "../../src/robot/robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";

/**
 * The true values of all calibration parameters of a simulated robot, block by block in the order of a fit's parameter set;
 * for tests and benchmarks, which compare a fit with them.
 */
export function trueParameters(truth: Robot, overlay: Overlay): Float64Array[] {
  const rig = findCalibrationRig(truth);
  const { set, neckOffsets, arms } = createParameters(rig);
  const { dofNames } = truth.model;
  const fill = (values: Float64Array, dofs: readonly number[]): void => {
    for (const [i, dof] of dofs.entries()) values[i] = overlay.jointOffsets?.[dofNames[dof]!] ?? 0;
  };
  fill(neckOffsets.value, rig.neck.dofs);
  for (const [k, { group }] of rig.arms.entries()) fill(arms[k]!.offsets.value, group.dofs);
  return set.values();
}
