import { courseOf, parseMotionObstacles } from "../../collision/making/obstacle-parts.js";
import * as pose from "../../math/pose.js";
import * as quat from "../../math/quat.js";
import * as vec3 from "../../math/vec3.js";
import { type PoseCourse, PolynomialCourse } from "../../motion/pose-course.js";
import { MotionState } from "../../motion/piecewise-motion.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { pointer } from "../../robot/loading/name-lookup.js";
import { robotAmong } from "../../robot/loading/obstacles.js";
import type { JointGroup, Robot, RobotModel } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { didYouMean } from "../../runtime/nearest-name.js";
import { catchGroups } from "../problem/catch-arm.js";
import type { PlannerSettings } from "../request/planner-settings.js";
import type { RobotSource } from "../request/resolve-request.js";
import { resolveStart } from "../request/start-state.js";
import { readMotion } from "./closed-motion.js";
import {
  assertMotionRequest,
  type ExportFormat,
  type GoalDescription,
  type MotionPlannerName,
  type MotionRequest,
} from "./motion-request.js";
import type { FreeAxes } from "./reach-solver.js";

/** Limits of the joints that move, in their order. */
export interface JointLimits {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxJerk: Float64Array;
}

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

/** A request for a motion, checked and filled in. */
export interface ResolvedMotion {
  /** Among the request's obstacles. */
  readonly robot: Robot;
  readonly groups: readonly JointGroup[];
  /** Dofs that move. */
  readonly dofs: readonly number[];
  /** The whole robot at t = 0. */
  readonly start: RobotState;
  /** Accelerations of the dofs that move at t = 0. */
  readonly acceleration: Float64Array;
  /** Instant from which the motion holds, on the clock of a running one [s]. */
  readonly from: number;
  readonly goals: readonly ResolvedGoal[];
  readonly via: readonly ResolvedGoal[];
  /** Greatest distance from a straight line [m]; null: any way will do. */
  readonly line: number | null;
  readonly limits: JointLimits;
  /** [m/s]; Infinity: none. */
  readonly toolSpeed: number;
  /** Greatest effort of each joint that moves; Infinity: none. */
  readonly maxEffort: Float64Array;
  readonly earliest: number;
  readonly latest: number;
  /** Whether it has to arrive at `earliest` exactly. */
  readonly isTimed: boolean;
  /** Frame whose speed and end are reported. */
  readonly frame: number;
  readonly planner: MotionPlannerName;
  readonly seed: number;
  readonly samples: number;
  readonly improve: number;
  /** [ms]; null: no wall clock. */
  readonly milliseconds: number | null;
  readonly sampleRateHz: number | null;
  readonly exports: readonly ExportFormat[];
}

/** How long to the full acceleration where a robot's description gives no jerk [s]. */
const JERK_TIME = 0.1;
/** Farthest that a joint starts beyond its limits by rounding [rad or m]. */
const LIMIT_TOLERANCE = 1e-9;
const STANDARD_LINE = 5e-4;

/** The robot among obstacles; the same one for the same obstacles, if it can. */
export type AmongMotionObstacles = (robot: Robot, obstacles: NonNullable<MotionRequest["obstacles"]>) => Robot;

/** Checks a request beyond its schema; whatever is wrong is an error with a code and the JSON pointer of the field. */
export function resolveMotion(
  request: MotionRequest,
  robots: RobotSource,
  settings: PlannerSettings,
  among: AmongMotionObstacles = (robot, obstacles) => robotAmong(robot, parseMotionObstacles(obstacles, "/obstacles")),
): ResolvedMotion {
  assertMotionRequest(request);
  const known = robots.get(request.robot ?? settings.robot, "/robot");
  const robot = request.obstacles === undefined ? known : among(known, request.obstacles);
  const groups = resolveGroups(robot, request.group);
  const dofs = [...new Set(groups.flatMap((group) => [...group.dofs]))];
  const { start, acceleration, from } = resolveState(request, robot, groups, dofs);
  const limits = resolveLimits(request, robot, dofs);
  const goals = resolveGoals(request, robot, groups, dofs, start, limits);
  const via = (request.via ?? []).map((goal, k) => resolveGoal(goal, `/via/${k}`, robot, groups, dofs, start, limits));
  refuseMovingVia(via);
  const posed = goals.find((goal) => goal.kind === "pose");
  const { budget = {}, limits: asked = {} } = request;
  return {
    robot,
    groups,
    dofs,
    start,
    acceleration,
    from,
    goals,
    via,
    line: resolveLine(request, goals),
    limits,
    toolSpeed: asked.toolSpeed ?? Number.POSITIVE_INFINITY,
    maxEffort: Float64Array.from(dofs, (dof) =>
      asked.torqueScale === undefined ? Number.POSITIVE_INFINITY : asked.torqueScale * robot.model.maxEffort[dof]!,
    ),
    ...resolveTimes(request),
    frame: posed?.kind === "pose" ? posed.frame : groups[0]!.tipLink,
    planner: request.planner ?? "auto",
    seed: request.seed ?? 1,
    samples: budget.samples ?? 200_000,
    improve: budget.improve ?? 0,
    milliseconds: budget.milliseconds ?? settings.motionMilliseconds,
    sampleRateHz: request.sample?.rateHz ?? null,
    exports: request.export ?? [],
  };
}

