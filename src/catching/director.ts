import type { Handover, MotionPlan } from "../control/motion-execution.js";
import type { RobotMotion } from "../control/robot-motion.js";
import { JointRamps } from "../motion/joint-ramps.js";
import { ConcurrentMotions } from "../planning/assign/concurrent-motions.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/request/request.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import type { ArmPlanner, BallPrediction } from "./arm-planner.js";
import { BODY, BodyHelper, type BodyUse, type HeadSource } from "./body-helper.js";
import { type CatchTimes, seconds } from "./catch-times.js";
import { type Commitment, isWorthActing } from "./commitment.js";
import { type AfterCatch, CatchCoordinator, NORMAL_RETURN } from "./coordinator.js";
import { planReturn } from "./return-motion.js";

/** How motions get to control, for any part of the robot. */
export type SendMotion = (part: string, motion: MotionPlan, sentNs: number) => void;

export interface DirectorOptions {
  readonly robot: Robot;
  /** The arms that catch, and who plans for each. */
  readonly arms: readonly { readonly arm: CatchArm; readonly planner: ArmPlanner }[];
  /** What control executes, arms and body under the names of their parts. */
  readonly motion: RobotMotion;
  readonly send: SendMotion;
  readonly head: HeadSource;
  /** The posture in which the robot waits for balls. */
  readonly waiting: Float64Array;
  readonly body: BodyUse;
  readonly times: CatchTimes;
  readonly mode: CatchMode;
  readonly afterCatch: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch: number;
  readonly commitment: Commitment;
}

/** An arm with all that leads it. */
interface Member {
  readonly name: string;
  readonly dofs: readonly number[];
  /** How far on the left its hand waits, in the world [m]. */
  readonly side: number;
  readonly coordinator: CatchCoordinator;
  readonly helper: BodyHelper;
}

/** Arms that were asked about balls that are nobody's yet: all about the same one, or each about its own. */
interface Contest {
  readonly members: readonly Member[];
  readonly about: "one ball" | "a ball each";
}

/**
 * Leads the whole robot: which arm catches which ball, and what torso and platform do for it. A ball that is nobody's is
 * shown to every arm that is free; when all have answered, the best of their plans is carried out, and with it the body's
 * motion that belongs to it (the body helps with one ball at a time, thesis section 3.5.1). Of several balls the one that
 * comes farthest on the left is for the leftmost arm, and so on. From then on a ball is that arm's. Each arm's own catch is
 * led by its coordinator.
 */
export class CatchDirector {
  readonly #options: DirectorOptions;
  readonly #members: readonly Member[];
  #contest: Contest | null = null;
  #ballsInSight = 0;
  /** The body's motion that control has not answered for yet. */
  #isBodySent = false;
  #bodyMotions = 0;

  constructor(options: DirectorOptions) {
    this.#options = options;
    this.#members = options.arms.map((entry) => this.#createMember(entry));
  }

  #createMember({ arm, planner }: DirectorOptions["arms"][number]): Member {
    const { motion, send, head, waiting, times, mode, afterCatch, latestCatch, arms } = this.#options;
    const { name, dofs } = arm.group;
    const helper = new BodyHelper(arm, motion, head, waiting);
    const own = motion.of(name);
    const coordinator = new CatchCoordinator({
      arm,
      ready: Float64Array.from(dofs, (dof) => waiting[dof]!),
      planner,
      control: {
        commandedAt: (t, q, qd) => own.commandedAt(t, q, qd),
        send: (plan, sentNs) => send(name, plan, sentNs),
      },
      surroundings: (occasion) => helper.surroundings(occasion, this.#bodyUse(name)),
      firstPlan: arms.length > 1 || helper.dofs.length > 0 ? "offered" : "taken at once",
      times,
      mode,
      afterCatch,
      latestCatch,
    });
    return { name, dofs, side: this.#sideOf(arm), coordinator, helper };
  }

  #sideOf({ robot, group }: CatchArm): number {
    const state = new RobotState(robot.model);
    state.q.set(this.#options.waiting);
    forwardKinematics(state);
    return state.worldFromLink[group.tipLink]![10];
  }

  /** The body helps one ball alone. */
  #bodyUse(name: string): BodyUse {
    const areOthersFree = this.#members.every((member) => member.name === name || isFree(member));
    return areOthersFree && this.#ballsInSight <= 1 ? this.#options.body : "stand";
  }

