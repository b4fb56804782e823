import { closingLead } from "../control/hand-closing.js";
import { MotionExecution, type MotionPlan } from "../control/motion-execution.js";
import * as vec3 from "../math/vec3.js";
import { buildCatchArm, type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/request/request.js";
import type { Robot } from "../robot/robot.js";
import { LockStepClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { BallWorld, type FlyingBall } from "../simulation/ball-world.js";
import { LATEST_CATCH, throwSpaceOf } from "../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../simulation/throws.js";
import { ArmPlace } from "./arm-place.js";
import { type CatchTimes, seconds, timesOf } from "./catch-times.js";
import { type AfterCatch, CatchCoordinator } from "./coordinator.js";
import { DelayLine } from "./delay-line.js";
import { InlineArmPlanner, type InlinePlannerOptions, type PlannerTimings } from "./inline-arm-planner.js";
import { LockStepPlanner } from "./lock-step-planner.js";
import type { ThrowResult } from "./run-summary.js";
import { TruthPerception } from "./truth-perception.js";
import { type GeometricVerdict, judgeGrasp } from "./verdict.js";

export interface CatchRunOptions {
  readonly robot: Robot;
  /** The arm that catches; default: the only one, or the right one. */
  readonly group?: string;
  readonly mode?: CatchMode;
  readonly seed?: number | string;
  readonly afterCatch?: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch?: number;
  readonly times?: Partial<CatchTimes>;
  readonly planner?: InlinePlannerOptions;
  /** Called after every tick, with its time [s]. */
  readonly onTick?: (time: number, motion: MotionExecution) => void;
}

/** A throw is over by then, whatever happens [ns]: flight, grasp, hold and return take some four seconds. */
const LONGEST_THROW_NS = 30e9;

/**
 * A lock-step run of one standing arm against one ball at a time: simulated world → perfect perception → coordinator →
 * planner → motion execution → world, once a millisecond of simulated time. Nothing in it reads the wall clock: the
 * same options give the same results, bit by bit.
 *
 * @example
 * const run = new CatchRun({ robot: loadRobot("lwr-arm"), seed: 1 });
 * const results = [0, 1, 2].map((id) => run.throwBall(id));
 */
export class CatchRun {
  readonly arm: CatchArm;
  readonly times: CatchTimes;
  readonly motion: MotionExecution;
  readonly coordinator: CatchCoordinator;
  readonly timings: PlannerTimings;
  readonly #clock = new LockStepClock();
  readonly #world: BallWorld;
  readonly #throws: ThrowGenerator;
  readonly #perception: TruthPerception;
  readonly #plans = new DelayLine<MotionPlan>();
  readonly #closingLead: number;
  readonly #onTick: NonNullable<CatchRunOptions["onTick"]>;
  #verdict: { readonly time: number; readonly verdict: GeometricVerdict } | null = null;

  constructor(options: CatchRunOptions) {
    const { robot, mode = "soft", afterCatch = "return", latestCatch = LATEST_CATCH } = options;
    const posture = readyPosture(robot);
    this.times = timesOf(robot, options.times);
    this.arm = buildCatchArm(robot, options.group ?? defaultGroup(robot), posture);
    const ready = Float64Array.from(this.arm.group.dofs, (dof) => posture[dof]!);
    this.motion = new MotionExecution(ready, seconds(this.times.tickNs));
    this.#world = new BallWorld(robot, posture);
    this.#throws = new ThrowGenerator(throwSpaceOf(robot), options.seed ?? 1);
    this.#perception = new TruthPerception(this.#world, this.times);
    this.#closingLead = closingLead(this.arm.hand.closingTime);
    this.#onTick = options.onTick ?? (() => undefined);
    const place = new ArmPlace(robot, this.arm.group.baseLink, posture);
    const inline = new InlineArmPlanner(this.arm, place, options.planner);
    this.timings = inline.timings;
    const planner = new LockStepPlanner(inline, this.times);
    const control = {
      commandedAt: (t: number, q: Float64Array, qd: Float64Array) => this.motion.commandedAt(t, q, qd),
      send: (plan: MotionPlan, sentNs: number) => this.#plans.put(plan, sentNs + this.times.transportNs),
    };
    const { arm, times } = this;
    this.coordinator = new CatchCoordinator({ arm, ready, planner, control, times, mode, afterCatch, latestCatch });
    this.coordinator.start(0);
  }

  /** Throws ball `id` of the seed's series at the waiting robot and sees it through until the robot waits again. */
  throwBall(id: number): ThrowResult {
    const release = this.#nextRelease(id);
    const ball = this.#world.release(release);
    this.#verdict = null;
    const endNs = this.#clock.nowNs() + LONGEST_THROW_NS;
    while (!this.#isOver(ball)) {
      this.#step(ball);
      if (this.#clock.nowNs() > endNs) {
        throw new FlycatcherError("FLY_INTERNAL", `throw ${id} does not end`, { path: this.coordinator.machine.state });
      }
    }
    return this.#result(release);
  }

  /** Balls are let go somewhere between two frames; where, belongs to the throw. */
  #nextRelease(id: number): Throw {
    const { framePeriodNs, tickNs } = this.times;
    const frameNs = Math.ceil((this.#clock.nowNs() + tickNs) / framePeriodNs) * framePeriodNs;
    const { framePhase } = this.#throws.make(id, 0);
    const ticks = Math.floor((framePhase * framePeriodNs) / tickNs);
    return this.#throws.make(id, seconds(frameNs + ticks * tickNs));
  }

  /** The robot waits again, and the ball was dealt with or is on the floor. */
  #isOver(ball: FlyingBall): boolean {
    const isWaiting = this.coordinator.machine.state === "watching" && !this.coordinator.busy;
    return isWaiting && (this.#verdict !== null || this.#clock.nowSeconds() > ball.lands);
  }

  #step(ball: FlyingBall): void {
    this.#clock.advanceBy(this.times.tickNs);
    const nowNs = this.#clock.nowNs();
    const now = seconds(nowNs);
    for (const prediction of this.#perception.step(nowNs)) this.coordinator.receive(prediction, nowNs);
    this.coordinator.step(nowNs);
    for (const plan of this.#plans.take(nowNs)) this.coordinator.handedOver(this.motion.offer(plan), nowNs);
    this.motion.tick(now);
    this.#world.follow(this.arm.group.dofs, this.motion.q, this.motion.qd);
    if (this.#verdict === null) this.#judge(ball, now);
    this.#onTick(now, this.motion);
  }

  /** Judges the grasp at the first tick at which the hand has closed about its middle. */
  #judge(ball: FlyingBall, now: number): void {
    const time = this.motion.handClosedAt + this.#closingLead;
    if (!(now >= time)) return;
    const { catchLink, positionTolerance, timeTolerance } = this.arm.hand;
    const worldFromHand = this.#world.worldFromLink(catchLink);
    const velocity = this.#world.linkVelocity(catchLink, vec3.create());
    const tolerance = { position: positionTolerance, time: timeTolerance };
    const verdict = judgeGrasp(ball, { time, worldFromHand, velocity }, tolerance);
    this.#verdict = { time: time - ball.released, verdict };
    if (verdict.caught) this.#world.take(ball.id);
  }

  #result({ id, aim, flightTime, state }: Throw): ThrowResult {
    const attempt = this.coordinator.attempt?.track === id ? this.coordinator.attempt : null;
    const plan = attempt?.plan ?? null;
    const grasp = this.#verdict;
    return {
      id,
      aim: [...aim],
      flightTime,
      speed: vec3.norm(state.velocity),
      outcome: grasp === null ? "no-plan" : grasp.verdict.caught ? "caught" : "missed",
      reason: grasp === null ? (attempt?.reason ?? "never seen") : grasp.verdict.misses.join(", ") || null,
      reactionTime: attempt === null || plan === null ? null : attempt.begun - state.time,
      catchTime: grasp?.time ?? null,
      verdict: grasp?.verdict ?? null,
      firstObjective: plan === null ? null : (attempt?.firstObjective ?? null),
      objective: plan?.objective ?? null,
      searches: attempt?.searches ?? 0,
      replans: Math.max(0, (attempt?.taken ?? 0) - 1),
      unsolved: attempt?.unsolved ?? 0,
      refused: attempt?.refused ?? 0,
    };
  }
}

/** The only catching arm, or the right one of two. */
export function defaultGroup(robot: Robot): string {
  const groups = catchGroups(robot);
  const right = groups.find(({ tipLink }) => tipLink === robot.frames.catchRight);
  return (right ?? groups[0])?.name ?? "";
}

function readyPosture(robot: Robot): Float64Array {
  const posture = robot.postures.get("ready");
  if (posture !== undefined) return posture;
  throw new FlycatcherError("FLY_LIVE_POSTURE_MISSING", `${robot.name} cannot wait for a ball`, {
    path: "/postures/ready",
    expected: "a posture",
    found: "none",
  });
}
