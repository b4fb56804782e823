import { Handover, type MotionPlan } from "../../control/motion-execution.js";
import { type MotionPart, RobotMotion } from "../../control/robot-motion.js";

/**
 * How far behind the present the mirror is kept [s]: control's word on a plan may arrive after the tick at which the plan
 * began, and must still be applied.
 */
const LAG = 0.05;

/** Longest that control's word is waited for [ns]. */
const PATIENCE_NS = 200e6;

interface SentMotion {
  readonly part: string;
  readonly plan: MotionPlan;
  readonly sentNs: number;
}

/**
 * What control executes, as seen from another thread: the same plans, applied when control has accepted them, so that the
 * command at any time to come is the same to the bit on both sides.
 */
export class MotionMirror {
  readonly motion: RobotMotion;
  /** Plans that control accepted and the mirror could not apply: the two sides differ then. */
  divergences = 0;
  #underway: SentMotion[] = [];

  /** Begins at rest in `posture`, as control does; `tickPeriod` [s] is that of its loop. */
  constructor(posture: Float64Array, parts: readonly MotionPart[], tickPeriod: number) {
    this.motion = new RobotMotion(posture, parts, tickPeriod);
  }

  sent(part: string, plan: MotionPlan, sentNs: number): void {
    this.#underway.push({ part, plan, sentNs });
  }

  /** Control's word on a plan; false if it is of none that was sent. */
  handedOver(part: string, id: number, handover: Handover): boolean {
    const index = this.#underway.findIndex((sent) => sent.part === part && sent.plan.id === id);
    const sent = this.#underway[index];
    if (sent === undefined) return false;
    this.#underway.splice(index, 1);
    if (handover === Handover.accepted && this.motion.of(part).offer(sent.plan) !== Handover.accepted) {
      this.divergences++;
    }
    return true;
  }

  /** Parts whose plans control has said nothing about for too long; they are given up. */
  overdue(nowNs: number): string[] {
    const late = this.#underway.filter(({ sentNs }) => nowNs - sentNs > PATIENCE_NS);
    this.#underway = this.#underway.filter((sent) => !late.includes(sent));
    return late.map(({ part }) => part);
  }

  advance(now: number): void {
    this.motion.tick(now - LAG);
  }

  /** The robot was stopped by other means and stands at `q`. */
  rest(q: Float64Array): void {
    this.#underway = [];
    this.motion.rest(q);
  }
}
