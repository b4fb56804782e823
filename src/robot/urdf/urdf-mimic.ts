import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { UrdfJoint, UrdfOrigin, UrdfRepair } from "./urdf-document.js";
import { hasSeveralAxes } from "./urdf-expand.js";
import { rpyFromMatrix } from "./urdf-origin.js";
import { clip, repaired } from "./urdf-xml.js";

/**
 * The joints with every `mimic` leading, by way of others, to an independent joint with one axis. A joint that mimics one
 * which does not exist or has several axes moves by itself; one that mimics a fixed joint is fixed. A circle is refused.
 */
export function repairMimics(joints: readonly UrdfJoint[], repairs: UrdfRepair[]): UrdfJoint[] {
  const byName = new Map(joints.map((joint) => [joint.name, joint]));
  /** Names of the joints whose masters have been looked at. */
  const settled = new Set<string>();
  for (const { name } of joints) {
    for (const joint of unsettledChain(byName.get(name)!, byName, settled).reverse()) {
      byName.set(joint.name, settle(joint, byName.get(joint.mimic!.joint), repairs));
      settled.add(joint.name);
    }
  }
  return joints.map(({ name }) => byName.get(name)!);
}

/** The joint, its master, the master of that, … up to one that mimics none or was settled before. */
function unsettledChain(
  start: UrdfJoint,
  byName: ReadonlyMap<string, UrdfJoint>,
  settled: ReadonlySet<string>,
): UrdfJoint[] {
  const chain = new Set<UrdfJoint>();
  let joint: UrdfJoint | undefined = start;
  while (joint?.mimic !== undefined && !settled.has(joint.name)) {
    if (chain.has(joint)) throw circleError(joint);
    chain.add(joint);
    joint = byName.get(joint.mimic.joint);
  }
  return [...chain];
}

function settle(joint: UrdfJoint, master: UrdfJoint | undefined, repairs: UrdfRepair[]): UrdfJoint {
  const note = { path: `robot/joint[${clip(joint.name)}]/mimic`, repairs };
  const { mimic, ...free } = joint;
  const target = clip(mimic!.joint);
  if (master === undefined) {
    repaired(note, `There is no joint ${target} to mimic: the joint moves by itself.`);
    return free;
  }
  if (hasSeveralAxes(master)) {
    repaired(note, `Joint ${target} is ${master.type} and cannot be followed: the joint moves by itself.`);
    return free;
  }
  if (master.type !== "fixed") return joint;
  repaired(note, `Joint ${target} is fixed: the joint that follows it is fixed, too.`);
  return fixedAt(free, mimic!.offset);
}

/** The joint held at a position [rad or m]. */
function fixedAt({ limit: _limit, ...joint }: UrdfJoint, position: number): UrdfJoint {
  return {
    ...joint,
    type: "fixed",
    origin: position === 0 ? joint.origin : originAt(joint, position),
    axis: [1, 0, 0],
  };
}

/** The joint's frame as it is when the joint stands at a position [rad or m]. */
export function originAt(
  { type, origin, axis }: Pick<UrdfJoint, "type" | "origin" | "axis">,
  position: number,
): UrdfOrigin {
  const rotation = mat3.fromRpy(...origin.rpy, mat3.create());
  const direction = vec3.create(...axis);
  if (type === "prismatic") {
    const [x, y, z] = mat3.transform(rotation, vec3.scale(direction, position, direction), direction);
    return { xyz: [origin.xyz[0] + x, origin.xyz[1] + y, origin.xyz[2] + z], rpy: origin.rpy };
  }
  const turn = mat3.fromAxisAngle(direction, position, mat3.create());
  return { xyz: origin.xyz, rpy: rpyFromMatrix(mat3.multiply(rotation, turn, rotation)) };
}

function circleError(joint: UrdfJoint): FlycatcherError {
  const path = `robot/joint[${clip(joint.name)}]/mimic`;
  const details = { path, expected: "a joint that does not depend on it", found: "a circle" };
  return new FlycatcherError("FLY_URDF_MIMIC", "joint cannot mimic", details);
}
