import { setTimeout as pause } from "node:timers/promises";
import type { MotionPart } from "../../control/robot-motion.js";
import type { Handover } from "../../messages/planning.js";
import { JointRamps } from "../../motion/joint-ramps.js";
import { RampStatus } from "../../motion/ramp.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { BringupRun } from "./bringup-run.js";

/** Share of a joint's speed in small motions, and how long one lasts each way [s]. */
export const SMALL_SHARE = 0.05;
const DURATION = 0.8;
/** From the order to the beginning of a motion [s], and tries: a busy machine may be late. */
const LEAD = 0.08;
const TRIES = 6;
/** Numbers of these motions: far from those of catching. */
let nextId = 1_000_000_000;

/** A joint and what moves it. */
export interface MovedJoint {
  readonly part: MotionPart;
  /** Place in the part, and in the model. */
  readonly index: number;
  readonly dof: number;
}

/** Joints of all parts with a driver. */
export function movedJoints(parts: readonly MotionPart[]): MovedJoint[] {
  return parts.flatMap((part) => part.dofs.map((dof, index) => ({ part, index, dof })));
}

/** How far a joint goes in `DURATION` with a peak at `share` of its speed, away from its nearer limit [rad or m]. */
export function smallDistance({ run }: BringupRun, { dof }: MovedJoint, from: number, share: number): number {
  const { ratedVelocity, lower, upper } = run.robot.model;
  const distance = 0.5 * share * Math.min(ratedVelocity[dof]!, 4) * DURATION;
  return upper[dof]! - from > from - lower[dof]! ? distance : -distance;
}

/** Moves one joint by `distance` from where all stand, in `duration` [s]; settles when it is there. Through control, as any motion. */
export async function moveJoint(
  bringup: BringupRun,
  { part, index }: MovedJoint,
  distance: number,
  duration = DURATION,
): Promise<void> {
  const { run } = bringup;
  const answers = run.tap<Handover>("control.handovers");
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const q = await bringup.commanded();
      const id = nextId++;
      const ramps = rampsTo(bringup, part.dofs, q, index, distance, duration);
      const tStart = run.clock.nowSeconds() + LEAD;
      run.host.faults.injectPlan(part.name, { id, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY });
      const outcome = await answerTo(answers, id);
      if (outcome === "accepted") {
        await pause((1e3 * (LEAD + duration)) / run.clock.speed);
        return;
      }
      if (outcome !== "late") throw refused(outcome);
    }
    throw refused("late");
  } finally {
    run.host.untap("control.handovers", answers as never);
  }
}

function refused(outcome: string): FlycatcherError {
  return new FlycatcherError("FLY_BRINGUP_MOTION", `control did not take a small motion (${outcome})`);
}

function rampsTo(
  { run }: BringupRun,
  dofs: readonly number[],
  q: Float64Array,
  index: number,
  distance: number,
  duration: number,
): JointRamps {
  const { model } = run.robot;
  const pick = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
  const start = pick(q);
  const goal = start.slice();
  goal[index] = goal[index]! + distance;
  const ramps = new JointRamps(dofs.length);
  const rest = new Float64Array(dofs.length);
  const status = ramps.plan(start, rest, goal, duration, pick(model.maxVelocity), pick(model.maxAcceleration));
  if (status !== RampStatus.ok) throw refused("beyond the joint's speed");
  return ramps;
}

async function answerTo(
  answers: { take(nowNs: number): Handover | null },
  id: number,
): Promise<Handover["outcome"] | "late"> {
  for (let k = 0; k < 100; k++) {
    for (let got = answers.take(Number.POSITIVE_INFINITY); got !== null; got = answers.take(Number.POSITIVE_INFINITY)) {
      if (got.id === id) return got.outcome;
    }
    await pause(5);
  }
  return "late";
}
