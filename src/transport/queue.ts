import type { InPort, OutPort, Policy } from "./port.js";

/** A message, what makes it when it is taken, or a promise of one that another thread works on. */
type Entry<M> = M | (() => M) | Promise<M>;

/** Places of taken messages that are kept before the lists are made shorter. */
const COMPACT = 64;

/**
 * The carrier within a thread: a message is there when its latency has passed, in the order in which messages were put. Nothing
 * overtakes: a message waits for those before it. The message itself is handed over, not copied.
 */
export class Queue<M extends object> implements InPort<M> {
  readonly latencyNs: number;
  lost = 0;
  readonly #policy: Policy;
  readonly #entries: Entry<M>[] = [];
  readonly #due: number[] = [];
  /** Entries before this place have been taken. */
  #first = 0;
  /** Messages that another thread still works on. */
  #unsettled = 0;

  constructor(latencyNs: number, policy: Policy) {
    this.latencyNs = latencyNs;
    this.#policy = policy;
  }

  get waiting(): number {
    return this.#entries.length - this.#first;
  }

  put(entry: Entry<M>, readyNs: number): void {
    if (entry instanceof Promise) this.#unsettled++;
    if (this.#policy === "newest") this.#skip(readyNs);
    this.#entries.push(entry);
    this.#due.push(readyNs + this.latencyNs);
  }

  take(nowNs: number): M | null {
    if (this.#first === this.#entries.length || !(this.#due[this.#first]! <= nowNs)) return null;
    if (this.#policy === "newest") this.#skip(nowNs);
    const entry = this.#entries[this.#first++] as M | (() => M);
    if (this.#first === this.#entries.length) this.#forget();
    else if (this.#first > COMPACT) this.#compact();
    return typeof entry === "function" ? entry() : entry;
  }

  /** Passes over all that are there by `nowNs` but the newest. */
  #skip(nowNs: number): void {
    while (this.#first + 1 < this.#entries.length && this.#due[this.#first + 1]! <= nowNs) {
      this.#first++;
      this.lost++;
    }
    if (this.#first > COMPACT) this.#compact();
  }

  #forget(): void {
    this.#entries.length = 0;
    this.#due.length = 0;
    this.#first = 0;
  }

  #compact(): void {
    this.#entries.splice(0, this.#first);
    this.#due.splice(0, this.#first);
    this.#first = 0;
  }

  /** When the next message is due [ns]; infinity if none waits. */
  get dueNs(): number {
    return this.#due[this.#first] ?? Number.POSITIVE_INFINITY;
  }

  /** Waits for a message that is due by `nowNs` and is still being worked on; null if there is none such. */
  settle(nowNs: number): Promise<void> | null {
    if (this.#unsettled === 0) return null;
    for (let k = this.#first; k < this.#entries.length && this.#due[k]! <= nowNs; k++) {
      const entry = this.#entries[k];
      if (!(entry instanceof Promise)) continue;
      return entry.then((settled) => {
        this.#unsettled--;
        this.#entries[this.#entries.indexOf(entry)] = settled;
      });
    }
    return null;
  }
}

/** An out-port that puts into queues: one an edge. */
export class QueueOutPort<M extends object> implements OutPort<M> {
  readonly copies = false;
  readonly #queues: Queue<M>[] = [];

  join(queue: Queue<M>): void {
    this.#queues.push(queue);
  }

  get isJoined(): boolean {
    return this.#queues.length > 0;
  }

  put(message: M, readyNs: number): void {
    for (let k = 0; k < this.#queues.length; k++) this.#queues[k]!.put(message, readyNs);
  }

  offer(make: () => M, readyNs: number): void {
    for (let k = 0; k < this.#queues.length; k++) this.#queues[k]!.put(make, readyNs);
  }

  /** Puts what another thread works on: it is awaited when it is due. */
  promise(message: Promise<M>, readyNs: number): void {
    for (const queue of this.#queues) queue.put(message, readyNs);
  }
}
