import { type BallState, type FlightPath, FlightStatus } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { createPlaneCrossing, crossPlane } from "../../flight/plane-crossing.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ArmQuestion, CatchPlanner } from "../arm/arm-planner.js";
import { BallFlight, type SuccessConditions } from "../arm/ball-flight.js";
import { type BallView, MovingBallView, standingBallView } from "../arm/ball-view.js";
import { BodyRule } from "../body/body-rule.js";
import type { MovingBasePath } from "../body/moving-base-path.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { KeepOutSet } from "../problem/keep-out.js";
import { resolvePerception } from "../success/perception.js";
import { assumedCovariance } from "../success/success-model.js";
import type { BodyMove } from "./answer.js";
import { gravityInRoot, turnCovariance } from "./ball-request.js";
import { roomForJerk } from "./jerk-rounding.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** A request in the terms of one arm. */
export interface ArmTask {
  readonly planner: CatchPlanner;
  readonly view: BallView;
  readonly task: CatchTask;
  /** Where all stands that the arm does not move, when the body has arrived: a position for every dof of the robot. */
  readonly posture: Float64Array;
  /** When the ball reaches the floor [s]; Infinity if not within the flight. */
  readonly landing: number;
  readonly covarianceFrom: "given" | "fitted" | "assumed" | null;
  readonly body: BodyMove;
  /** What carries the arm, if that moves; `view` is then from there. */
  readonly carrier: MovingCarrier | null;
}

/** Torso and platform in motion, with an arm on them. */
export interface MovingCarrier {
  /** As indices of the model. */
  readonly dofs: readonly number[];
  /** In the order of `dofs`, from t = 0 on. */
  readonly ramps: JointRamps;
  /** The ball in the world. */
  readonly flight: FlightPath;
  /** The ball as seen from the arm's base. */
  readonly path: MovingBasePath;
}

/** What a request asks of one arm. */
export interface ArmTasks {
  /** With the body doing what its rule says; null where it is not to help, or would not. */
  readonly helped: ArmTask | null;
  /** With the body standing or, where it moves at the start, coming to rest. */
  readonly resting: ArmTask;
}

/** A flight is laid out a little beyond what is asked for [s], so that no edge is ever touched. */
const FLIGHT_MARGIN = 0.05;

export function buildArmTasks(resolved: ResolvedRequest, planner: CatchPlanner): ArmTasks {
  const standing = buildStandingTask(resolved, planner);
  const rule = resolved.body === "rule" ? BodyRule.of(resolved.robot, planner.arm.group, resolved) : null;
  return rule === null ? { helped: null, resting: standing } : buildCarriedTasks(resolved, standing, rule);
}

/** The task of an arm whose base stands as at the start. */
export function buildStandingTask(resolved: ResolvedRequest, planner: CatchPlanner): ArmTask {
  const { robot, start, keepOut, ball } = resolved;
  const { arm } = planner;
  const rootFromBase = start.worldFromLink[arm.group.baseLink]!;
  const baseFromRoot = pose.invert(rootFromBase, pose.create());
  const worldFromBase = pose.composeInverse(start.worldFromLink[robot.frames.world]!, rootFromBase, pose.create());
  const conditions = successConditions(resolved, arm, baseFromRoot);
  const { path, success } = layOutFlight(describeFlight(resolved, baseFromRoot), conditions);
  const landing = findLanding(path, worldFromBase, resolved);
  const earliest = Math.max(resolved.earliest, ball.begin);
  const latest = Math.min(resolved.latest, landing);
  const baseFromLink = (link: number) => pose.compose(baseFromRoot, start.worldFromLink[link]!, pose.create());
  const shapes = new KeepOutSet(keepOut, baseFromLink);
  const view = standingBallView({ path, keepOut: shapes, success, worldFromBase });
  const task = planner.task({ ...describeMotion(resolved, arm), earliest, latest, checks: resolved.checks }, view);
  const covarianceFrom = conditions === null ? null : (ball.covarianceFrom ?? "assumed");
  return { planner, view, task, posture: start.q.slice(), landing, covarianceFrom, body: "none", carrier: null };
}

/** Where the joints start and what they may do. */
function describeMotion(
  { mode, robot, start, velocityScale, accelerationScale, maxJerk }: ResolvedRequest,
  { group }: CatchArm,
): Omit<ArmQuestion, "earliest" | "latest" | "checks"> {
  const pick = (values: Float64Array, scale = 1) => Float64Array.from(group.dofs, (dof) => values[dof]! * scale);
  const maxVelocity = pick(robot.model.maxVelocity, velocityScale);
  const maxAcceleration = pick(robot.model.maxAcceleration, accelerationScale);
  const leaveRoom = (A: number, i: number) => roomForJerk(A, maxJerk![group.dofs[i]!]!, maxVelocity[i]!);
  return {
    mode,
    q0: pick(start.q),
    w0: pick(start.qd),
    maxVelocity,
    maxAcceleration: maxJerk === null ? maxAcceleration : maxAcceleration.map(leaveRoom),
  };
}

interface FlightDescription {
  readonly ball: BallState;
  readonly gravity: vec3.Vec3;
  /** The times the flight is laid out for [s]; no catch is outside. */
  readonly begin: number;
  readonly end: number;
}

