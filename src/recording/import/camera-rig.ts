import { dirname, join } from "node:path";
import Type, { type Static } from "typebox";
import type { Ball } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import { parseSidecar } from "../../robot/loading/load-robot.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { readJsonFile, readTextFile } from "../../runtime/json-file.js";
import { packageVersion } from "../../runtime/package-root.js";
import { findProblems, SchemaError } from "../../runtime/schema-problems.js";
import { RECORDING_VERSION, type RecordedRobot, type RecordingHeader } from "../recording.js";

const number = Type.Number();
const positive = Type.Number({ exclusiveMinimum: 0 });
const coefficient = Type.Optional(Type.Number());

const camera = Type.Object(
  {
    width: Type.Integer({ minimum: 1, maximum: 1600 }),
    height: Type.Integer({ minimum: 1, maximum: 1200 }),
    fx: positive,
    fy: positive,
    cx: number,
    cy: number,
    /** Rolling shutter: from the exposure of a row to that of the next [s]. */
    rowTime: Type.Optional(Type.Number({ minimum: 0 })),
    distortion: Type.Optional(
      Type.Object(
        { k1: coefficient, k2: coefficient, p1: coefficient, p2: coefficient, k3: coefficient },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** x, y, z [m], roll, pitch, yaw [rad] about fixed axes. Cameras look along z; x is to the right, y downwards. */
const placement = Type.Array(number, { minItems: 6, maxItems: 6 });

/** Two cameras that stand still: `rig.json`. */
export const cameraRigSchema = Type.Object(
  {
    rateHz: Type.Optional(positive),
    /** Middle of each exposure [s], or a file beside with one a line; in place of a rate. */
    times: Type.Optional(
      Type.Union([Type.Array(number, { minItems: 1, maxItems: 10_000_000 }), Type.String({ minLength: 1 })]),
    ),
    left: camera,
    right: camera,
    worldFromLeft: placement,
    leftFromRight: placement,
  },
  { additionalProperties: false },
);

type RigFile = Static<typeof cameraRigSchema>;

export type CameraRig = Omit<RigFile, "times"> & { readonly times?: readonly number[] };

export function readCameraRig(path: string): CameraRig {
  const content = readJsonFile(path);
  const problems = findProblems(cameraRigSchema, content);
  if (problems.length > 0) {
    throw new SchemaError("FLY_IMAGE_FOLDER", `${path} does not describe two cameras`, problems);
  }
  const { times, ...rig } = content as RigFile;
  if (times === undefined) return rig;
  const all = typeof times === "string" ? readTimes(join(dirname(path), times)) : times;
  const wrong = all.findIndex((time, k) => !(time >= 0 && (k === 0 || time > all[k - 1]!)));
  if (wrong < 0) return { ...rig, times: all };
  throw new FlycatcherError("FLY_IMAGE_FOLDER", "the times of the exposures are wrong", {
    path,
    expected: "rising times from 0 on [s]",
    found: `${all[wrong]} as number ${wrong + 1}`,
  });
}

/** A number a line; what follows it on the line does not count. */
function readTimes(path: string): number[] {
  const lines = readTextFile(path).split(/\r?\n/);
  return lines.filter((line) => /^\s*[-+.\d]/.test(line)).map((line) => Number.parseFloat(line));
}

/** The cameras of a robot that stands in its posture `ready`, or as its model has it. */
export function rigOfRobot({ name, model, frames, cameras, stereo, postures }: Robot): CameraRig {
  if (stereo === undefined) {
    throw new FlycatcherError("FLY_IMAGE_FOLDER", `${name} has no pair of cameras`, { path: "--robot" });
  }
  const state = stateAt(model, postures.get("ready"));
  const [left, right] = [cameras[stereo.left]!, cameras[stereo.right]!];
  const world = frames.world ?? 0;
  return {
    left: intrinsicsOf(left),
    right: intrinsicsOf(right),
    worldFromLeft: placementOf(relativePose(state, world, left.link, pose.create())),
    leftFromRight: placementOf(relativePose(state, left.link, right.link, pose.create())),
  };
}

function intrinsicsOf({ width, height, fx, fy, cx, cy, distortion, rowTime }: RobotCamera): CameraRig["left"] {
  return { width, height, fx, fy, cx, cy, rowTime, distortion: { ...distortion } };
}

/** x, y, z, roll, pitch, yaw of a pose. */
function placementOf(of: pose.Pose): number[] {
  const roll = Math.atan2(of[7], of[8]);
  const pitch = Math.atan2(-of[6], Math.hypot(of[7], of[8]));
  return [of[9], of[10], of[11], roll, pitch, Math.atan2(of[3], of[0])];
}

/** The header of what such cameras have recorded. */
export function rigHeader(title: string, rig: CameraRig, ball: Ball): RecordingHeader {
  return {
    formatVersion: RECORDING_VERSION,
    software: { name: "flycatcher", version: packageVersion },
    startedAt: null,
    clock: "real-time",
    title,
    labels: ["images"],
    robot: rigRobot(rig),
    perception: "images",
    world: "real",
    seed: null,
    ball,
    run: null,
    configuration: null,
    readings: null,
    jointPeriodNs: null,
  };
}

/** The rig as a robot without joints: a head that stands in the world and carries both cameras. */
export function rigRobot({ left, right, worldFromLeft, leftFromRight, rateHz = 25 }: CameraRig): RecordedRobot {
  const cameras = Object.entries({ left, right }).map(([name, intrinsics]) => ({
    ...intrinsics,
    ...{ name, link: name, rateHz, latency: 0 },
  }));
  const sidecar = {
    schemaVersion: 1,
    urdf: "rig.urdf",
    description: "Two cameras that stand still.",
    frames: { world: "world", head: "head" },
    cameras,
    stereo: { left: "left", right: "right" },
  };
  const urdf = `<robot name="rig"><link name="world"/><link name="head"/><link name="left"/><link name="right"/>
${fixedJoint("world", "head", [0, 0, 0, 0, 0, 0])}
${fixedJoint("head", "left", worldFromLeft)}
${fixedJoint("left", "right", leftFromRight)}
</robot>`;
  return { name: "rig", urdf, sidecar: parseSidecar(sidecar, "rig.json"), calibration: null };
}

function fixedJoint(parent: string, child: string, [x, y, z, roll, pitch, yaw]: readonly number[]): string {
  const origin = `<origin xyz="${x} ${y} ${z}" rpy="${roll} ${pitch} ${yaw}"/>`;
  return `<joint name="${child}Mount" type="fixed"><parent link="${parent}"/><child link="${child}"/>${origin}</joint>`;
}