  get coordinators(): ReadonlyMap<string, CatchCoordinator> {
    return new Map(this.#members.map(({ name, coordinator }) => [name, coordinator]));
  }

  /** Whether every arm waits for a ball and nothing is under way. */
  get isWaiting(): boolean {
    const areFree = this.#members.every((member) => isFree(member) && !member.coordinator.busy);
    return areFree && this.#contest === null && !this.#isBodySent && this.#isBodyBack();
  }

  /** The arm that has a plan for a ball, or had it last. */
  coordinatorOf(track: number): CatchCoordinator | null {
    const holder = this.#members.find(
      ({ coordinator: { attempt } }) => attempt?.track === track && attempt.plan !== null,
    );
    return holder?.coordinator ?? null;
  }

  /** Whether a ball is in a hand that closes or has closed about it, or was. */
  isGrasped(track: number): boolean {
    const state = this.coordinatorOf(track)?.machine.state;
    return state !== undefined && state !== "reaching";
  }

  start(nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.start(nowNs);
  }

  /** The predictions of one moment, one a ball. */
  receive(predictions: readonly BallPrediction[], nowNs: number): void {
    const balls = predictions.filter(({ confirmed }) => confirmed);
    if (balls.length === 0) return;
    this.#ballsInSight = balls.length;
    for (const ball of balls) this.coordinatorOf(ball.track)?.receive(ball, nowNs);
    if (this.#contest !== null) return;
    const free = this.#members.filter((member) => isFree(member) && !member.coordinator.busy);
    const { commitment } = this.#options;
    const nobodys = balls.filter((ball) => this.coordinatorOf(ball.track) === null && isWorthActing(ball, commitment));
    if (nobodys.length > 1 && free.length > 1) this.#shareOut(nobodys, free, nowNs);
    else if (nobodys.length > 0) this.#show(nobodys[0]!, free, nowNs);
    else this.#offerOn(balls, free, nowNs);
  }

  /** A ball whose arm has no way to it any more is shown to the others. */
  #offerOn(balls: readonly BallPrediction[], free: readonly Member[], nowNs: number): void {
    const lost = balls.find(({ track }) => this.coordinatorOf(track)?.attempt?.isStuck === true);
    if (lost !== undefined) this.#show(lost, free, nowNs);
  }

