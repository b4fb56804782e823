import * as vec3 from "../math/vec3.js";
import { stateAt } from "../robot/kinematics/kinematics.js";
import type { JointGroup } from "../robot/model.js";
import type { Robot } from "../robot/robot.js";
import type { RobotState } from "../robot/state.js";

/** Least and greatest value of something drawn uniformly. */
export type Range = readonly [low: number, high: number];

/**
 * Whence balls come and where they go, seen from a robot's own axis: x ahead of it, y to its left, heights above the
 * floor.
 */
interface ThrowPreset {
  /** Where the ball leaves the thrower's hand [m]. */
  readonly release: { readonly ahead: Range; readonly aside: Range; readonly height: Range };
  /**
   * The upright rectangle it is aimed at [m]. Its height is above the floor, or relative to the arm's shoulder for a
   * robot that may stand on a table of any height.
   */
  readonly target: {
    readonly ahead: number;
    readonly aside: Range;
    readonly height: Range;
    readonly above: "floor" | "shoulder";
  };
  /** From release to the rectangle [s]; the speed follows. */
  readonly flightTime: Range;
}

const release = { ahead: [4, 6], aside: [-0.5, 0.5], height: [1.3, 1.8] } as const;
const flightTime: Range = [0.75, 1.1];

/**
 * `humanoid` is the throw that every figure of Agile Justin refers to: some 5.5 to 8.5 m/s. `table` shifts its
 * rectangle to the shoulder of an arm on a table: as far below and above it as at Agile Justin, whose shoulders are 1.3
 * m high.
 */
export const throwPresets = {
  humanoid: { release, target: { ahead: 0.5, aside: [-0.9, 0.9], height: [0.8, 1.9], above: "floor" }, flightTime },
  table: { release, target: { ahead: 0.5, aside: [-0.9, 0.9], height: [-0.5, 0.6], above: "shoulder" }, flightTime },
} as const satisfies Record<string, ThrowPreset>;

/** No ball is caught later than this after its release [s] (thesis, section 3.5.2). */
export const LATEST_CATCH = 1.8;

/** A preset placed in the world: the vertical axis it is measured from, its heading and heights above the floor. */
export interface ThrowSpace extends Pick<ThrowPreset, "release" | "flightTime"> {
  /** Where the axis stands on the floor, in the world [m]. */
  readonly axis: { readonly x: number; readonly y: number };
  /** Unit vector ahead of the robot, in the world's x and y. */
  readonly heading: { readonly x: number; readonly y: number };
  readonly target: Omit<ThrowPreset["target"], "above">;
}

/**
 * Where balls are thrown at `robot`: `humanoid` if it has a head or several arms with hands, else `table`. The axis is
 * that of its chest, or of its base where it has none, in the posture `ready`.
 */
export function throwSpaceOf(robot: Robot, preset: ThrowPreset = presetOf(robot)): ThrowSpace {
  const state = stateAt(robot.model, robot.postures.get("ready"));
  const worldFromChest = state.worldFromLink[robot.frames.chest ?? robot.frames.base ?? 0]!;
  const ahead = vec3.normalize(vec3.create(worldFromChest[0], worldFromChest[3], 0), vec3.create());
  const { release, flightTime } = preset;
  const { above, ahead: distance, aside, height } = preset.target;
  const offset = above === "floor" ? 0 : shoulderHeight(robot, state);
  return {
    axis: { x: worldFromChest[9], y: worldFromChest[10] },
    heading: { x: ahead[0], y: ahead[1] },
    release,
    target: { ahead: distance, aside, height: [height[0] + offset, height[1] + offset] },
    flightTime,
  };
}

function presetOf(robot: Robot): ThrowPreset {
  const isHumanoid = robot.frames.head !== undefined || armsOf(robot).length > 1;
  return isHumanoid ? throwPresets.humanoid : throwPresets.table;
}

function armsOf(robot: Robot): readonly JointGroup[] {
  return robot.model.groups.filter(({ hand }) => hand !== undefined);
}

/** Height of the first arm's second joint: on all common arms the one that lifts it. */
function shoulderHeight(robot: Robot, state: RobotState): number {
  const arm = armsOf(robot)[0];
  const dof = arm?.dofs[1] ?? arm?.dofs[0];
  return dof === undefined ? 0 : state.worldFromLink[robot.model.dofJoint[dof]!]![11];
}
