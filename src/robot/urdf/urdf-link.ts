import type { UrdfGeometry, UrdfLink, UrdfShape, UrdfVector } from "./urdf-document.js";
import { readInertial } from "./urdf-inertia.js";
import { readOrigin } from "./urdf-origin.js";
import {
  childElements,
  clip,
  type Element,
  firstChildElement,
  named,
  numberError,
  optionalChild,
  optionalNumbers,
  optionalText,
  optionalVector,
  repaired,
  requiredChild,
  requiredNonNegative,
  requiredText,
} from "./urdf-xml.js";

type Rgba = readonly [number, number, number, number];
/** Colours of the materials defined once for the whole robot, by name. */
type Materials = ReadonlyMap<string, Rgba>;

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
    visuals: childElements(link, "visual").flatMap((visual) => readShape(visual, materials)),
    collisions: childElements(link, "collision").flatMap((collision) => readShape(collision, materials)),
  };
}

/** The shape of a visual or collision element; none where it is of a kind that only other programs know. */
function readShape(element: Element, materials: Materials): UrdfShape[] {
  const geometry = readGeometry(requiredChild(element, "geometry"));
  if (geometry === undefined) return [];
  const name = optionalText(element, "name");
  const rgba = readMaterial(optionalChild(element, "material"), materials);
  return [
    {
      ...(name === undefined ? {} : { name }),
      origin: readOrigin(element),
      geometry,
      ...(rgba === undefined ? {} : { rgba }),
    },
  ];
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

function readGeometry(element: Element): UrdfGeometry | undefined {
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
        scale: readScale(shape),
      };
    default:
      repaired(
        element,
        shape === undefined
          ? "It is empty: the shape is left out."
          : `<${clip(shape.xml.name)}> is not a shape of URDF: it is left out and not checked for collision.`,
      );
      return undefined;
  }
}

/** Files exist with a fourth number, which every reader passes over. */
function readScale(shape: Element): UrdfVector {
  const four = optionalText(shape, "scale")?.trim().split(/\s+/).length === 4;
  const numbers = optionalNumbers(shape, "scale", four ? 4 : 3) ?? [1, 1, 1];
  if (four) repaired(shape, "Its scale has four numbers: the first three are used.");
  return [numbers[0]!, numbers[1]!, numbers[2]!];
}

function readBoxSize(shape: Element) {
  requiredText(shape, "size");
  const size = optionalVector(shape, "size")!;
  if (size.some((edge) => edge < 0)) {
    throw numberError(shape, "size", "edge lengths that are not negative", size.join(" "));
  }
  return size;
}
