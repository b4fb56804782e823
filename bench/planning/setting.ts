import { gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/catch-arm.js";
import type { CatchTask } from "../../src/planning/catch-problem.js";
import { KeepOutSet } from "../../src/planning/keep-out.js";
import type { CatchMode } from "../../src/planning/request.js";
import { forwardKinematics, relativePose } from "../../src/robot/kinematics.js";
import { loadRobot } from "../../src/robot/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { throwSpaceOf } from "../../src/simulation/throw-space.js";
import { ThrowGenerator } from "../../src/simulation/throws.js";

/** Seed of the suite's throws; the reference holds for these alone. */
export const THROW_SEED = "planning suite";

/**
 * From a throw's release to the start of the first motion [s]: three camera frames of 40 ms, 40 ms to the arrival of the
 * last, 35 ms of tracking, 60 ms of planning and 17 ms of transport (the thesis' figures).
 */
export const FIRST_MOTION = 3 * 0.04 + 0.04 + 0.035 + 0.06 + 0.017;

export const LATEST_CATCH = 1.8;

/** Agile Justin's right arm in the ready posture, and the suite's throws as it sees them. */
export class PlanningSetting {
  readonly arm: CatchArm;
  readonly keepOut: KeepOutSet;
  readonly ready: Float64Array;
  readonly #throws: ThrowGenerator;
  readonly #baseFromWorld: Pose;

  constructor(robotName = "agile-justin", group = "rightArm") {
    const robot = loadRobot(robotName);
    const posture = robot.postures.get("ready")!;
    const state = new RobotState(robot.model);
    state.q.set(posture);
    forwardKinematics(state);
    this.arm = buildCatchArm(robot, group, posture);
    const { baseLink, dofs } = this.arm.chain;
    this.ready = Float64Array.from(dofs, (dof) => posture[dof]!);
    this.keepOut = KeepOutSet.compile(robot.keepOut, (link) => relativePose(state, baseLink, link, pose.create()));
    this.#baseFromWorld = pose.invert(state.worldFromLink[baseLink]!, pose.create());
    this.#throws = new ThrowGenerator(throwSpaceOf(robot), THROW_SEED);
  }

  /** Throw `id` in the arm's base, on a clock that starts `delay` seconds after its release. */
  flight(id: number, delay: number): Flight {
    const { state } = this.#throws.make(id, -delay);
    const flight = new Flight();
    const position = pose.transformPoint(this.#baseFromWorld, state.position, vec3.create());
    const velocity = pose.rotateVector(this.#baseFromWorld, state.velocity, vec3.create());
    const down = pose.rotateVector(this.#baseFromWorld, gravity(), vec3.create());
    flight.reset({ ...state, position, velocity }, down, -delay, LATEST_CATCH);
    return flight;
  }

  task(mode: CatchMode, path: Flight, q0: Float64Array, w0: Float64Array): CatchTask {
    const { maxVelocity, maxAcceleration } = this.arm;
    const { keepOut } = this;
    const times = { earliest: 0, latest: LATEST_CATCH };
    return { mode, q0, w0, maxVelocity, maxAcceleration, path, keepOut, ...times, success: this.#success(path) };
  }

  /** For `sure`: how probable a catch is over time, from a filter that has seen three frames. */
  #success(_path: Flight): null {
    return null;
  }
}
