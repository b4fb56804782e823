import { MAX_TRANSITIONS } from "../messages/report.js";
import { getOrCreate } from "../runtime/get-or-create.js";

/** One arrow of a state machine: in state `from`, or in any state within it, `event` leads to `to`. */
export interface ChartTransition<State extends string, Event extends string> {
  readonly from: State;
  readonly event: Event;
  /** A state that has no states within it. */
  readonly to: State;
}

/** A transition that was made. */
export interface Passage<State extends string, Event extends string> extends ChartTransition<State, Event> {
  readonly timeNs: number;
  /** Why it happened, in words. */
  readonly reason: string;
}

/** A hierarchical state machine as data. */
export interface StateChart<State extends string, Event extends string> {
  readonly initial: State;
  /** The state that each lies within; states that are not named here are at the top. */
  readonly within: Readonly<Partial<Record<State, State>>>;
  readonly transitions: readonly ChartTransition<State, Event>[];
}

/**
 * A hierarchical state machine given by its chart and nothing else: what is not in the chart does not happen. It is in one
 * innermost state at a time, and so in all states around that. An event follows the innermost arrow there is for it.
 * Whoever watches sees each passage, with the event that caused it and the reason.
 */
export class StateMachine<State extends string, Event extends string> {
  readonly chart: StateChart<State, Event>;
  #state: State;
  #sinceNs = 0;
  readonly #passages: Passage<State, Event>[] = [];
  readonly #watchers: ((passage: Passage<State, Event>) => void)[] = [];
  readonly #waysOut = new Map<State, readonly ChartTransition<State, Event>[]>();

  constructor(chart: StateChart<State, Event>) {
    this.chart = chart;
    this.#state = chart.initial;
  }

  /** The innermost state. */
  get state(): State {
    return this.#state;
  }

  /** The state and all it lies within, innermost first. */
  get path(): State[] {
    const path: State[] = [];
    for (let state: State | undefined = this.#state; state !== undefined; state = this.chart.within[state]) {
      path.push(state);
    }
    return path;
  }

  /** When the state was entered [ns]. */
  get sinceNs(): number {
    return this.#sinceNs;
  }

  get last(): Passage<State, Event> | null {
    return this.#passages.at(-1) ?? null;
  }

  /** The last passages, oldest first. */
  get passages(): readonly Passage<State, Event>[] {
    return this.#passages;
  }

  /** Whether the machine is in `state`, or in a state within it. */
  isIn(state: State): boolean {
    for (let at: State | undefined = this.#state; at !== undefined; at = this.chart.within[at]) {
      if (at === state) return true;
    }
    return false;
  }

  /** The arrows that lead away from here, innermost first; of several for one event the one that would be followed. */
  get waysOut(): readonly ChartTransition<State, Event>[] {
    return getOrCreate(this.#waysOut, this.#state, () => {
      const arrows = this.path.flatMap((state) => this.chart.transitions.filter(({ from }) => from === state));
      return arrows.filter(({ event }, k) => arrows.findIndex((other) => other.event === event) === k);
    });
  }

  watch(watcher: (passage: Passage<State, Event>) => void): void {
    this.#watchers.push(watcher);
  }

  /** Follows the arrow for `event` from the present state; false, without effect, if there is none. */
  fire(event: Event, timeNs: number, reason = ""): boolean {
    const arrow = this.waysOut.find((candidate) => candidate.event === event);
    if (arrow === undefined) return false;
    const passage = { from: this.#state, event, to: arrow.to, timeNs, reason };
    this.#state = arrow.to;
    this.#sinceNs = timeNs;
    this.#passages.push(passage);
    if (this.#passages.length > MAX_TRANSITIONS) this.#passages.shift();
    for (const watcher of this.#watchers) watcher(passage);
    return true;
  }
}
