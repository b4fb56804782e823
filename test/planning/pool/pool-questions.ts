import { gravity } from "../../../src/flight/ball.js";
import type { BallState } from "../../../src/flight/flight-path.js";
import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import type { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { CatchQuestion, CatchSearch, PlacedKeepOut } from "../../../src/planning/pool/catch-question.js";
import type { PlannerArm } from "../../../src/planning/pool/planner-arm.js";
import { buildCatchArm, type CatchArm } from "../../../src/planning/problem/catch-arm.js";
import { ALL_CHECKS } from "../../../src/planning/problem/checks.js";
import type { CatchMode } from "../../../src/planning/request/request.js";
import type { MergedSolution } from "../../../src/planning/search/merged-solution.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RobotState } from "../../../src/robot/state.js";

const drag = 0.032;
const latest = 1.8;

/** Random throws at an arm in its ready posture, as questions to a planner. */
export class QuestionMaker {
  readonly plannerArm: PlannerArm;
  readonly arm: CatchArm;
  readonly keepOut: readonly PlacedKeepOut[];
  readonly #hand = vec3.create();
  readonly #baseFromWorld: Pose;
  readonly #q0: Float64Array;
  readonly #posture: Float64Array;
  readonly #index: number;

  constructor(plannerArm: PlannerArm, index = 0) {
    const robot = loadRobot(plannerArm.robot);
    this.plannerArm = plannerArm;
    this.arm = buildCatchArm(robot, plannerArm.group);
    this.#index = index;
    this.#posture = robot.postures.get("ready")!;
    const state = new RobotState(robot.model);
    state.q.set(this.#posture);
    forwardKinematics(state);
    const { baseLink, tipLink, dofs } = this.arm.chain;
    this.#baseFromWorld = pose.invert(state.worldFromLink[baseLink]!, pose.create());
    this.keepOut = robot.keepOut.map(({ geometry, link }) => ({
      geometry,
      baseFromLink: relativePose(state, baseLink, link, pose.create()),
    }));
    pose.getTranslation(state.worldFromLink[tipLink]!, this.#hand);
    this.#q0 = Float64Array.from(dofs, (dof) => this.#posture[dof]!);
  }

  /** A ball from about 5 m away that passes near the hand, seen 0.2 s after its release. */
  make(random: Random, mode: CatchMode): CatchQuestion {
    const { maxVelocity, maxAcceleration } = this.arm;
    return {
      arm: this.#index,
      mode,
      q0: this.#q0,
      w0: Float64Array.from(this.#q0, () => random.uniformIn(-0.2, 0.2)),
      maxVelocity,
      maxAcceleration,
      ball: this.#throw(random),
      gravity: pose.rotateVector(this.#baseFromWorld, gravity(), vec3.create()),
      flightBegin: -0.2,
      flightEnd: latest,
      keepOut: this.keepOut,
      earliest: 0,
      latest,
      success: mode === "sure" ? { from: 0, step: 0.1, values: Float64Array.from({ length: 19 }, curve) } : null,
      posture: this.#posture,
      checks: ALL_CHECKS,
    };
  }

  #throw(random: Random): BallState {
    const hand = this.#hand;
    const aim = vec3.create(hand[0], hand[1] + random.uniformIn(-0.3, 0.3), hand[2] + random.uniformIn(-0.2, 0.3));
    const release = vec3.create(hand[0] + random.uniformIn(4, 5.5), random.uniformIn(-0.5, 0.5), 1.5);
    const duration = random.uniformIn(0.75, 1.1);
    const velocity = vec3.scale(vec3.subtract(aim, release, vec3.create()), 1 / duration, vec3.create());
    vec3.addScaled(velocity, gravity(), -duration / 2, velocity);
    vec3.scale(velocity, 1 + 0.5 * drag * vec3.distance(aim, release), velocity);
    const position = pose.transformPoint(this.#baseFromWorld, release, vec3.create());
    return { time: -0.2, position, velocity: pose.rotateVector(this.#baseFromWorld, velocity, velocity), drag };
  }
}

/** Some log-probability that rises with time. */
function curve(_: unknown, k: number): number {
  return -1 / (1 + k);
}

export const cold: CatchSearch = { kind: "cold", starts: 16, iterations: 60 };

export function warmFrom({ x, warmStart }: MergedSolution): CatchSearch {
  return { kind: "warm", start: x.slice(), warmStart: warmStart.slice(), iterations: 60 };
}

/** Every number of a solution, for comparing two of them bit by bit. */
export function bitsOf({ ramps, ...numbers }: MergedSolution): object {
  return { ...numbers, ramps: { ...ramps } };
}

export const lwrArm: PlannerArm = { robot: "lwr-arm", group: "arm", clearance: "none" };
