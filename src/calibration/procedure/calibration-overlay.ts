import * as pose from "../../math/pose.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { packageVersion } from "../../runtime/package-root.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { RobotParameters } from "../parameters/robot-parameters.js";
import type { CalibrationFit } from "./fit-calibration.js";

/** What a fit found, as `calibration.json` says it: against the nominal robot, as an overlay. */
export function overlayOf({ rig, parameters, summary }: CalibrationFit, date: string): Overlay {
  const { robot } = rig;
  const { value: gravity } = parameters.gravity;
  const { pixel, left, right, gyroscope, accelerometer } = summary.residuals;
  return {
    schemaVersion: 1,
    robot: robot.name,
    date,
    version: packageVersion,
    description: `${summary.markers.used} images of markers, ${summary.imuSamples.raw} IMU samples, ${summary.parameterCount} parameters`,
    jointOffsets: jointOffsets(rig, parameters),
    jointCompliances: jointCompliances(rig, parameters),
    linkPoses: linkPoses(rig, parameters),
    cameras: Object.fromEntries(
      rig.cameras.map((camera, side) => [camera.name, cameraOverlay(rig, parameters, side as 0 | 1)]),
    ),
    imu: {
      latency: Math.max(0, parameters.imuDelay.value[0]!),
      gyroBias: triple(parameters.gyroBias.value),
      gyroScale: triple(parameters.gyroScale.value),
      accelerometerBias: triple(parameters.accelerometerBias.value),
      accelerometerScale: triple(parameters.accelerometerScale.value),
    },
    encoderLatency: robot.encoders.latency,
    gravityDirection: triple(gravity),
    markers: Object.fromEntries(
      rig.arms.map(({ marker }, k) => [marker.name, triple(parameters.arms[k]!.marker.value)]),
    ),
    residuals: { pixel, left, right, gyroscope, accelerometer },
    standardDeviations: Object.fromEntries(
      summary.parameters.filter(({ sigma }) => Number.isFinite(sigma)).map(({ name, sigma }) => [name, sigma]),
    ),
  };
}

function triple(v: Float64Array): [number, number, number] {
  return [v[0]!, v[1]!, v[2]!];
}

function jointOffsets({ robot, neck, arms }: CalibrationRig, parameters: RobotParameters): Record<string, number> {
  const named = (dofs: readonly number[], values: Float64Array) =>
    dofs.map((dof, i) => [robot.model.dofNames[dof]!, values[i]!] as const);
  return Object.fromEntries([
    ...named(neck.dofs, parameters.neckOffsets.value),
    ...arms.flatMap(({ group }, k) => named(group.dofs, parameters.arms[k]!.offsets.value)),
  ]);
}

function jointCompliances({ robot, arms }: CalibrationRig, parameters: RobotParameters): Record<string, number> {
  return Object.fromEntries(
    arms.flatMap(({ group }, k) =>
      group.dofs.map((dof, i) => [robot.model.dofNames[dof]!, parameters.arms[k]!.compliances.value[i]!] as const),
    ),
  );
}

function cameraOverlay(rig: CalibrationRig, parameters: RobotParameters, side: 0 | 1) {
  const [fx = 0, fy = 0, cx = 0, cy = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0] = parameters.intrinsics[side].value;
  const { k3 } = rig.cameras[side].distortion;
  const latency = Math.max(0, parameters.cameraDelay.value[0]!);
  const rowTime = Math.max(0, parameters.rowTimes[side].value[0]!);
  return { fx, fy, cx, cy, distortion: { k1, k2, p1, p2, k3 }, latency, ...(rowTime > 0 && { rowTime }) };
}

/** Mountings as corrections after the nominal ones; the right camera's through the stereo frame. */
function linkPoses({ robot, headLink, cameras, imu }: CalibrationRig, parameters: RobotParameters) {
  const { leftMounting, stereo, imuMounting } = parameters;
  const [left, right] = cameras;
  const headFromLeft = leftMounting.value as pose.Pose;
  const leftFromRight = pose.invert(stereo.value as pose.Pose, pose.create());
  const found: readonly (readonly [number, pose.Pose])[] = [
    [left.link, headFromLeft],
    [right.link, pose.compose(headFromLeft, leftFromRight, pose.create())],
    [imu.link, imuMounting.value as pose.Pose],
  ];
  const state = stateAt(robot.model);
  return Object.fromEntries(
    found.map(([link, headFromLink]) => {
      const nominal = relativePose(state, headLink, link, pose.create());
      return [robot.model.linkNames[link]!, originOf(pose.composeInverse(nominal, headFromLink, pose.create()))];
    }),
  );
}

/** Translation and roll, pitch, yaw about fixed axes: R = Rz·Ry·Rx, far from pitch = ±90° as corrections are. */
function originOf(correction: pose.Pose): { xyz: [number, number, number]; rpy: [number, number, number] } {
  const r = correction;
  return {
    xyz: [r[9], r[10], r[11]],
    rpy: [Math.atan2(r[7], r[8]), Math.asin(Math.max(-1, Math.min(1, -r[6]))), Math.atan2(r[3], r[0])],
  };
}
