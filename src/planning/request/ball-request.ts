import { type BallState, defaultBall, STANDARD_GRAVITY } from "../../flight/ball.js";
import { FitStatus, FlightFit } from "../../flight/fit.js";
import { STATE_SIZE } from "../../flight/sensitivity.js";
import * as cholesky from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { BallDescription, PlanFrame } from "./request.js";

/** A ball as a request describes it, in the axes of the robot's root link. */
export interface RequestedBall {
  readonly state: BallState;
  /** Of position and velocity at `state.time`, 6 × 6 row-major; null where nothing is known. */
  readonly covariance: Float64Array | null;
  readonly covarianceFrom: "given" | "fitted" | null;
  /** From when on it flies as described [s]. */
  readonly begin: number;
  /** When it was seen last [s]. */
  readonly lastSeen: number;
}

/** Standard deviation of a sample that gives none [m]. */
const SAMPLE_SIGMA = 0.01;
/** Samples over less than this tell no velocity [s]. */
const SHORTEST_SPAN = 0.02;
/** How far a covariance may be from symmetric, relative to its entries. */
const SYMMETRY_TOLERANCE = 1e-6;

/** No ball is known to less than a nanometre in any direction; far smaller variances have no inverse [m², m²/s²]. */
const LEAST_VARIANCE = 1e-18;

/** Where the robot's root link sees things fall to [m/s²]. */
export function gravityInRoot({ gravityDirection }: Robot): vec3.Vec3 {
  return vec3.scale(gravityDirection, STANDARD_GRAVITY, vec3.create());
}

export function resolveBall(
  robot: Robot,
  groups: readonly JointGroup[],
  start: RobotState,
  ball: BallDescription,
): RequestedBall {
  const rootFromFrame = framePose(robot, groups, start, ball.frame ?? "world");
  const isState = ball.state !== undefined;
  if (isState === (ball.samples !== undefined)) {
    throw new FlycatcherError("FLY_PLAN_BALL_AMBIGUOUS", "The ball must be given in exactly one way", {
      path: "/ball",
      expected: "exactly one of state and samples",
      found: isState ? "both" : "neither",
    });
  }
  const resolved = isState ? fromState(ball, rootFromFrame) : fromSamples(robot, ball, rootFromFrame);
  refuseUnderground(robot, start, ball, rootFromFrame);
  return resolved;
}

function framePose(robot: Robot, groups: readonly JointGroup[], start: RobotState, frame: PlanFrame): pose.Pose {
  const link = frame === "group" ? (groups.length === 1 ? groups[0]?.baseLink : undefined) : robot.frames[frame];
  if (link !== undefined) return start.worldFromLink[link]!;
  const expected = frame === "group" ? "a group by name" : `a robot with a link for ${frame}`;
  throw new FlycatcherError("FLY_PLAN_FRAME_UNKNOWN", "The ball's frame is not known", {
    path: "/ball/frame",
    expected,
    found: frame === "group" ? `any of ${groups.map(({ name }) => name).join(", ")}` : robot.name,
  });
}

function fromState({ state, drag = defaultBall.drag }: BallDescription, rootFromFrame: pose.Pose): RequestedBall {
  const { time = 0, position, velocity, covariance } = state!;
  return {
    state: {
      time,
      position: pose.transformPoint(rootFromFrame, vectorOf(position), vec3.create()),
      velocity: pose.rotateVector(rootFromFrame, vectorOf(velocity), vec3.create()),
      drag,
    },
    covariance: covariance === undefined ? null : turnCovariance(checkedCovariance(covariance), rootFromFrame),
    covarianceFrom: covariance === undefined ? null : "given",
    begin: time,
    lastSeen: time,
  };
}

function vectorOf(values: readonly number[]): vec3.Vec3 {
  return vec3.create(values[0]!, values[1]!, values[2]!);
}

