import type { ArmPlanAnswer, ArmPlanner } from "../catching/arm-planner.js";
import { attemptSnapshot, type CatchAttempt } from "../catching/catch-attempt.js";
import { CatchDirector, type DirectorOptions } from "../catching/director.js";
import { MotionMirror } from "../catching/motion-mirror.js";
import { armStates } from "../catching/snapshot.js";
import type { MotionPlan } from "../control/motion-execution.js";
import type { MotionPart } from "../control/robot-motion.js";
import { JointCommand, Stop } from "../messages/control.js";
import { CatchSetting, Gaze, Handover, Motion, PlanQuestion, PlanReply } from "../messages/planning.js";
import { Predictions } from "../messages/prediction.js";
import { ArmStates, Attempt, ComponentStatus, Event, Transition } from "../messages/report.js";
import { HeadState } from "../messages/sensing.js";
import type { ArmPlanRequest } from "../planning/arm/arm-plan.js";
import type { MovingObstacleClearance } from "../planning/arm/moving-obstacle-clearance.js";
import { resultOf } from "../planning/arm/plan-messages.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { Robot } from "../robot/robot.js";
import type { Node } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";

export const catchingPorts = {
  in: {
    predictions: Predictions,
    head: HeadState,
    handovers: Handover,
    stops: Stop,
    commands: JointCommand,
    answers: PlanReply,
    settings: CatchSetting,
    planners: ComponentStatus,
  },
  out: {
    motions: Motion,
    questions: PlanQuestion,
    gaze: Gaze,
    transitions: Transition,
    attempts: Attempt,
    states: ArmStates,
    events: Event,
  },
} as const;

export interface CatchingNodeOptions extends Omit<DirectorOptions, "robot" | "arms" | "motion" | "send" | "head"> {
  readonly arms: readonly { readonly arm: CatchArm; readonly clearance?: MovingObstacleClearance | null }[];
  readonly parts: readonly MotionPart[];
  /** Where the robot stands at first, in model order. */
  readonly posture: Float64Array;
  /** Where the chest is taken from: the measured head, or the motions that were planned. */
  readonly chest: "measured" | "planned";
  /** When the run begins [ns]. */
  readonly startNs: number;
  /** Called when a search was answered, so long after it was asked for [ns]. */
  readonly onSearched?: ((durationNs: number) => void) | undefined;
}

/** Time after which the arms' states, and what the head is to look at, are published again though nothing has changed [ns]. */
const REPEAT_NS = 100_000_000;

/**
 * Decides which arm catches which ball, and what the body does for it: a `CatchDirector` between ports. It works on a mirror of
 * what control executes, so that the command at any time to come is the same to the bit on both sides.
 */
export class CatchingNode implements Node {
  readonly director: CatchDirector;
  readonly #ports: PortsOf<typeof catchingPorts>;
  readonly #options: CatchingNodeOptions;
  readonly #mirror: MotionMirror;
  readonly #planners: ReadonlyMap<string, PortPlanner>;
  /** Joints that no motion leads. */
  readonly #free: readonly number[];
  readonly #attempts = new Map<string, PublishedAttempt>();
  #numbers = 0;
  #head: HeadMeasurement | null = null;
  #nowNs = 0;
  #command: JointCommand | null = null;
  #gaze: Gaze | null = null;
  #gazeNs = Number.NEGATIVE_INFINITY;
  readonly #grasped: number[] = [];
  #statesNs = Number.NEGATIVE_INFINITY;
  #hasChanged = true;
  #wasWaiting: boolean | null = null;

