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
import { readOrigin } from "./urdf-origin.js";
import {
  clip,
  type Element,
  named,
  optionalChild,
  optionalNumber,
  optionalVector,
  refuseOtherAttributes,
  repaired,
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
  // Fixed and floating joints have no axis; exporters write zeros there.
  if (type === "fixed" || type === "floating" || type === "spherical") return xAxis;
  const element = optionalChild(joint, "axis");
  if (element === undefined) return xAxis;
  // Files of the first years have an `rpy` of zeros beside `xyz`.
  const turned = optionalVector(element, "rpy")?.some((angle) => angle !== 0) ?? false;
  refuseOtherAttributes(element, turned ? ["xyz"] : ["xyz", "rpy"]);
  const axis = optionalVector(element, "xyz") ?? xAxis;
  const length = Math.hypot(...axis);
  if (!(length > 1e-9)) {
    throw new FlycatcherError("FLY_URDF_AXIS", "axis has no direction", {
      path: `${joint.path}/axis`,
      expected: "a vector that is not zero",
      found: axis.join(" "),
    });
  }
  return [axis[0] / length, axis[1] / length, axis[2] / length];
}

/** Speed, effort and the limits of URDF 1.2 of every joint that moves; a range only of those that have one. */
function readLimit(joint: Element, type: UrdfJointType): UrdfLimit | undefined {
  const element = optionalChild(joint, "limit");
  if (element === undefined || type === "fixed") return undefined;
  const limits: { -readonly [Key in keyof UrdfLimit]: number } = {};
  for (const kind of ["velocity", "effort", "acceleration", "deceleration", "jerk"] as const) {
    const value = readMagnitude(element, kind);
    if (value !== undefined) limits[kind] = value;
  }
  return { ...(type === "revolute" || type === "prismatic" ? readRange(element) : {}), ...limits };
}

/** One bound alone leaves the other at URDF's default 0; neither leaves the joint without a range. */
function readRange(element: Element): { lower: number; upper: number } | undefined {
  const given = { lower: optionalNumber(element, "lower"), upper: optionalNumber(element, "upper") };
  if (given.lower === undefined && given.upper === undefined) return undefined;
  const { lower = 0, upper = 0 } = given;
  if (lower <= upper) return { lower, upper };
  repaired(element, `Its lower limit ${lower} is above the upper ${upper}: the range between the two is used.`);
  return { lower: upper, upper: lower };
}

type Magnitude = Exclude<keyof UrdfLimit, "lower" | "upper">;

function readMagnitude(element: Element, attribute: Magnitude): number | undefined {
  // Drake's files say it in a namespace of their own.
  const foreign = attribute === "acceleration" ? optionalNumber(element, "drake:acceleration") : undefined;
  const value = optionalNumber(element, attribute) ?? foreign;
  if (value === undefined || value >= 0) return value;
  repaired(element, `Its ${attribute} ${value} is negative: taken as not given.`);
  return undefined;
}

function readMimic(joint: Element, type: UrdfJointType): UrdfMimic | undefined {
  const element = optionalChild(joint, "mimic");
  if (element === undefined) return undefined;
  if (type === "fixed" || type === "planar" || type === "floating" || type === "spherical") {
    repaired(element, `A ${type} joint cannot mimic another: left out.`);
    return undefined;
  }
  refuseOtherAttributes(element, ["joint", "multiplier", "offset"]);
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
