import { stateAt } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { AddedLink, Mount } from "../robot/sidecar/added-links.js";
import type { Sidecar } from "../robot/sidecar/sidecar-schema.js";
import { rounded } from "./catcher-parts.js";
import type { Decision } from "./decision.js";
import type { FoundArm } from "./find-arms.js";

/** Heights above the floor [m]: of the base of one arm, and of the shoulders of two. */
const BENCH = 0.75;
const SHOULDERS = 1.25;
/** A shoulder at least so high needs nothing under the robot [m]. */
const HIGH_ENOUGH = { one: 0.6, two: 0.9 };
/** Edge of the pedestal [m]; it ends a little under the robot, which stands on it. */
const EDGE = 0.3;
const GAP = 0.005;

/** What stands under a robot whose URDF begins at its base. */
export interface Stand {
  readonly links: readonly AddedLink[];
  readonly mount?: Mount;
  readonly decision: Decision;
}

/** A pedestal that brings the arms to where balls are thrown, turned by `yaw` [rad]; none where the URDF has its own. */
export function standFor(robot: Robot, arms: readonly FoundArm[], given: number | null, yaw: number): Stand {
  const { model } = robot;
  const state = stateAt(model);
  const shoulder = Math.min(...arms.map(({ dofs }) => state.worldFromLink[model.dofJoint[dofs[1] ?? dofs[0]!]!]![11]));
  const isHigh = shoulder >= (arms.length > 1 ? HIGH_ENOUGH.two : HIGH_ENOUGH.one);
  const usual = isHigh ? 0 : arms.length > 1 ? Math.max(0, SHOULDERS - shoulder) : BENCH;
  const height = rounded(given ?? usual, 3);
  if (height === 0 && yaw === 0) {
    const reason = `its shoulder is ${shoulder.toFixed(2)} m above its root link`;
    return { links: [], decision: { subject: "stand", decision: "none: the robot stands on the floor", reason } };
  }
  const floor = unused("world", model.linkNames);
  const table = unused("pedestal", model.linkNames);
  const origin = {
    xyz: [0, 0, height] as [number, number, number],
    ...(yaw !== 0 && { rpy: [0, 0, rounded(yaw)] as [number, number, number] }),
  };
  const reason =
    given === null ? `its shoulder is only ${shoulder.toFixed(2)} m above its root link; --height sets it` : "as asked";
  return {
    links: [
      { name: floor },
      { name: table, parent: floor, origin, ...(height > 0.1 ? { shapes: [column(height)] } : {}) },
    ],
    mount: { parent: table },
    decision: {
      subject: "stand",
      decision: `a pedestal, so that ${model.linkNames[0]} is ${height} m above the floor`,
      reason,
    },
  };
}

function column(height: number): NonNullable<AddedLink["shapes"]>[number] {
  const length = rounded(height - GAP, 4);
  return { type: "box", origin: { xyz: [0, 0, rounded(-GAP - length / 2)] }, size: [EDGE, EDGE, length] };
}

function unused(name: string, taken: readonly string[]): string {
  const free = [name, `${name}Floor`, `${name}2`, `${name}3`].find((candidate) => !taken.includes(candidate));
  return free ?? `${name}${taken.length}`;
}

/** Room that the hand keeps from the floor, from behind the robot, and from the column that the arm turns about [m]. */
const FLOOR = 0.3;
const BEHIND = -0.1;
const COLUMN = { radius: 0.22, above: 0.2 };

/** Where the hand must not catch: near the floor, behind the robot, and about the axis of a single arm. */
export function keepOutFor(robot: Robot, arms: readonly FoundArm[]): NonNullable<Sidecar["handKeepOut"]> {
  const { model, frames } = robot;
  const chest = model.linkNames[frames.chest ?? 0]!;
  const world = model.linkNames[frames.world]!;
  const state = stateAt(model);
  const shapes: NonNullable<Sidecar["handKeepOut"]> = [
    { name: "floor", link: world, type: "half-space", normal: [0, 0, 1], offset: FLOOR },
    { name: "back", link: chest, type: "half-space", normal: [1, 0, 0], offset: BEHIND },
  ];
  const arm = arms[0];
  if (arms.length > 1 || arm === undefined) return shapes;
  const base = state.worldFromLink[arm.baseLink]!;
  const shoulder = state.worldFromLink[model.dofJoint[arm.dofs[1] ?? arm.dofs[0]!]!]!;
  const place = (z: number): [number, number, number] => [rounded(base[9]), rounded(base[10]), rounded(z)];
  const [from, to] = [place(Math.max(0, base[11] - 0.1)), place(shoulder[11] + COLUMN.above)];
  return [...shapes, { name: "column", link: world, type: "cylinder", from, to, radius: COLUMN.radius }];
}
