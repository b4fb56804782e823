import { FlycatcherError } from "../../runtime/errors.js";
import {
  type UrdfDynamics,
  type UrdfJoint,
  type UrdfJointType,
  type UrdfLimit,
  type UrdfMimic,
  type UrdfVector,
  urdfJointTypes,
} from "./urdf-document.js";
import { readOrigin } from "./urdf-links.js";
import {
  clip,
  type Element,
  named,
  optionalChild,
  optionalNumber,
  optionalVector,
  requiredChild,
  requiredText,
} from "./urdf-xml.js";

/** URDF's default axis. */
const xAxis: UrdfVector = [1, 0, 0];

export function readJoint(element: Element): UrdfJoint {
  const joint = named(element);
  const type = readType(joint);
  const limit = readLimit(joint, type);
  const mimic = readMimic(joint, type);
  const dynamics = readDynamics(joint);
  return {
    name: joint.name,
    type,
    parent: requiredText(requiredChild(joint, "parent"), "link"),
    child: requiredText(requiredChild(joint, "child"), "link"),
    origin: readOrigin(joint),
    axis: readAxis(joint, type),
    ...(limit === undefined ? {} : { limit }),
    ...(mimic === undefined ? {} : { mimic }),
    ...(dynamics === undefined ? {} : { dynamics }),
  };
}

function readType(joint: Element): UrdfJointType {
  const text = requiredText(joint, "type");
  const type = urdfJointTypes.find((known) => known === text);
  if (type === undefined) {
    throw new FlycatcherError("FLY_URDF_JOINT_TYPE", "unknown joint type", {
      path: joint.path,
      expected: urdfJointTypes.join(", "),
      found: clip(text),
    });
  }
  return type;
}

function readAxis(joint: Element, type: UrdfJointType): UrdfVector {
  const element = optionalChild(joint, "axis");
  const axis = (element === undefined ? undefined : optionalVector(element, "xyz")) ?? xAxis;
  const length = Math.hypot(...axis);
  // Fixed and floating joints have no axis; exporters write zeros there.
  if (type === "fixed" || type === "floating") return xAxis;
  if (!(length > 1e-9)) {
    throw new FlycatcherError("FLY_URDF_AXIS", "axis has no direction", {
      path: `${joint.path}/axis`,
      expected: "a vector that is not zero",
      found: axis.join(" "),
    });
  }
  return [axis[0] / length, axis[1] / length, axis[2] / length];
}

/** Speed and effort of every joint that moves; a range only of those that have one. */
function readLimit(joint: Element, type: UrdfJointType): UrdfLimit | undefined {
  const element = optionalChild(joint, "limit");
  if (element === undefined || type === "fixed") return undefined;
  const velocity = readMagnitude(element, "velocity");
  const effort = readMagnitude(element, "effort");
  return {
    ...(type === "revolute" || type === "prismatic" ? readRange(element) : {}),
    ...(velocity === undefined ? {} : { velocity }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** One bound alone leaves the other at URDF's default 0; neither leaves the joint without a range. */
function readRange(element: Element): { lower: number; upper: number } | undefined {
  const given = { lower: optionalNumber(element, "lower"), upper: optionalNumber(element, "upper") };
  if (given.lower === undefined && given.upper === undefined) return undefined;
  const { lower = 0, upper = 0 } = given;
  if (lower > upper) throw limitError(element, "lower at most upper", `lower ${lower}, upper ${upper}`);
  return { lower, upper };
}

function readMagnitude(element: Element, attribute: "velocity" | "effort"): number | undefined {
  const value = optionalNumber(element, attribute);
  if (value !== undefined && value < 0) throw limitError(element, `${attribute} not negative`, String(value));
  return value;
}

function limitError(element: Element, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_URDF_LIMIT", "impossible limit", { path: element.path, expected, found });
}

function readMimic(joint: Element, type: UrdfJointType): UrdfMimic | undefined {
  const element = optionalChild(joint, "mimic");
  if (element === undefined) return undefined;
  if (type === "fixed" || type === "planar" || type === "floating") {
    throw new FlycatcherError("FLY_URDF_MIMIC", `a ${type} joint cannot mimic another`, { path: element.path });
  }
  return {
    joint: requiredText(element, "joint"),
    multiplier: optionalNumber(element, "multiplier") ?? 1,
    offset: optionalNumber(element, "offset") ?? 0,
  };
}

function readDynamics(joint: Element): UrdfDynamics | undefined {
  const element = optionalChild(joint, "dynamics");
  if (element === undefined) return undefined;
  return { damping: optionalNumber(element, "damping") ?? 0, friction: optionalNumber(element, "friction") ?? 0 };
}
