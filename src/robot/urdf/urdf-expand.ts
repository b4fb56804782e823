import { identityOrigin, type UrdfJoint, type UrdfLink, type UrdfRobot, type UrdfVector } from "./urdf-document.js";

/** One single-axis joint of a joint with several. */
interface Stage {
  readonly suffix: string;
  readonly type: "prismatic" | "continuous";
  readonly axis: UrdfVector;
}

const sphericalStages: readonly Stage[] = [
  { suffix: "yaw", type: "continuous", axis: [0, 0, 1] },
  { suffix: "pitch", type: "continuous", axis: [0, 1, 0] },
  { suffix: "roll", type: "continuous", axis: [1, 0, 0] },
];

const floatingStages: readonly Stage[] = [
  { suffix: "x", type: "prismatic", axis: [1, 0, 0] },
  { suffix: "y", type: "prismatic", axis: [0, 1, 0] },
  { suffix: "z", type: "prismatic", axis: [0, 0, 1] },
  ...sphericalStages,
];

/**
 * The same robot with every planar, floating and spherical joint as a chain of single-axis joints and massless links
 * between. Joint `base` becomes `base_x`, `base_y`, `base_yaw` (planar: shifts in the plane, then a turn about its
 * normal), or `base_x`, `base_y`, `base_z`, `base_yaw`, `base_pitch`, `base_roll` (floating, so that R = Rz·Ry·Rx), or
 * the last three of these (spherical). The link below joint `base_x` is called `base_x_link`. Limits of the whole joint
 * mix units and are left to the sidecar.
 */
export function expandMultiAxisJoints(robot: UrdfRobot): UrdfRobot {
  if (!robot.joints.some(hasSeveralAxes)) return robot;
  const takenLinks = new Set(robot.links.map((link) => link.name));
  const takenJoints = new Set(robot.joints.map((joint) => joint.name));
  const links: UrdfLink[] = [...robot.links];
  const joints: UrdfJoint[] = [];
  for (const joint of robot.joints) {
    if (!hasSeveralAxes(joint)) {
      joints.push(joint);
      continue;
    }
    const chain = expandJoint(joint, takenJoints, takenLinks);
    joints.push(...chain);
    for (const { child } of chain.slice(0, -1)) links.push({ name: child, visuals: [], collisions: [] });
  }
  return { ...robot, links, joints };
}

export function hasSeveralAxes({ type }: UrdfJoint): boolean {
  return type === "planar" || type === "floating" || type === "spherical";
}

function expandJoint(joint: UrdfJoint, takenJoints: Set<string>, takenLinks: Set<string>): UrdfJoint[] {
  const stages = stagesOf(joint);
  let parent = joint.parent;
  return stages.map((stage, index) => {
    const name = unused(`${joint.name}_${stage.suffix}`, takenJoints);
    const child = index === stages.length - 1 ? joint.child : unused(`${name}_link`, takenLinks);
    const origin = index === 0 ? joint.origin : identityOrigin;
    const single: UrdfJoint = { name, type: stage.type, parent, child, origin, axis: stage.axis };
    parent = child;
    return single;
  });
}

function stagesOf({ type, axis }: UrdfJoint): readonly Stage[] {
  if (type === "planar") return planarStages(axis);
  return type === "floating" ? floatingStages : sphericalStages;
}

/** The plane's x and y with its normal are right-handed; a normal along z gives the frame's own x and y. */
function planarStages(normal: UrdfVector): readonly Stage[] {
  const [nx, ny, nz] = normal;
  const largest = Math.max(Math.abs(nx), Math.abs(ny), Math.abs(nz));
  const start: UrdfVector = Math.abs(nz) === largest ? [1, 0, 0] : Math.abs(nx) === largest ? [0, 1, 0] : [0, 0, 1];
  const along = start[0] * nx + start[1] * ny + start[2] * nz;
  const x = unit([start[0] - along * nx, start[1] - along * ny, start[2] - along * nz]);
  const y: UrdfVector = [ny * x[2] - nz * x[1], nz * x[0] - nx * x[2], nx * x[1] - ny * x[0]];
  return [
    { suffix: "x", type: "prismatic", axis: x },
    { suffix: "y", type: "prismatic", axis: y },
    { suffix: "yaw", type: "continuous", axis: normal },
  ];
}

function unit([x, y, z]: UrdfVector): UrdfVector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** The name, with underscores appended until no other has it. */
function unused(name: string, taken: Set<string>): string {
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}
