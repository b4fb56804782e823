import { type BallState, defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import { FlightPrediction } from "../../src/flight/prediction.js";
import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/problem/catch-arm.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../../src/planning/problem/checks.js";
import { KeepOutSet } from "../../src/planning/problem/keep-out.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import type { SuccessCurve } from "../../src/planning/problem/success-curve.js";
import type { PlanRequest } from "../../src/planning/request/request.js";
import { type Perception, resolvePerception } from "../../src/planning/success/perception.js";
import { assumedCovariance, SuccessModel } from "../../src/planning/success/success-model.js";
import { forwardKinematics, relativePose } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { ThrowGenerator, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { unitVector } from "../../test/support/random-draws.js";
import type { PlanningCase } from "./cases.js";

/** Seed of the suite's throws; the reference holds for these alone. */
export const THROW_SEED = "planning suite";

/**
 * From a throw's release to the start of the first motion [s]: three camera frames of 40 ms, 40 ms to the arrival of the
 * last, 35 ms of tracking, 60 ms of planning and 17 ms of transport (the thesis' figures).
 */
export const FIRST_MOTION = 3 * 0.04 + 0.04 + 0.035 + 0.06 + 0.017;

/** The last image that a plan is made of, on the motion's clock [s]. */
const LAST_SEEN = -(0.04 + 0.035 + 0.06 + 0.017);

export const LATEST_CATCH = 1.8;

/** How far a predicted ball is off, in a random direction [m, m/s]. */
export interface Jitter {
  readonly position: number;
  readonly velocity: number;
  readonly random: Random;
}

/** Agile Justin's right arm in the ready posture, and the suite's throws as it sees them. */
export class PlanningSetting {
  readonly arm: CatchArm;
  readonly keepOut: KeepOutSet;
  readonly ready: Float64Array;
  readonly #throws: ThrowGenerator;
  readonly #baseFromWorld: Pose;
  /** In the arm's base. */
  readonly #gravity: vec3.Vec3;
  readonly #perception: Perception;

  constructor(robotName = "agile-justin", group = "rightArm", throwSeed: string | number = THROW_SEED) {
    const robot = loadRobot(robotName);
    const posture = robot.postures.get("ready")!;
    const state = new RobotState(robot.model);
    state.q.set(posture);
    forwardKinematics(state);
    this.arm = buildCatchArm(robot, group, posture);
    const { baseLink, dofs } = this.arm.chain;
    this.ready = Float64Array.from(dofs, (dof) => posture[dof]!);
    this.keepOut = new KeepOutSet(robot.keepOut, (link) => relativePose(state, baseLink, link, pose.create()));
    this.#baseFromWorld = pose.invert(state.worldFromLink[baseLink]!, pose.create());
    this.#gravity = pose.rotateVector(this.#baseFromWorld, gravity(), vec3.create());
    this.#perception = resolvePerception(robot, state, baseLink);
    this.#throws = new ThrowGenerator(throwSpaceOf(robot), throwSeed);
  }

  /** Throw `id` in the arm's base, on a clock that starts `delay` seconds after its release. */
  flight(id: number, delay: number, jitter?: Jitter): Flight {
    const { state } = this.#throws.make(id, -delay);
    const flight = new Flight();
    const position = pose.transformPoint(this.#baseFromWorld, state.position, vec3.create());
    const velocity = pose.rotateVector(this.#baseFromWorld, state.velocity, vec3.create());
    if (jitter !== undefined) {
      vec3.addScaled(position, unitVector(jitter.random, vec3.create()), jitter.position, position);
      vec3.addScaled(velocity, unitVector(jitter.random, vec3.create()), jitter.velocity, velocity);
    }
    flight.reset({ ...state, position, velocity }, this.#gravity, -delay, LATEST_CATCH);
    return flight;
  }

  /** The task of a stored case. */
  caseTask({ mode, throwId, delay, q0, w0 }: PlanningCase): CatchTask {
    return this.task(mode, this.flight(throwId, delay), Float64Array.from(q0), Float64Array.from(w0));
  }

  /** The same as a request, for the pool. */
  caseRequest({ mode, throwId, delay, q0, w0 }: PlanningCase): PlanRequest {
    const { state } = this.#throws.make(throwId, -delay);
    const { robot, group } = this.arm;
    const [position, velocity] = [[...state.position], [...state.velocity]];
    return {
      robot: robot.name,
      group: group.name,
      mode,
      start: { position: [...q0], velocity: [...w0] },
      ball: { drag: state.drag, state: { time: state.time, position, velocity } },
      catchTime: { latest: LATEST_CATCH },
    };
  }

  task(mode: CatchMode, path: Flight, q0: Float64Array, w0: Float64Array): CatchTask {
    const { maxVelocity, maxAcceleration } = this.arm;
    const { keepOut } = this;
    const times = { earliest: 0, latest: LATEST_CATCH };
    return {
      mode,
      q0,
      w0,
      maxVelocity,
      maxAcceleration,
      path,
      keepOut,
      ...times,
      success: mode === "sure" ? this.#success(path) : null,
      checks: ALL_CHECKS,
    };
  }

  /** For `sure`: how probable a catch is over time, for a tracker that has seen three images of the ball. */
  #success(path: Flight): SuccessCurve {
    const state: BallState = {
      time: LAST_SEEN,
      position: vec3.create(),
      velocity: vec3.create(),
      drag: defaultBall.drag,
    };
    path.evaluate(LAST_SEEN, state.position, state.velocity, vec3.create());
    const prediction = new FlightPrediction();
    const covariance = assumedCovariance();
    prediction.reset(state, covariance, this.#gravity, LAST_SEEN, LATEST_CATCH);
    const { hand } = this.arm;
    const until = LATEST_CATCH;
    const model = new SuccessModel({
      prediction,
      covariance,
      lastSeen: LAST_SEEN,
      until,
      perception: this.#perception,
      hand,
    });
    return model.curve(0, LATEST_CATCH);
  }
}
