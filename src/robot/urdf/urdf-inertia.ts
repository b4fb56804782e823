import type { UrdfInertia, UrdfInertial } from "./urdf-document.js";
import { readOrigin } from "./urdf-origin.js";
import { type Element, optionalNumber, repaired, requiredChild, requiredNumber } from "./urdf-xml.js";

/**
 * An inertia matrix may miss positive semi-definiteness by rounding of the printed digits: this share of its size.
 * Six significant digits are common in exported files.
 */
const inertiaRoundOff = 1e-6;

/** Mass and inertia of a link. What no body can have is repaired: it does not change how the robot moves by its joints. */
export function readInertial(element: Element): UrdfInertial {
  const massElement = requiredChild(element, "mass");
  const mass = requiredNumber(massElement, "value");
  if (mass < 0) repaired(massElement, `Its mass ${mass} is negative: taken as 0.`);
  const inertiaElement = requiredChild(element, "inertia");
  const written = readInertia(inertiaElement);
  const isPossible = isPositiveSemidefinite(written);
  const inertia = isPossible ? written : balanced(written);
  if (!isPossible) {
    const instead = `${inertia.ixx.toPrecision(3)} kg·m² about every axis, the mean of its moments, is used`;
    repaired(inertiaElement, `Its inertia has a negative eigenvalue, which no body can have: ${instead}.`);
  }
  return { origin: readOrigin(element), mass: Math.max(mass, 0), inertia };
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

/** The mean of the moments about every axis, as MuJoCo's `balanceinertia` makes of what no body can have. */
function balanced({ ixx, iyy, izz }: UrdfInertia): UrdfInertia {
  const mean = Math.max(ixx / 3 + iyy / 3 + izz / 3, 0);
  return { ixx: mean, ixy: 0, ixz: 0, iyy: mean, iyz: 0, izz: mean };
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