function resolveGroups(robot: Robot, wanted: MotionRequest["group"]): JointGroup[] {
  const all = robot.model.groups;
  if (wanted === undefined) return [catchGroups(robot)[0] ?? all[0] ?? missingGroup(robot, "none", "/group")];
  const names = typeof wanted === "string" ? [wanted] : wanted;
  return names.map((name, k) => {
    const path = typeof wanted === "string" ? "/group" : `/group/${k}`;
    return all.find((group) => group.name === name) ?? missingGroup(robot, name, path);
  });
}

function missingGroup(robot: Robot, found: string, path: string): never {
  const known = robot.model.groups.map(({ name }) => name);
  throw new FlycatcherError("FLY_MOTION_GROUP_UNKNOWN", `${robot.name} has no such group of joints`, {
    path,
    expected: known.join(", "),
    found: JSON.stringify(found),
    suggestion: didYouMean(found, known),
  });
}

/** The state in which the motion begins: given, or that of a running motion at an instant. */
function resolveState(request: MotionRequest, robot: Robot, groups: readonly JointGroup[], dofs: readonly number[]) {
  const { model } = robot;
  const { acceleration: given, ...state } = request.start ?? {};
  const start = resolveStart(robot, groups, state, new RobotState(model), []);
  const acceleration = new Float64Array(dofs.length);
  if (given !== undefined) assignJoints(model, dofs, given, "/start/acceleration", acceleration);
  let from = 0;
  if (request.running !== undefined) {
    const { motion: running, at } = request.running;
    const { motion, joints } = readMotion(running, model, "/running/motion");
    if (at > motion.duration) {
      throw new FlycatcherError("FLY_MOTION_RUNNING", "The running motion is over by then", {
        path: "/running/at",
        expected: `at most ${motion.duration}`,
        found: String(at),
      });
    }
    const now = new MotionState(motion.joints);
    motion.evaluate(at, now);
    for (const [k, dof] of joints.entries()) {
      start.q[dof] = now.position[k]!;
      start.qd[dof] = now.velocity[k]!;
      const i = dofs.indexOf(dof);
      if (i >= 0) acceleration[i] = now.acceleration[k]!;
    }
    from = at;
  }
  for (let dof = 0; dof < model.dofCount; dof++) {
    if (start.qd[dof] === 0 || dofs.includes(dof)) continue;
    throw new FlycatcherError("FLY_PLAN_BASE_MOVES", "A joint moves at the start that the motion does not move", {
      path: "/start/velocity",
      expected: `${model.dofNames[dof]} at rest, or in the group`,
      found: String(start.qd[dof]),
    });
  }
  return { start, acceleration, from };
}

function resolveLimits({ limits = {} }: MotionRequest, { model, urdf }: Robot, dofs: readonly number[]): JointLimits {
  const { velocityScale = 1, accelerationScale = 1, jerkScale = 1, jerk } = limits;
  const pick = (values: Float64Array, scale: number) => Float64Array.from(dofs, (dof) => scale * values[dof]!);
  const described = new Map(urdf.joints.map((joint) => [joint.name, joint.limit?.jerk]));
  const maxJerk = Float64Array.from(dofs, (dof) => {
    return described.get(model.dofNames[dof]!) ?? model.maxAcceleration[dof]! / JERK_TIME;
  });
  if (typeof jerk === "number") maxJerk.fill(jerk);
  else if (jerk !== undefined) assignJoints(model, dofs, jerk, "/limits/jerk", maxJerk);
  const resolved = {
    lower: pick(model.lower, 1),
    upper: pick(model.upper, 1),
    maxVelocity: pick(model.maxVelocity, velocityScale),
    maxAcceleration: pick(model.maxAcceleration, accelerationScale),
    maxJerk: maxJerk.map((value) => jerkScale * value),
  };
  for (const [i, dof] of dofs.entries()) {
    const { maxVelocity: v, maxAcceleration: a, maxJerk: j } = resolved;
    const areUsable = [v[i]!, a[i]!, j[i]!].every((limit) => limit > 0 && limit < Number.POSITIVE_INFINITY);
    if (areUsable) continue;
    throw new FlycatcherError("FLY_PLAN_LIMITS_MISSING", `${model.dofNames[dof]} has no limits to move within`, {
      path: jerk === undefined ? "/limits" : "/limits/jerk",
      expected: "positive limits of speed, acceleration and jerk",
      found: `${v[i]}, ${a[i]} and ${j[i]}`,
    });
  }
  return resolved;
}

