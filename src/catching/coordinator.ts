import { closingLead } from "../control/hand-closing.js";
import { Handover, type MotionPlan } from "../control/motion-execution.js";
import type { BallState } from "../flight/flight-path.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/request/request.js";
import type {
  ArmPlanAnswer,
  ArmPlanner,
  ArmPlanRequest,
  BallPrediction,
  CatchPlan,
  PlanSurroundings,
} from "./arm-planner.js";
import { createCatchMachine } from "./catch-states.js";
import { type CatchTimes, seconds } from "./catch-times.js";
import { planReturn } from "./return-motion.js";

/** Control, as the coordinator sees it. */
export interface ControlLink {
  /** The command that will run at `t` [s], by the motions control has accepted so far. */
  commandedAt(t: number, outQ: Float64Array, outQd: Float64Array): void;
  /** Sends a motion; control says later what became of it (`CatchCoordinator.handedOver`). */
  send(motion: MotionPlan, sentNs: number): void;
}

/** What the arm does after a catch: go back to its posture, or wait where it is (thesis, Fig. 3.10). */
export type AfterCatch = "return" | "stay";

/** What is about to be asked of the planner: what the arm's surroundings may depend on. */
export interface PlanOccasion {
  readonly ball: BallState;
  readonly tStart: number;
  readonly earliest: number;
  readonly latest: number;
  /** `first`: the arm does not move for this ball yet. */
  readonly kind: "first" | "again";
}

/** Who decides whether the first plan for a ball is carried out: nobody, or somebody who compares it with others. */
export type FirstPlan = "taken at once" | "offered";

export interface CoordinatorOptions {
  readonly arm: CatchArm;
  /** What carries the arm, and what else moves. */
  readonly surroundings: (occasion: PlanOccasion) => PlanSurroundings;
  readonly firstPlan: FirstPlan;
  /** Where the arm waits for balls, in the order of its dofs. */
  readonly ready: Float64Array;
  readonly planner: ArmPlanner;
  readonly control: ControlLink;
  readonly times: CatchTimes;
  readonly mode: CatchMode;
  readonly afterCatch: AfterCatch;
  /** Latest catch after a ball was first seen [s]. */
  readonly latestCatch: number;
}

/** What has been done about one ball. */
export interface CatchAttempt {
  readonly track: number;
  /** Time of the first confirmed prediction [s]. */
  readonly firstSeen: number;
  /** The plan in execution. */
  plan: CatchPlan | null;
  /** When the first plan began [s], and its objective. */
  begun: number;
  firstObjective: number;
  /** Global searches, plans that control took over, solves from the plan before that found nothing, plans refused. */
  searches: number;
  taken: number;
  unsolved: number;
  refused: number;
  /** Whether the last solve from the plan before found nothing: the next one searches everywhere. */
  isStuck: boolean;
  /** Why the first search found nothing, or its plan was not taken: later ones fail because it is late. */
  reason: string | null;
}

/** What the coordinator waits for: nothing, the planner's answer, that its plan is chosen, or control's word. */
type Waiting =
  | { readonly for: "nothing" }
  | { readonly for: "planner" }
  | { readonly for: "choice"; readonly candidate: CatchPlan; readonly answeredNs: number }
  | { readonly for: "control"; readonly motion: MotionPlan; readonly plan: CatchPlan | null };

/** A plan must be in control's hands this many ticks before the hand closes. */
const TICKS_BEFORE_CLOSING = 2;

/** Share of speed and acceleration of a way back that nothing hurries. */
export const NORMAL_RETURN = 0.5;

const nothing: Waiting = { for: "nothing" };

/**
 * Leads a catch from the first prediction to the arm's return. Each prediction of a ball becomes one question to the
 * planner: with which motion, beginning at tStart = now + planning budget + transport from the command that will be
 * running then, is it caught? One question at a time: where the command at tStart is not yet known, none can be asked.
 * Time comes in, nothing is read from a clock.
 */