  constructor(ports: PortsOf<typeof catchingPorts>, robot: Robot, options: CatchingNodeOptions) {
    const { arms, parts, posture, times, chest } = options;
    this.#ports = ports;
    this.#options = options;
    this.#mirror = new MotionMirror(posture, parts, times.tickNs / 1e9);
    this.#free = Array.from(posture.keys()).filter((dof) => !parts.some(({ dofs }) => dofs.includes(dof)));
    this.#planners = new Map(
      arms.map(({ arm }) => [arm.group.name, new PortPlanner(arm.group.name, ports.out.questions)]),
    );
    this.director = new CatchDirector({
      ...options,
      robot,
      arms: arms.map((entry) => ({ ...entry, planner: this.#planners.get(entry.arm.group.name)! })),
      motion: this.#mirror.motion,
      send: (part, plan, sentNs) => this.#send(part, plan, sentNs),
      head: () => (chest === "measured" ? this.#newestHead() : null),
    });
    for (const [arm, { machine }] of this.director.coordinators) {
      machine.watch(({ from, event, to, reason, timeNs }) => {
        this.#hasChanged = true;
        ports.out.transitions.put({ arm, from, event, to, reason, timeNs }, timeNs);
      });
    }
    this.director.start(options.startNs);
  }

  step(nowNs: number): number {
    const { in: from } = this.#ports;
    const { director } = this;
    this.#takeCommand(nowNs);
    this.#nowNs = nowNs;
    if (from.settings.waiting > 0) {
      takeEach(from.settings, nowNs, ({ mode }) => {
        director.mode = mode;
      });
    }
    if (from.planners.waiting > 0) {
      takeEach(from.planners, nowNs, ({ component, health }) => {
        this.#planners.get(component.slice(PLANNER.length))?.setPresent(health === "running", nowNs);
      });
    }
    if (from.answers.waiting > 0) takeEach(from.answers, nowNs, (answer) => this.#takeAnswer(answer, nowNs));
    const predictions = takeNewest(from.predictions, nowNs);
    if (predictions !== null) director.receive(predictions.balls, nowNs);
    director.step(nowNs);
    if (from.handovers.waiting > 0) takeEach(from.handovers, nowNs, (handover) => this.#takeHandover(handover, nowNs));
    if (this.#mirror.isWaiting)
      for (const part of this.#mirror.overdue(nowNs)) director.handedOver(part, "stopped", nowNs);
    if (from.stops.waiting > 0) takeEach(from.stops, nowNs, (stop) => this.#takeStop(stop, nowNs));
    this.#publishGaze(nowNs);
    this.#publishAttempts(nowNs);
    this.#publishStates(nowNs);
    return nowNs + this.#options.times.tickNs;
  }

  /** Taken when it is asked for: it costs more to make than all else of a step without a ball. */
  #newestHead(): HeadMeasurement | null {
    this.#head = takeNewest(this.#ports.in.head, this.#nowNs) ?? this.#head;
    return this.#head;
  }

  #takeAnswer(answer: PlanReply, nowNs: number): void {
    const askedNs = this.#planners.get(answer.arm)?.receive(answer) ?? null;
    if (askedNs !== null && answer.search === "cold") this.#options.onSearched?.(nowNs - askedNs);
  }

  /** What control executes; joints that no motion leads are where they were commanded last. */
  #takeCommand(nowNs: number): void {
    const { motion } = this.#mirror;
    this.#mirror.advance(nowNs / 1e9);
    this.#command = takeNewest(this.#ports.in.commands, nowNs) ?? this.#command;
    if (this.#command === null) return;
    const { q } = this.#command;
    for (let k = 0; k < this.#free.length; k++) motion.q[this.#free[k]!] = q[this.#free[k]!]!;
  }

  #send(part: string, plan: MotionPlan, sentNs: number): void {
    const { id, tStart, ramps, closeHandAt } = plan;
    const coordinator = this.director.coordinators.get(part);
    const planned = coordinator?.offered ?? null;
    const track = planned === null ? -1 : (coordinator?.subject ?? -1);
    this.#mirror.sent(part, plan, sentNs);
    this.#ports.out.motions.put(
      {
        part,
        id,
        tStart,
        ramps,
        closeHandAt: closeHandAt === Number.POSITIVE_INFINITY ? null : closeHandAt,
        track,
        tCatch: planned === null ? null : planned.tCatch + (coordinator?.commandDelay ?? 0),
        objective: planned === null || Number.isNaN(planned.objective) ? null : planned.objective,
        isInjected: false,
      },
      sentNs,
    );
  }

  #takeHandover({ part, id, outcome }: Handover, nowNs: number): void {
    if (!this.#mirror.handedOver(part, id, outcome)) return;
    if (outcome !== "accepted") this.#report("warning", "plan-refused", `${part}: ${outcome}`, nowNs);
    if (outcome === "mismatch") this.#correct(part);
    this.director.handedOver(part, outcome, nowNs);
  }

  /** What is believed of a part is wrong; once control is seen to hold it still, it is known again. */
  #correct(part: string): void {
    const { dofs } = this.#options.parts.find(({ name }) => name === part)!;
    const command = this.#command;
    if (command !== null && dofs.every((dof) => command.qd[dof] === 0)) this.#mirror.correct(part, command.q);
  }

  /** A robot that is being stopped forgets its catches; let go again, all begins from where it stands. */
  #takeStop({ kind, reason, share, posture }: Stop, nowNs: number): void {
    if (kind === "halt") this.director.halt(reason, nowNs);
    else if (kind === "fail") this.director.fail(reason, nowNs);
    else {
      this.#mirror.rest(posture);
      this.director.release(share, nowNs);
    }
  }

  /** Told when it changes: the neck moves for balls alone while arms are about something. */
  #publishGaze(nowNs: number): void {
    const { director } = this;
    const isBusy = !director.isWaiting;
    const grasped = this.#grasped;
    grasped.length = 0;
    for (const { attempt } of director.coordinators.values()) {
      if (attempt !== null && attempt.plan !== null && director.isGrasped(attempt.track)) grasped.push(attempt.track);
    }
    const last = this.#gaze;
    const isUnchanged = last !== null && last.isBusy === isBusy && isSame(last.grasped, grasped);
    if (isUnchanged && nowNs < this.#gazeNs + REPEAT_NS) return;
    this.#gazeNs = nowNs;
    if (!isUnchanged) this.#gaze = { isBusy, grasped: Float64Array.from(grasped) };
    this.#ports.out.gaze.put(this.#gaze!, nowNs);
  }

  #publishAttempts(nowNs: number): void {
    for (const [arm, { attempt }] of this.director.coordinators) {
      const last = this.#attempts.get(arm);
      if (attempt === null) {
        if (last !== undefined) this.#ports.out.attempts.put({ ...last.message, isDropped: true }, nowNs);
        this.#attempts.delete(arm);
        continue;
      }
      const number = last?.of === attempt ? last.message.number : ++this.#numbers;
      if (last?.of === attempt && isSameAttempt(last.message, attempt)) continue;
      const message = { arm, number, ...attemptSnapshot(attempt), isDropped: false };
      this.#attempts.set(arm, { of: attempt, message });
      this.#ports.out.attempts.put(message, nowNs);
    }
  }

  /** Made only where they are taken: they cost more than a step without a ball. */
  #publishStates(nowNs: number): void {
    if (!this.#ports.out.states.isJoined) return;
    const { isWaiting } = this.director;
    if (isWaiting !== this.#wasWaiting) this.#hasChanged = true;
    if (!this.#hasChanged && nowNs < this.#statesNs + REPEAT_NS) return;
    this.#hasChanged = false;
    this.#wasWaiting = isWaiting;
    this.#statesNs = nowNs;
    this.#ports.out.states.put({ isWaiting, arms: armStates(this.director.snapshot(nowNs)) }, nowNs);
  }

  #report(severity: Event["severity"], code: string, text: string, nowNs: number): void {
    this.#ports.out.events.put({ severity, source: "catching", code, track: -1, text }, nowNs);
  }
}

function isSame(a: Float64Array, b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < b.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

interface PublishedAttempt {
  readonly of: CatchAttempt;
  readonly message: Attempt;
}

/** What of an attempt changes while it lasts, but for its plan. */
const changing = ["searches", "taken", "unsolved", "refused", "reason", "lastRefusal"] as const;

function isSameAttempt(message: Attempt, attempt: CatchAttempt): boolean {
  for (const field of changing) if (message[field] !== attempt[field]) return false;
  return message.tCatch === (attempt.plan === null ? null : attempt.plan.tCatch + attempt.commandDelay);
}

/** Names of planners begin so; the arm's follows. */
const PLANNER = "planner-";

/** The planner of one arm at the other end of two ports. A question to one that has died is answered with that. */
class PortPlanner implements ArmPlanner {
  readonly #arm: string;
  readonly #questions: { put(question: PlanQuestion, readyNs: number): void };
  #open = -1;
  #askedNs = 0;
  #isPresent = true;
  #answer: ArmPlanAnswer | null = null;

  constructor(arm: string, questions: { put(question: PlanQuestion, readyNs: number): void }) {
    this.#arm = arm;
    this.#questions = questions;
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    this.#open = request.id;
    this.#askedNs = nowNs;
    this.#answer = null;
    if (this.#isPresent) this.#questions.put({ arm: this.#arm, ...request } as unknown as PlanQuestion, nowNs);
    else this.#giveUp(nowNs);
  }

  /** Whether the planner runs, or has died and is missed. */
  setPresent(isPresent: boolean, nowNs: number): void {
    this.#isPresent = isPresent;
    if (!isPresent && this.#open >= 0) this.#giveUp(nowNs);
  }

  #giveUp(nowNs: number): void {
    this.#answer = { id: this.#open, plan: null, reason: "the planner died", approach: null, answeredNs: nowNs };
    this.#open = -1;
  }

  /** Returns when the question was asked [ns]; null for an answer that is not waited for. */
  receive(answer: PlanReply): number | null {
    if (answer.id !== this.#open) return null;
    this.#open = -1;
    this.#answer = { ...resultOf(answer), answeredNs: answer.answeredNs };
    return this.#askedNs;
  }

  collect(): ArmPlanAnswer | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }
}
