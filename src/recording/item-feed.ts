import type { ItemSelection, RecordedItem, Recording } from "./recording.js";

/** Reads a recording as far as it is needed, in the order of its times. */
export class ItemFeed {
  /** Whether all has been read. */
  isExhausted = false;
  /** Time of the newest item read [ns]. */
  newestNs = 0;
  readonly #iterator: Iterator<RecordedItem> | AsyncIterator<RecordedItem>;
  #ahead: RecordedItem | null = null;

  constructor(recording: Recording, selection: ItemSelection) {
    const items = recording.items(selection);
    this.#iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  }

  /** Hands over all items up to `untilNs`. */
  async read(untilNs: number, take: (item: RecordedItem) => void): Promise<void> {
    for (;;) {
      const item = await this.peek();
      if (item === null || item.timeNs > untilNs) return;
      this.newestNs = Math.max(this.newestNs, item.timeNs);
      take(item);
      this.#ahead = null;
    }
  }

  /** The item that is next; null: there is none. */
  async peek(): Promise<RecordedItem | null> {
    this.#ahead ??= await this.#next();
    return this.#ahead;
  }

  async #next(): Promise<RecordedItem | null> {
    if (this.isExhausted) return null;
    const { done, value } = await this.#iterator.next();
    if (done !== true) return value;
    this.isExhausted = true;
    return null;
  }
}