export class CatchCoordinator {
  readonly machine = createCatchMachine();
  /** The ball in hand, or the last there was. */
  attempt: CatchAttempt | null = null;
  readonly #options: CoordinatorOptions;
  /** From the closing command to the grasp [s], and to the closed hand [s]. */
  readonly #closingLead: number;
  readonly #closingTime: number;
  #waiting: Waiting = nothing;
  #ids = 0;
  #returnShare = NORMAL_RETURN;
  /** When the return is over [s]; Infinity before it is under way. */
  #returned = Number.POSITIVE_INFINITY;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#closingTime = options.arm.hand.closingTime;
    this.#closingLead = closingLead(this.#closingTime);
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

  /** Carries the candidate out. */
  take(): void {
    if (this.#waiting.for === "choice") this.#sendCatch(this.#waiting.candidate, this.#waiting.answeredNs);
  }

  /** Lets the candidate go: somebody else catches the ball. */
  decline(): void {
    if (this.#waiting.for !== "choice") return;
    this.#waiting = nothing;
    this.attempt = null;
  }

  /** Gives the ball up, which somebody else catches: the arm goes back to wait. */
  abandon(nowNs: number): void {
    if (!this.machine.fire("lost", nowNs)) return;
    this.#waiting = nothing;
    this.attempt = null;
  }

  /** The robot is being stopped: whatever was under way is over. */
  halt(reason: string, nowNs: number): void {
    if (!this.machine.fire("unsafe", nowNs)) return;
    this.#waiting = nothing;
    this.#returned = Number.POSITIVE_INFINITY;
    if (this.attempt !== null) this.attempt.reason ??= reason;
  }

  /** The robot stands and may move again, at `share` of its speed: the arm goes back to wait. */
  release(share: number, nowNs: number): void {
    this.#returnShare = share;
    this.machine.fire("released", nowNs);
  }

  start(nowNs: number): void {
    this.machine.fire("start", nowNs);
  }

  /** A new prediction of a ball. */
  receive(prediction: BallPrediction, nowNs: number): void {
    const { state } = this.machine;
    if (!prediction.confirmed || (state !== "watching" && state !== "reaching")) return;
    if (this.attempt?.track !== prediction.track) {
      if (state === "reaching") return;
      this.attempt = newAttempt(prediction);
    }
    const isOver = state === "watching" && this.attempt.plan !== null;
    if (!this.busy && !isOver) this.#ask(this.attempt, prediction, nowNs);
  }

  #ask(attempt: CatchAttempt, { state: ball, covariance, lastSeen }: BallPrediction, nowNs: number): void {
    const { times, mode, planner, control, arm, latestCatch, surroundings } = this.#options;
    const running = this.machine.state === "reaching" ? attempt.plan : null;
    const previous = attempt.isStuck ? null : running;
    const budgetNs = previous === null ? times.coldBudgetNs : times.warmBudgetNs;
    const tStart = seconds(nowNs + budgetNs + times.transportNs);
    const margin = TICKS_BEFORE_CLOSING * seconds(times.tickNs);
    if (running !== null && !(tStart + margin <= this.#closingOf(running))) return;
    const earliest = tStart + this.#closingLead + margin;
    const latest = attempt.firstSeen + latestCatch;
    if (!(latest > earliest)) return;
    const q0 = new Float64Array(arm.group.dofs.length);
    const w0 = new Float64Array(arm.group.dofs.length);
    control.commandedAt(tStart, q0, w0);
    const kind = running === null ? "first" : "again";
    const request: ArmPlanRequest = {
      id: this.#ids++,
      mode,
      tStart,
      q0,
      w0,
      ball,
      covariance,
      lastSeen,
      ...surroundings({ ball, tStart, earliest, latest, kind }),
      earliest,
      latest,
      previous,
    };
    if (previous === null) attempt.searches++;
    planner.submit(request, nowNs);
    this.#waiting = { for: "planner" };
  }

  /** When the closing command is due for a plan [s]. */
  #closingOf({ tCatch }: CatchPlan): number {
    return tCatch - this.#closingLead;
  }

  /** To be called at every tick, after the tick's predictions. */
  step(nowNs: number): void {
    if (this.#waiting.for === "planner") {
      const answer = this.#options.planner.collect(nowNs);
      if (answer !== null) this.#answered(answer);
    }
    this.#progress(nowNs);
  }

  #answered(answer: ArmPlanAnswer): void {
    this.#waiting = nothing;
    const { attempt } = this;
    if (answer.plan !== null) {
      const isFirst = this.machine.state !== "reaching";
      if (isFirst && this.#options.firstPlan === "offered") {
        this.#waiting = { for: "choice", candidate: answer.plan, answeredNs: answer.answeredNs };
      } else {
        this.#sendCatch(answer.plan, answer.answeredNs);
      }
    } else if (attempt !== null) {
      if (attempt.plan === null) attempt.reason ??= answer.reason;
      else {
        attempt.unsolved++;
        attempt.isStuck = true;
      }
    }
  }

  #sendCatch(plan: CatchPlan, sentNs: number): void {
    const { id, tStart, ramps } = plan;
    this.#send({ id, tStart, ramps, closeHandAt: this.#closingOf(plan) }, plan, sentNs);
  }

