import type { MotionPlan } from "../control/motion-execution.js";
import type { RobotMotion } from "../control/robot-motion.js";
import type { BallPrediction } from "../messages/prediction.js";
import { JointRamps } from "../motion/joint-ramps.js";
import type { CatchPlan } from "../planning/arm/arm-plan.js";
import { shareBalls } from "./ball-sharing.js";
import { type CatchTimes, seconds } from "./catch-times.js";
import type { CatchCoordinator } from "./coordinator.js";

interface BallSwapOptions {
  /** Arms whose balls may be exchanged, and on which side each waits [m]. */
  readonly arms: readonly (ExchangingArm & { readonly side: number })[];
  readonly motion: RobotMotion;
  readonly times: CatchTimes;
  /** What is told to the planners of a prediction. */
  readonly asCatchable: (ball: BallPrediction) => BallPrediction;
  /** Whether a plan of an arm keeps out of the way of what was decided while it was made. */
  readonly isStillClear: (arm: string, plan: CatchPlan) => boolean;
}

/**
 * Leads two arms through an exchange of their balls: both are asked at once, each as though the other one stopped where it
 * is, for they are both to do something else; if both find a catch, and the catches are clear of each other, they turn.
 */
export class BallSwap {
  readonly #options: BallSwapOptions;
  readonly #search = new ExchangeSearch();
  /** Arms that are asked about each other's balls. */
  #open: BallExchange | null = null;
  /** The arm that whoever is asked now takes to stand. */
  #standing: { readonly name: string; readonly motion: MotionPlan } | null = null;

  constructor(options: BallSwapOptions) {
    this.#options = options;
  }

  /** What an arm is taken to do by whoever is being asked now; null: what it really does. */
  assumed(arm: string): MotionPlan | null {
    return this.#standing?.name === arm ? this.#standing.motion : null;
  }

  /** Looks for an exchange of these balls, all that come, for one of those worth acting upon; asks both arms. */
  consider(coming: ReadonlyMap<number, BallPrediction>, worth: readonly BallPrediction[], nowNs: number): void {
    this.#search.keep((track) => coming.has(track));
    if (this.#open !== null) return;
    const { arms } = this.#options;
    const shares = shareBalls(Array.from(coming.values()), arms);
    const isComing = (track: number): boolean => coming.get(track)?.confirmed === true;
    for (const ball of worth) {
      const found = this.#search.find(ball.track, shares.get(ball.track), arms, isComing, seconds(nowNs));
      if (found === null) continue;
      this.#search.count(ball.track);
      this.#open = found;
      this.#ask(found.other, found.holder, coming.get(found.held)!, nowNs);
      this.#ask(found.holder, found.other, ball, nowNs);
      return;
    }
  }

  /** Asks an arm about a ball, as though another arm stopped where it will be by then. */
  #ask(asked: ExchangingArm, standing: ExchangingArm, ball: BallPrediction, nowNs: number): void {
    const { motion, times, asCatchable } = this.#options;
    const tStart = seconds(nowNs + times.coldBudgetNs + times.transportNs);
    const { dofs } = motion.parts.find(({ name }) => name === standing.name)!;
    const q = new Float64Array(dofs.length);
    motion.of(standing.name).commandedAt(tStart, q, new Float64Array(dofs.length));
    const ramps = new JointRamps(dofs.length);
    ramps.hold(q);
    this.#standing = { name: standing.name, motion: { id: 0, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY } };
    asked.coordinator.consider(asCatchable(ball), nowNs);
    this.#standing = null;
  }

  /** To be called at every tick. */
  step(nowNs: number): void {
    if (this.#open === null) return;
    const { holder, other } = this.#open;
    if (!holder.coordinator.isAsking && !other.coordinator.isAsking) this.#settle(this.#open, nowNs);
  }

  /** Both arms have answered: if both can catch the other's ball, they do. */
  #settle({ holder, other, held, wanted }: BallExchange, nowNs: number): void {
    this.#open = null;
    const forWanted = candidateFor(holder, wanted);
    const forHeld = candidateFor(other, held);
    if (forWanted === null || forHeld === null || holder.coordinator.machine.state !== "reaching") {
      holder.coordinator.decline();
      other.coordinator.decline();
      return;
    }
    holder.coordinator.take();
    if (this.#options.isStillClear(other.name, forHeld)) {
      other.coordinator.take();
      return;
    }
    // Its own ball is the holder's now; what the holder leaves it is asked about with the next image.
    other.coordinator.decline();
    other.coordinator.abandon(nowNs);
  }

  /** The robot is being stopped: nothing is open any more. */
  halt(): void {
    this.#open = null;
  }
}

function candidateFor({ coordinator }: ExchangingArm, track: number): CatchPlan | null {
  return coordinator.subject === track ? coordinator.candidate : null;
}

/** An arm, as far as balls are exchanged between arms. */
export interface ExchangingArm {
  readonly name: string;
  readonly coordinator: CatchCoordinator;
}

/** Two arms of which `holder` could turn to the ball `wanted`, and `other` to the holder's ball `held`. */
interface BallExchange {
  readonly holder: ExchangingArm;
  readonly other: ExchangingArm;
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
  find(
    wanted: number,
    side: string | undefined,
    arms: readonly ExchangingArm[],
    coming: (track: number) => boolean,
    now: number,
  ): BallExchange | null {
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
