import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import type { UrdfJoint, UrdfRobot } from "./urdf-document.js";
import { clip } from "./urdf-xml.js";

/** Links of one tree, parents before children, each with the joint above it. */
export interface TreeNode {
  readonly link: string;
  /** Absent for the root. */
  readonly joint?: UrdfJoint;
}

/** Throws unless every link hangs, by way of joints, on exactly one root. */
export function checkTree(robot: UrdfRobot): void {
  if (robot.links.length === 0) throw new FlycatcherError("FLY_URDF_NO_LINK", "URDF has no link", { path: "robot" });
  checkUnique(robot);
  checkEnds(robot);
  const parentJoint = jointAboveEachLink(robot);
  const roots = robot.links.filter((link) => !parentJoint.has(link.name));
  if (roots.length > 1) {
    throw new FlycatcherError("FLY_URDF_TWO_ROOTS", "links are not joined", {
      path: `robot/link[${clip(roots[1]!.name)}]`,
      expected: "one root link",
      found: rootList(roots),
    });
  }
  const reached = new Set(orderTree(robot).map((node) => node.link));
  const lost = robot.links.find((link) => !reached.has(link.name));
  if (lost !== undefined) {
    throw new FlycatcherError("FLY_URDF_LOOP", "links hang on one another", { path: `robot/link[${clip(lost.name)}]` });
  }
}

/** Depth-first from the root, children in the order of their joints, so that a chain's links stand together. */
export function orderTree(robot: UrdfRobot): TreeNode[] {
  const children = new Map<string, UrdfJoint[]>();
  for (const joint of robot.joints) getOrCreate(children, joint.parent, () => []).push(joint);
  const isChild = new Set(robot.joints.map((joint) => joint.child));
  const root = robot.links.find((link) => !isChild.has(link.name));
  const ordered: TreeNode[] = [];
  const stack: TreeNode[] = root === undefined ? [] : [{ link: root.name }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    ordered.push(node);
    const below = children.get(node.link) ?? [];
    for (let i = below.length - 1; i >= 0; i--) stack.push({ link: below[i]!.child, joint: below[i]! });
  }
  return ordered;
}

function checkUnique(robot: UrdfRobot): void {
  for (const [tag, parts] of [
    ["link", robot.links],
    ["joint", robot.joints],
  ] as const) {
    const seen = new Set<string>();
    for (const { name } of parts) {
      const path = `robot/${tag}[${clip(name)}]`;
      if (seen.has(name)) throw new FlycatcherError("FLY_URDF_DUPLICATE", `two ${tag}s have the same name`, { path });
      seen.add(name);
    }
  }
}

function checkEnds(robot: UrdfRobot): void {
  const links = new Set(robot.links.map((link) => link.name));
  for (const joint of robot.joints) {
    for (const end of ["parent", "child"] as const) {
      if (links.has(joint[end])) continue;
      throw new FlycatcherError("FLY_URDF_LINK_UNKNOWN", "joint has no such link", {
        path: `robot/joint[${clip(joint.name)}]/${end}`,
        expected: "the name of a link",
        found: clip(joint[end]),
      });
    }
  }
}

function jointAboveEachLink(robot: UrdfRobot): Map<string, UrdfJoint> {
  const above = new Map<string, UrdfJoint>();
  for (const joint of robot.joints) {
    const other = above.get(joint.child);
    if (other !== undefined) {
      throw new FlycatcherError("FLY_URDF_TWO_PARENTS", "link hangs on two joints", {
        path: `robot/link[${clip(joint.child)}]`,
        expected: "one joint above it",
        found: `${clip(other.name)} and ${clip(joint.name)}`,
      });
    }
    above.set(joint.child, joint);
  }
  return above;
}

function rootList(roots: readonly { readonly name: string }[]): string {
  const shown = roots.slice(0, 5).map((link) => clip(link.name));
  return `${roots.length}: ${shown.join(", ")}${roots.length > shown.length ? ", …" : ""}`;
}