/** The ball in a frame that stands still, gravity turned with it. */
function describeFlight({ ball, robot, latest }: ResolvedRequest, frameFromRoot: pose.Pose): FlightDescription {
  const begin = Math.min(ball.begin, ball.lastSeen);
  return {
    ball: {
      time: ball.state.time,
      position: pose.transformPoint(frameFromRoot, ball.state.position, vec3.create()),
      velocity: pose.rotateVector(frameFromRoot, ball.state.velocity, vec3.create()),
      drag: ball.state.drag,
    },
    gravity: pose.rotateVector(frameFromRoot, gravityInRoot(robot), vec3.create()),
    begin,
    end: Math.max(latest, begin) + FLIGHT_MARGIN,
  };
}

/** Null where nothing is known of how well the ball is known. */
function successConditions(
  { robot, start, perception, ball, latest, mode }: ResolvedRequest,
  { group, hand }: CatchArm,
  baseFromRoot: pose.Pose,
): SuccessConditions | null {
  const assumed = mode === "sure" ? assumedCovariance() : null;
  const covariance = ball.covariance === null ? assumed : turnCovariance(ball.covariance, baseFromRoot);
  if (covariance === null) return null;
  return {
    covariance,
    lastSeen: perception.lastMeasurement ?? ball.lastSeen,
    until: latest,
    perception: resolvePerception(robot, start, group.baseLink, perception),
    hand,
  };
}

function layOutFlight(description: FlightDescription, conditions: SuccessConditions | null): BallFlight {
  const { ball, gravity, begin, end } = description;
  const flight = new BallFlight(durationOf(description));
  refuseUnflyable(flight.reset(ball, gravity, begin, end, conditions));
  if (conditions !== null && flight.success === null) refuseUnflyable(FlightStatus.invalid);
  return flight;
}

function durationOf({ ball, begin, end }: FlightDescription): number {
  return Math.max(end, ball.time) - begin + FLIGHT_MARGIN;
}

function refuseUnflyable(status: FlightStatus): void {
  if (status === FlightStatus.ok) return;
  throw new FlycatcherError("FLY_PLAN_BALL_UNFLYABLE", "The ball's flight is impossible", {
    path: "/ball",
    expected: "velocity and drag of a thrown ball",
    found: status === FlightStatus.diverged ? "one that the air stops at once" : "numbers far out of range",
  });
}

/** When the ball's centre comes down to z = 0 of the world: what is laid out beyond it never happens. */
function findLanding(path: FlightPath, worldFromBase: pose.Pose, { ball, latest }: ResolvedRequest): number {
  const up = vec3.create(worldFromBase[6], worldFromBase[7], worldFromBase[8]);
  const floor = { normal: up, offset: -worldFromBase[11] };
  const crossing = createPlaneCrossing();
  const lands = latest > ball.begin && crossPlane(path, floor, ball.begin, latest, crossing);
  return lands ? crossing.time : Number.POSITIVE_INFINITY;
}

/**
 * What a request means for an arm whose body may help: `standing`, seen from the base as it will move. What is known of the
 * ball, and so the probability of success, stays as computed in the base's frame at the start: it depends on distances in
 * the world, which no motion of the robot changes.
 */
function buildCarriedTasks(resolved: ResolvedRequest, standing: ArmTask, rule: BodyRule): ArmTasks {
  const { start } = resolved;
  const { earliest, latest } = standing.task;
  const flight = flightInWorld(resolved);
  const isMoving = rule.dofs.some((dof) => start.qd[dof] !== 0);
  const carry = (ramps: JointRamps) => carriedBy(resolved, standing, flight, rule.dofs, ramps);
  const decision = earliest <= latest ? rule.decide(start, flight, earliest, latest) : null;
  return {
    helped: decision?.moves === true ? carry(decision.ramps) : null,
    resting: isMoving ? carry(rule.rest(start)) : { ...standing, body: "stayed" },
  };
}

function flightInWorld(resolved: ResolvedRequest): Flight {
  const { robot, start } = resolved;
  const worldFromRoot = pose.invert(start.worldFromLink[robot.frames.world]!, pose.create());
  const description = describeFlight(resolved, worldFromRoot);
  const { ball, gravity, begin, end } = description;
  const flight = new Flight({ duration: durationOf(description) });
  refuseUnflyable(flight.reset(ball, gravity, begin, end));
  return flight;
}

/** The task as seen from a base that moves by `ramps`; keep-out shapes and bodies are where they are on its arrival. */
function carriedBy(
  { robot, start, keepOut }: ResolvedRequest,
  standing: ArmTask,
  flight: FlightPath,
  dofs: readonly number[],
  ramps: JointRamps,
): ArmTask {
  const { earliest, latest } = standing.task;
  const begin = Math.max(0, earliest);
  const end = Math.max(begin, latest) + FLIGHT_MARGIN / 2;
  const view = new MovingBallView(robot, standing.planner.arm.group.baseLink, end - begin + FLIGHT_MARGIN);
  const ball = { path: flight, success: standing.view.success };
  refuseUnflyable(view.look(ball, { ramps, start: 0, head: null, posture: start.q }, keepOut, begin, end));
  const posture = start.q.slice();
  view.path.placeBody(ramps.duration, posture);
  const task = { ...standing.task, path: view.path, keepOut: view.keepOut };
  return { ...standing, body: "moved", view, posture, task, carrier: { dofs, ramps, flight, path: view.path } };
}
