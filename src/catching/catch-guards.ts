import type { CatchEvent, CatchState } from "./catch-states.js";

/** What the guards of an arm's transitions look at. All times on the run's clock [s]; Infinity: not before something else. */
export interface GuardFacts {
  now: number;
  /** What the arm waits for: the planner, a choice among plans, control, or nothing. */
  waitsFor: string;
  /** Of the plan in execution: when the hand is told to close, and when its fingers are closed. */
  closesAt: number;
  closedAt: number;
  /** When a ball has been held long enough. */
  heldAt: number;
  /** Whether a caught ball is brought to a box. */
  hasBox: boolean;
  /** When the motion under way that catches nothing is over. */
  arrivesAt: number;
  /** When the fingers are open and the ball has fallen out of them. */
  emptyAt: number;
}

/** A condition of a transition. */
interface Guard {
  /** In words. */
  readonly text: string;
  readonly holds: (facts: GuardFacts) => boolean;
  /** What it is about, as it is now. */
  readonly value: (facts: GuardFacts) => string;
}

/** A guard as it is now. */
export interface GuardReading {
  readonly name: CatchEvent;
  readonly to: CatchState;
  readonly holds: boolean;
  readonly value: string;
  readonly text: string;
}

/** Transitions that happen as time passes: as soon as their guards hold. */
const timed: Partial<Record<CatchEvent, Guard>> = {
  closing: timedGuard("the closing command is due", ({ closesAt }) => closesAt),
  closed: timedGuard("the fingers are closed", ({ closedAt }) => closedAt),
  held: {
    text: "the ball has been held long enough, and there is a box for it",
    holds: ({ now, heldAt, hasBox }) => hasBox && now >= heldAt,
    value: ({ now, heldAt, hasBox }) => (hasBox ? timeTo(heldAt, now) : "no box"),
  },
  kept: {
    text: "the ball has been held long enough, and there is no box for it",
    holds: ({ now, heldAt, hasBox }) => !hasBox && now >= heldAt,
    value: ({ now, heldAt, hasBox }) => (hasBox ? "a box" : timeTo(heldAt, now)),
  },
  carried: timedGuard("the hand is over the box", ({ arrivesAt }) => arrivesAt),
  dropped: timedGuard("the fingers are open and the ball has fallen", ({ emptyAt }) => emptyAt),
  ready: timedGuard("the arm is back, its hand open", ({ arrivesAt }) => arrivesAt),
};

/** Transitions that somebody else brings about: control, the director, the safety monitor, a person. */
const awaited: Partial<Record<CatchEvent, string>> = {
  start: "the run begins",
  planned: "control has taken over a plan for the ball",
  lost: "another arm catches the ball, or no motion can continue with it",
  unsafe: "the safety monitor stops the robot",
  released: "the robot has stood for a while and is clear of collisions",
  failed: "the robot cannot get clear by itself",
  repaired: "an operator has repaired the robot",
};

/** Whether a transition is due by itself. */
export function isDue(event: CatchEvent, facts: GuardFacts): boolean {
  return timed[event]?.holds(facts) ?? false;
}

/** The guard of a transition, as it is now. */
export function readGuard(name: CatchEvent, to: CatchState, facts: GuardFacts): GuardReading {
  const guard = timed[name];
  if (guard === undefined) return { name, to, holds: false, value: facts.waitsFor, text: awaited[name] ?? name };
  return { name, to, holds: guard.holds(facts), value: guard.value(facts), text: guard.text };
}

/** Why a transition that was due happened, in words. */
export function reasonOf(event: CatchEvent): string {
  return timed[event]?.text ?? awaited[event] ?? event;
}

function timedGuard(text: string, at: (facts: GuardFacts) => number): Guard {
  return { text, holds: (facts) => facts.now >= at(facts), value: (facts) => timeTo(at(facts), facts.now) };
}

function timeTo(time: number, now: number): string {
  return Number.isFinite(time) ? `in ${(time - now).toFixed(3)} s` : "not yet known";
}
