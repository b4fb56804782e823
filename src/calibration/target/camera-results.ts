import * as pose from "../../math/pose.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { packageVersion } from "../../runtime/package-root.js";
import type { CalibratedCamera, CameraCalibration } from "./calibrate-cameras.js";

/** Names of the parameters that `sigmas` belong to. */
export const foundNames = ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2"] as const;

/** x, y, z [m], roll, pitch, yaw [rad] about fixed axes. */
export type Placement = readonly [number, number, number, number, number, number];

/** A left camera whose place is unknown looks along the world's x axis. */
const SOMEWHERE: Placement = [0, 0, 0, -Math.PI / 2, 0, -Math.PI / 2];

/** worldFromFirst, where the board was at a known place at the first moment in which it was seen; null without. */
export function worldFromFirst({ boards }: CameraCalibration, worldFromBoard: Placement | null): pose.Pose | null {
  const firstFromBoard = boards.find((board) => board !== null);
  if (worldFromBoard === null || firstFromBoard == null) return null;
  return pose.compose(poseOf(worldFromBoard), pose.invert(firstFromBoard, pose.create()), pose.create());
}

function poseOf([x, y, z, roll, pitch, yaw]: Placement): pose.Pose {
  return pose.fromRpyTranslation(roll, pitch, yaw, x, y, z, pose.create());
}

/** `rig.json` of two cameras that stand still. */
export function rigFileOf(calibration: CameraCalibration, worldFromBoard: Placement | null, rateHz: number): object {
  const [left, right] = calibration.cameras;
  if (left === undefined || right === undefined) throw fewCameras(calibration.cameras.length);
  const found = worldFromFirst(calibration, worldFromBoard);
  return {
    rateHz,
    left: plainIntrinsics(left),
    right: plainIntrinsics(right),
    worldFromLeft: found === null ? SOMEWHERE : placementOf(found),
    leftFromRight: placementOf(pose.invert(right.cameraFromFirst, pose.create())),
  };
}

function plainIntrinsics({ intrinsics }: CalibratedCamera) {
  const { distortion, ...rest } = intrinsics;
  return { ...rest, distortion: { ...distortion } };
}

/** What was found of a robot's stereo cameras, as an overlay: intrinsics, and mountings against the nominal ones. */
export function cameraOverlayOf(
  robot: Robot,
  calibration: CameraCalibration,
  worldFromBoard: Placement | null,
  date: string,
): Overlay {
  const own = stereoCameras(robot);
  const { cameras, discs, pixelSigma } = calibration;
  if (cameras.length !== 2) throw fewCameras(cameras.length);
  return {
    schemaVersion: 1,
    robot: robot.name,
    date,
    version: packageVersion,
    description: `printed board, ${discs.used} discs in ${cameras.map(({ views }) => views).join(" and ")} views, ${pixelSigma.toFixed(3)} px`,
    linkPoses: mountings(robot, own, calibration, worldFromBoard),
    cameras: Object.fromEntries(
      own.map(({ name }, k) => {
        const { fx, fy, cx, cy, distortion } = cameras[k]!.intrinsics;
        return [name, { fx, fy, cx, cy, distortion: { ...distortion } }];
      }),
    ),
    residuals: Object.fromEntries(own.map(({ name }, k) => [name, cameras[k]!.residual])),
    standardDeviations: Object.fromEntries(
      own.flatMap(({ name }, k) => foundNames.map((found, n) => [`${name}.${found}`, cameras[k]!.sigmas[n]!])),
    ),
  };
}

function stereoCameras({ name, cameras, stereo }: Robot): readonly [RobotCamera, RobotCamera] {
  if (stereo !== undefined) return [cameras[stereo.left]!, cameras[stereo.right]!];
  throw new FlycatcherError("FLY_SENSOR_MISSING", `${name} has no pair of cameras`, {
    path: "--robot",
    expected: "`stereo` in its sidecar",
    found: "none",
  });
}

/** The left camera is where it was, unless the board tells otherwise; the right one is where it is from there. */
function mountings(
  robot: Robot,
  [left, right]: readonly [RobotCamera, RobotCamera],
  calibration: CameraCalibration,
  worldFromBoard: Placement | null,
) {
  const state = stateAt(robot.model, robot.postures.get("ready"));
  const nominal = (link: number) => relativePose(state, robot.frames.world, link, pose.create());
  const worldFromLeft = worldFromFirst(calibration, worldFromBoard) ?? nominal(left.link);
  const leftFromRight = pose.invert(calibration.cameras[1]!.cameraFromFirst, pose.create());
  const found = [worldFromLeft, pose.compose(worldFromLeft, leftFromRight, pose.create())];
  return Object.fromEntries(
    [left, right].map(({ link }, k) => {
      const [x, y, z, ...rpy] = placementOf(pose.composeInverse(nominal(link), found[k]!, pose.create()));
      const xyz: [number, number, number] = [x, y, z];
      return [robot.model.linkNames[link]!, { xyz, rpy }];
    }),
  );
}

export function placementOf(p: pose.Pose): [number, number, number, number, number, number] {
  const pitch = Math.atan2(-p[6], Math.hypot(p[7], p[8]));
  return [p[9], p[10], p[11], Math.atan2(p[7], p[8]), pitch, Math.atan2(p[3], p[0])];
}

function fewCameras(count: number): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_TARGET", "a stereo pair is two cameras", {
    expected: "two sources",
    found: `${count}`,
  });
}
