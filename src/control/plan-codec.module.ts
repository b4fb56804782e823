import { type Plan, PlanStatus } from "../messages/plan.js";
import { HandoverOutcome } from "../messages/plan-handover.js";
import { CatchMode } from "../messages/plan-request.js";
import { JointRamps, rampFields } from "../motion/joint-ramps.js";
import type { MotionPlan } from "./motion-execution.js";
import { Handover } from "./motion-execution.js";
import type { MotionPart } from "./robot-motion.js";

/** What a plan's packet tells beside its motion. */
export interface PlanFacts {
  /** Ball it is for; −1 for none. */
  readonly track: number;
  /** When ball and hand meet [s]; NaN for a motion that catches nothing. */
  readonly tCatch: number;
  readonly objective: number;
  readonly successProbability: number;
}

/** A motion that catches nothing. */
export const plainMotion: PlanFacts = {
  track: -1,
  tCatch: Number.NaN,
  objective: Number.NaN,
  successProbability: Number.NaN,
};

/** Writes a motion of `part` as a plan. */
export function writePlan(part: MotionPart, plan: MotionPlan, facts: PlanFacts, out: Plan): void {
  const { id, tStart, ramps, closeHandAt } = plan;
  const arrival = tStart + ramps.duration;
  out.id = id;
  out.request = id;
  out.track = facts.track;
  out.group.write(part.name);
  out.mode = CatchMode.soft;
  out.status = PlanStatus.solved;
  out.verified = true;
  out.supersedes = 0;
  out.tStart.seconds = tStart;
  out.tCatch.seconds = Number.isFinite(arrival) ? arrival : 0;
  out.tGrasp.seconds = Number.isFinite(facts.tCatch) ? facts.tCatch : 0;
  out.closesHand = closeHandAt !== Number.POSITIVE_INFINITY;
  out.tClose.seconds = Number.isFinite(closeHandAt) ? closeHandAt : 0;
  out.objective = facts.objective;
  out.successProbability = facts.successProbability;
  writeRamps(part.dofs, ramps, out);
}

function writeRamps(dofs: readonly number[], ramps: JointRamps, out: Plan): void {
  out.count = out.moves.length;
  out.moves.fill(0);
  for (let i = 0; i < dofs.length; i++) {
    const dof = dofs[i]!;
    out.moves[dof] = 1;
    for (let f = 0; f < rampFields.length; f++) out.ramps[rampFields[f]!][dof] = ramps[rampFields[f]!][i]!;
    out.ramps.end[dof] = ramps.end[i]!;
  }
}

/** Memory for a plan that is read from its packet again and again. */
export class ReceivedPlan implements MotionPlan {
  readonly part: MotionPart;
  id = 0;
  tStart = 0;
  closeHandAt = Number.POSITIVE_INFINITY;
  readonly ramps: JointRamps;

  constructor(part: MotionPart) {
    this.part = part;
    this.ramps = new JointRamps(part.dofs.length);
  }

  /** Times are whole nanoseconds in packets: what was sent must have been, too, to come back as the same bits. */
  read(packet: Readonly<Plan>): void {
    this.id = packet.id;
    this.tStart = packet.tStart.seconds;
    this.closeHandAt = packet.closesHand ? packet.tClose.seconds : Number.POSITIVE_INFINITY;
    const { dofs } = this.part;
    for (let i = 0; i < dofs.length; i++) {
      const dof = dofs[i]!;
      const moves = packet.moves[dof] === 1;
      for (let f = 0; f < rampFields.length; f++) {
        this.ramps[rampFields[f]!][i] = moves ? packet.ramps[rampFields[f]!][dof]! : Number.NaN;
      }
      this.ramps.end[i] = packet.ramps.end[dof]!;
    }
  }
}

/** Control's answer in a packet, and back. */
export function outcomeOf(handover: Handover): HandoverOutcome {
  return HandoverOutcome[handover];
}

export function handoverOf(outcome: HandoverOutcome): Handover {
  return handovers[outcome]!;
}

const handovers: readonly Handover[] = Object.keys(HandoverOutcome).map((name) => Handover[name as Handover]);