function checkedCovariance(rows: readonly (readonly number[])[]): Float64Array {
  const matrix = Float64Array.from(rows.flat());
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < r; c++) {
      const [below, above] = [matrix[6 * r + c]!, matrix[6 * c + r]!];
      const isSymmetric = Math.abs(below - above) <= SYMMETRY_TOLERANCE * (Math.abs(below) + Math.abs(above));
      if (!isSymmetric) throw badCovariance(`/${r}/${c}`, `${above}, as its mirror image`, String(below));
      matrix[6 * r + c] = matrix[6 * c + r] = 0.5 * (below + above);
    }
  }
  const factor = new Float64Array(36);
  const status = cholesky.factor(matrix, 6, factor);
  const least = factor.reduce((low, entry, k) => (k % 7 === 0 ? Math.min(low, entry * entry) : low), 1);
  if (status !== cholesky.MatrixStatus.ok || !(least >= LEAST_VARIANCE))
    throw badCovariance("", `a positive definite matrix of variances of ${LEAST_VARIANCE} or more`, "one that is not");
  return matrix;
}

function badCovariance(place: string, expected: string, found: string): FlycatcherError {
  const path = `/ball/state/covariance${place}`;
  return new FlycatcherError("FLY_PLAN_COVARIANCE", "The ball's covariance is not valid", { path, expected, found });
}

/** R·P·Rᵀ of each 3 × 3 block. */
export function turnCovariance(covariance: Float64Array, outFromIn: pose.Pose): Float64Array {
  const out = new Float64Array(36);
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const entry = covariance[6 * (r - (r % 3) + i) + (c - (c % 3) + j)]!;
          sum += outFromIn[3 * (r % 3) + i]! * entry * outFromIn[3 * (c % 3) + j]!;
        }
      }
      out[6 * r + c] = sum;
    }
  }
  return out;
}

function fromSamples(robot: Robot, ball: BallDescription, rootFromFrame: pose.Pose): RequestedBall {
  const samples = ball.samples!;
  const [first, last] = [samples[0]!.time, samples[samples.length - 1]!.time];
  refuseUnordered(samples);
  if (last - first < SHORTEST_SPAN)
    throw badSamples("", `samples over ${SHORTEST_SPAN} s or more`, `${last - first} s`);
  const fit = new FlightFit(samples.length, { duration: last - first + 0.1 });
  for (const { time, position, sigma = SAMPLE_SIGMA } of samples)
    fit.add(time, pose.transformPoint(rootFromFrame, vectorOf(position), vec3.create()), sigma);
  const drag = ball.drag ?? defaultBall.drag;
  const status = fit.solve({ gravity: gravityInRoot(robot), time: last, drag, dragSigma: 0 });
  if (status !== FitStatus.ok) throw badSamples("", fitFailures[status] ?? "samples of one flight");
  const covariance = new Float64Array(36);
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) covariance[6 * r + c] = fit.covariance[STATE_SIZE * r + c]!;
  return { state: fit.state, covariance, covarianceFrom: "fitted", begin: first, lastSeen: last };
}

const fitFailures: Readonly<Record<number, string>> = {
  [FitStatus.underdetermined]: "samples far enough apart to determine a velocity",
  [FitStatus.unflyable]: "samples of a ball that the air does not stop",
  [FitStatus.notConverged]: "samples that lie on a flight",
  [FitStatus.invalid]: "samples that lie on a flight",
};

function refuseUnordered(samples: NonNullable<BallDescription["samples"]>): void {
  for (let k = 1; k < samples.length; k++) {
    const [before, here] = [samples[k - 1]!.time, samples[k]!.time];
    if (!(here > before)) throw badSamples(`/${k}/time`, `later than ${before}`, String(here));
  }
}

function badSamples(place: string, expected: string, found?: string): FlycatcherError {
  return new FlycatcherError("FLY_PLAN_SAMPLES", "No flight can be fitted to the samples", {
    path: `/ball/samples${place}`,
    expected,
    ...(found !== undefined && { found }),
  });
}

/** The floor is z = 0 of the world. */
function refuseUnderground(robot: Robot, start: RobotState, ball: BallDescription, rootFromFrame: pose.Pose): void {
  const worldFromFrame = pose.composeInverse(start.worldFromLink[robot.frames.world]!, rootFromFrame, pose.create());
  const given = ball.state === undefined ? (ball.samples ?? []) : [ball.state];
  for (const [k, { position }] of given.entries()) {
    const height = pose.transformPoint(worldFromFrame, vectorOf(position), vec3.create())[2];
    if (height >= 0) continue;
    throw new FlycatcherError("FLY_PLAN_BALL_UNDER_FLOOR", "The ball is below the floor", {
      path: ball.state === undefined ? `/ball/samples/${k}/position` : "/ball/state/position",
      expected: "a height of 0 m or more in the world",
      found: `${height} m`,
    });
  }
}
