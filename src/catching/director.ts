import type { HandoverOutcome, MotionPlan } from "../control/motion-execution.js";
import type { RobotMotion } from "../control/robot-motion.js";
import type { BallPrediction } from "../messages/prediction.js";
import type { JointRamps } from "../motion/joint-ramps.js";
import type { CatchPlan } from "../planning/arm/arm-plan.js";
import type { MovingObstacleClearance } from "../planning/arm/moving-obstacle-clearance.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { type ActionThreshold, isActionable, timeAtCatchPlane } from "./action-threshold.js";
import type { ArmPlanner } from "./arm-planner.js";
import { ArmSurroundings, BODY, type BodyUse, type HeadSource } from "./arm-surroundings.js";
import { isComing, isNewcomer, shareBalls } from "./ball-sharing.js";
import { BallSwap } from "./ball-swap.js";
import { BodyMover } from "./body-mover.js";
import { seconds } from "./catch-times.js";
import { asCatchable, type CatchableRegion, catchableRegion } from "./catchable-ball.js";
import { CatchCoordinator } from "./coordinator.js";
import type { CatchRules } from "./coordinator-options.js";
import type { DirectorSnapshot } from "./snapshot.js";

/** An arm, and what it is led with. */
interface DirectedArm {
  readonly arm: CatchArm;
  readonly planner: ArmPlanner;
  /** What checks its motions; one of its own by default. */
  readonly clearance?: MovingObstacleClearance | null;
}

export interface DirectorOptions extends CatchRules {
  readonly robot: Robot;
  /** The arms that catch, and who plans for each. */
  readonly arms: readonly DirectedArm[];
  /** What control executes, arms and body under the names of their parts. */
  readonly motion: RobotMotion;
  /** How motions get to control, for any part of the robot. */
  readonly send: (part: string, motion: MotionPlan, sentNs: number) => void;
  readonly head: HeadSource;
  /** The posture in which the robot waits for balls. */
  readonly waiting: Float64Array;
  readonly body: BodyUse;
  readonly commitment: ActionThreshold;
}

/** An arm with all that leads it. */
interface Member {
  readonly name: string;
  /** How far on the left its hand waits, in the world [m]. */
  readonly side: number;
  readonly coordinator: CatchCoordinator;
  readonly armSurroundings: ArmSurroundings;
}

/** Arms that were asked about the same ball, which is nobody's yet. */
interface Contest {
  readonly track: number;
  readonly members: readonly Member[];
}

/** Searches of an arm for the ball on its side after which a free arm on another side is asked too. */
const SEARCHES_ALONE = 2;

/**
 * Leads the whole robot: which arm catches which ball, and what torso and platform do for it.
 *
 * One ball is shown to every arm that is free; when all have answered, the best of their plans is carried out, and with it
 * the body's motion that belongs to it (the body helps with one ball at a time, thesis section 3.5.1). As soon as there is
 * another ball to be seen, balls are shared out by their sides, and each arm is asked about its own alone. Plans of two
 * arms that were made without knowing of each other are checked together before the second is carried out; if they are in
 * each other's way, it is made anew around the first. From then on a ball is that arm's. Each arm's own catch is led by its
 * coordinator.
 */
export class CatchDirector {
  /** Those who lead the arms, by the arms' names. */
  readonly coordinators: ReadonlyMap<string, CatchCoordinator>;
  readonly #options: DirectorOptions;
  readonly #members: readonly Member[];
  #contest: Contest | null = null;
  /** Arms that were asked about a ball of their own, and have no plan for it yet. */
  readonly #asked = new Set<Member>();
  /** Motions of the arms on their way to control, by the arms' names. */
  readonly #underway = new Map<string, MotionPlan>();
  /** The balls that come, by their tracks: what was last seen of each. */
  #coming: ReadonlyMap<number, BallPrediction> = new Map();
  /** Whether something was seen that may become another one. */
  #isAnotherLikely = false;
  readonly #body: BodyMover;
  readonly #region: CatchableRegion;
  readonly #exchange: BallSwap;

