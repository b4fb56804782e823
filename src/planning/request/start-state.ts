import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import { pointer } from "../../robot/loading/name-lookup.js";
import type { JointGroup, Robot, RobotModel } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { StartDescription } from "./request.js";

/** Rounding of a position at a limit [rad or m]: such a start is set onto the limit. */
const LIMIT_TOLERANCE = 1e-9;

/**
 * The whole robot at t = 0, from a request: posture, then the positions and velocities given. Fills `out` and computes
 * its kinematics: every link is where it stands. Of the groups `standing`, all by default, the base must not move.
 */
export function resolveStart(
  robot: Robot,
  groups: readonly JointGroup[],
  start: StartDescription = {},
  out: RobotState = new RobotState(robot.model),
  standing: readonly JointGroup[] = groups,
): RobotState {
  const { model } = robot;
  out.q.set(postureOf(robot, start.posture));
  out.qd.fill(0);
  const positions = assign(model, groups, start.position, "/start/position", out.q);
  const velocities = assign(model, groups, start.velocity, "/start/velocity", out.qd);
  keepWithinLimits(model, positions, out.q);
  for (const group of standing) refuseMovingBase(model, group, velocities, out.qd);
  forwardKinematics(out);
  return out;
}

function postureOf({ name, model, postures }: Robot, wanted: string | undefined): Float64Array {
  const posture = postures.get(wanted ?? "ready");
  if (posture !== undefined) return posture;
  if (wanted === undefined) return nearestToZero(model);
  throw new FlycatcherError("FLY_PLAN_POSTURE_UNKNOWN", `${name} has no such posture`, {
    path: "/start/posture",
    expected: `one of ${[...postures.keys()].join(", ")}`,
    found: JSON.stringify(wanted),
  });
}

/** Where a robot without a ready posture stands. */
function nearestToZero({ lower, upper }: RobotModel): Float64Array {
  return lower.map((low, dof) => Math.min(Math.max(0, low), upper[dof]!));
}

type JointValues = StartDescription["position"];

/** JSON pointer of what was given for each dof. */
type Pointers = ReadonlyMap<number, string>;

/** Writes the values given, a list or by name, to their dofs; says where each was given. */
function assign(
  model: RobotModel,
  groups: readonly JointGroup[],
  values: JointValues,
  path: string,
  out: Float64Array,
): Pointers {
  const given = new Map<number, string>();
  if (values === undefined) return given;
  const dofs = Array.isArray(values)
    ? dofsOfList(model, groups, values.length, path)
    : Object.keys(values).map((joint) => dofOf(model, joint, path));
  for (const [k, [key, value]] of Object.entries(values).entries()) {
    out[dofs[k]!] = value;
    given.set(dofs[k]!, pointer(path, key));
  }
  return given;
}

function dofOf(model: RobotModel, joint: string, path: string): number {
  const dof = model.dofNames.indexOf(joint);
  if (dof >= 0) return dof;
  throw new FlycatcherError("FLY_PLAN_JOINT_UNKNOWN", "There is no such joint", {
    path: pointer(path, joint),
    expected: "the name of an independent joint",
    found: JSON.stringify(joint),
  });
}

/** A list is in the order of the group, if there is one, or of the whole robot. */
function dofsOfList(model: RobotModel, groups: readonly JointGroup[], length: number, path: string): readonly number[] {
  const only = groups.length === 1 ? groups[0] : undefined;
  if (only !== undefined && length === only.dofs.length) return only.dofs;
  if (length === model.dofCount) return model.dofNames.map((_, dof) => dof);
  const ofGroup = only === undefined ? "" : `${only.dofs.length} (${only.name}) or `;
  throw new FlycatcherError("FLY_PLAN_JOINT_COUNT", "The list of joint values has the wrong length", {
    path,
    expected: `${ofGroup}${model.dofCount} (all joints) values`,
    found: String(length),
  });
}

function keepWithinLimits(model: RobotModel, given: Pointers, q: Float64Array): void {
  for (let dof = 0; dof < model.dofCount; dof++) {
    const low = model.lower[dof]!;
    const high = model.upper[dof]!;
    if (!(q[dof]! >= low - LIMIT_TOLERANCE && q[dof]! <= high + LIMIT_TOLERANCE)) {
      const joint = model.dofNames[dof]!;
      throw new FlycatcherError("FLY_PLAN_START_OUTSIDE_LIMITS", `${joint} starts outside its limits`, {
        path: given.get(dof) ?? "/start/posture",
        expected: `${joint} from ${low} to ${high}`,
        found: String(q[dof]),
      });
    }
    q[dof] = Math.min(Math.max(q[dof]!, low), high);
  }
}

/** Without a body rule the arm is planned in the frame of its base, which therefore must stand still. */
function refuseMovingBase(model: RobotModel, group: JointGroup, given: Pointers, qd: Float64Array): void {
  for (let link = group.baseLink; link > 0; link = model.parentLink[link]!) {
    for (let term = model.termStart[link]!; term < model.termStart[link + 1]!; term++) {
      const dof = model.termDof[term]!;
      if (qd[dof] === 0) continue;
      throw new FlycatcherError("FLY_PLAN_BASE_MOVES", `The base of ${group.name} moves at the start`, {
        path: given.get(dof) ?? "/start/velocity",
        expected: `${model.dofNames[dof]} at rest`,
        found: String(qd[dof]),
      });
    }
  }
}
