import { ControlCycle } from "../control/control-cycle.js";
import { DriverState } from "../control/driver.js";
import type { MotionPlan } from "../control/motion-execution.js";
import type { RobotMotion } from "../control/robot-motion.js";
import { Reaction } from "../control/watchdog.js";
import * as vec3 from "../math/vec3.js";
import { type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/request/request.js";
import type { Robot } from "../robot/robot.js";
import { LockStepClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { BallWorld } from "../simulation/ball-world.js";
import type { CatchWorld, FlyingBall, HoldOutcome, RobotCommand } from "../simulation/catch-world.js";
import { LATEST_CATCH, throwSpaceOf } from "../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../simulation/throws.js";
import type { GeometricVerdict } from "../simulation/verdict.js";
import { NO_TRACK } from "../tracking/events/tracker-event.js";
import type { ArmPlanner, BallPrediction } from "./arm-planner.js";
import type { BodyUse } from "./body-helper.js";
import { type CatchAttempt, noPlanReason, objectiveOf } from "./catch-attempt.js";
import { type CatchTimes, seconds, timesOf } from "./catch-times.js";
import { type Commitment, defaultCommitment } from "./commitment.js";
import type { AfterCatch } from "./coordinator-options.js";
import { DelayLine } from "./delay-line.js";
import { CatchDirector } from "./director.js";
import { GraspReferee } from "./grasp-referee.js";
import type { InlinePlannerOptions, PlannerTimings } from "./inline-arm-planner.js";
import { LockStepPlanner } from "./lock-step-planner.js";
import { movingParts } from "./moving-parts.js";
import { ObservedArmPlanner } from "./observed-arm-planner.js";
import type { Perception } from "./perception.js";
import type { RunObserver } from "./run-observer.js";
import { RunParts } from "./run-parts.js";
import type { ThrowResult } from "./run-summary.js";
import { NeckFollower } from "./seeing/neck-follower.js";
import { brakeWords, StopRecovery } from "./stop-recovery.js";
import { TruthPerception } from "./truth-perception.js";
import { waitingPosture } from "./waiting-posture.js";

export interface CatchRunOptions {
  readonly robot: Robot;
  /** Where it stands; fresh, its clock at zero. Default: a world without forces. */
  readonly world?: CatchWorld;
  /** How it sees; default: it knows the true flight. */
  readonly perception?: (scene: SeenScene) => Perception;
  /** The arms that catch, by the names of their groups; default: all that can. */
  readonly arms?: readonly string[];
  /** Whether torso and platform help; default: they do, where the robot has a rule for it. */
  readonly body?: BodyUse;
  /** Where the chest is taken from: the measured head, or the platform's kinematics, as planned; default: the head. */
  readonly chest?: "measured" | "planned";
  readonly mode?: CatchMode;
  readonly seed?: number | string;
  readonly afterCatch?: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch?: number;
  /** When a prediction is good enough to act upon. */
  readonly commitment?: Commitment;
  readonly times?: Partial<CatchTimes>;
  readonly planner?: InlinePlannerOptions;
  /** What other runs of the same robot have made; default: everything is made anew. */
  readonly parts?: RunParts;
  /** Where throws come from; default: the seed's series. */
  readonly throws?: ThrowSource;
  /** Whether the safety monitor looks at each command, as it does by default. */
  readonly guard?: "monitor" | "nobody";
  /** How long the robot stands before the first ball [ns]; by default until its head's filter has settled. */
  readonly settlingNs?: number;
  /** When the run begins, on its own clock [ns]; 0 by default. */
  readonly startNs?: number;
  /** Who is told all that happens. */
  readonly observer?: RunObserver;
  /** Called after every tick, with its time [s]. */
  readonly onTick?: (time: number, motion: RobotMotion) => void;
}

/** Whoever makes throws: `ThrowGenerator`. */
export type ThrowSource = Pick<ThrowGenerator, "make">;

/**
 * When a throw is over: when the robot waits for the next one, or as soon as every ball was grasped at or is on the floor;
 * after that nothing can be thrown any more.
 */
export type ThrowEnd = "robot waits again" | "balls are over";

/** What a run's perception may look at. */
export interface SeenScene {
  readonly world: CatchWorld;
  readonly times: CatchTimes;
  /** The posture in which the robot waits. */
  readonly waiting: Float64Array;
}

/** Ticks of control kept for the time something goes wrong. */
const HISTORY = 1000;

/** Throws are over by then, whatever happens [ns]: flight, grasp, hold and return take some four seconds. */
const LONGEST_THROW_NS = 30e9;

/** How long a robot that was just switched on stands before the first ball [ns]: its head's filter has to settle. */
const SETTLING_NS = 2e9;

/** A motion on its way to control. */
interface SentMotion {
  readonly part: string;
  readonly plan: MotionPlan;
}

/**
 * A lock-step run of a robot against balls: simulated world → perception → director and coordinators → planners → control,
 * with limiter and safety monitor → world, once a millisecond of simulated time. Nothing in it reads the wall clock: the same options give the
 * same results, bit by bit.
 *
 * @example
 * const run = new CatchRun({ robot: loadRobot("lwr-arm"), seed: 1 });
 * const results = [0, 1, 2].flatMap((id) => run.throwBalls([id]));
 */
export class CatchRun {
  readonly arms: readonly CatchArm[];
  readonly times: CatchTimes;
  readonly control: ControlCycle;
  readonly director: CatchDirector;
  readonly timings: PlannerTimings;
  readonly #clock = new LockStepClock();
  readonly #world: CatchWorld;
  readonly #throws: ThrowSource;
  readonly #settlingNs: number;
  readonly #perception: Perception;
  readonly #sent = new DelayLine<SentMotion>();
  readonly #neck: NeckFollower | null;
  readonly #state: DriverState;
  readonly #command: RobotCommand;
  readonly #recovery: StopRecovery;
  readonly #observer: RunObserver | null;
  readonly #onTick: NonNullable<CatchRunOptions["onTick"]>;
  readonly #referee: GraspReferee;

  constructor(options: CatchRunOptions) {
    const { robot, mode = "soft", afterCatch = "return", latestCatch = LATEST_CATCH, body = "rule" } = options;
    const waiting = waitingPosture(robot);
    const names = options.arms ?? catchGroups(robot).map(({ name }) => name);
    this.times = timesOf(robot, options.times);
    const made = options.parts ?? new RunParts(robot, waiting);
    this.arms = names.map((name) => made.arm(name));
    this.timings = made.timings;
    this.#world = options.world ?? new BallWorld(robot, waiting);
    const period = seconds(this.times.tickNs);
    this.#state = new DriverState(robot.model.dofCount);
    this.#neck = hasNeck(robot) ? new NeckFollower(robot, waiting, period) : null;
    const parts = movingParts(robot, this.arms);
    const followed = this.#neck === null ? [] : [this.#neck];
    const guard = options.guard === "nobody" ? { idle: made.idleMonitor } : "monitor";
    // Without a monitor nothing stops the robot, and nobody asks what was before a stop.
    const history = guard === "monitor" ? HISTORY : 0;
    this.control = new ControlCycle(robot, waiting, parts, { period, history, monitor: {}, guard }, followed);
    this.#referee = new GraspReferee(this.#world, this.control);
    const fingersFollow = new Float64Array(robot.hands.length).fill(Number.NaN);
    this.#command = { q: this.control.command.q, qd: this.control.command.qd, closing: fingersFollow };
    this.#throws = options.throws ?? new ThrowGenerator(throwSpaceOf(robot), options.seed ?? 1);
    this.#observer = options.observer ?? null;
    this.#settlingNs = options.settlingNs ?? SETTLING_NS;
    const scene = { world: this.#world, times: this.times, waiting };
    this.#perception = options.perception?.(scene) ?? new TruthPerception(this.#world, this.times);
    this.#onTick = options.onTick ?? (() => undefined);
    this.director = new CatchDirector({
      robot,
      arms: this.arms.map((arm) => ({
        arm,
        planner: this.#observed(
          arm,
          new LockStepPlanner(made.planner(arm.group.name, options.planner ?? {}), this.times),
        ),
        clearance: made.clearance(arm.group.name),
      })),
      motion: this.motion,
      send: (part, plan, sentNs) => this.#send(part, plan, sentNs),
      head: options.chest === "planned" ? () => null : () => this.#perception.head(),
      waiting,
      body,
      times: this.times,
      mode,
      afterCatch,
      latestCatch,
      commitment: options.commitment ?? defaultCommitment,
    });
    this.#recovery = new StopRecovery(robot, this.control, this.director);
    for (const [arm, { machine }] of this.director.coordinators) {
      machine.watch((passage) => this.#observer?.passed(arm, passage));
    }
    this.#clock.advanceTo(options.startNs ?? 0);
    this.director.start(this.#clock.nowNs());
  }

  /** A planner whose answers the observer hears of. */
  #observed({ group: { name } }: CatchArm, planner: ArmPlanner): ArmPlanner {
    const observer = this.#observer;
    if (observer === null) return planner;
    return new ObservedArmPlanner(planner, (request, askedNs, answer, nowNs) => {
      const track = this.director.coordinators.get(name)?.subject ?? NO_TRACK;
      observer.answered({ arm: name, track, askedNs, request, answer }, nowNs);
    });
  }

  #send(part: string, plan: MotionPlan, sentNs: number): void {
    this.#sent.put({ part, plan }, sentNs + this.times.transportNs);
    this.#observer?.sent(part, plan, this.#clock.nowNs());
  }

  get motion(): RobotMotion {
    return this.control.motion;
  }

  /** Stops the robot at once, as a person would. */
  hold(): void {
    this.#recovery.isHeld = true;
  }

  /** Lets the robot move again. */
  letGo(): void {
    this.#recovery.isHeld = false;
  }

  /** One tick, in which nothing is thrown: `balls` are in the world already, or there are none but in the perception. */
  advance(balls: readonly FlyingBall[] = []): void {
    this.#step(balls);
  }

  /** The run's time [ns]. */
  get nowNs(): number {
    return this.#clock.nowNs();
  }

  /** Throws balls of the seed's series, all at once, at the waiting robot, and sees them through. */
  throwBalls(ids: readonly number[], end: ThrowEnd = "robot waits again"): ThrowResult[] {
    while (this.#clock.nowNs() < this.#settlingNs) this.#step([]);
    const releases = ids.map((id) => this.#nextRelease(id));
    const balls = releases.map((release) => this.#release(release));
    this.#referee.forget();
    const endNs = this.#clock.nowNs() + LONGEST_THROW_NS;
    while (!this.#isOver(balls, end)) {
      this.#step(balls);
      if (this.#clock.nowNs() > endNs) throw this.#endless(ids);
    }
    const results = releases.map((release) => this.#result(release));
    for (const result of results) this.#observer?.judged(result, this.#clock.nowNs());
    for (const id of ids) this.#world.take(id);
    return results;
  }

  #release(thrown: Throw): FlyingBall {
    const ball = this.#world.release(thrown);
    this.#observer?.released(ball, thrown, this.#clock.nowNs());
    return ball;
  }

  #endless(ids: readonly number[]): FlycatcherError {
    const states = Array.from(this.director.coordinators, ([name, { machine }]) => `${name} ${machine.state}`);
    const { phase, reason } = this.control.monitor;
    const why = [...states, `monitor phase ${phase}, ${brakeWords(reason)}`].join(", ");
    return new FlycatcherError("FLY_INTERNAL", `throw ${ids.join(", ")} does not end: ${why}`);
  }

  /** Balls are let go somewhere between two frames; where, belongs to the throw. */
  #nextRelease(id: number): Throw {
    const { framePeriodNs, tickNs } = this.times;
    const frameNs = Math.ceil((this.#clock.nowNs() + tickNs) / framePeriodNs) * framePeriodNs;
    const { framePhase } = this.#throws.make(id, 0);
    const ticks = Math.floor((framePhase * framePeriodNs) / tickNs);
    return this.#throws.make(id, seconds(frameNs + ticks * tickNs));
  }

  /** The robot waits again, and every ball was dealt with or is on the floor. */
  #isOver(balls: readonly FlyingBall[], end: ThrowEnd): boolean {
    const now = this.#clock.nowSeconds();
    const isReady = end === "balls are over" || (this.director.isWaiting && (this.#neck?.isResting ?? true));
    return isReady && balls.every(({ id, lands }) => this.#referee.graspOf(id) !== null || now > lands);
  }

  #step(balls: readonly FlyingBall[]): void {
    this.#clock.advanceBy(this.times.tickNs);
    const nowNs = this.#clock.nowNs();
    const now = seconds(nowNs);
    const predictions = this.#perception.step(nowNs);
    if (predictions.length > 0) this.#observer?.predicted(predictions, nowNs);
    this.director.receive(predictions, nowNs);
    this.#lookAfter(predictions);
    this.director.step(nowNs);
    for (const { part, plan } of this.#sent.take(nowNs)) {
      const handover = this.control.offer(part, plan);
      this.#observer?.handedOver(part, plan.id, handover, nowNs);
      this.director.handedOver(part, handover, nowNs);
    }
    this.#control(now);
    this.#observer?.ticked(this.control, nowNs);
    this.#recovery.step(nowNs);
    this.#world.step(this.#command);
    this.#observer?.moved(this.#world, nowNs);
    this.#perception.observe(nowNs, this.control.command);
    for (const arm of this.arms) {
      const { attempt = null } = this.director.coordinators.get(arm.group.name) ?? {};
      this.#referee.look(arm, balls, attempt, now);
    }
    this.#onTick(now, this.motion);
  }

  /** The neck follows the balls, and moves for its own sake only while the arms wait. */
  #lookAfter(predictions: readonly BallPrediction[]): void {
    if (this.#neck === null) return;
    this.#neck.idle = this.director.isWaiting ? "rest" : "stay";
    this.#neck.watch(predictions.filter(({ track }) => !this.director.isGrasped(track)));
    for (const { track } of predictions) if (this.director.isGrasped(track)) this.#neck.forget(track);
  }

  #control(now: number): void {
    this.#state.time = now;
    this.#state.q.set(this.#world.q);
    this.#state.qd.set(this.#world.qd);
    if (this.#recovery.isHeld) this.control.reaction = Reaction.brake;
    this.control.tick(this.#state, now);
  }

  #result({ id, aim, flightTime, state }: Throw): ThrowResult {
    const closed = this.#referee.graspOf(id);
    const attempt = closed?.attempt ?? this.#attemptAt(state.time);
    const plan = attempt?.plan ?? null;
    const hold = this.#world.holdOutcome(id);
    // A hand that closed without a catch in sight has missed nothing.
    const isVain = closed !== null && (plan?.shortfall ?? 0) > 0 && !isCaught(closed.verdict, hold);
    const grasp = isVain ? null : closed;
    return {
      id,
      aim: [...aim],
      flightTime,
      speed: vec3.norm(state.velocity),
      arm: grasp?.arm ?? null,
      outcome: grasp === null ? "no-plan" : isCaught(grasp.verdict, hold) ? "caught" : "missed",
      reason: grasp === null ? noPlanReason(attempt) : reasonOf(grasp.verdict, hold),
      reactionTime: attempt === null || plan === null ? null : attempt.begun - state.time,
      catchTime: grasp?.time ?? null,
      verdict: grasp?.verdict ?? null,
      errors: grasp?.errors ?? null,
      hold,
      firstObjective: attempt?.firstObjective ?? null,
      objective: objectiveOf(plan),
      searches: attempt?.searches ?? 0,
      replans: Math.max(0, (attempt?.taken ?? 0) - 1),
      unsolved: attempt?.unsolved ?? 0,
      refused: attempt?.refused ?? 0,
    };
  }

  /** What was tried, without success, about a ball released at `time`. */
  #attemptAt(time: number): CatchAttempt | null {
    const attempts = Array.from(this.director.coordinators.values(), ({ attempt }) => attempt);
    return attempts.find((attempt) => attempt !== null && attempt.firstSeen >= time && attempt.plan === null) ?? null;
  }
}

/** Physics decides where there is any; else the geometric gate does. */
function isCaught(verdict: GeometricVerdict, hold: HoldOutcome | null): boolean {
  return hold === null ? verdict.caught : hold === "held";
}

/** Why a ball was not caught; null if it was. */
function reasonOf(verdict: GeometricVerdict, hold: HoldOutcome | null): string | null {
  if (isCaught(verdict, hold)) return null;
  return [...(hold === null ? [] : [hold]), ...verdict.misses].join(", ");
}

function hasNeck({ model, frames, stereo }: Robot): boolean {
  return frames.head !== undefined && stereo !== undefined && model.groups.some(({ kind }) => kind === "neck");
}
