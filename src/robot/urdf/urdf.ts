import { FlycatcherError } from "../../runtime/errors.js";
import type { UrdfRobot } from "./urdf-document.js";
import { readJoint } from "./urdf-joints.js";
import { readLink, readMaterials } from "./urdf-links.js";
import { checkMimics, checkTree } from "./urdf-tree.js";
import { childElements, parseRootElement, requiredText } from "./urdf-xml.js";

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
