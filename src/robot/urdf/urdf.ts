import { FlycatcherError } from "../../runtime/errors.js";
import {
  identityOrigin,
  type UrdfDynamics,
  type UrdfGeometry,
  type UrdfInertia,
  type UrdfInertial,
  type UrdfJoint,
  type UrdfJointType,
  type UrdfLimit,
  type UrdfLink,
  type UrdfMimic,
  type UrdfOrigin,
  type UrdfRobot,
  type UrdfShape,
  type UrdfVector,
  urdfJointTypes,
} from "./urdf-document.js";
import { checkMimics, checkTree } from "./urdf-tree.js";
import {
  childElements,
  clip,
  type Element,
  firstChildElement,
  named,
  numberError,
  optionalChild,
  optionalNumber,
  optionalNumbers,
  optionalText,
  optionalVector,
  parseRootElement,
  requiredChild,
  requiredNonNegative,
  requiredNumber,
  requiredText,
} from "./urdf-xml.js";

/** Most links a robot may have; the largest in use have a few hundred. */
const maxLinks = 10_000;

/**
 * Reads a URDF into plain data and checks that it is one tree of links with sensible numbers. Elements Flycatcher has
 * no use for (transmission, gazebo, …) are passed over. Every fault is a `FlycatcherError` that names the element.
 */
export function parseUrdf(text: string): UrdfRobot {
  const root = parseRootElement(text);
  const linkElements = childElements(root, "link");
  if (linkElements.length > maxLinks) {
    throw new FlycatcherError("FLY_URDF_TOO_LARGE", "URDF has too many links", {
      expected: `at most ${maxLinks}`,
      found: String(linkElements.length),
    });
  }
  const materials = readMaterials(root);
  const robot: UrdfRobot = {
    name: requiredText(root, "name"),
    links: linkElements.map((element) => readLink(element, materials)),
    joints: childElements(root, "joint").map(readJoint),
  };
  checkTree(robot);
  checkMimics(robot);
  return robot;
}

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

type Rgba = readonly [number, number, number, number];
/** Colours of the materials defined once for the whole robot, by name. */
type Materials = ReadonlyMap<string, Rgba>;

/**
 * An inertia matrix may miss positive semi-definiteness by rounding of the printed digits: this share of its size.
 * Six significant digits are common in exported files.
 */
const inertiaRoundOff = 1e-6;

export function readMaterials(robot: Element): Materials {
  const materials = new Map<string, Rgba>();
  for (const element of childElements(robot, "material")) {
    const rgba = readColour(element);
    const name = optionalText(element, "name");
    if (name !== undefined && rgba !== undefined) materials.set(name, rgba);
  }
  return materials;
}

export function readLink(element: Element, materials: Materials): UrdfLink {
  const link = named(element);
  const inertial = optionalChild(link, "inertial");
  return {
    name: link.name,
    ...(inertial === undefined ? {} : { inertial: readInertial(inertial) }),
    visuals: childElements(link, "visual").map((visual) => readShape(visual, materials)),
    collisions: childElements(link, "collision").map((collision) => readShape(collision, materials)),
  };
}

export function readOrigin(parent: Element): UrdfOrigin {
  const element = optionalChild(parent, "origin");
  if (element === undefined) return identityOrigin;
  return {
    xyz: optionalVector(element, "xyz") ?? identityOrigin.xyz,
    rpy: optionalVector(element, "rpy") ?? identityOrigin.rpy,
  };
}

function readInertial(element: Element): UrdfInertial {
  const massElement = requiredChild(element, "mass");
  const mass = requiredNumber(massElement, "value");
  if (mass < 0) throw inertiaError(massElement, "a mass that is not negative", String(mass));
  const inertiaElement = requiredChild(element, "inertia");
  const inertia = readInertia(inertiaElement);
  if (!isPositiveSemidefinite(inertia)) {
    throw inertiaError(inertiaElement, "a matrix without negative eigenvalues", JSON.stringify(inertia));
  }
  return { origin: readOrigin(element), mass, inertia };
}

function readInertia(element: Element): UrdfInertia {
  return {
    ixx: requiredNumber(element, "ixx"),
    ixy: optionalNumber(element, "ixy") ?? 0,
    ixz: optionalNumber(element, "ixz") ?? 0,
    iyy: requiredNumber(element, "iyy"),
    iyz: optionalNumber(element, "iyz") ?? 0,
    izz: requiredNumber(element, "izz"),
  };
}

/** By Sylvester: all principal minors ≥ 0, of the matrix scaled to a largest entry of 1. */
function isPositiveSemidefinite({ ixx, ixy, ixz, iyy, iyz, izz }: UrdfInertia): boolean {
  const largest = Math.max(...[ixx, ixy, ixz, iyy, iyz, izz].map(Math.abs));
  if (largest === 0) return true;
  const [a, b, c, d, e, f] = [ixx / largest, ixy / largest, ixz / largest, iyy / largest, iyz / largest, izz / largest];
  const determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  const minors = [a, d, f, a * d - b * b, a * f - c * c, d * f - e * e, determinant];
  return minors.every((minor) => minor >= -inertiaRoundOff);
}

function inertiaError(element: Element, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_URDF_INERTIA", "impossible body", { path: element.path, expected, found });
}

function readShape(element: Element, materials: Materials): UrdfShape {
  const name = optionalText(element, "name");
  const rgba = readMaterial(optionalChild(element, "material"), materials);
  return {
    ...(name === undefined ? {} : { name }),
    origin: readOrigin(element),
    geometry: readGeometry(requiredChild(element, "geometry")),
    ...(rgba === undefined ? {} : { rgba }),
  };
}

function readMaterial(element: Element | undefined, materials: Materials): Rgba | undefined {
  if (element === undefined) return undefined;
  return readColour(element) ?? materials.get(optionalText(element, "name") ?? "");
}

function readColour(material: Element): Rgba | undefined {
  const element = optionalChild(material, "color");
  const numbers = element === undefined ? undefined : optionalNumbers(element, "rgba", 4);
  return numbers === undefined ? undefined : [numbers[0]!, numbers[1]!, numbers[2]!, numbers[3]!];
}

function readGeometry(element: Element): UrdfGeometry {
  const shape = firstChildElement(element);
  switch (shape?.xml.name) {
    case "box":
      return { type: "box", size: readBoxSize(shape) };
    case "sphere":
      return { type: "sphere", radius: requiredNonNegative(shape, "radius") };
    case "cylinder":
    case "capsule":
      return {
        type: shape.xml.name,
        radius: requiredNonNegative(shape, "radius"),
        length: requiredNonNegative(shape, "length"),
      };
    case "mesh":
      return {
        type: "mesh",
        filename: requiredText(shape, "filename"),
        scale: optionalVector(shape, "scale") ?? [1, 1, 1],
      };
    default:
      throw new FlycatcherError("FLY_URDF_GEOMETRY", "unknown shape", {
        path: element.path,
        expected: "box, cylinder, sphere, capsule or mesh",
        found: shape === undefined ? "none" : `<${clip(shape.xml.name)}>`,
      });
  }
}

function readBoxSize(shape: Element) {
  requiredText(shape, "size");
  const size = optionalVector(shape, "size")!;
  if (size.some((edge) => edge < 0)) {
    throw numberError(shape, "size", "edge lengths that are not negative", size.join(" "));
  }
  return size;
}
