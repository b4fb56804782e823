import { stateAt } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { AddedLink } from "../robot/sidecar/added-links.js";
import type { SidecarCamera } from "../robot/sidecar/sidecar-schema.js";
import { rounded } from "./catcher-parts.js";

/** Where the two cameras stand, from the robot's middle: half their distance, behind it, and above the floor [m]. */
const ASIDE = 0.9;
const BEHIND = 0.6;
const HEIGHT = 1.9;
/** How far they look down [rad]. */
const DOWN = 0.1;
const CAMERA = {
  width: 800,
  height: 600,
  horizontalFov: rounded(Math.PI / 3),
  rateHz: 25,
  latency: 0.04,
  exposure: 0.002,
};

/** Two cameras on tripods that look over the robot's shoulders at the thrower. */
export function tripods(robot: Robot): {
  links: AddedLink[];
  head: string;
  cameras: SidecarCamera[];
  stereo: { left: string; right: string };
} {
  const { model, frames } = robot;
  const chest = stateAt(model).worldFromLink[frames.chest ?? 0]!;
  const yaw = Math.atan2(chest[3], chest[0]);
  const rig: AddedLink = {
    name: "tripods",
    parent: model.linkNames[frames.world]!,
    origin: { xyz: [rounded(chest[9]), rounded(chest[10]), 0], rpy: [0, 0, rounded(yaw)] },
  };
  const camera = (name: string, y: number): AddedLink => ({
    name,
    parent: rig.name,
    // Optical frame: z forward, x right, y down.
    origin: { xyz: [-BEHIND, y, HEIGHT], rpy: [rounded(-Math.PI / 2 - DOWN), 0, rounded(-Math.PI / 2)] },
  });
  const [left, right] = ["tripodLeft", "tripodRight"] as const;
  return {
    links: [rig, camera(left, ASIDE), camera(right, -ASIDE)],
    head: rig.name,
    cameras: [left, right].map((link) => ({ name: link, link, ...CAMERA })),
    stereo: { left, right },
  };
}
