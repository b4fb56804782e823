import type { InPort, OutPort, Policy } from "./port.js";

/** A message on its way; a promise, where another thread still works on it. */
interface Underway<M> {
  readonly message: M | Promise<M>;
  readonly dueNs: number;
}

/**
 * The carrier within a thread: a message is there when its latency has passed, in the order in which messages were put. Nothing
 * overtakes: a message waits for those before it. The message itself is handed over, not copied.
 */
export class Queue<M> implements InPort<M> {
  readonly latencyNs: number;
  readonly #policy: Policy;
  #underway: Underway<M>[] = [];
  /** Those before this place have been taken. */
  #first = 0;
  /** Messages that another thread still works on. */
  #unsettled = 0;
  lost = 0;

  constructor(latencyNs: number, policy: Policy) {
    this.latencyNs = latencyNs;
    this.#policy = policy;
  }

  get waiting(): number {
    return this.#underway.length - this.#first;
  }

  put(message: M | Promise<M>, readyNs: number): void {
    if (message instanceof Promise) this.#unsettled++;
    this.#underway.push({ message, dueNs: readyNs + this.latencyNs });
  }

  take(nowNs: number): M | null {
    let taken = this.#next(nowNs);
    if (this.#policy === "every" || taken === null) return taken;
    for (let next = this.#next(nowNs); next !== null; next = this.#next(nowNs)) {
      taken = next;
      this.lost++;
    }
    return taken;
  }

  #next(nowNs: number): M | null {
    const first = this.#underway[this.#first];
    if (first === undefined || first.dueNs > nowNs) return null;
    this.#first++;
    if (this.#first === this.#underway.length) {
      this.#underway.length = 0;
      this.#first = 0;
    } else if (this.#first > COMPACT) {
      this.#underway.splice(0, this.#first);
      this.#first = 0;
    }
    return first.message as M;
  }

  /** Waits for a message that is due by `nowNs` and is still being worked on; null if there is none such. */
  settle(nowNs: number): Promise<void> | null {
    if (this.#unsettled === 0) return null;
    for (let k = this.#first; k < this.#underway.length; k++) {
      const { message, dueNs } = this.#underway[k]!;
      if (dueNs > nowNs) return null;
      if (message instanceof Promise) {
        return message.then((settled) => {
          this.#unsettled--;
          this.#underway[this.#underway.findIndex((other) => other.message === message)] = { message: settled, dueNs };
        });
      }
    }
    return null;
  }
}

/** Places of taken messages that are kept before the list is made shorter. */
const COMPACT = 64;

/** An out-port that puts into queues: one an edge. */
export class QueueOutPort<M> implements OutPort<M> {
  readonly copies = false;
  readonly #queues: Queue<M>[] = [];

  join(queue: Queue<M>): void {
    this.#queues.push(queue);
  }

  put(message: M, readyNs: number): void {
    for (let k = 0; k < this.#queues.length; k++) this.#queues[k]!.put(message, readyNs);
  }

  /** Puts what another thread works on: it is awaited when it is due. */
  promise(message: Promise<M>, readyNs: number): void {
    for (const queue of this.#queues) queue.put(message, readyNs);
  }
}
