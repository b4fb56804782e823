import { parseMotion } from "../../motion/motion-description.js";
import { MotionState } from "../../motion/piecewise-motion.js";
import type { JointGroup, Robot, RobotModel } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { didYouMean } from "../../runtime/nearest-name.js";
import { catchGroups } from "../problem/catch-arm.js";
import type { PlannerSettings } from "../request/planner-settings.js";
import type { RobotSource } from "../request/resolve-request.js";
import { resolveStart } from "../request/start-state.js";
import { assignJoints } from "./joint-values.js";
import {
  assertMotionRequest,
  type ExportFormat,
  type MotionPlannerName,
  type MotionRequest,
} from "./motion-request.js";
import {
  type JointLimits,
  type ResolvedGoal,
  refuseMovingVia,
  resolveGoal,
  resolveGoals,
  resolveLine,
} from "./resolve-goals.js";

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
  /** Whether clearance, tool speed and peaks are measured. */
  readonly hasFigures: boolean;
  readonly sampleRateHz: number | null;
  readonly exports: readonly ExportFormat[];
}

/** How long to the full acceleration where a robot's description gives no jerk [s]. */
const JERK_TIME = 0.1;

/** The robot among obstacles; the same one for the same obstacles, if it can. */
export type AmongMotionObstacles = (robot: Robot, obstacles: NonNullable<MotionRequest["obstacles"]>) => Robot;

/** Checks a request beyond its schema; whatever is wrong is an error with a code and the JSON pointer of the field. `stateOf` lends room for the start. */
export function resolveMotion(
  request: MotionRequest,
  robots: RobotSource,
  settings: PlannerSettings,
  among: AmongMotionObstacles,
  stateOf: (robot: Robot, dofs: readonly number[], groups: readonly JointGroup[]) => RobotState,
): ResolvedMotion {
  assertMotionRequest(request);
  const known = robots.get(request.robot ?? settings.robot, "/robot");
  const robot = request.obstacles === undefined ? known : among(known, request.obstacles);
  const groups = resolveGroups(robot, request.group);
  const dofs = [...new Set(groups.flatMap((group) => [...group.dofs]))];
  const { start, acceleration, from } = resolveState(request, robot, groups, dofs, stateOf(robot, dofs, groups));
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
    hasFigures: request.figures !== "none",
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
function resolveState(
  request: MotionRequest,
  robot: Robot,
  groups: readonly JointGroup[],
  dofs: readonly number[],
  room: RobotState,
) {
  const { model } = robot;
  const { acceleration: given, ...state } = request.start ?? {};
  const start = resolveStart(robot, groups, state, room, []);
  const acceleration = new Float64Array(dofs.length);
  if (given !== undefined) assignJoints(model, dofs, given, "/start/acceleration", acceleration);
  let from = 0;
  if (request.running !== undefined) {
    const { motion: running, at } = request.running;
    const { motion, joints } = readRunning(running, model);
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

/** The running motion, and the dofs it moves. */
function readRunning(running: unknown, model: RobotModel) {
  const { motion, joints: names } = parseMotion(running);
  const joints = names.map((name, i) => {
    const dof = model.dofNames.indexOf(name);
    if (dof >= 0 && names.indexOf(name) === i) return dof;
    throw new FlycatcherError("FLY_MOTION_RUNNING", "The running motion moves no such joint, or moves it twice", {
      path: `/running/motion/joints/${i}`,
      expected: "the name of an independent joint, once",
      found: JSON.stringify(name),
    });
  });
  return { motion, joints };
}

function resolveLimits(
  { limits = {} }: MotionRequest,
  { model, maxJerk: described }: Robot,
  dofs: readonly number[],
): JointLimits {
  const { velocityScale = 1, accelerationScale = 1, jerkScale = 1, jerk } = limits;
  const pick = (values: Float64Array, scale: number) => Float64Array.from(dofs, (dof) => scale * values[dof]!);
  const maxJerk = Float64Array.from(dofs, (dof) => {
    const known = described?.[dof] ?? Number.POSITIVE_INFINITY;
    return known < Number.POSITIVE_INFINITY ? known : model.maxAcceleration[dof]! / JERK_TIME;
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
