/** One arrow of a state machine: in state `from`, `event` leads to `to`. */
export interface Transition<State extends string, Event extends string> {
  readonly from: State;
  readonly event: Event;
  readonly to: State;
}

/** A transition that was made. */
export interface Passage<State extends string, Event extends string> extends Transition<State, Event> {
  readonly timeNs: number;
}

/**
 * A state machine given by its table of transitions and nothing else: what is not in the table does not happen. Whoever
 * watches it sees each passage, with the event that caused it.
 */
export class StateMachine<State extends string, Event extends string> {
  readonly transitions: readonly Transition<State, Event>[];
  #state: State;
  #sinceNs = 0;
  #last: Passage<State, Event> | null = null;
  readonly #watchers: ((passage: Passage<State, Event>) => void)[] = [];

  constructor(initial: State, transitions: readonly Transition<State, Event>[]) {
    this.#state = initial;
    this.transitions = transitions;
  }

  get state(): State {
    return this.#state;
  }

  /** When the state was entered [ns]. */
  get sinceNs(): number {
    return this.#sinceNs;
  }

  get last(): Passage<State, Event> | null {
    return this.#last;
  }

  watch(watcher: (passage: Passage<State, Event>) => void): void {
    this.#watchers.push(watcher);
  }

  /** Follows the arrow for `event` from the present state; false, without effect, if there is none. */
  fire(event: Event, timeNs: number): boolean {
    const arrow = this.transitions.find((candidate) => candidate.from === this.#state && candidate.event === event);
    if (arrow === undefined) return false;
    this.#state = arrow.to;
    this.#sinceNs = timeNs;
    this.#last = { ...arrow, timeNs };
    for (const watcher of this.#watchers) watcher(this.#last);
    return true;
  }
}
