import Type, { type Static } from "typebox";
import { parseSidecar } from "../../robot/loading/load-robot.js";
import { readJsonFile } from "../../runtime/json-file.js";
import { findProblems, SchemaError } from "../../runtime/schema-problems.js";
import type { RecordedRobot } from "../recording.js";

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

/** Two cameras that stand still, `rig.json` of a folder of images. */
export const cameraRigSchema = Type.Object(
  {
    rateHz: Type.Optional(positive),
    /** Middle of each exposure [s]; in place of a rate. */
    times: Type.Optional(Type.Array(number, { minItems: 1 })),
    left: camera,
    right: camera,
    worldFromLeft: placement,
    leftFromRight: placement,
  },
  { additionalProperties: false },
);

export type CameraRig = Static<typeof cameraRigSchema>;

export function readCameraRig(path: string): CameraRig {
  const content = readJsonFile(path);
  const problems = findProblems(cameraRigSchema, content);
  if (problems.length === 0) return content as CameraRig;
  throw new SchemaError("FLY_IMAGE_FOLDER", `${path} does not describe two cameras`, problems);
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
