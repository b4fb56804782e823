import { Flight } from "../../flight/flight.js";
import { type FlightPath, FlightStatus } from "../../flight/flight-path.js";
import { createPlaneCrossing, crossPlane } from "../../flight/plane-crossing.js";
import { FlightPrediction } from "../../flight/prediction.js";
import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { MovingBasePath } from "../body/moving-base-path.js";
import type { CatchQuestion } from "../pool/catch-question.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { KeepOutSet } from "../problem/keep-out.js";
import { SuccessCurve } from "../problem/success-curve.js";
import { resolvePerception } from "../success/perception.js";
import { assumedCovariance, SuccessModel } from "../success/success-model.js";
import type { BodyMove } from "./answer.js";
import { gravityInRoot, turnCovariance } from "./ball-request.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** A request in the terms of one arm. */
export interface ArmTask {
  readonly arm: CatchArm;
  /** What is asked of the planner, as plain numbers; whoever has the arms adds which of them it is. */
  readonly question: Omit<CatchQuestion, "arm">;
  /** The same as the solver takes it. */
  readonly task: CatchTask;
  /** Pose of the arm's base link in the world. */
  readonly worldFromBase: Pose;
  /** When the ball reaches the floor [s]; Infinity if not within the flight. */
  readonly landing: number;
  readonly success: SuccessModel | null;
  readonly covarianceFrom: "given" | "fitted" | "assumed" | null;
  readonly body: BodyMove;
  /** What carries the arm, if that moves; `task` is then as seen from it, and `question` cannot be asked. */
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

/** A flight is laid out a little beyond what is asked for [s], so that no edge is ever touched. */
export const FLIGHT_MARGIN = 0.05;

export function buildArmTask(resolved: ResolvedRequest, arm: CatchArm): ArmTask {
  const { robot, start, keepOut } = resolved;
  const rootFromBase = start.worldFromLink[arm.group.baseLink]!;
  const baseFromRoot = pose.invert(rootFromBase, pose.create());
  const worldFromBase = pose.composeInverse(start.worldFromLink[robot.frames.world]!, rootFromBase, pose.create());
  const flight = describeFlight(resolved, baseFromRoot);
  const { path, covariance, covarianceFrom } = layOutFlight(resolved, flight, baseFromRoot);
  const landing = findLanding(path, worldFromBase, resolved);
  const earliest = Math.max(resolved.earliest, resolved.ball.begin);
  const latest = Math.min(resolved.latest, landing);
  const success = covariance === null ? null : successModel(resolved, arm, path, covariance);
  const placed = keepOut.map((shape) => ({
    ...shape,
    baseFromLink: pose.compose(baseFromRoot, start.worldFromLink[shape.link]!, pose.create()),
  }));
  const question = {
    ...describeMotion(resolved, arm),
    ...flight,
    keepOut: placed,
    earliest,
    latest,
    success: resolved.mode === "sure" ? (success?.table(earliest, Math.max(latest, earliest)) ?? null) : null,
    posture: start.q.slice(),
    checks: resolved.checks,
  };
  const names = placed.map((shape, link) => ({ ...shape, link }));
  const compiled = KeepOutSet.compile(names, (index) => placed[index]!.baseFromLink);
  const task = { ...question, path, keepOut: compiled, success: curveOf(question.success) };
  return { arm, question, task, worldFromBase, landing, success, covarianceFrom, body: "none", carrier: null };
}

/** Where the joints start and what they may do. */
function describeMotion({ mode, robot, start, velocityScale, accelerationScale }: ResolvedRequest, arm: CatchArm) {
  const pick = (values: Float64Array, scale = 1) => Float64Array.from(arm.group.dofs, (dof) => values[dof]! * scale);
  return {
    mode,
    q0: pick(start.q),
    w0: pick(start.qd),
    maxVelocity: pick(robot.model.maxVelocity, velocityScale),
    maxAcceleration: pick(robot.model.maxAcceleration, accelerationScale),
  };
}

type FlightDescription = Pick<CatchQuestion, "ball" | "gravity" | "flightBegin" | "flightEnd">;

/** The ball in a frame that stands still, gravity turned with it. */
export function describeFlight({ ball, robot, latest }: ResolvedRequest, frameFromRoot: Pose): FlightDescription {
  const flightBegin = Math.min(ball.begin, ball.lastSeen);
  return {
    ball: {
      time: ball.state.time,
      position: pose.transformPoint(frameFromRoot, ball.state.position, vec3.create()),
      velocity: pose.rotateVector(frameFromRoot, ball.state.velocity, vec3.create()),
      drag: ball.state.drag,
    },
    gravity: pose.rotateVector(frameFromRoot, gravityInRoot(robot), vec3.create()),
    flightBegin,
    flightEnd: Math.max(latest, flightBegin) + FLIGHT_MARGIN,
  };
}

type LaidOutFlight =
  | { readonly path: FlightPath; readonly covariance: null; readonly covarianceFrom: null }
  | {
      readonly path: FlightPrediction;
      readonly covariance: Float64Array;
      readonly covarianceFrom: "given" | "fitted" | "assumed";
    };

function layOutFlight(
  { ball, mode }: ResolvedRequest,
  { ball: state, gravity, flightBegin, flightEnd }: FlightDescription,
  baseFromRoot: Pose,
): LaidOutFlight {
  const options = { duration: Math.max(flightEnd, state.time) - flightBegin + FLIGHT_MARGIN };
  const assumed = mode === "sure" ? assumedCovariance() : null;
  const covariance = ball.covariance === null ? assumed : turnCovariance(ball.covariance, baseFromRoot);
  if (covariance === null) {
    const path = new Flight(options);
    refuseUnflyable(path.reset(state, gravity, flightBegin, flightEnd));
    return { path, covariance, covarianceFrom: null };
  }
  const path = new FlightPrediction(options);
  refuseUnflyable(path.reset(state, covariance, gravity, flightBegin, flightEnd));
  return { path, covariance, covarianceFrom: ball.covarianceFrom ?? "assumed" };
}

export function refuseUnflyable(status: FlightStatus): void {
  if (status === FlightStatus.ok) return;
  throw new FlycatcherError("FLY_PLAN_BALL_UNFLYABLE", "No ball flies like that", {
    path: "/ball",
    expected: "a velocity and a drag of a thrown ball",
    found: status === FlightStatus.diverged ? "one that the air stops at once" : "numbers beyond all measure",
  });
}

/** When the ball's centre comes down to z = 0 of the world: what is laid out beyond it never happens. */
function findLanding(path: FlightPath, worldFromBase: Pose, { ball, latest }: ResolvedRequest): number {
  const up = vec3.create(worldFromBase[6], worldFromBase[7], worldFromBase[8]);
  const floor = { normal: up, offset: -worldFromBase[11] };
  const crossing = createPlaneCrossing();
  const lands = latest > ball.begin && crossPlane(path, floor, ball.begin, latest, crossing);
  return lands ? crossing.time : Number.POSITIVE_INFINITY;
}

function successModel(
  { robot, start, perception, ball, latest }: ResolvedRequest,
  arm: CatchArm,
  prediction: FlightPrediction,
  covariance: Float64Array,
): SuccessModel {
  return new SuccessModel({
    prediction,
    covariance,
    lastSeen: perception.lastMeasurement ?? ball.lastSeen,
    until: latest,
    perception: resolvePerception(robot, start, arm.group.baseLink, perception),
    hand: arm.hand,
  });
}

function curveOf(table: CatchQuestion["success"]): SuccessCurve | null {
  return table === null ? null : new SuccessCurve(table.from, table.step, table.values);
}
