import * as mat3 from "../../math/mat3.js";
import * as quat from "../../math/quat.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { identityOrigin, type UrdfOrigin, type UrdfVector } from "./urdf-document.js";
import {
  type Element,
  numberError,
  optionalChild,
  optionalNumbers,
  optionalVector,
  refuseOtherAttributes,
} from "./urdf-xml.js";

/** The pose in `<origin>`: `xyz` with `rpy`, or with `quat_xyzw` (URDF 1.1). */
export function readOrigin(parent: Element): UrdfOrigin {
  const element = optionalChild(parent, "origin");
  if (element === undefined) return identityOrigin;
  refuseOtherAttributes(element, ["xyz", "rpy", "quat_xyzw"]);
  const rpy = optionalVector(element, "rpy");
  const quaternion = optionalNumbers(element, "quat_xyzw", 4);
  if (rpy !== undefined && quaternion !== undefined) {
    throw new FlycatcherError("FLY_URDF_ATTRIBUTE", "the rotation stands twice", {
      path: element.path,
      expected: "rpy or quat_xyzw",
      found: "both",
    });
  }
  return {
    xyz: optionalVector(element, "xyz") ?? identityOrigin.xyz,
    rpy: quaternion === undefined ? (rpy ?? identityOrigin.rpy) : rpyOfQuaternion(element, quaternion),
  };
}

function rpyOfQuaternion(element: Element, quaternion: readonly number[]): UrdfVector {
  const length = Math.hypot(...quaternion);
  if (!(length > 1e-9)) {
    throw numberError(element, "quat_xyzw", "a quaternion that is not zero", quaternion.join(" "));
  }
  return rpyFromQuaternion(
    quaternion[0]! / length,
    quaternion[1]! / length,
    quaternion[2]! / length,
    quaternion[3]! / length,
  );
}

/** Roll, pitch and yaw [rad] of a unit quaternion. */
export function rpyFromQuaternion(x: number, y: number, z: number, w: number): UrdfVector {
  const rotation = quat.toMat3(Float64Array.of(x, y, z, w) as quat.Quat, mat3.create());
  return rpyFromMatrix(rotation);
}

export function rpyFromMatrix(rotation: mat3.Mat3): UrdfVector {
  const [roll, pitch, yaw] = mat3.toRpy(rotation, vec3.create());
  return [roll, pitch, yaw];
}
