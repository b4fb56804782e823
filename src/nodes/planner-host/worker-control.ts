/** Words of the memory that a planner worker and its pool share. */
const Word = { beat: 0, cancelled: 1, count: 2 } as const;
const BYTES = Int32Array.BYTES_PER_ELEMENT;

/** How a pool sees that its worker lives, and tells it to give up a job. Works on one memory from both threads. */
export class WorkerControl {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory = new SharedArrayBuffer(Word.count * BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** In the worker, all the time while it solves. */
  beat(): void {
    Atomics.add(this.#words, Word.beat, 1);
  }

  /** Changes as long as the worker lives and has something to do. */
  get beats(): number {
    return Atomics.load(this.#words, Word.beat);
  }

  /** The job is of no more use. */
  cancel(ticket: number): void {
    Atomics.store(this.#words, Word.cancelled, ticket | 0);
  }

  isCancelled(ticket: number): boolean {
    return Atomics.load(this.#words, Word.cancelled) === (ticket | 0);
  }
}

/** Counts the results of all workers of a pool, so that its thread can wait for the next one without events. */
export class ResultBell {
  readonly memory: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(memory = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#count = new Int32Array(memory);
  }

  /** In a worker, after each result. */
  ring(): void {
    Atomics.add(this.#count, 0, 1);
    Atomics.notify(this.#count, 0);
  }

  get count(): number {
    return Atomics.load(this.#count, 0);
  }

  /** Blocks the thread until the count differs from `seen`, at most `timeoutMs`. */
  wait(seen: number, timeoutMs: number): void {
    Atomics.wait(this.#count, 0, seen, timeoutMs);
  }
}
