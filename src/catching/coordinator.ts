import { closingLead } from "../control/hand-motion.js";
import { HandoverOutcome, type MotionPlan } from "../control/motion-execution.js";
import type { BallPrediction } from "../messages/prediction.js";
import type { ArmPlanRequest, CatchPlan } from "../planning/arm/arm-plan.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { commandDelayOf } from "../robot/command-delay.js";
import type { ArmPlanAnswer } from "./arm-planner.js";
import { attemptSnapshot, type CatchAttempt, newAttempt, objectiveOf } from "./catch-attempt.js";
import { type GuardFacts, isDue, readGuard, reasonOf } from "./catch-guards.js";
import { type CatchEvent, createCatchMachine } from "./catch-states.js";
import { seconds } from "./catch-times.js";
import type { CoordinatorOptions } from "./coordinator-options.js";
import type { ArmSnapshot } from "./snapshot.js";
import { type Leg, NORMAL_RETURN, WayBack } from "./way-back.js";

/**
 * What the coordinator waits for: nothing, the planner's answer, that its plan is chosen, or control's word; and about
 * which ball.
 */
type Waiting =
  | { readonly for: "nothing"; readonly attempt: null }
  | { readonly for: "planner"; readonly attempt: CatchAttempt }
  | {
      readonly for: "choice";
      readonly attempt: CatchAttempt;
      readonly candidate: CatchPlan;
      readonly answeredNs: number;
    }
  | { readonly for: "control"; readonly attempt: CatchAttempt; readonly motion: MotionPlan; readonly plan: CatchPlan }
  | { readonly for: "control"; readonly attempt: null; readonly motion: MotionPlan; readonly plan: null };

/** A plan must be in control's hands this many ticks before the hand closes. */
const TICKS_BEFORE_CLOSING = 2;

/** From the open hand until the ball has fallen out of it [s]: a finger's length takes it 0.17 s. */
const FALL_TIME = 0.25;

/** The planner has found no catch. */
type FruitlessAnswer = Extract<ArmPlanAnswer, { readonly plan: null }>;

const nothing: Waiting = { for: "nothing", attempt: null };

/**
 * Leads a catch from the first prediction to the arm's return. Each prediction of a ball becomes one question to the
 * planner: with which motion, beginning at tStart = now + planning budget + transport from the command that will be
 * running then, is it caught? One question at a time: where the command at tStart is not yet known, none can be asked.
 * Time comes in, nothing is read from a clock.
 */
export class CatchCoordinator {
  /** What the next plans optimise. */
  mode: CatchMode;
  readonly machine = createCatchMachine();
  /** The ball in hand, or the last there was. */
  attempt: CatchAttempt | null = null;
  readonly #options: CoordinatorOptions & { readonly returnShare: number };
  /** From the hand's closing command to the grasp in the time of the arm's commands [s], and to the closed hand [s]. */
  readonly #closingLead: number;
  readonly #closingTime: number;
  /** How late the arm follows its commands [s]: it is led by commands that are so much earlier than the ball. */
  readonly #delay: number;
  #waiting: Waiting = nothing;
  #ids = 0;
  /** What was last seen of the ball. */
  #newest: BallPrediction | null = null;
  /** Newest image that went into the prediction asked about last [s]. */
  #askedAbout = Number.NEGATIVE_INFINITY;
  readonly #wayBack: WayBack;
  /** Share of its speed at which the arm goes back. */
  #returnShare: number;
  readonly #facts: GuardFacts;

  constructor(options: CoordinatorOptions) {
    const { arm, drop, afterCatch, returnShare = NORMAL_RETURN } = options;
    this.#options = { ...options, returnShare };
    this.mode = options.mode;
    this.#closingTime = arm.hand.closingTime;
    this.#delay = commandDelayOf(arm.robot, arm.group);
    this.#closingLead = closingLead(arm.hand) - this.#delay + commandDelayOf(arm.robot, arm.hand);
    this.#returnShare = returnShare;
    this.#wayBack = new WayBack(options);
    const hasBox = drop !== null && afterCatch === "return";
    const never = Number.POSITIVE_INFINITY;
    const times0 = { closesAt: never, closedAt: never, heldAt: never, arrivesAt: never, emptyAt: never };
    this.#facts = { now: 0, waitsFor: "nothing", hasBox, ...times0 };
  }

  /** How late the arm follows its commands [s]; plans are in the time of the commands. */
  get commandDelay(): number {
    return this.#delay;
  }

  /** Whether an answer is still to come. */
  get busy(): boolean {
    return this.#waiting.for !== "nothing";
  }

