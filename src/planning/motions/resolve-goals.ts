import { courseOf } from "../../collision/making/obstacle-parts.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as quat from "../../math/quat.js";
import * as vec3 from "../../math/vec3.js";
import { PolynomialCourse, type PoseCourse } from "../../motion/pose-course.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import type { JointGroup, Robot, RobotModel } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { assignJoints } from "./joint-values.js";
import type { GoalDescription, MotionRequest } from "./motion-request.js";
import type { FreeAxes } from "./reach-solver.js";

/** Where to go, checked. */
export type ResolvedGoal =
  | { readonly kind: "joints"; readonly q: Float64Array; readonly path: string }
  | {
      readonly kind: "pose";
      readonly frame: number;
      /** Pose of the frame in the world at any time. */
      readonly course: PoseCourse;
      readonly isMoving: boolean;
      readonly free: FreeAxes;
      readonly path: string;
    };

/** Limits of the joints that move, in their order. */
export interface JointLimits {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxJerk: Float64Array;
}

/** Farthest that a joint is beyond its limits by rounding [rad or m]. */
const LIMIT_TOLERANCE = 1e-9;
/** Greatest distance from a straight line where none is given [m]. */
const STANDARD_LINE = 5e-4;

export function resolveGoals(
  request: MotionRequest,
  robot: Robot,
  groups: readonly JointGroup[],
  dofs: readonly number[],
  start: RobotState,
  limits: JointLimits,
): ResolvedGoal[] {
  const { goal, goals } = request;
  if ((goal === undefined) === (goals === undefined)) {
    throw invalidGoal("", "goal or goals, exactly one of the two", goal === undefined ? "neither" : "both");
  }
  if (goal !== undefined) return [resolveGoal(goal, "/goal", robot, groups, dofs, start, limits)];
  return goals!.map((each, k) => resolveGoal(each, `/goals/${k}`, robot, groups, dofs, start, limits));
}

export function resolveGoal(
  goal: GoalDescription,
  path: string,
  robot: Robot,
  groups: readonly JointGroup[],
  dofs: readonly number[],
  start: RobotState,
  limits: JointLimits,
): ResolvedGoal {
  const kinds = (["joints", "posture", "position", "course"] as const).filter((kind) => goal[kind] !== undefined);
  if (kinds.length !== 1) {
    throw invalidGoal(path, "joints, posture, position or course, exactly one of them", kinds.join(" and ") || "none");
  }
  if (goal.joints !== undefined || goal.posture !== undefined) {
    const q = Float64Array.from(dofs, (dof) => start.q[dof]!);
    if (goal.posture !== undefined) takePosture(robot, goal.posture, `${path}/posture`, dofs, q);
    else assignJoints(robot.model, dofs, goal.joints!, `${path}/joints`, q);
    keepWithin(robot.model, dofs, limits, q, path);
    return { kind: "joints", q, path };
  }
  return resolvePose(goal, path, robot, groups);
}

function takePosture(robot: Robot, name: string, path: string, dofs: readonly number[], out: Float64Array): void {
  const posture = robot.postures.get(name);
  if (posture === undefined) {
    throw new FlycatcherError("FLY_PLAN_POSTURE_UNKNOWN", `${robot.name} has no such posture`, {
      path,
      expected: `one of ${[...robot.postures.keys()].join(", ")}`,
      found: JSON.stringify(name),
    });
  }
  for (const [i, dof] of dofs.entries()) out[i] = posture[dof]!;
}

function keepWithin(
  model: RobotModel,
  dofs: readonly number[],
  { lower, upper }: JointLimits,
  q: Float64Array,
  path: string,
): void {
  for (const [i, dof] of dofs.entries()) {
    if (!(q[i]! >= lower[i]! - LIMIT_TOLERANCE && q[i]! <= upper[i]! + LIMIT_TOLERANCE)) {
      throw new FlycatcherError("FLY_MOTION_GOAL_OUTSIDE_LIMITS", `${model.dofNames[dof]} would leave its limits`, {
        path,
        expected: `${model.dofNames[dof]} from ${lower[i]} to ${upper[i]}`,
        found: String(q[i]),
      });
    }
    q[i] = Math.min(Math.max(q[i]!, lower[i]!), upper[i]!);
  }
}

function resolvePose(goal: GoalDescription, path: string, robot: Robot, groups: readonly JointGroup[]): ResolvedGoal {
  const { position, course, frame, quaternion, rpy, cone } = goal;
  const link = frame === undefined ? groups[0]!.tipLink : robot.model.linkNames.indexOf(frame);
  if (link < 0) {
    throw new FlycatcherError("FLY_LINK_UNKNOWN", `${robot.name} has no such link`, {
      path: `${path}/frame`,
      expected: "the name of a link",
      found: JSON.stringify(frame),
    });
  }
  if (quaternion !== undefined && rpy !== undefined) throw invalidGoal(path, "quaternion or rpy", "both");
  const hasOrientation = quaternion !== undefined || rpy !== undefined || course !== undefined;
  const kind = goal.free ?? (hasOrientation ? "none" : "orientation");
  if (kind !== "orientation" && !hasOrientation)
    throw invalidGoal(`${path}/free`, "an orientation, or orientation", kind);
  if ((kind === "cone") !== (cone !== undefined))
    throw invalidGoal(`${path}/cone`, "an angle with free: cone, and only then", String(cone));
  const free: FreeAxes = kind === "cone" ? { kind, angle: cone! } : { kind };
  const isMoving = course !== undefined;
  return {
    kind: "pose",
    frame: link,
    course: isMoving ? courseOf(course, `${path}/course`) : standingAt(),
    isMoving,
    free,
    path,
  };

  function standingAt(): PoseCourse {
    const rotation =
      quaternion === undefined
        ? poseFromOrigin({ xyz: [0, 0, 0], rpy: (rpy ?? [0, 0, 0]) as [number, number, number] })
        : matrixOf(quaternion);
    return new PolynomialCourse([vec3.create(...(position as [number, number, number]))], rotation, vec3.create());
  }

  function matrixOf(given: readonly number[]): pose.Pose {
    const length = Math.hypot(...given);
    if (!(length > 1e-9)) throw invalidGoal(`${path}/quaternion`, "a quaternion that is not zero", given.join(", "));
    const unit = Float64Array.from(given, (value) => value / length) as quat.Quat;
    return pose.fromMat3Translation(quat.toMat3(unit, mat3.create()), vec3.create(), pose.create());
  }
}

export function refuseMovingVia(via: readonly ResolvedGoal[]): void {
  for (const goal of via) {
    if (goal.kind === "pose" && goal.isMoving)
      throw invalidGoal(`${goal.path}/course`, "a place that stands", "one that moves");
  }
}

export function resolveLine({ line }: MotionRequest, goals: readonly ResolvedGoal[]): number | null {
  if (line === undefined) return null;
  const wrong = goals.find((goal) => goal.kind !== "pose" || goal.isMoving);
  if (wrong !== undefined) throw invalidGoal(wrong.path, "a pose that stands, at the end of the line", wrong.kind);
  return line.tolerance ?? STANDARD_LINE;
}

function invalidGoal(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_MOTION_GOAL_INVALID", "A goal says too little, too much or nothing that can be", {
    path,
    expected,
    found,
  });
}

/** Orientation of a pose, x, y, z, w. */
export function quaternionOf(at: pose.Pose): number[] {
  return [...quat.fromMat3(at, quat.create())];
}
