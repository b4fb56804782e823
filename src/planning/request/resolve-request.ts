import { parseObstacles, robotAmong } from "../../robot/loading/obstacles.js";
import type { JointGroup, KeepOutShape, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { BodyRule } from "../body/body-rule.js";
import { catchGroups, unknownGroup } from "../problem/catch-arm.js";
import { ALL_CHECKS, Check, type VerifyChecks } from "../problem/checks.js";
import type { CatchMode } from "../problem/objectives.js";
import type { PerceptionDescription } from "../success/perception.js";
import { type RequestedBall, resolveBall } from "./ball-request.js";
import { resolveKeepOutRequests } from "./keep-out-request.js";
import type { PlannerSettings } from "./planner-settings.js";
import { assertPlanRequest, type PlanRequest, type Verifiable } from "./request.js";
import { resolveStart } from "./start-state.js";

/** Where robots come from; `path` is the JSON pointer of the name, for the error. */
export interface RobotSource {
  get(name: string, path?: string): Robot;
}

/** The robot with obstacles of the world around it; the same one for the same obstacles, if it can. */
export type AmongObstacles = (robot: Robot, obstacles: NonNullable<PlanRequest["obstacles"]>) => Robot;

/** A request checked and filled in, the same for every arm that may answer it. */
export interface ResolvedRequest {
  readonly robot: Robot;
  /** The arms to try. */
  readonly groups: readonly JointGroup[];
  readonly mode: CatchMode;
  /** Whether torso and platform may help. */
  readonly body: NonNullable<PlanRequest["body"]>;
  /** The whole robot at t = 0, with its kinematics. */
  readonly start: RobotState;
  readonly ball: RequestedBall;
  /** The robot's shapes and the request's. */
  readonly keepOut: readonly KeepOutShape[];
  readonly velocityScale: number;
  readonly accelerationScale: number;
  /** Of every dof [rad/s³ or m/s³]; null: no limit. */
  readonly maxJerk: Float64Array | null;
  /** [s] */
  readonly earliest: number;
  readonly latest: number;
  readonly starts: number;
  /** Joint positions and time of an earlier catch, for the one arm there is; null: none. */
  readonly near: Float64Array | null;
  /** [ms]; null: no wall clock. */
  readonly milliseconds: number | null;
  /** What a plan is checked for, beside limits and hand. */
  readonly checks: VerifyChecks;
  readonly perception: PerceptionDescription;
  /** [Hz]; null: not sampled. */
  readonly sampleRateHz: number | null;
}

/**
 * Checks a request, beyond what its schema says too, and fills in what it leaves unsaid. Whatever is wrong is an error
 * with a code and the JSON pointer of the field. `stateOf` lends a workspace for the robot's start, `amongObstacles` the robot
 * among the request's obstacles.
 */
export function resolveRequest(
  request: PlanRequest,
  robots: RobotSource,
  settings: PlannerSettings,
  stateOf: (robot: Robot) => RobotState = (robot) => new RobotState(robot.model),
  amongObstacles: AmongObstacles = (robot, obstacles) => robotAmong(robot, parseObstacles(obstacles, "/obstacles")),
): ResolvedRequest {
  assertPlanRequest(request);
  const known = robots.get(request.robot ?? settings.robot, "/robot");
  const robot = request.obstacles === undefined ? known : amongObstacles(known, request.obstacles);
  const groups = resolveGroups(robot, request.group ?? "any");
  const body = request.body ?? "none";
  const standing = body === "none" ? groups : groups.filter((group) => BodyRule.of(robot, group) === null);
  const start = resolveStart(robot, groups, request.start, stateOf(robot), standing);
  const { earliest = 0, latest = settings.latest } = request.catchTime ?? {};
  refuseCrossedTimes(earliest, latest);
  return {
    robot,
    groups,
    mode: request.mode ?? settings.mode,
    body,
    start,
    ball: resolveBall(robot, groups, start, request.ball),
    keepOut: [...robot.keepOut, ...resolveKeepOutRequests(robot, request.handKeepOut ?? [])],
    velocityScale: request.limits?.velocityScale ?? 1,
    accelerationScale: request.limits?.accelerationScale ?? 1,
    maxJerk: resolveJerk(robot, groups, body, request.limits?.jerk),
    earliest,
    latest,
    starts: request.budget?.starts ?? settings.starts,
    near: resolveNear(groups, request.near),
    milliseconds: request.budget?.milliseconds ?? settings.milliseconds,
    checks: resolveChecks(request.verify),
    perception: request.perception ?? {},
    sampleRateHz: request.sample?.rateHz ?? null,
  };
}

function resolveGroups(robot: Robot, wanted: string): readonly JointGroup[] {
  const all = catchGroups(robot);
  const chosen = wanted === "any" ? all : all.filter(({ name }) => name === wanted);
  if (chosen.length > 0) return chosen;
  throw unknownGroup(robot, wanted);
}

function resolveNear(groups: readonly JointGroup[], near: PlanRequest["near"]): Float64Array | null {
  if (near === undefined) return null;
  const only = groups.length === 1 ? groups[0] : undefined;
  if (only?.dofs.length === near.joints.length) return Float64Array.of(...near.joints, near.time);
  throw new FlycatcherError("FLY_PLAN_JOINT_COUNT", "The earlier catch does not fit the arm", {
    path: "/near/joints",
    expected: only === undefined ? "one group, by name" : `${only.dofs.length} (${only.name}) values`,
    found: only === undefined ? `any of ${groups.map(({ name }) => name).join(", ")}` : String(near.joints.length),
  });
}

/** A body that moves with the arm has ramps, of which the hand's place depends. */
function resolveJerk(
  { model, maxJerk }: Robot,
  groups: readonly JointGroup[],
  body: PlanRequest["body"],
  jerk: NonNullable<PlanRequest["limits"]>["jerk"],
): Float64Array | null {
  if (jerk === undefined) return null;
  const path = "/limits/jerk";
  if (body === "rule") {
    const details = { path, expected: "no limit of jerk, or `body` set to `none`", found: "`body` set to `rule`" };
    throw new FlycatcherError("FLY_PLAN_JERK", "The jerk of a body that moves is not limited", details);
  }
  if (jerk !== "robot") return new Float64Array(model.dofCount).fill(jerk);
  const unknown = groups.flatMap(({ dofs }) => dofs).find((dof) => !((maxJerk?.[dof] ?? Infinity) < Infinity));
  if (unknown === undefined) return maxJerk!;
  const found = `no limit of ${model.dofNames[unknown]}`;
  const details = { path, expected: "a number, or a robot that has limits of jerk", found };
  throw new FlycatcherError("FLY_PLAN_JERK", "The robot's limit of jerk is not known", details);
}

/** Limits and hand have no bit: they are checked whatever is asked. */
const checkOf: Readonly<Record<Verifiable, VerifyChecks>> = {
  limits: 0,
  hand: 0,
  "hand-keep-out": Check.keepOut,
  clearance: Check.clearance,
  motion: Check.motion,
};

function resolveChecks(verify: readonly Verifiable[] | undefined): VerifyChecks {
  return verify?.reduce((checks, name) => checks | checkOf[name], 0) ?? ALL_CHECKS;
}

function refuseCrossedTimes(earliest: number, latest: number): void {
  if (earliest <= latest) return;
  throw new FlycatcherError("FLY_PLAN_TIMES", "The earliest catch is later than the latest", {
    path: "/catchTime/earliest",
    expected: `at most ${latest}`,
    found: String(earliest),
  });
}