function resolveGoals(
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

function resolveGoal(
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

function keepWithin(model: RobotModel, dofs: readonly number[], { lower, upper }: JointLimits, q: Float64Array, path: string): void {
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
  if (kind !== "orientation" && !hasOrientation) throw invalidGoal(`${path}/free`, "an orientation, or orientation", kind);
  if ((kind === "cone") !== (cone !== undefined)) throw invalidGoal(`${path}/cone`, "an angle with free: cone, and only then", String(cone));
  const free: FreeAxes = kind === "cone" ? { kind, angle: cone! } : { kind };
  const isMoving = course !== undefined;
  return { kind: "pose", frame: link, course: isMoving ? courseOf(course, `${path}/course`) : standingAt(), isMoving, free, path };

  function standingAt(): PoseCourse {
    const rotation = quaternion === undefined ? poseFromOrigin({ xyz: [0, 0, 0], rpy: (rpy ?? [0, 0, 0]) as [number, number, number] }) : matrixOf(quaternion);
    return new PolynomialCourse([vec3.create(...(position as [number, number, number]))], rotation, vec3.create());
  }

  function matrixOf(given: readonly number[]): pose.Pose {
    const [x, y, z, w] = given as [number, number, number, number];
    const length = Math.hypot(x, y, z, w);
    if (!(length > 1e-9)) throw invalidGoal(`${path}/quaternion`, "a quaternion that is not zero", given.join(", "));
    return rotationOf(x / length, y / length, z / length, w / length);
  }
}

/** The rotation of a unit quaternion, as a pose at the origin. */
function rotationOf(x: number, y: number, z: number, w: number): pose.Pose {
  const out = pose.create();
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

function refuseMovingVia(via: readonly ResolvedGoal[]): void {
  for (const goal of via) {
    if (goal.kind === "pose" && goal.isMoving) throw invalidGoal(`${goal.path}/course`, "a place that stands", "one that moves");
  }
}

function resolveLine({ line }: MotionRequest, goals: readonly ResolvedGoal[]): number | null {
  if (line === undefined) return null;
  const wrong = goals.find((goal) => goal.kind !== "pose" || goal.isMoving);
  if (wrong !== undefined) throw invalidGoal(wrong.path, "a pose that stands, at the end of the line", wrong.kind);
  return line.tolerance ?? STANDARD_LINE;
}

function resolveTimes({ when = {} }: MotionRequest) {
  const { at, earliest, latest } = when;
  if (at !== undefined && (earliest !== undefined || latest !== undefined)) {
    throw times("/when", "at, or earliest and latest", "both");
  }
  for (const [key, value] of Object.entries({ at, latest })) {
    if (value === undefined || value >= 0) continue;
    throw new FlycatcherError("FLY_MOTION_TIME_PAST", "The motion would have to arrive before it begins", {
      path: `/when/${key}`,
      expected: "a time from 0 on, counted from the start of the motion",
      found: String(value),
    });
  }
  if (at !== undefined) return { earliest: at, latest: at, isTimed: true };
  const from = Math.max(0, earliest ?? 0);
  const to = latest ?? Number.POSITIVE_INFINITY;
  if (!(from <= to)) throw times("/when/earliest", `at most ${to}`, String(from));
  return { earliest: from, latest: to, isTimed: false };
}

function times(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_PLAN_TIMES", "The times contradict one another", { path, expected, found });
}

type JointValues = NonNullable<GoalDescription["joints"]>;

/** Writes values of joints, by name or as a list in the order of the dofs that move or of the robot, to `out`. */
function assignJoints(model: RobotModel, dofs: readonly number[], values: JointValues, path: string, out: Float64Array): void {
  if (Array.isArray(values)) {
    const isWhole = values.length === model.dofCount && values.length !== dofs.length;
    if (!isWhole && values.length !== dofs.length) {
      throw new FlycatcherError("FLY_PLAN_JOINT_COUNT", "The list of joint values has the wrong length", {
        path,
        expected: `${dofs.length} (the joints that move) or ${model.dofCount} (all joints) values`,
        found: String(values.length),
      });
    }
    for (const [i, dof] of dofs.entries()) out[i] = values[isWhole ? dof : i]!;
    return;
  }
  for (const [name, value] of Object.entries(values)) {
    const i = dofs.findIndex((dof) => model.dofNames[dof] === name);
    if (i < 0) {
      throw new FlycatcherError("FLY_PLAN_JOINT_UNKNOWN", "The motion moves no such joint", {
        path: pointer(path, name),
        expected: dofs.map((dof) => model.dofNames[dof]).join(", "),
        found: JSON.stringify(name),
      });
    }
    out[i] = value;
  }
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
