/** The pairs by how soon they need attention: a binary heap in arrays made once, the most urgent on top. */
export class UrgencyQueue {
  /** Pairs left. */
  size = 0;
  readonly #heap: Int32Array;
  /** Time left to each pair, in ticks; less is more urgent, NaN the most. Write it before `fill`. */
  readonly timeLeft: Float64Array;

  constructor(capacity: number) {
    this.#heap = new Int32Array(capacity);
    this.timeLeft = new Float64Array(capacity);
  }

  /** Queues all pairs. */
  fill(): void {
    const heap = this.#heap;
    this.size = heap.length;
    for (let i = 0; i < heap.length; i++) heap[i] = i;
    for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** The most urgent pair; −1 if none is left. */
  peek(): number {
    return this.size > 0 ? this.#heap[0]! : -1;
  }

  /** Removes the most urgent pair. */
  drop(): void {
    if (this.size === 0) return;
    this.size--;
    this.#heap[0] = this.#heap[this.size]!;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const { timeLeft, size } = this;
    const pair = heap[from]!;
    let i = from;
    for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && timeLeft[heap[child + 1]!]! < timeLeft[heap[child]!]!) child++;
      if (!(timeLeft[heap[child]!]! < timeLeft[pair]!)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = pair;
  }
}