  /** Everybody looks at the same ball. */
  #show(ball: BallPrediction, members: readonly Member[], nowNs: number): void {
    for (const { coordinator } of members) coordinator.receive(ball, nowNs);
    this.#open({ members, about: "one ball" });
  }

  /** Everybody looks at the ball on his side. */
  #shareOut(balls: readonly BallPrediction[], free: readonly Member[], nowNs: number): void {
    const count = Math.min(balls.length, free.length);
    const nearest = balls.toSorted((a, b) => a.state.position[0] - b.state.position[0]).slice(0, count);
    const fromLeft = nearest.toSorted((a, b) => sideOf(b) - sideOf(a));
    const members = free.slice(0, count).sort((a, b) => b.side - a.side);
    for (const [k, { coordinator }] of members.entries()) coordinator.receive(fromLeft[k]!, nowNs);
    this.#open({ members, about: "a ball each" });
  }

  #open(contest: Contest): void {
    if (contest.members.some(({ coordinator }) => coordinator.busy)) this.#contest = contest;
  }

  /** To be called at every tick, after the tick's predictions. */
  step(nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.step(nowNs);
    if (this.#contest?.members.every(({ coordinator }) => !coordinator.isAsking)) this.#decide(this.#contest, nowNs);
    this.#bringBodyBack(nowNs);
  }

  #decide({ members, about }: Contest, nowNs: number): void {
    this.#contest = null;
    const chosen = members.filter(({ coordinator }) => coordinator.candidate !== null).sort(byObjective);
    if (about === "one ball" || !this.#areClear(chosen)) chosen.splice(1);
    for (const member of members) if (!chosen.includes(member)) member.coordinator.decline();
    for (const { coordinator, helper } of chosen) {
      const holder = this.coordinatorOf(coordinator.attempt?.track ?? NOBODYS);
      if (holder !== null && holder !== coordinator) holder.abandon(nowNs);
      if (helper.proposal !== null) this.#moveBody(helper.proposal, coordinator.candidate!.tStart, nowNs);
      coordinator.take();
    }
  }

  /** Whether plans that were made without knowing of each other keep out of each other's way. */
  #areClear(members: readonly Member[]): boolean {
    if (members.length < 2) return true;
    const { robot, waiting } = this.#options;
    const motions = members.map(({ coordinator }) => coordinator.candidate!.ramps);
    return new ConcurrentMotions(
      robot,
      members.map(({ dofs }) => dofs),
    ).isClear(motions, waiting);
  }

  #moveBody(ramps: JointRamps, tStart: number, nowNs: number): void {
    this.#isBodySent = true;
    const id = this.#bodyMotions++;
    this.#options.send(BODY, { id, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY }, nowNs);
  }

  /** Torso and platform go back to where they wait once no arm is about a ball. */
  #bringBodyBack(nowNs: number): void {
    if (this.#isBodySent || this.#contest !== null || this.#options.afterCatch === "stay") return;
    if (!this.#members.every(isFree) || this.#isBodyBack()) return;
    const { robot, motion, times, waiting } = this.#options;
    const dofs = motion.parts.find(({ name }) => name === BODY)!.dofs;
    const tStart = seconds(nowNs + times.transportNs);
    const q0 = new Float64Array(dofs.length);
    const w0 = new Float64Array(dofs.length);
    motion.of(BODY).commandedAt(tStart, q0, w0);
    const target = Float64Array.from(dofs, (dof) => waiting[dof]!);
    const limits = {
      maxVelocity: Float64Array.from(dofs, (dof) => robot.model.maxVelocity[dof]!),
      maxAcceleration: Float64Array.from(dofs, (dof) => robot.model.maxAcceleration[dof]!),
    };
    this.#moveBody(planReturn(limits, q0, w0, target, NORMAL_RETURN), tStart, nowNs);
  }

  /** Whether the body is, or will be by what it does, where it waits. */
  #isBodyBack(): boolean {
    const { motion, waiting } = this.#options;
    const part = motion.parts.find(({ name }) => name === BODY);
    if (part === undefined) return true;
    const rest = new JointRamps(part.dofs.length);
    motion.of(BODY).remainderAt(Number.POSITIVE_INFINITY, rest);
    return part.dofs.every((dof, i) => rest.end[i] === waiting[dof]);
  }

  /** The safety monitor stops the robot. */
  halt(reason: string, nowNs: number): void {
    this.#contest = null;
    this.#isBodySent = false;
    for (const { coordinator } of this.#members) coordinator.halt(reason, nowNs);
  }

  /** The robot stands and may move again, at `share` of its speed. */
  release(share: number, nowNs: number): void {
    for (const { coordinator } of this.#members) coordinator.release(share, nowNs);
  }

  /** What control did with a motion. */
  handedOver(part: string, handover: Handover, nowNs: number): void {
    if (part === BODY) this.#isBodySent = false;
    else this.coordinators.get(part)?.handedOver(handover, nowNs);
  }
}

/** No ball has this identity. */
const NOBODYS = -1;

function isFree({ coordinator }: Member): boolean {
  return coordinator.machine.state === "watching";
}

function byObjective({ coordinator: a }: Member, { coordinator: b }: Member): number {
  return a.candidate!.objective - b.candidate!.objective;
}

/** How far on the left a ball will be when it comes to the robot, by its present course [m]. */
function sideOf({ state: { position, velocity } }: BallPrediction): number {
  const time = velocity[0] < 0 ? -position[0] / velocity[0] : 0;
  return position[1] + time * velocity[1];
}
