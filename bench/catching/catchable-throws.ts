import { ArmSurroundings } from "../../src/catching/arm-surroundings.js";
import { type CatchTimes, seconds } from "../../src/catching/catch-times.js";
import { closingLead } from "../../src/control/hand-motion.js";
import { RobotMotion } from "../../src/control/robot-motion.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { ArmPlanRequest } from "../../src/planning/arm/arm-plan.js";
import { ArmSight } from "../../src/planning/arm/arm-sight.js";
import { TimedPlanner } from "../../src/planning/arm/timed-planner.js";
import { type CatchArm, catchGroups } from "../../src/planning/problem/catch-arm.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../../src/planning/problem/checks.js";
import type { SearchBudget } from "../../src/planning/search/catch-solver.js";
import { everyStart } from "../../src/planning/search/search-patience.js";
import type { Robot } from "../../src/robot/robot.js";
import { movingParts } from "../../src/run/run-parts.js";
import { LATEST_CATCH, type Throw } from "../../src/simulation/world/throws.js";
import { TwoArmPlanner } from "../planning/two-arm-planner.js";
import { doBallsMeet } from "./balls-meeting.js";

/** Of the reference's searches: twice the live system's starts. */
const STARTS = 32;
const ITERATIONS = 100;
const budget: SearchBudget = { starts: STARTS, solve: iterationBudget(ITERATIONS) };
/** Of the live system's questions, before which a hand cannot close [ticks]. */
const TICKS_BEFORE_CLOSING = 2;

/**
 * The throws that can be caught at all: those for which a planner that knows the true flight, but begins only when three
 * camera frames and all configured latencies have passed since the release, finds a verified catch from the posture in
 * which the robot waits. One ball: either arm, torso and platform helping by their rule, as live. Several: all of them at
 * once, by `TwoArmPlanner`, the body standing, and they must not hit each other on their way.
 */
export class CatchSpace {
  readonly #robot: Robot;
  readonly #waiting: Float64Array;
  readonly #times: CatchTimes;
  readonly #together: TwoArmPlanner;
  readonly #alone: readonly {
    readonly arm: CatchArm;
    readonly planner: TimedPlanner;
    readonly body: ArmSurroundings;
  }[];
  readonly #motion: RobotMotion;

  /** `waiting` is the posture in which the robot waits for balls. */
  constructor(robot: Robot, waiting: Float64Array, times: CatchTimes) {
    this.#robot = robot;
    this.#waiting = waiting;
    this.#times = times;
    this.#together = new TwoArmPlanner(
      robot,
      catchGroups(robot).map(({ name }) => name),
    );
    const { arms } = this.#together;
    this.#motion = new RobotMotion(waiting, movingParts(robot, arms));
    this.#alone = arms.map((arm) => ({
      arm,
      planner: new TimedPlanner(arm, waiting, { starts: STARTS, patience: everyStart, coldIterations: ITERATIONS }),
      body: new ArmSurroundings(arm, this.#motion, () => null, waiting),
    }));
  }

  /** Whether all these balls, thrown at once, can be caught. */
  contains(throws: readonly Throw[]): boolean {
    const [only] = throws;
    if (throws.length === 1 && only !== undefined) return this.#containsOne(only);
    return !this.#doMeet(throws) && this.arms(throws).every((arm) => arm !== null);
  }

  #doMeet(throws: readonly Throw[]): boolean {
    const framePeriod = seconds(this.#times.framePeriodNs);
    return throws.some((ball, k) => throws.slice(k + 1).some((other) => doBallsMeet(ball, other, framePeriod)));
  }

  /** By which arm each of several balls would be caught; null: by none. */
  arms(throws: readonly Throw[]): (string | null)[] {
    const { arms } = this.#together;
    const tasks = arms.map((arm) => throws.map((ball) => this.#task(arm, ball)));
    const idle = arms.map(({ group }) => {
      const ramps = new JointRamps(group.dofs.length);
      ramps.hold(this.#stance(group.dofs));
      return ramps;
    });
    const { balls } = this.#together.plan({ tasks, posture: this.#waiting, idle, budget });
    return throws.map((_, ball) => arms[balls.indexOf(ball)]?.group.name ?? null);
  }

  #containsOne(ball: Throw): boolean {
    return this.#alone.some(({ arm, planner, body }) => {
      const question = this.#question(arm, ball);
      const surroundings = body.surroundings({ ...question, kind: "first" }, "rule");
      return planner.plan({ ...question, ...surroundings }).plan !== null;
    });
  }

  #task(arm: CatchArm, ball: Throw): CatchTask {
    const { group, hand, maxVelocity, maxAcceleration } = arm;
    const sight = new ArmSight(this.#robot, group.baseLink, hand, this.#waiting);
    const question = this.#question(arm, ball);
    const body = this.#alone.find((one) => one.arm === arm)!.body;
    const request = { ...question, ...body.surroundings({ ...question, kind: "first" }, "stand") };
    const view = sight.look(request);
    if (view === null) throw new Error("a throw is a flight");
    const { q0, w0, tStart, earliest, latest, mode } = question;
    const { path, keepOut } = view;
    const times = { earliest: earliest - tStart, latest: latest - tStart };
    return {
      mode,
      q0,
      w0,
      maxVelocity,
      maxAcceleration,
      path,
      keepOut,
      ...times,
      success: null,
      checks: ALL_CHECKS,
    };
  }

  #question({ group, hand }: CatchArm, { state: ball }: Throw): Omit<ArmPlanRequest, "carrier" | "others"> {
    const { framePeriodNs, cameraNs, trackingNs, coldBudgetNs, transportNs, tickNs, framesToConfirm } = this.#times;
    const latencies = cameraNs + trackingNs + coldBudgetNs + transportNs;
    const tStart = ball.time + seconds(framesToConfirm * framePeriodNs + latencies);
    return {
      id: 0,
      track: 0,
      mode: "soft",
      tStart,
      q0: this.#stance(group.dofs),
      w0: new Float64Array(group.dofs.length),
      ball,
      covariance: null,
      lastSeen: ball.time,
      earliest: tStart + closingLead(hand) + TICKS_BEFORE_CLOSING * seconds(tickNs),
      latest: ball.time + LATEST_CATCH,
      previous: null,
      running: null,
    };
  }

  #stance(dofs: readonly number[]): Float64Array {
    return Float64Array.from(dofs, (dof) => this.#waiting[dof]!);
  }
}
