import type { Robot } from "../robot/robot.js";
import type { AddedLink } from "../robot/sidecar/added-links.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { rounded } from "./catcher-parts.js";
import type { Decision } from "./decision.js";

/** What `--cameras` takes. */
export const cameraNames = ["none", "tripods"] as const;
export type CameraChoice = (typeof cameraNames)[number];

/** Two cameras on tripods behind the robot, which look past it at the thrower: behind the chest and beside it [m]. */
const BEHIND = 1;
const ASIDE = 0.6;
const HEIGHT = 1.6;
/** Radius of the pole, and how far it ends under the camera [m]. */
const POLE = { radius: 0.025, below: 0.06 };
/** A usual machine-vision camera with a lens of 50° [px, rad, Hz, s]. */
const CAMERA = { width: 800, height: 600, horizontalFov: 0.8727, rateHz: 25, latency: 0.04, exposure: 0.004 };

export interface CameraParts {
  readonly links: readonly AddedLink[];
  /** The link that stands for the head: that of both cameras. */
  readonly head: string;
  readonly part: Pick<Sidecar, "cameras" | "stereo">;
  readonly decision: Decision;
}

/** A pair of cameras that stand in the world: they need neither a neck nor an IMU. */
export function tripods({ model, frames }: Robot, chest: readonly [number, number]): CameraParts {
  const world = model.linkNames[frames.world]!;
  const head = "tripods";
  const place = [rounded(chest[0] - BEHIND), rounded(chest[1]), HEIGHT] as [number, number, number];
  const length = HEIGHT - POLE.below;
  const pole = (y: number): NonNullable<AddedLink["shapes"]>[number] => {
    return { type: "cylinder", origin: { xyz: [0, y, rounded(length / 2 - HEIGHT)] }, radius: POLE.radius, length };
  };
  const optical = (name: string, y: number): AddedLink => {
    // z ahead, x to the right, y down.
    return { name, parent: head, origin: { xyz: [0, y, 0], rpy: [-1.570796, 0, -1.570796] } };
  };
  return {
    head,
    links: [
      { name: head, parent: world, origin: { xyz: place }, shapes: [pole(ASIDE), pole(-ASIDE)] },
      optical("cameraLeft", ASIDE),
      optical("cameraRight", -ASIDE),
    ],
    part: {
      cameras: [
        { name: "left", link: "cameraLeft", ...CAMERA },
        { name: "right", link: "cameraRight", ...CAMERA },
      ],
      stereo: { left: "left", right: "right" },
    },
    decision: {
      subject: "cameras",
      decision: `two on tripods ${BEHIND} m behind the robot, ${2 * ASIDE} m apart and ${HEIGHT} m high, looking ahead`,
      reason: "as asked; they stand still, so that no IMU is needed",
    },
  };
}
