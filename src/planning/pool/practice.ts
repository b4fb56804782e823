import { defaultBall, gravity } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import type { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import type { CatchArm } from "../problem/catch-arm.js";
import { ALL_CHECKS } from "../problem/checks.js";
import type { CatchMode } from "../request/request.js";
import type { CatchQuestion, PlacedKeepOut } from "./catch-question.js";

/** Share of each joint's range that a practice catch is away from its middle, at most. */
const REACH = 0.25;
/** When the practice ball is in the hand [s], and how fast [m/s]. */
const CATCH_TIME = 0.7;
const BALL_SPEED = 6;
const KNOTS = 16;

/**
 * Questions with a catch by construction: the arm starts in the middle of its range, and the ball comes straight into the
 * hand at another configuration. Solved a few times they bring a fresh thread's code to speed before the first real ball.
 */
export class Practice {
  readonly #index: number;
  readonly #arm: CatchArm;
  readonly #middle: Float64Array;
  readonly #keepOut: readonly PlacedKeepOut[];

  constructor(index: number, arm: CatchArm) {
    this.#index = index;
    this.#arm = arm;
    this.#middle = Float64Array.from(arm.lower, (low, i) => (ofOneTurn(low) + ofOneTurn(arm.upper[i]!)) / 2);
    this.#keepOut = placeKeepOut(arm);
  }

  question(mode: CatchMode, random: Random): CatchQuestion {
    const { chain, upper, maxVelocity, maxAcceleration } = this.#arm;
    chain.update(this.#middle.map((q, i) => q + random.uniformIn(-REACH, REACH) * (ofOneTurn(upper[i]!) - q)));
    const hand = chain.baseFromTip;
    const position = vec3.create(hand[9], hand[10], hand[11]);
    const velocity = vec3.create(-BALL_SPEED * hand[2], -BALL_SPEED * hand[5], -BALL_SPEED * hand[8]);
    return {
      arm: this.#index,
      mode,
      q0: this.#middle,
      w0: maxVelocity.map((speed) => random.uniformIn(-0.1, 0.1) * speed),
      maxVelocity,
      maxAcceleration,
      ball: { time: CATCH_TIME, position, velocity, drag: defaultBall.drag },
      gravity: gravity(),
      flightBegin: 0,
      flightEnd: 2 * CATCH_TIME,
      keepOut: this.#keepOut,
      earliest: 0,
      latest: 2 * CATCH_TIME,
      success: mode === "sure" ? risingSuccess() : null,
      posture: null,
      checks: ALL_CHECKS,
    };
  }
}

/** Limits of a continuous joint are those of one turn. */
function ofOneTurn(limit: number): number {
  return Math.min(Math.PI, Math.max(-Math.PI, limit));
}

/** The robot's own shapes, as most questions have them. */
function placeKeepOut({ robot, chain }: CatchArm): PlacedKeepOut[] {
  const state = new RobotState(robot.model);
  state.q.set(robot.postures.get("ready") ?? state.q);
  forwardKinematics(state);
  return robot.keepOut.map(({ geometry, link }) => ({
    geometry,
    baseFromLink: relativePose(state, chain.baseLink, link, pose.create()),
  }));
}

function risingSuccess() {
  const values = Float64Array.from({ length: KNOTS }, (_, k) => -1 / (k + 1));
  return { from: 0, step: (2 * CATCH_TIME) / (KNOTS - 1), values };
}
