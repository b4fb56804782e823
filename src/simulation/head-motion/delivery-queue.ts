/**
 * Things on their way, handed out when their time of arrival has come, first come first served; equal times in the order
 * of sending. The things are made once and used again. For a handful at a time.
 */
export class DeliveryQueue<T> {
  readonly #items: T[];
  readonly #arrival: Float64Array;
  readonly #order: Float64Array;
  #sent = 0;
  #taken = -1;

  constructor(capacity: number, create: () => T) {
    this.#items = Array.from({ length: capacity }, create);
    this.#arrival = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY);
    this.#order = new Float64Array(capacity);
  }

  /** An item to fill and then `send`; null if too many are on their way. */
  reserve(): T | null {
    this.#taken = this.#arrival.indexOf(Number.POSITIVE_INFINITY);
    return this.#taken < 0 ? null : this.#items[this.#taken]!;
  }

  /** Puts the item reserved last on its way. */
  send(arrival: number): void {
    this.#arrival[this.#taken] = arrival;
    this.#order[this.#taken] = this.#sent++;
  }

  /** The next item that has arrived by `time`, null if there is none; valid until the next `reserve`. */
  receive(time: number): T | null {
    let first = -1;
    for (let i = 0; i < this.#arrival.length; i++) {
      const arrival = this.#arrival[i]!;
      if (!(arrival <= time) || (first >= 0 && !this.#isBefore(i, first))) continue;
      first = i;
    }
    if (first < 0) return null;
    this.#arrival[first] = Number.POSITIVE_INFINITY;
    return this.#items[first]!;
  }

  #isBefore(a: number, b: number): boolean {
    const earlier = this.#arrival[a]! - this.#arrival[b]!;
    return earlier < 0 || (earlier === 0 && this.#order[a]! < this.#order[b]!);
  }
}