  constructor(options: DirectorOptions) {
    const { motion, waiting, times } = options;
    this.#options = options;
    this.#body = new BodyMover(options);
    this.#region = catchableRegion(
      options.arms.map(({ arm }) => arm),
      waiting,
    );
    this.#members = options.arms.map((entry) => this.#createMember(entry));
    this.coordinators = new Map(this.#members.map(({ name, coordinator }) => [name, coordinator]));
    this.#exchange = new BallSwap({
      arms: this.#members,
      motion,
      times,
      asCatchable: (ball) => this.#asCatchable(ball),
      isStillClear: (arm, { ramps, tStart }) => this.#isStillClear(arm, ramps, tStart),
    });
  }

  #createMember({ arm, planner, clearance }: DirectedArm): Member {
    const { robot, motion, send, head, waiting, arms } = this.#options;
    const { name, dofs } = arm.group;
    const underway = (part: string): MotionPlan | null =>
      this.#exchange.assumed(part) ?? this.#underway.get(part) ?? null;
    const armSurroundings = new ArmSurroundings(arm, motion, head, waiting, underway, clearance);
    const own = motion.of(name);
    const coordinator = new CatchCoordinator({
      ...this.#options,
      arm,
      ready: Float64Array.from(dofs, (dof) => waiting[dof]!),
      drop: dropOf(robot, dofs),
      isClear: (ramps, tStart) => armSurroundings.isClear(ramps, tStart),
      isStillClear: (ramps, tStart) => this.#isStillClear(name, ramps, tStart),
      planner,
      control: {
        commandedAt: (t, q, qd) => own.commandedAt(t, q, qd),
        send: (plan, sentNs) => {
          this.#underway.set(name, plan);
          send(name, plan, sentNs);
        },
      },
      surroundings: (occasion) => armSurroundings.surroundings(occasion, this.#bodyUse(name)),
      firstPlan: arms.length > 1 || armSurroundings.dofs.length > 0 ? "offered" : "taken at once",
    });
    return { name, side: this.#sideOf(arm), coordinator, armSurroundings };
  }

  #sideOf({ robot, group }: CatchArm): number {
    const state = new RobotState(robot.model);
    state.q.set(this.#options.waiting);
    forwardKinematics(state);
    return state.worldFromLink[group.tipLink]![10];
  }

  /** The body helps one ball alone: a second one may be for the arm that it would carry away from it. */
  #bodyUse(name: string): BodyUse {
    const areOthersFree = this.#members.every((member) => member.name === name || isFree(member));
    const isAlone = areOthersFree && this.#coming.size <= 1 && !this.#isAnotherLikely;
    return isAlone ? this.#options.body : "stand";
  }

  /** Whether a plan of an arm keeps out of the way of what was decided while it was made. */
  #isStillClear(name: string, ramps: JointRamps, tStart: number): boolean {
    const isOtherUnderway = Array.from(this.#underway.keys()).some((part) => part !== name);
    if (!isOtherUnderway) return true;
    return this.#members.find((member) => member.name === name)!.armSurroundings.isClear(ramps, tStart);
  }

  #asCatchable(ball: BallPrediction): BallPrediction {
    return asCatchable(ball, this.#region);
  }

  /** What the next plans optimise. */
  set mode(mode: CatchMode) {
    for (const { coordinator } of this.#members) coordinator.mode = mode;
  }

  /** Whether every arm waits for a ball and nothing is under way. */
  get isWaiting(): boolean {
    const areFree = this.#members.every((member) => isFree(member) && !member.coordinator.busy);
    return areFree && this.#contest === null && this.#body.state === "waiting";
  }

  /** The arm that has a plan for a ball, or had it last. */
  coordinatorOf(track: number): CatchCoordinator | null {
    const holder = this.#members.find(
      ({ coordinator: { attempt } }) => attempt?.track === track && attempt.plan !== null,
    );
    return holder?.coordinator ?? null;
  }

  /** Whether an arm has a plan for a ball, or one that is on its way to control. */
  #isTaken(track: number): boolean {
    return this.#members.some(
      ({ coordinator: { attempt, offered, subject } }) =>
        (attempt?.track === track && attempt.plan !== null) || (offered !== null && subject === track),
    );
  }

  /** Whether a ball is in a hand that closes or has closed about it, or was. */
  isGrasped(track: number): boolean {
    const machine = this.coordinatorOf(track)?.machine;
    return machine !== undefined && machine.state !== "reaching";
  }

  start(nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.start(nowNs);
  }

  /** The predictions of one moment, one a ball. */
  receive(predictions: readonly BallPrediction[], nowNs: number): void {
    if (predictions.length === 0) return;
    const balls = predictions.filter(({ confirmed }) => confirmed);
    const coming = predictions.filter((ball) => isComing(ball) && !this.isGrasped(ball.track));
    this.#coming = new Map(coming.map((ball) => [ball.track, ball]));
    this.#isAnotherLikely = predictions.some(isNewcomer);
    const { commitment } = this.#options;
    const worth = balls.filter((ball) => isActionable(ball, coming.length, commitment));
    if (coming.length > 1) {
      const exchangeable = worth.filter(({ track }) => this.#coming.has(track));
      this.#exchange.consider(this.#coming, exchangeable, nowNs);
    }
    for (const ball of balls) this.coordinatorOf(ball.track)?.receive(this.#asCatchable(ball), nowNs);
    if (balls.length === 0 || this.#contest !== null) return;
    const unassigned = worth.filter(({ track }) => !this.#isTaken(track));
    if (coming.length > 1) for (const ball of unassigned) this.#giveToItsArm(ball, nowNs);
    else if (unassigned.length > 0) this.#show(unassigned[0]!, nowNs);
    else this.#offerOn(balls, nowNs);
  }

  /** A ball whose arm has no way to it any more is shown to the others, as long as one that stands could get there. */
  #offerOn(balls: readonly BallPrediction[], nowNs: number): void {
    const now = seconds(nowNs);
    const lost = balls.find(({ track, state }) => {
      const isLost = this.coordinatorOf(track)?.attempt?.isLost === true;
      return isLost && state.time + timeAtCatchPlane(state) > now + SHORTEST_WAY;
    });
    if (lost !== undefined) this.#show(lost, nowNs);
  }

  /** Every free arm looks at the same ball. */
  #show(ball: BallPrediction, nowNs: number): void {
    const members = this.#members.filter((member) => isFree(member) && !member.coordinator.busy);
    const catchable = this.#asCatchable(ball);
    for (const { coordinator } of members) coordinator.receive(catchable, nowNs);
    if (members.some(({ coordinator }) => coordinator.busy)) this.#contest = { track: ball.track, members };
  }

  /** The arm on the ball's side looks at it; if that is busy with another, or finds nothing, any that nobody needs. */
  #giveToItsArm(ball: BallPrediction, nowNs: number): void {
    const shares = shareBalls(Array.from(this.#coming.values()), this.#members);
    const own = this.#members.find(({ name }) => name === shares.get(ball.track));
    const isInVain =
      own?.coordinator.attempt?.track === ball.track && own.coordinator.attempt.searches >= SEARCHES_ALONE;
    const needed = new Set(Array.from(this.#coming.keys(), (track) => !this.#isTaken(track) && shares.get(track)));
    for (const member of this.#members) {
      const isSpare = (own === undefined || !isFree(own) || isInVain) && !needed.has(member.name);
      if (member !== own && !isSpare) continue;
      if (!isFree(member) || member.coordinator.busy) continue;
      member.coordinator.receive(this.#asCatchable(ball), nowNs);
      if (member.coordinator.busy) this.#asked.add(member);
    }
  }

  /** To be called at every tick, after the tick's predictions. */
  step(nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.step(nowNs);
    this.#exchange.step(nowNs);
    if (this.#contest?.members.every(({ coordinator }) => !coordinator.isAsking)) this.#decide(this.#contest, nowNs);
    if (this.#asked.size > 0) this.#settleAnswered(nowNs);
    if (this.#contest === null && this.#asked.size === 0 && this.#options.afterCatch === "return") {
      if (this.#members.every(isFree)) this.#body.bringBack(nowNs);
    }
  }

  #settleAnswered(nowNs: number): void {
    const answered = Array.from(this.#asked).filter(({ coordinator }) => !coordinator.isAsking);
    for (const member of answered.sort(byObjective)) this.#settle(member, nowNs);
  }

  /**
   * The best plan for a ball is carried out; if there is none, and more is known by now, all look again. A ball that an arm
   * goes after already is taken from it by a catch alone.
   */
  #decide({ members, track }: Contest, nowNs: number): void {
    this.#contest = null;
    const least = this.#isTaken(track) ? 0 : Number.POSITIVE_INFINITY;
    const isEnough = (plan: CatchPlan | null): boolean => plan !== null && plan.shortfall <= least;
    const [chosen] = members.filter(({ coordinator }) => isEnough(coordinator.candidate)).sort(byObjective);
    for (const member of members) if (member !== chosen) member.coordinator.decline();
    if (chosen !== undefined) this.#take(chosen, nowNs);
    else this.#lookAgain(track, members, (ball) => this.#show(ball, nowNs));
  }

  /** What an arm has found for the ball on its side is carried out, unless another arm's new motion is in its way. */
  #settle(member: Member, nowNs: number): void {
    this.#asked.delete(member);
    const { coordinator, name } = member;
    const { candidate, attempt } = coordinator;
    if (attempt === null) return;
    if (this.#isTaken(attempt.track)) {
      coordinator.decline();
    } else if (candidate === null) {
      this.#lookAgain(attempt.track, [member], (ball) => this.#giveToItsArm(ball, nowNs));
    } else if (this.#isStillClear(name, candidate.ramps, candidate.tStart)) {
      this.#take(member, nowNs);
    } else {
      coordinator.refuse("another arm's motion is in the way");
      const newest = this.#coming.get(attempt.track);
      if (newest?.confirmed) this.#giveToItsArm(newest, nowNs);
    }
  }

  /** Asks again if something was seen while the planners were busy. */
  #lookAgain(track: number, members: readonly Member[], ask: (ball: BallPrediction) => void): void {
    const newest = this.#coming.get(track);
    const isNew = members.some(({ coordinator }) => coordinator.isNews(newest));
    if (newest?.confirmed && isNew) ask(newest);
  }

  #take({ coordinator, armSurroundings }: Member, nowNs: number): void {
    const holder = this.coordinatorOf(coordinator.attempt?.track ?? NO_TRACK);
    if (holder !== null && holder !== coordinator) holder.abandon(nowNs);
    if (armSurroundings.proposal !== null)
      this.#body.move(armSurroundings.proposal, coordinator.candidate!.tStart, nowNs);
    coordinator.take();
  }

  /** The safety monitor stops the robot. */
  halt(reason: string, nowNs: number): void {
    this.#contest = null;
    this.#exchange.halt();
    this.#asked.clear();
    this.#underway.clear();
    this.#body.settle();
    for (const { coordinator } of this.#members) coordinator.halt(reason, nowNs);
  }

  /** The robot stands and may move again, at `share` of its speed. */
  release(share: number, nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.release(share, nowNs);
  }

  /** The robot does not come free by itself: it waits for a person, who calls `release`. */
  fail(reason: string, nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.fail(reason, nowNs);
  }

  /** All that leads the robot, laid open, as it is at `nowNs`: plain data. */
  snapshot(nowNs: number): DirectorSnapshot {
    const contest = this.#contest;
    return {
      time: seconds(nowNs),
      arms: this.#members.map(({ coordinator }) => coordinator.snapshot(nowNs)),
      contest: contest === null ? null : { track: contest.track, arms: contest.members.map(({ name }) => name) },
      ballsInSight: this.#coming.size,
      body: { state: this.#body.state },
    };
  }

  /** What control did with a motion. */
  handedOver(part: string, handover: HandoverOutcome, nowNs: number): void {
    this.#underway.delete(part);
    if (part === BODY) this.#body.settle();
    else this.coordinators.get(part)?.handedOver(handover, nowNs);
  }
}

/** In less time no arm that stands gets to a ball [s]: planning and transport alone take a fifth of it. */
const SHORTEST_WAY = 0.25;

/** No ball has this identity. */
const NO_TRACK = -1;

/** Where an arm lets go of balls, in the order of its dofs; null where the robot has no such posture. */
function dropOf({ postures }: Robot, dofs: readonly number[]): Float64Array | null {
  const posture = postures.get("drop");
  return posture === undefined ? null : Float64Array.from(dofs, (dof) => posture[dof]!);
}

function isFree({ coordinator }: Member): boolean {
  return coordinator.machine.state === "watching";
}

/** The best catch first, then what comes nearest to one, arms without either last. */
function byObjective({ coordinator: a }: Member, { coordinator: b }: Member): number {
  const shortfall = ({ candidate }: CatchCoordinator): number => candidate?.shortfall ?? Number.MAX_VALUE;
  const objective = ({ candidate }: CatchCoordinator): number => candidate?.objective ?? Number.MAX_VALUE;
  return shortfall(a) - shortfall(b) || objective(a) - objective(b);
}
