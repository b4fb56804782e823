import { FlycatcherError } from "../../runtime/errors.js";
import {
  identityOrigin,
  type UrdfGeometry,
  type UrdfInertia,
  type UrdfInertial,
  type UrdfLink,
  type UrdfOrigin,
  type UrdfShape,
} from "./urdf-document.js";
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
  requiredChild,
  requiredNonNegative,
  requiredNumber,
  requiredText,
} from "./urdf-xml.js";

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
