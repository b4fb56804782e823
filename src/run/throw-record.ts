import { noPlanReason } from "../catching/catch-attempt.js";
import type { ThrowResult } from "../catching/run-summary.js";
import * as vec3 from "../math/vec3.js";
import type { Attempt } from "../messages/report.js";
import type { BallFate, Grasp } from "../messages/world.js";
import type { GeometricVerdict, Miss } from "../simulation/verdict.js";
import type { HoldOutcome } from "../simulation/world/catch-world.js";
import type { Throw } from "../simulation/world/throws.js";
import { type InPort, takeEach } from "../transport/port.js";

/** Where it is known from what became of throws. */
export interface ThrowPorts {
  readonly grasps: InPort<Grasp>;
  readonly fates: InPort<BallFate>;
  readonly attempts: InPort<Attempt>;
}

interface GraspedBall {
  readonly grasp: Grasp;
  /** Number of the attempt of which the grasp is; null if the arm made none. */
  readonly attempt: number | null;
}

/** A motion to catch a ball that was still in a hand. */
export interface FalseAlarm {
  readonly arm: string;
  /** When it began, on the run's clock, and how long before the release of the ball [s]. */
  readonly time: number;
  readonly before: number;
}

/** A false alarm as an event for the operator. */
export function falseAlarmEvent({ arm, time, before }: FalseAlarm) {
  const text = `${arm} began to move ${before.toFixed(2)} s before the ball was released`;
  return { time, severity: "warning", source: "thrower", code: "false-alarm", text } as const;
}

/** Puts together what became of the balls in the air: what the evaluator judged, and what the arms had done about them. */
export class ThrowRecord {
  readonly #ports: ThrowPorts;
  readonly #grasps = new Map<number, GraspedBall>();
  readonly #holds = new Map<number, HoldOutcome | null>();
  /** The newest of each attempt by its number, and the newest of each arm. */
  readonly #attempts = new Map<number, Attempt>();
  readonly #newest = new Map<string, Attempt>();

  constructor(ports: ThrowPorts) {
    this.#ports = ports;
  }

  /** Other balls are about to be thrown. */
  forget(): void {
    this.#grasps.clear();
    this.#holds.clear();
  }

  take(nowNs: number): void {
    const { grasps, fates, attempts } = this.#ports;
    if (attempts.waiting + grasps.waiting + fates.waiting === 0) return;
    takeEach(attempts, nowNs, (attempt) => {
      this.#attempts.set(attempt.number, attempt);
      if (attempt.isDropped) this.#newest.delete(attempt.arm);
      else this.#newest.set(attempt.arm, attempt);
    });
    takeEach(grasps, nowNs, (grasp) => {
      this.#grasps.set(grasp.ball, { grasp, attempt: this.#newest.get(grasp.arm)?.number ?? null });
    });
    takeEach(fates, nowNs, ({ ball, hold }) => void this.#holds.set(ball, hold as HoldOutcome | null));
  }

  isGrasped(ball: number): boolean {
    return this.#grasps.has(ball);
  }

  /** Motions that began in a time, of balls that are released at its end [s]. */
  motionsBetween(from: number, released: number): FalseAlarm[] {
    return Array.from(this.#attempts.values()).flatMap(({ arm, begun }) =>
      begun !== null && begun >= from && begun < released ? [{ arm, time: begun, before: released - begun }] : [],
    );
  }

  result({ id, aim, flightTime, state, hand }: Throw): ThrowResult {
    const closed = this.#grasps.get(id) ?? null;
    // A ball may count as flying in the swing already.
    const since = state.time - (hand?.swing ?? 0);
    const attempt = (closed === null ? null : this.#attemptOf(closed)) ?? this.#attemptAt(since, closed !== null);
    const hold = this.#holds.get(id) ?? null;
    const verdict = closed === null ? null : verdictOf(closed.grasp);
    // A hand that closed without a catch in sight has missed nothing.
    const isVain = verdict !== null && attempt?.hasPlan === true && !attempt.isCatch && !isCaught(verdict, hold);
    const grasp = isVain ? null : (closed?.grasp ?? null);
    return {
      id,
      aim: [aim[0], aim[1], aim[2]],
      flightTime,
      speed: vec3.norm(state.velocity),
      arm: grasp?.arm ?? null,
      outcome: grasp === null ? "no-plan" : isCaught(verdict!, hold) ? "caught" : "missed",
      reason: grasp === null ? noPlanReason(attempt) : reasonOf(verdict!, hold),
      reactionTime: attempt?.hasPlan !== true || attempt.begun === null ? null : attempt.begun - state.time,
      catchTime: grasp?.time ?? null,
      verdict: grasp === null ? null : verdict,
      errors: grasp?.errors ?? null,
      hold,
      firstObjective: attempt?.firstObjective ?? null,
      objective: attempt?.objective ?? null,
      searches: attempt?.searches ?? 0,
      replans: Math.max(0, (attempt?.taken ?? 0) - 1),
      unsolved: attempt?.unsolved ?? 0,
      refused: attempt?.refused ?? 0,
    };
  }

  #attemptOf({ attempt }: GraspedBall): Attempt | null {
    return attempt === null ? null : (this.#attempts.get(attempt) ?? null);
  }

  /** What was tried, without success, about a ball that was known to fly at `time` at the earliest. */
  #attemptAt(time: number, isGrasped: boolean): Attempt | null {
    if (isGrasped) return null;
    const tried = Array.from(this.#newest.values());
    return tried.find(({ firstSeen, hasPlan }) => firstSeen >= time && !hasPlan) ?? null;
  }
}

function verdictOf({ verdict }: Grasp): GeometricVerdict {
  return { ...verdict, misses: verdict.misses as readonly Miss[] };
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
