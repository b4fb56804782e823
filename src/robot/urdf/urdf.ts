import { FlycatcherError } from "../../runtime/errors.js";
import type { UrdfRobot } from "./urdf-document.js";
import { readJoint } from "./urdf-joint.js";
import { readLink, readMaterials } from "./urdf-link.js";
import { repairMimics } from "./urdf-mimic.js";
import { checkTree } from "./urdf-tree.js";
import { childElements, clip, type Element, optionalText, parseRootElement, repaired } from "./urdf-xml.js";

/** Most links a robot may have; the largest in use have a few hundred. */
const maxLinks = 10_000;

/** The versions of URDF that are read: 1.1 adds `quat_xyzw`, 1.2 capsules and limits of acceleration and jerk. */
const versions = ["1", "1.0", "1.1", "1.2"];

/**
 * Reads a URDF into plain data and checks that it is one tree of links with sensible numbers. Elements Flycatcher has
 * no use for (transmission, gazebo, …) are passed over. Harmless flaws are repaired and noted in `repairs`; every fault
 * is a `FlycatcherError` that names the element.
 */
export function parseUrdf(text: string): UrdfRobot {
  const root = parseRootElement(text);
  checkVersion(root);
  const linkElements = childElements(root, "link");
  if (linkElements.length > maxLinks) {
    throw new FlycatcherError("FLY_URDF_TOO_LARGE", "URDF has too many links", {
      expected: `at most ${maxLinks}`,
      found: String(linkElements.length),
    });
  }
  const materials = readMaterials(root);
  const robot = {
    name: readName(root),
    links: linkElements.map((element) => readLink(element, materials)),
    joints: childElements(root, "joint").map(readJoint),
  };
  checkTree(robot);
  const joints = repairMimics(robot.joints, root.repairs);
  return { ...robot, joints, ...(root.repairs.length === 0 ? {} : { repairs: root.repairs }) };
}

function checkVersion(root: Element): void {
  const version = optionalText(root, "version");
  if (version === undefined || versions.includes(version)) return;
  throw new FlycatcherError("FLY_URDF_ATTRIBUTE", "unknown version of URDF", {
    path: "robot@version",
    expected: versions.join(", "),
    found: clip(version),
  });
}

function readName(root: Element): string {
  const name = optionalText(root, "name")?.trim();
  if (name !== undefined && name !== "") return name;
  repaired(root, "The robot has no name: it is called robot.");
  return "robot";
}