  #send(motion: MotionPlan, plan: CatchPlan | null, sentNs: number): void {
    this.#waiting = { for: "control", motion, plan };
    this.#options.control.send(motion, sentNs);
  }

  /** What control did with the motion sent to it. */
  handedOver(handover: Handover, nowNs: number): void {
    if (this.#waiting.for !== "control") return;
    const { motion, plan } = this.#waiting;
    this.#waiting = nothing;
    if (plan !== null) this.#tookPlan(plan, handover, nowNs);
    else if (handover === Handover.accepted) this.#returned = motion.tStart + motion.ramps.duration;
  }

  #tookPlan(plan: CatchPlan, handover: Handover, nowNs: number): void {
    const { attempt } = this;
    if (attempt === null) return;
    if (handover !== Handover.accepted) {
      attempt.refused++;
      if (attempt.plan === null) attempt.reason ??= `control refused the plan: ${handover}`;
      return;
    }
    if (attempt.plan === null) {
      attempt.begun = plan.tStart;
      attempt.firstObjective = plan.objective;
    }
    attempt.plan = plan;
    attempt.isStuck = false;
    attempt.taken++;
    this.machine.fire("planned", nowNs);
  }

  /** What happens by itself as time passes. */
  #progress(nowNs: number): void {
    const now = seconds(nowNs);
    const plan = this.attempt?.plan ?? null;
    switch (this.machine.state) {
      case "reaching":
        if (plan !== null && now >= this.#closingOf(plan)) this.machine.fire("closing", nowNs);
        break;
      case "grasping":
        if (plan !== null && now >= this.#closingOf(plan) + this.#closingTime) this.machine.fire("closed", nowNs);
        break;
      case "holding":
        if (nowNs - this.machine.sinceNs >= this.#options.times.holdNs) this.machine.fire("held", nowNs);
        break;
      case "returning":
        this.#progressReturn(nowNs);
        break;
    }
  }

  /** Sends the arm back, again if control refused, until it has arrived. */
  #progressReturn(nowNs: number): void {
    if (this.#returned === Number.POSITIVE_INFINITY) {
      if (!this.busy) this.#send(this.#planReturn(nowNs), null, nowNs);
    } else if (seconds(nowNs) >= this.#returned) {
      this.#returned = Number.POSITIVE_INFINITY;
      this.#returnShare = NORMAL_RETURN;
      this.machine.fire("ready", nowNs);
    }
  }

  /** A motion to `ready`, or one that stays and only opens the hand. */
  #planReturn(nowNs: number): MotionPlan {
    const { arm, ready, afterCatch, control, times } = this.#options;
    const tStart = seconds(nowNs + times.transportNs);
    const q0 = new Float64Array(ready.length);
    const w0 = new Float64Array(ready.length);
    control.commandedAt(tStart, q0, w0);
    const isBack = afterCatch === "return" || this.#returnShare < NORMAL_RETURN;
    const ramps = planReturn(arm, q0, w0, isBack ? ready : q0, this.#returnShare);
    return { id: this.#ids++, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY };
  }
}

function newAttempt({ track, state }: BallPrediction): CatchAttempt {
  return {
    track,
    firstSeen: state.time,
    plan: null,
    begun: Number.NaN,
    firstObjective: Number.NaN,
    searches: 0,
    taken: 0,
    unsolved: 0,
    isStuck: false,
    refused: 0,
    reason: null,
  };
}
