import type { InPort, OutPort, Policy } from "./port.js";

/** A message, what makes it when it is taken, or a promise of one that another thread works on. */
type Entry<M> = M | (() => M) | Promise<M>;

/** What waits in several queues together: those of one node. */
export class Backlog {
  /** Messages, whether their time has come or not. */
  waiting = 0;
  /** Those of them that another thread still works on. */
  unsettled = 0;
}

/** Places for messages at first; a power of two. */
const FIRST_PLACES = 4;

/**
 * The carrier within a thread: a message is there when its latency has passed, in the order in which messages were put. Nothing
 * overtakes: a message waits for those before it. The message itself is handed over, not copied.
 */
export class Queue<M extends object> implements InPort<M> {
  readonly latencyNs: number;
  lost = 0;
  readonly #policy: Policy;
  readonly #backlog: Backlog;
  /** A ring: its size is a power of two. */
  #entries: (Entry<M> | null)[] = new Array(FIRST_PLACES).fill(null);
  #due = new Float64Array(FIRST_PLACES);
  #first = 0;
  #count = 0;

  /** `backlog` counts what waits here, beside other queues. */
  constructor(latencyNs: number, policy: Policy, backlog: Backlog = new Backlog()) {
    this.latencyNs = latencyNs;
    this.#policy = policy;
    this.#backlog = backlog;
  }

  get waiting(): number {
    return this.#count;
  }

  put(entry: Entry<M>, readyNs: number): void {
    if (this.#policy === "newest") this.#skip(readyNs);
    if (this.#count === this.#due.length) this.#grow();
    const at = this.#place(this.#count++);
    this.#entries[at] = entry;
    this.#due[at] = readyNs + this.latencyNs;
    this.#backlog.waiting++;
  }

  /** Puts what another thread works on: `settle` waits for it when it is due. */
  promise(entry: Promise<M>, readyNs: number): void {
    this.#backlog.unsettled++;
    this.put(entry, readyNs);
  }

  take(nowNs: number): M | null {
    if (this.#count === 0 || !(this.#due[this.#first]! <= nowNs)) return null;
    if (this.#policy === "newest") this.#skip(nowNs);
    const entry = this.#entries[this.#first] as M | (() => M);
    this.#drop();
    return typeof entry === "function" ? entry() : entry;
  }

  /** Where the k-th of those that wait is. */
  #place(k: number): number {
    return (this.#first + k) & (this.#due.length - 1);
  }

  /** Passes over all that are there by `nowNs` but the newest. */
  #skip(nowNs: number): void {
    while (this.#count > 1 && this.#due[this.#place(1)]! <= nowNs) {
      this.#drop();
      this.lost++;
    }
  }

  #drop(): void {
    this.#entries[this.#first] = null;
    this.#first = this.#place(1);
    this.#count--;
    this.#backlog.waiting--;
  }

  /** Twice as many places. */
  #grow(): void {
    const size = this.#due.length;
    const [entries, due] = [this.#entries, this.#due];
    const places = Array.from({ length: size }, (_, k) => this.#place(k));
    this.#entries = [...places.map((at) => entries[at]!), ...new Array(size).fill(null)];
    this.#due = new Float64Array(2 * size);
    for (let k = 0; k < size; k++) this.#due[k] = due[places[k]!]!;
    this.#first = 0;
  }

  /** Gives up what waits: nothing takes it any more. */
  clear(): void {
    for (; this.#count > 0; this.#drop()) {
      if (this.#entries[this.#first] instanceof Promise) this.#backlog.unsettled--;
    }
  }

  /** When the next message is due [ns]; infinity if none waits. */
  get dueNs(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#due[this.#first]!;
  }

  /** Waits for a message that is due by `nowNs` and is still being worked on; null if there is none such. */
  settle(nowNs: number): Promise<void> | null {
    for (let k = 0; k < this.#count && this.#due[this.#place(k)]! <= nowNs; k++) {
      const entry = this.#entries[this.#place(k)];
      if (!(entry instanceof Promise)) continue;
      return entry.then((settled) => {
        this.#backlog.unsettled--;
        this.#entries[this.#entries.indexOf(entry)] = settled;
      });
    }
    return null;
  }
}

/** An out-port that puts into queues: one an edge. */
export class QueueOutPort<M extends object> implements OutPort<M> {
  /** Messages put since the start. */
  puts = 0;
  readonly #queues: Queue<M>[] = [];

  get copies(): boolean {
    return false;
  }

  join(queue: Queue<M>): void {
    this.#queues.push(queue);
  }

  leave(queue: Queue<M>): void {
    this.#queues.splice(this.#queues.indexOf(queue), 1);
  }

  get isJoined(): boolean {
    return this.#queues.length > 0;
  }

  put(message: M, readyNs: number): void {
    this.puts++;
    for (let k = 0; k < this.#queues.length; k++) this.#queues[k]!.put(message, readyNs);
  }

  offer(make: () => M, readyNs: number): void {
    this.puts++;
    for (let k = 0; k < this.#queues.length; k++) this.#queues[k]!.put(make, readyNs);
  }

  /** Puts what another thread works on: it is awaited when it is due. */
  promise(message: Promise<M>, readyNs: number): void {
    this.puts++;
    for (const queue of this.#queues) queue.promise(message, readyNs);
  }
}

/** Several edges to one port: what each of them has, in their order. */
export class MergedInPort implements InPort<object> {
  readonly #ports: readonly InPort<object>[];

  constructor(ports: readonly InPort<object>[]) {
    this.#ports = ports;
  }

  take(nowNs: number, out?: object): object | null {
    for (let k = 0; k < this.#ports.length; k++) {
      const message = this.#ports[k]!.take(nowNs, out);
      if (message !== null) return message;
    }
    return null;
  }

  get waiting(): number {
    let sum = 0;
    for (let k = 0; k < this.#ports.length; k++) sum += this.#ports[k]!.waiting;
    return sum;
  }

  get lost(): number {
    let sum = 0;
    for (let k = 0; k < this.#ports.length; k++) sum += this.#ports[k]!.lost;
    return sum;
  }
}
