/** Messages of the last steps that are still there: those that take them do so within a few steps. */
const KEPT = 8;

/**
 * Messages for a port that puts one a step, made once and used in turn. What takes them must have copied what it keeps before
 * as many steps have passed as the pool has messages.
 */
export class MessagePool<M> {
  readonly #messages: readonly M[];
  #next = 0;

  constructor(create: () => M, count = KEPT) {
    this.#messages = Array.from({ length: count }, create);
  }

  next(): Mutable<M> {
    const message = this.#messages[this.#next]!;
    this.#next = (this.#next + 1) % this.#messages.length;
    return message as Mutable<M>;
  }
}

type Mutable<M> = { -readonly [K in keyof M]: M[K] };