  /** Whether the planner has been asked and has not answered. */
  get isAsking(): boolean {
    return this.#waiting.for === "planner";
  }

  /** A first plan that waits to be chosen. */
  get candidate(): CatchPlan | null {
    return this.#waiting.for === "choice" ? this.#waiting.candidate : null;
  }

  /** The catch about which control has not said anything yet. */
  get offered(): CatchPlan | null {
    return this.#waiting.for === "control" ? this.#waiting.plan : null;
  }

  /** Ball that the open question, or the plan that waits, is about; else that of the attempt. */
  get subject(): number | null {
    return this.#waiting.attempt?.track ?? this.attempt?.track ?? null;
  }

  /** Carries the candidate out. */
  take(): void {
    if (this.#waiting.for !== "choice") return;
    const { candidate, answeredNs, attempt } = this.#waiting;
    this.#sendCatch(candidate, answeredNs, attempt);
  }

  /** Lets the candidate go: somebody else catches the ball. */
  decline(): void {
    if (this.#waiting.for !== "choice") return;
    if (this.#waiting.attempt === this.attempt) this.attempt = null;
    this.#waiting = nothing;
  }

  /** Lets the candidate go, but not the ball: it is to be asked about again. */
  refuse(reason: string): void {
    if (this.#waiting.for !== "choice") return;
    const { attempt } = this.#waiting;
    this.#waiting = nothing;
    attempt.reason ??= reason;
    attempt.lastRefusal = reason;
  }

  /** Whether a prediction tells more than the one that was last asked about. */
  isNews(prediction: BallPrediction | null | undefined): boolean {
    return prediction != null && prediction.lastSeen > this.#askedAbout;
  }

  /** Gives the ball up, which somebody else catches: the arm goes back to wait. */
  abandon(nowNs: number): void {
    if (!this.#fire("lost", nowNs, "another arm catches the ball")) return;
    this.#waiting = nothing;
    this.attempt = null;
  }

  /** The robot is being stopped: whatever was under way is over. */
  halt(reason: string, nowNs: number): void {
    if (!this.#fire("unsafe", nowNs, reason)) return;
    this.#waiting = nothing;
    if (this.attempt !== null) this.attempt.reason ??= reason;
  }

  /** The robot stands and may move again, at `share` of its speed: the arm goes back to wait. */
  release(share: number, nowNs: number): void {
    this.#returnShare = share;
    if (!this.#fire("released", nowNs)) this.#fire("repaired", nowNs);
  }

  /** The robot does not come free by itself. */
  fail(reason: string, nowNs: number): void {
    if (this.#fire("failed", nowNs, reason)) this.#waiting = nothing;
  }

  start(nowNs: number): void {
    this.#fire("start", nowNs);
  }

  /** Makes a transition, if there is one, and begins what belongs to the new state. */
  #fire(event: CatchEvent, nowNs: number, reason = reasonOf(event)): boolean {
    if (!this.machine.fire(event, nowNs, reason)) return false;
    this.#facts.arrivesAt = Number.POSITIVE_INFINITY;
    this.#facts.emptyAt = Number.POSITIVE_INFINITY;
    this.#wayBack.begin();
    return true;
  }

  /** A new prediction of a ball. */
  receive(prediction: BallPrediction, nowNs: number): void {
    const { state } = this.machine;
    if (!prediction.confirmed || (state !== "watching" && state !== "reaching")) return;
    if (this.attempt?.track !== prediction.track) {
      if (state === "reaching") return;
      this.attempt = newAttempt(prediction, this.#delay);
    }
    this.#newest = prediction;
    const isOver = state === "watching" && this.attempt.plan !== null;
    if (!this.busy && !isOver) this.#ask(this.attempt, prediction, nowNs);
  }

  /**
   * Asks about another ball in passing. A catch of it is offered; if that is taken, the arm turns to that ball. Until then, and
   * without one, it goes on with its own.
   */
  consider(prediction: BallPrediction, nowNs: number): void {
    const { state } = this.machine;
    if (this.busy || (state !== "watching" && state !== "reaching")) return;
    this.#ask(newAttempt(prediction, this.#delay), prediction, nowNs);
  }

  /** Of a late arm everything is asked in the time of its commands: what is measured moves back by its delay. */
  #ask(attempt: CatchAttempt, { state, covariance, lastSeen }: BallPrediction, nowNs: number): void {
    const { times, planner, control, arm, latestCatch, surroundings } = this.#options;
    const { mode } = this;
    const running = this.machine.state === "reaching" ? attempt.plan : null;
    const previous = attempt.isStuck ? null : running;
    const budgetNs = previous === null ? times.coldBudgetNs : times.warmBudgetNs;
    const tStart = seconds(nowNs + budgetNs + times.transportNs);
    const margin = TICKS_BEFORE_CLOSING * seconds(times.tickNs);
    if (running !== null && !(tStart + margin <= this.#closingOf(running))) return;
    const earliest = tStart + Math.max(0, this.#closingLead) + margin;
    const latest = attempt.firstSeen + latestCatch - this.#delay;
    if (!(latest > earliest)) return;
    const q0 = new Float64Array(arm.group.dofs.length);
    const w0 = new Float64Array(arm.group.dofs.length);
    control.commandedAt(tStart, q0, w0);
    const ball = { ...state, time: state.time - this.#delay };
    const kind = running === null ? "first" : "again";
    const request: ArmPlanRequest = {
      id: this.#ids++,
      track: attempt.track,
      mode,
      tStart,
      q0,
      w0,
      ball,
      covariance,
      lastSeen: lastSeen - this.#delay,
      ...surroundings({ ball, tStart, earliest, latest, kind }),
      earliest,
      latest,
      previous,
      running,
    };
    if (previous === null) attempt.searches++;
    this.#askedAbout = lastSeen;
    planner.submit(request, nowNs);
    this.#waiting = { for: "planner", attempt };
  }

  /** When the closing command is due for a plan [s]. */
  #closingOf({ tCatch }: CatchPlan): number {
    return tCatch - this.#closingLead;
  }

  /** To be called at every tick, after the tick's predictions. */
  step(nowNs: number): void {
    if (this.#waiting.for === "planner") {
      const answer = this.#options.planner.collect(nowNs);
      if (answer !== null) this.#answered(answer, this.#waiting.attempt, nowNs);
    }
    this.#progress(nowNs);
  }

  #answered(answer: ArmPlanAnswer, attempt: CatchAttempt, nowNs: number): void {
    this.#waiting = nothing;
    if (answer.plan === null) this.#answeredNone(answer, attempt, nowNs);
    else if (attempt.plan === null) this.#offer(answer.plan, answer.answeredNs, attempt);
    else if (this.#options.isStillClear(answer.plan.ramps, answer.plan.tStart)) {
      this.#sendCatch(answer.plan, answer.answeredNs, attempt);
    } else {
      attempt.unsolved++;
      attempt.lastRefusal = "another arm's new motion is in the way";
    }
  }

  /** There is no catch. Of a ball that was asked about in passing nothing else is of interest. */
  #answeredNone(answer: FruitlessAnswer, attempt: CatchAttempt, nowNs: number): void {
    const { reason, approach, answeredNs } = answer;
    attempt.lastRefusal = reason;
    if (attempt.plan !== null) this.#searchAgain(attempt, answer, nowNs);
    else {
      attempt.reason ??= reason;
      if (approach !== null && attempt === this.attempt) this.#offer(approach, answeredNs, attempt);
    }
  }

  /** A first motion towards a ball. */
  #offer(candidate: CatchPlan, answeredNs: number, attempt: CatchAttempt): void {
    if (this.#options.firstPlan === "offered") this.#waiting = { for: "choice", attempt, candidate, answeredNs };
    else this.#sendCatch(candidate, answeredNs, attempt);
  }

  /**
   * From the plan in execution there was no way on: everything is searched, at once if that has not been done already. If
   * that found nothing either, the arm goes where it comes nearest to a catch.
   */
  #searchAgain(attempt: CatchAttempt, { approach, answeredNs }: FruitlessAnswer, nowNs: number): void {
    const wasSearched = attempt.isStuck && !this.isNews(this.#newest);
    attempt.unsolved++;
    attempt.isLost = attempt.isStuck;
    attempt.isStuck = true;
    if (approach !== null && this.#options.isStillClear(approach.ramps, approach.tStart)) {
      this.#sendCatch(approach, answeredNs, attempt);
      return;
    }
    if (!wasSearched && this.#newest?.track === attempt.track) this.#ask(attempt, this.#newest, nowNs);
  }

  #sendCatch(plan: CatchPlan, sentNs: number, attempt: CatchAttempt): void {
    const { id, tStart, ramps } = plan;
    const motion = { id, tStart, ramps, closeHandAt: this.#closingOf(plan) };
    this.#waiting = { for: "control", attempt, motion, plan };
    this.#options.control.send(motion, sentNs);
  }

  /** Sends a motion that catches nothing. */
  #sendWay(motion: MotionPlan, sentNs: number): void {
    this.#waiting = { for: "control", attempt: null, motion, plan: null };
    this.#options.control.send(motion, sentNs);
  }

  /** What control did with the motion sent to it. */
  handedOver(handover: HandoverOutcome, nowNs: number): void {
    if (this.#waiting.for !== "control") return;
    const { motion, plan, attempt } = this.#waiting;
    this.#waiting = nothing;
    if (plan !== null) this.#tookPlan(plan, attempt, handover, nowNs);
    else if (handover === HandoverOutcome.accepted) this.#tookReturn(motion);
  }

  /** A motion that catches nothing has been taken over; one that opens the hand over the box lets the ball fall. */
  #tookReturn({ tStart, ramps }: MotionPlan): void {
    this.#facts.arrivesAt = tStart + ramps.duration + this.#delay;
    this.#facts.emptyAt = tStart + this.#delay + this.#closingTime + FALL_TIME;
  }

  #tookPlan(plan: CatchPlan, attempt: CatchAttempt, handover: HandoverOutcome, nowNs: number): void {
    if (handover !== HandoverOutcome.accepted) {
      attempt.refused++;
      if (attempt.plan === null) attempt.reason ??= `control refused the plan: ${handover}`;
      return;
    }
    this.attempt = attempt;
    if (attempt.plan === null) attempt.begun = plan.tStart;
    attempt.firstObjective ??= objectiveOf(plan);
    attempt.plan = plan;
    attempt.isStuck = plan.shortfall > 0;
    attempt.isLost &&= attempt.isStuck;
    attempt.taken++;
    this.#fire("planned", nowNs);
    const newest = this.#newest;
    if (attempt.isStuck && newest?.track === attempt.track && this.isNews(newest)) this.#ask(attempt, newest, nowNs);
  }

  /** What happens by itself as time passes. */
  #progress(nowNs: number): void {
    this.#takeFacts(nowNs);
    for (const { event } of this.machine.waysOut) {
      if (!isDue(event, this.#facts)) continue;
      if (event === "ready") this.#returnShare = this.#options.returnShare;
      this.#fire(event, nowNs);
      return;
    }
    if (this.machine.isIn("returning") && !this.busy) this.#progressReturn(nowNs);
  }

  #takeFacts(nowNs: number): void {
    const [facts, plan] = [this.#facts, this.attempt?.plan ?? null];
    facts.now = seconds(nowNs);
    facts.waitsFor = this.#waiting.for;
    facts.closesAt = plan === null ? Number.POSITIVE_INFINITY : this.#closingOf(plan);
    facts.closedAt = facts.closesAt + this.#closingTime;
    facts.heldAt = seconds(this.machine.sinceNs + this.#options.times.holdNs);
  }

  /** Sends the arm on its way, again if control refused it, until it has arrived. */
  #progressReturn(nowNs: number): void {
    if (this.#facts.arrivesAt !== Number.POSITIVE_INFINITY) return;
    const { state } = this.machine;
    const leg = state === "carrying" ? "drop" : state === "dropping" ? "stay" : this.#legHome();
    const motion = this.#wayBack.plan(leg, this.#returnShare, nowNs);
    if (motion !== null) {
      const closeHandAt = state === "carrying" ? this.#facts.closesAt : Number.POSITIVE_INFINITY;
      this.#sendWay({ id: this.#ids++, ...motion, closeHandAt }, nowNs);
    } else if (state === "carrying" && this.#wayBack.isBlocked) {
      this.#fire("lost", nowNs, "there is no clear way to the box");
    }
  }

  /** An arm that is to stay only opens its hand, unless it was stopped. */
  #legHome(): Leg {
    return this.#options.afterCatch === "stay" && this.#returnShare >= this.#options.returnShare ? "stay" : "ready";
  }

  /** The state machine laid open, as it is at `nowNs`. */
  snapshot(nowNs: number): ArmSnapshot {
    this.#takeFacts(nowNs);
    const { machine, attempt } = this;
    const [state, ...within] = machine.path;
    return {
      arm: this.#options.arm.group.name,
      state: state!,
      within,
      since: seconds(machine.sinceNs),
      waitsFor: this.#waiting.for,
      guards: machine.waysOut.map(({ event, to }) => readGuard(event, to, this.#facts)),
      transitions: machine.passages.map(({ timeNs, ...passage }) => ({ time: seconds(timeNs), ...passage })),
      attempt: attempt === null ? null : attemptSnapshot(attempt),
    };
  }
}
