import { HandoverOutcome, type MotionPlan } from "../control/motion-execution.js";
import { type MotionPart, RobotMotion } from "../control/robot-motion.js";

/** Longest that control's word is waited for [ns]; and after which it is no longer believed to come at all. */
const PATIENCE_NS = 200e6;
const OBLIVION_NS = 10e9;

interface SentMotion {
  readonly part: string;
  readonly plan: MotionPlan;
  readonly sentNs: number;
  isGivenUp: boolean;
}

/**
 * What control executes, as seen from another thread: the same plans, applied when control has accepted them, so that the
 * command at any time to come is the same to the bit on both sides. Control's word is applied whenever it comes, also after
 * the plan's time and after it was given up.
 */
export class MotionMirror {
  readonly motion: RobotMotion;
  /** How often the two sides were found to differ. */
  divergences = 0;
  #underway: SentMotion[] = [];

  /** Begins at rest in `posture`, as control does; `tickPeriod` [s] is that of its loop. */
  constructor(posture: Float64Array, parts: readonly MotionPart[], tickPeriod: number) {
    this.motion = new RobotMotion(posture, parts, tickPeriod);
  }

  sent(part: string, plan: MotionPlan, sentNs: number): void {
    this.#underway.push({ part, plan, sentNs, isGivenUp: false });
  }

  /** Control's word on a plan; false if nobody waits for it any more. */
  handedOver(part: string, id: number, handover: HandoverOutcome): boolean {
    const index = this.#underway.findIndex((sent) => sent.part === part && sent.plan.id === id);
    const sent = this.#underway[index];
    if (sent === undefined) return false;
    this.#underway.splice(index, 1);
    if (handover === HandoverOutcome.accepted) this.motion.of(part).adopt(sent.plan);
    if (handover === HandoverOutcome.mismatch) this.divergences++;
    return !sent.isGivenUp;
  }

  /** Whether control has not answered for a motion yet. */
  get isWaiting(): boolean {
    return this.#underway.length > 0;
  }

  /** Parts whose plans control has said nothing about for too long; they are given up. */
  overdue(nowNs: number): string[] {
    this.#underway = this.#underway.filter(({ sentNs }) => nowNs - sentNs <= OBLIVION_NS);
    const late = this.#underway.filter(({ sentNs, isGivenUp }) => !isGivenUp && nowNs - sentNs > PATIENCE_NS);
    for (const sent of late) sent.isGivenUp = true;
    return late.map(({ part }) => part);
  }

  advance(now: number): void {
    this.motion.tick(now);
  }

  /** Control was seen to hold a part still at `q`, an array of all joints: whatever was believed of it. */
  correct(part: string, q: Float64Array): void {
    const { dofs } = this.motion.parts.find(({ name }) => name === part)!;
    this.motion.of(part).rest(Float64Array.from(dofs, (dof) => q[dof]!));
  }

  /** The robot was stopped by other means and stands at `q`. */
  rest(q: Float64Array): void {
    this.#underway = [];
    this.motion.rest(q);
  }
}
