import type { CatchCoordinator } from "./coordinator.js";

/** An arm, as far as balls are exchanged between arms. */
export interface ExchangingArm {
  readonly name: string;
  readonly coordinator: CatchCoordinator;
}

/** Two arms of which `holder` could turn to the ball `wanted`, and `other` to the holder's ball `held`. */
export interface BallExchange<Arm extends ExchangingArm> {
  readonly holder: Arm;
  readonly other: Arm;
  /** Tracks of the balls. */
  readonly held: number;
  readonly wanted: number;
}

/** Searches of an arm for a ball after which somebody else should have it. */
const SEARCHES_IN_VAIN = 2;
/** Exchanges that are looked at for one ball: each takes the holder a frame of its own ball. */
const MOST_TRIES = 3;
/** With less time until its catch an arm keeps its ball [s]. */
const LEAST_TIME = 0.3;

/**
 * Finds balls that two arms had better exchange. The first ball in sight is given to the arm that catches it best; a second
 * one, seen a frame or two later, may be for the same arm while the other one could have the first. The same follows when
 * balls come by so near to each other that their sides do not say which arm is for which.
 */
export class ExchangeSearch {
  readonly #tries = new Map<number, number>();

  /**
   * The exchange to look at for the ball `wanted`, if there is one. `arms` are all arms; `coming` tells whether a ball is
   * still on its way; `side` is the arm for the ball by its side.
   */
  find<Arm extends ExchangingArm>(
    wanted: number,
    side: string | undefined,
    arms: readonly Arm[],
    coming: (track: number) => boolean,
    now: number,
  ): BallExchange<Arm> | null {
    if ((this.#tries.get(wanted) ?? 0) >= MOST_TRIES || arms.some((arm) => hasCatch(arm, wanted))) return null;
    for (const holder of arms) {
      const held = catchInHand(holder, now);
      if (held === null || held === wanted || !coming(held) || holder.coordinator.busy) continue;
      const other = arms.find((arm) => arm !== holder && canTurn(arm, wanted));
      if (other !== undefined && (side === holder.name || isInVain(other, wanted)))
        return { holder, other, held, wanted };
    }
    return null;
  }

  /** Counts that an exchange for a ball is looked at. */
  count(wanted: number): void {
    this.#tries.set(wanted, (this.#tries.get(wanted) ?? 0) + 1);
  }

  /** Forgets balls that nobody sees any more. */
  keep(isKnown: (track: number) => boolean): void {
    for (const track of this.#tries.keys()) if (!isKnown(track)) this.#tries.delete(track);
  }
}

/** Whether an arm has a catch of a ball, or one on its way to control. */
function hasCatch({ coordinator }: ExchangingArm, track: number): boolean {
  const { attempt, offered, subject } = coordinator;
  if (offered !== null && subject === track) return true;
  return attempt?.track === track && attempt.plan !== null && !attempt.isStuck;
}

/** The ball that an arm is going to catch and has time enough to leave; null: none. */
function catchInHand({ coordinator }: ExchangingArm, now: number): number | null {
  const { machine, attempt } = coordinator;
  if (machine.state !== "reaching" || attempt === null || attempt.plan === null || attempt.isStuck) return null;
  return attempt.plan.tCatch - now > LEAST_TIME ? attempt.track : null;
}

/** Whether an arm waits, or goes after the ball without a catch of it. */
function canTurn({ coordinator }: ExchangingArm, wanted: number): boolean {
  const { machine, attempt, busy } = coordinator;
  if (busy) return false;
  return machine.state === "watching" || (machine.state === "reaching" && attempt?.track === wanted);
}

function isInVain({ coordinator: { attempt } }: ExchangingArm, wanted: number): boolean {
  return attempt?.track === wanted && attempt.searches >= SEARCHES_IN_VAIN;
}
