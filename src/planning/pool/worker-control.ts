/** Words of the memory that a planner worker and its pool share beside the channels. */
const Word = { beat: 0, cancelled: 1, count: 2 } as const;

/** How a pool sees that its worker lives, and tells it to give up a job. Works on one memory from both threads. */
export class WorkerControl {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory = new SharedArrayBuffer(Word.count * Int32Array.BYTES_PER_ELEMENT)) {
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
